"""Brute force: what is before what, by sets of everything known, from the words of internals.md.

Nothing is shared with the engine: sets instead of clocks, every pair instead of trees, and a run
without each sync instead of avoidance clocks.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from random_traces import Access, Op, Program

from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind, MemoryKind, StreamFlag

JUDGED = (Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC)
DEVICE_WORK = (
    Kind.KERNEL, Kind.MEMSET_ASYNC, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2H, Kind.MEMCPY_H2D,
    Kind.GRAPH_LAUNCH, Kind.TENSOR_COPY_ASYNC,
)  # fmt: skip
HOST_WORK = (Kind.HOST_READ, Kind.HOST_WRITE, Kind.FREE)


@dataclass(frozen=True)
class Touch:
    """One access that happened: on which timeline, and what was known (a set of touches) before."""

    op: int
    access: int
    reads: bool
    writes: bool
    timeline: object
    before: int  # bit n: touch n is before this one


@dataclass
class Run:
    """What a program did. Touches are in the order in which they are met."""

    touches: list[Touch] = field(default_factory=list)
    implied: set[int] = field(default_factory=set)
    unrecorded: set[int] = field(default_factory=set)
    anchors: dict[int, list[int]] = field(default_factory=dict)  # op: results read at its return


@dataclass
class _Stream:
    known: int = 0
    kernel_start: int | None = None  # known but for the last kernel, and dependent ones since
    forks: int = 0  # dependent launches since that kernel

    def learn(self, known: int) -> None:
        self.known |= known
        if self.kernel_start is not None:
            self.kernel_start |= known


def run(
    program: Program,
    *,
    strict: bool,
    habits: bool,
    removed: Callable[[int], bool] = lambda op: False,
    emptied: Callable[[int], bool] = lambda op: False,
    anchors: dict[int, list[int]] | None = None,
) -> Run:
    """Play the program.

    `removed`: judged ops (by index) that are not there; `emptied`: those that wait for nothing;
    `anchors`: of the whole program, since a sync left out still anchors the reads of its results.
    """
    return _Player(program, strict, habits, removed, emptied, anchors).play()


class _Player:
    def __init__(
        self,
        program: Program,
        strict: bool,
        habits: bool,
        removed: Callable[[int], bool],
        emptied: Callable[[int], bool],
        anchors: dict[int, list[int]] | None,
    ) -> None:
        self.p, self.strict, self.habits = program, strict, habits
        self.removed, self.emptied, self.given = removed, emptied, anchors
        self.run = Run()
        self.dependent = any(op.flags & Flag.PDL for op in program.ops)
        self.host = dict.fromkeys(range(1, program.threads + 1), 0)
        first = program.threads + 1
        self.streams = {first + s: _Stream() for s in range(program.streams)}
        self.flags = dict(zip(self.streams, program.stream_flags, strict=True))
        self.device = dict(zip(self.streams, program.stream_devices, strict=True))
        self.queues: dict[tuple[int, int], int] = {}
        self.events: dict[int, int] = {}
        self.graphs: dict[int, int] = {}
        self.marks: dict[int, set[int]] = {}
        self.closed: dict[int, int] = {}
        self.returned = 0  # what returned calls of any thread knew
        self.results: list[int] = []  # touches that are results not read yet
        self.bound: dict[int, tuple[int, bool]] = {}
        self.in_gap = False
        self.losses = 0  # gaps begun and ended
        self.freed: dict[int, int] = {}  # of each owner: losses at its last free
        self.unsure: set[int] = set()  # owners whose marks may be lost
        self.undecided: set[int] = set()  # ops of which what was lost may say what they order

    def play(self) -> Run:
        moments = [(op.ticket_c, 0, i) for i, op in enumerate(self.p.ops)]
        moments += [(op.ticket_r, 1, i) for i, op in enumerate(self.p.ops)]
        moments += [(ticket, 2 + end, 0) for gap in self.p.gaps for end, ticket in enumerate(gap)]
        for _, what, i in sorted(moments):
            if what >= 2:
                self.in_gap = what == 2
                self.losses += 1
                if not self.in_gap:
                    self.join_all()
            elif not self.p.ops[i].flags & (NO_EFFECT | Flag.CAPTURED):
                self.enter(i, self.p.ops[i]) if what == 0 else self.leave(i, self.p.ops[i])
            elif self.p.ops[i].flags & Flag.SKIPPED:
                if what == 0:
                    self.skipped(i, self.p.ops[i])
                self.returned |= self.host[self.p.ops[i].thread] if what == 1 else 0
        return self.run

    # Moments

    def join_all(self) -> None:
        everything = self.returned
        for known in (*self.host.values(), *self.queues.values()):
            everything |= known
        for stream in self.streams.values():
            everything |= stream.known
        self.returned = everything
        self.host = dict.fromkeys(self.host, everything)
        self.queues = dict.fromkeys(self.queues, everything)
        for stream in self.streams.values():
            stream.known, stream.kernel_start, stream.forks = everything, None, 0
        self.results = []

    def decided(self, op: Op) -> bool:
        if op.kind is Kind.CACHE_ALLOC and self.owner(op) in self.unsure:
            return False
        kinds = [self.p.accesses[a - 1].memory for a in self.p.accesses_of(op)]
        return op.kind is not Kind.MEMCPY_ASYNC_H2D or any(kinds)

    def enter(self, i: int, op: Op) -> None:
        if self.losses and not self.decided(op):
            self.undecided.add(i)
            self.join_all()
            return
        gone = op.kind in JUDGED and self.removed(i)
        if not self.strict:
            self.host[op.thread] |= self.returned
        know = self.host[op.thread]
        on_host = self.on_host(op)
        if on_host and op.kind is Kind.TENSOR_COPY_ASYNC:
            know |= self.streams[op.peer].known
            if self.habits:
                know |= self.streams[op.actor].known
            self.host[op.thread] = know
            self.read_results(i, op, know)
            self.read_given(i, op)
        if on_host and not self.waits(op):
            self.touch_on_host(i, op)
        if op.actor and not gone:
            self.on_stream(i, op)
        self.owners(op)
        if op.kind is Kind.THREAD_SIGNAL:
            self.events[op.event] = self.host[op.thread]
        self.bound[i] = self.sources(op)

    def leave(self, i: int, op: Op) -> None:
        if i in self.undecided:
            return
        known, recorded = self.bound.pop(i)
        if op.kind is Kind.THREAD_WAIT:
            recorded = op.event in self.events
            known = self.events.get(op.event, 0)
        if op.kind in JUDGED and (self.removed(i) or self.emptied(i)):
            known = 0
        if self.waits(op):
            if op.kind in JUDGED:
                self.note(i, recorded, known & ~self.host[op.thread])
            self.host[op.thread] |= known
            self.read_results(i, op, self.host[op.thread])
            self.read_given(i, op)
            if self.on_host(op):
                self.touch_on_host(i, op)
        self.returned |= self.host[op.thread]

    def skipped(self, i: int, op: Op) -> None:
        if not self.strict:
            self.host[op.thread] |= self.returned
        self.read_results(i, op, self.sources(op)[0])
        self.read_given(i, op)

    # Edges

    def on_stream(self, i: int, op: Op) -> None:
        stream, know = self.streams[op.actor], self.host[op.thread]
        if op.kind is Kind.TENSOR_COPY_ASYNC:
            known = self.queues.get((op.peer, op.actor), 0) | know | self.streams[op.peer].known
            if self.habits:
                known |= stream.known
            queue = ("queue", op.peer, op.actor)
            self.queues[op.peer, op.actor] = self.touch_device(i, op, queue, known)
            stream.learn(self.queues[op.peer, op.actor])
            return
        if op.kind is Kind.CACHE_ALLOC:
            stream.learn(self.closed.get(self.owner(op), 0))
        if op.kind not in (*DEVICE_WORK, Kind.EVENT_RECORD, Kind.EVENT_WAIT):
            return
        dependent = op.kind is Kind.KERNEL and op.flags & Flag.PDL and not self.on_host(op)
        if dependent and stream.kernel_start is not None:
            start = stream.kernel_start | know | self.legacy(op.actor)
            stream.known |= self.touch_device(i, op, ("fork", op.actor, stream.forks), start)
            stream.forks += 1
            return
        if op.kind in DEVICE_WORK:
            stream.kernel_start, stream.forks = None, 0
        if op.kind is Kind.EVENT_WAIT:
            event = self.events.get(op.event, 0)
            news = (event | self.legacy(op.actor)) & ~(stream.known | know)
            if stream.kernel_start is not None and self.dependent:
                news |= (event | self.legacy(op.actor)) & ~(stream.kernel_start | know)
            self.note(i, op.event in self.events, news)
            stream.learn(0 if self.emptied(i) else event)
        stream.learn(know | self.legacy(op.actor))
        if op.kind is Kind.GRAPH_LAUNCH:
            stream.known |= self.graphs.get(op.graph, 0)
        if op.kind is Kind.KERNEL:
            stream.kernel_start = stream.known
        if op.kind in DEVICE_WORK and (not self.on_host(op) or self.device_part(op)):
            stream.known = self.touch_device(i, op, op.actor, stream.known)
        if op.kind is Kind.GRAPH_LAUNCH:
            self.graphs[op.graph] = stream.known
        if op.kind is Kind.EVENT_RECORD:
            self.events[op.event] = stream.known

    def legacy(self, actor: int) -> int:
        blocking = [s for s, f in self.flags.items() if f & StreamFlag.BLOCKING]
        legacy = [s for s, f in self.flags.items() if f & StreamFlag.LEGACY]
        others = blocking if actor in legacy else legacy if actor in blocking else []
        known = 0
        for other in others:
            if self.device[other] == self.device[actor] and other != actor:
                known |= self.streams[other].known
        return known

    def owner(self, op: Op) -> int:
        return self.p.accesses[op.accesses[0] - 1].storage

    def owners(self, op: Op) -> None:
        if op.kind is Kind.RECORD_STREAM:
            self.marks.setdefault(self.owner(op), set()).add(op.actor)
        if op.kind is Kind.CACHE_FREE:
            lost = self.freed.get(self.owner(op), 0) != self.losses
            (self.unsure.add if lost else self.unsure.discard)(self.owner(op))
            self.freed[self.owner(op)] = self.losses
            self.closed[self.owner(op)] = 0
            for actor in self.marks.pop(self.owner(op), set()):
                self.closed[self.owner(op)] |= self.streams[actor].known

    def waits(self, op: Op) -> bool:
        kinds = (Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC, Kind.THREAD_WAIT)
        kinds += (Kind.MEMCPY_H2D, Kind.CACHE_ALLOC)
        return op.kind in kinds or (op.kind is Kind.FREE and bool(op.flags & Flag.IMPLICIT_SYNC))

    def sources(self, op: Op) -> tuple[int, bool]:
        """What a host wait makes known, bound at its entry."""
        if op.kind is Kind.EVENT_SYNC:
            return self.events.get(op.event, 0), op.event in self.events
        if op.kind is Kind.CACHE_ALLOC:
            return self.closed.get(self.owner(op), 0), True
        if op.kind in (Kind.STREAM_SYNC, Kind.MEMCPY_H2D):
            return (self.streams[op.actor].known if op.actor else 0), True
        known = 0
        if op.kind is Kind.DEVICE_SYNC or (op.kind is Kind.FREE and self.waits(op)):
            every = op.device < 0 or op.kind is Kind.FREE
            for actor, stream in self.streams.items():
                if every or self.device[actor] == op.device:
                    known |= stream.known
            for (_, actor), queue in self.queues.items():
                if every or self.device[actor] == op.device:
                    known |= queue
        return known, True

    def note(self, i: int, recorded: bool, news: int) -> None:
        if not recorded:
            self.run.unrecorded.add(i)
        elif not news:
            self.run.implied.add(i)

    # Accesses

    def on_host(self, op: Op) -> bool:
        """Whether its accesses, or its reads alone, are the host's."""
        if op.kind in HOST_WORK:
            return True
        if op.kind not in DEVICE_WORK:
            return False
        if op.flags & Flag.BLOCKING or self.flags[op.actor] & StreamFlag.SYNCHRONOUS:
            return True
        return self.staged(op)

    def staged(self, op: Op) -> bool:
        """A pageable source, read at the call. The first host-side range tells."""
        if op.kind is not Kind.MEMCPY_ASYNC_H2D or op.flags & Flag.UNSTAGED:
            return False
        kinds = [self.p.accesses[a - 1].memory for a in self.p.accesses_of(op)]
        return next((k for k in kinds if k), MemoryKind.UNKNOWN) is MemoryKind.PAGEABLE

    def device_part(self, op: Op) -> bool:
        """Whether it writes on its stream although it reads on the host."""
        blocking = op.flags & Flag.BLOCKING or self.flags[op.actor] & StreamFlag.SYNCHRONOUS
        return not blocking

    def touch_on_host(self, i: int, op: Op) -> None:
        writes_too = op.kind in HOST_WORK or not self.device_part(op)
        for a in self.p.accesses_of(op):
            access = self.p.accesses[a - 1]
            if access.reads or (access.writes and writes_too):
                self.touch(i, a, access.reads, access.writes and writes_too, op.thread)

    def touch_device(self, i: int, op: Op, timeline: object, known: int) -> int:
        """The op's accesses on a device timeline; what is known after them."""
        if op.kind is Kind.TENSOR_COPY_ASYNC and self.on_host(op):
            return known
        after = known
        for a in self.p.accesses_of(op):
            access = self.p.accesses[a - 1]
            reads = access.reads and not self.staged(op)
            if not reads and not access.writes:
                continue
            self.met(Touch(i, a, reads, access.writes, timeline, known))
            after |= 1 << (len(self.run.touches) - 1)
            if op.kind is Kind.MEMCPY_ASYNC_D2H and access.writes:
                self.results.append(len(self.run.touches) - 1)
        return after

    def touch(self, i: int, access: int, reads: bool, writes: bool, thread: int) -> None:
        known = self.host[thread]
        self.met(Touch(i, access, reads, writes, thread, known))
        # Host accesses last until the call returns: only then do others know of them. The thread
        # itself goes on after that.
        self.host[thread] |= 1 << (len(self.run.touches) - 1)

    def met(self, touch: Touch) -> None:
        """Where records are lost, anything may have ordered it after all that was."""
        everything = (1 << len(self.run.touches)) - 1
        self.run.touches.append(replace(touch, before=everything) if self.in_gap else touch)

    def read_results(self, i: int, op: Op, covered: int) -> None:
        if self.given is not None:
            return
        found = [r for r in self.results if covered >> r & 1]
        self.results = [r for r in self.results if not covered >> r & 1]
        for result in found:
            access = self.run.touches[result].access
            self.run.anchors.setdefault(i, []).append(access)
            self.touch(i, access, True, False, op.thread)

    def read_given(self, i: int, op: Op) -> None:
        for result in (self.given or {}).get(i, []):
            self.touch(i, result, True, False, op.thread)


def overlap(a: Access, b: Access) -> bool:
    """Whether the bytes meet; unknown memory meets everything."""
    if a.storage == 0 or b.storage == 0:
        return True
    return a.storage == b.storage and a.lo < b.hi and b.lo < a.hi
