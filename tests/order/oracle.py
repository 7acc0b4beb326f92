"""Brute force: what is before what, by sets of everything known, from the words of internals.md.

Nothing is shared with the engine: sets instead of clocks, every pair instead of trees, and a run
without each sync instead of avoidance clocks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from everything import JUDGED, Plan, memory, plan, size
from random_traces import Access, Op, Program

from synctrace.analyzer.abi import BY_RETURN, BY_TICKET
from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind, StreamFlag

AFTER = {"after-peer", "after-actor", "after-devices"}
# By which later work on a stream comes to be after the op.
ISSUES = AFTER | {
    *("launch", "actor-waits", "peer-waits", "devices-wait", "actor-waits-event", "owner-alloc")
}
ISSUED = 1 << 12  # bit ISSUED + i of what is known: that op i has been issued; touches are below


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
    # Results read by an op, at its entry (False) or its return.
    anchors: dict[tuple[int, bool], list[int]] = field(default_factory=dict)


@dataclass
class _Stream:
    """What a stream or a copy queue has in it."""

    known: int = 0
    kernel_start: int | None = None  # known but for the last kernel, and dependent ones since
    forks: int = 0  # dependent launches since that kernel
    begun: int | None = None  # what the last kernel came after, whatever else has come since

    def learn(self, known: int) -> None:
        self.known |= known
        if self.kernel_start is not None:
            self.kernel_start |= known

    def join(self, known: int, start: int) -> None:
        """What another thread has given to the stream; `start`: without its last kernel."""
        self.kernel_start = start | (self.known if self.kernel_start is None else self.kernel_start)
        self.known |= known


@dataclass
class _Issue:
    """Something given to a stream, and what the stream had then."""

    op: int
    thread: int
    ticket_r: int
    known: int
    start: int


def run(
    program: Program,
    *,
    strict: bool,
    habits: bool,
    fences: bool = True,
    issue: int = BY_TICKET,
    removed: Callable[[int], bool] = lambda op: False,
    emptied: Callable[[int], bool] = lambda op: False,
    anchors: dict[tuple[int, bool], list[int]] | None = None,
) -> Run:
    """Play the program.

    `removed`: judged ops (by index) that are not there; `emptied`: those that wait for nothing;
    `anchors`: of the whole program, since a sync left out still anchors the reads of its results.
    """
    return _Player(program, strict, habits, fences, issue, removed, emptied, anchors).play()


class _Player:
    def __init__(
        self,
        program: Program,
        strict: bool,
        habits: bool,
        fences: bool,
        issue: int,
        removed: Callable[[int], bool],
        emptied: Callable[[int], bool],
        anchors: dict[tuple[int, bool], list[int]] | None,
    ) -> None:
        self.p, self.strict = program, strict
        self.issue = issue if program.threads > 1 else BY_TICKET
        self.plans = [plan(program, op, habits=habits, fences=fences) for op in program.ops]
        self.removed, self.emptied, self.given = removed, emptied, anchors
        self.run = Run()
        looked_at = Flag.PDL | Flag.PROGRAMMATIC
        self.dependent = any(op.flags & looked_at for op in program.ops)
        self.host = dict.fromkeys(range(1, program.threads + 1), 0)
        actors = range(program.threads + 1, program.threads + 1 + program.streams)
        self.flags = dict(zip(actors, program.stream_flags, strict=True))
        self.device: dict[object, int] = dict(zip(actors, program.stream_devices, strict=True))
        # Streams, copy queues and legacy default streams without a name; each as the thread finds
        # it, unless work of all threads is ordered by ticket (thread 0).
        self.views: dict[tuple[object, int], _Stream] = {}
        self.viewed: set[object] = set()  # as the call being played finds them
        self.issues: dict[object, list[_Issue]] = {}
        self.events: dict[int, int] = {}
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
                continue
            op = self.p.ops[i]
            if not op.flags & (NO_EFFECT | Flag.CAPTURED):
                self.enter(i, op) if what == 0 else self.leave(i, op)
            elif op.flags & Flag.SKIPPED:
                if what == 0:
                    self.skipped(i, op)
                self.returned |= self.host[op.thread] if what == 1 else 0
        return self.run

    # Moments

    def join_all(self) -> None:
        everything = self.returned
        devices = self.views.values()
        for known in (*self.host.values(), *(stream.known for stream in devices)):
            everything |= known
        self.returned = everything
        self.host = dict.fromkeys(self.host, everything)
        for stream in devices:
            stream.known, stream.kernel_start, stream.forks = everything, None, 0
            stream.begun = None
        self.results = []

    def decided(self, op: Op) -> bool:
        if op.kind is Kind.CACHE_ALLOC and self.owner(op) in self.unsure:
            return False
        known = bool(memory(self.p, op)) and size(self.p, op) > 0
        return op.kind not in (Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_H2D) or known

    def enter(self, i: int, op: Op) -> None:
        if self.losses and not self.decided(op):
            self.undecided.add(i)
            self.join_all()
            return
        self.viewed = set()
        does = self.plans[i]
        gone = op.kind in JUDGED and self.removed(i)
        if not self.strict:
            self.host[op.thread] |= self.returned
        issues = self.issue != BY_TICKET and op.actor and does.edges & ISSUES and not gone
        if issues:
            self.host[op.thread] |= 1 << (ISSUED + i)
        first = {"host-waits-prior"} | (AFTER if does.on_host else set())
        if does.edges & first:
            self.host[op.thread] |= self.prior(op, does)
            if does.on_host:
                self.host[op.thread] |= self.others(op, does)
            self.read_results(i, op, self.host[op.thread], False)
        self.read_given(i, op, False)
        self.viewed = set()
        if does.on_host and (not does.waits or does.source_first):
            behind = does.source_first and "host-waits-actor" in does.edges
            self.touch_on_host(i, op, does, self.stream_of(op, does) if behind else 0)
        if op.actor and not gone:
            self.on_stream(i, op, does)
        elif not op.actor:
            self.stand(op, does, self.host[op.thread])
        self.owners(op, does)
        self.bound[i] = self.sources(op, does)

    def leave(self, i: int, op: Op) -> None:
        if i in self.undecided:
            return
        does = self.plans[i]
        known, recorded = self.bound.pop(i)
        if "host-waits-signal" in does.edges:
            recorded &= op.event in self.events
            known |= self.events.get(op.event, 0)
        if op.kind in JUDGED and (self.removed(i) or self.emptied(i)):
            known = 0
        if does.waits:
            if op.kind in JUDGED:
                self.note(i, recorded, known & ~self.host[op.thread])
            self.host[op.thread] |= known
            self.read_results(i, op, self.host[op.thread], True)
        self.read_given(i, op, True)
        if does.waits and not does.source_first:
            self.touch_on_host(i, op, does)
        self.returned |= self.host[op.thread]

    def skipped(self, i: int, op: Op) -> None:
        self.viewed = set()
        if not self.strict:
            self.host[op.thread] |= self.returned
        known = self.sources(op, self.plans[i])[0] | self.prior(op, self.plans[i])
        if "host-waits-signal" in self.plans[i].edges:
            known |= self.events.get(op.event, 0)
        self.read_results(i, op, known, False)
        self.read_given(i, op, False)

    # Streams

    def stream(self, name: object, op: Op) -> _Stream:
        """A stream, or what is like one, as this call finds it."""
        if self.issue == BY_TICKET:
            return self.views.setdefault((name, 0), _Stream())
        own = self.views.setdefault((name, op.thread), _Stream())
        if name in self.viewed:
            return own
        self.viewed.add(name)
        for issue in self.issues.get(name, ()):
            returned = self.issue == BY_RETURN and issue.ticket_r < op.ticket_c
            known = self.host[op.thread] >> (ISSUED + issue.op) & 1
            if issue.thread != op.thread and (known or returned):
                own.join(issue.known, issue.start)
        return own

    def issued(self, i: int, op: Op, name: object) -> None:
        """The op has done what it does to the stream."""
        if self.issue == BY_TICKET or not self.plans[i].edges & ISSUES:
            return
        own = self.stream(name, op)
        start = own.known if own.kernel_start is None else own.kernel_start
        issue = _Issue(i, op.thread, op.ticket_r, own.known, start)
        self.issues.setdefault(name, []).append(issue)

    # Edges

    def on_stream(self, i: int, op: Op, does: Plan) -> None:
        """What the op does on its stream or, if it is a copy between two, on their queue."""
        edges, know = does.edges, self.host[op.thread]
        name: object = op.actor
        timeline: object = op.actor if self.issue == BY_TICKET else ("view", op.actor, op.thread)
        start: int | None = None  # of a dependent launch
        if edges & {"after-peer", "after-actor", "actor-waits"}:
            name = ("queue", op.peer, op.actor)
            timeline = (*name, 0 if self.issue == BY_TICKET else op.thread)
            self.device[name] = self.device[op.actor]
        at = self.stream(name, op)
        if name == op.actor and self.dependent_launch(op, does):
            start = at.kernel_start
            if self.issue == BY_TICKET:
                timeline = ("fork", op.actor, at.forks)
            at.forks += 1
        works = does.reads != "none" or does.writes != "none"
        if "launch" in edges and works and start is None:
            at.kernel_start, at.forks = None, 0
        learnt = self.before(i, op, does, at)
        if start is None:
            at.learn(learnt)
            before = at.known
        else:
            before = start | learnt
            if self.issue != BY_TICKET and at.kernel_start is not None:
                at.kernel_start |= learnt
        if op.kind is Kind.KERNEL:
            at.begun = before
            if start is None:
                at.kernel_start = at.known
        end = before | self.touch_device(i, op, does, timeline, before, know)
        at.known |= end
        self.after(i, op, does, at, end)
        self.issued(i, op, name)

    def dependent_launch(self, op: Op, does: Plan) -> bool:
        """Whether it does not wait for the kernel before."""
        without_wait = op.kind is Kind.KERNEL and op.flags & Flag.PDL and does.reads == "stream"
        return bool(without_wait) and self.stream(op.actor, op).kernel_start is not None

    def before(self, i: int, op: Op, does: Plan, at: _Stream) -> int:
        """What comes before the op's device work, besides what is in its stream."""
        edges, know = does.edges, self.host[op.thread]
        known = know if "launch" in edges else 0
        known |= self.others(op, does)
        if {"legacy", "launch"} <= edges:
            known |= self.legacy(op)
        if "legacy-of-peer" in edges:
            for other in self.ordered(self.device[op.peer]):
                known |= self.stream(other, op).known
            known |= self.stream(self.redirect(op), op).known
        if "graph-order" in edges:
            known |= self.stream(("launches", op.graph), op).known
        if "owner-alloc" in edges:
            known |= self.closed.get(self.owner(op), 0)
        if "actor-waits-event" in edges:
            event = self.events.get(op.event, 0)
            news = (event | self.legacy(op)) & ~(at.known | know)
            if at.kernel_start is not None and self.dependent:
                news |= (event | self.legacy(op)) & ~(at.kernel_start | know)
            self.note(i, op.event in self.events, news)
            known |= 0 if self.emptied(i) else event
        return known

    def others(self, op: Op, does: Plan) -> int:
        """What other streams hold that the op's work comes after."""
        known = 0
        if "after-peer" in does.edges and op.peer:
            known |= self.stream(op.peer, op).known
        if "after-actor" in does.edges and op.actor:
            known |= self.stream(op.actor, op).known
        if "after-devices" in does.edges:
            for stream in self.of_devices(op):
                known |= self.stream(stream, op).known
        return known

    def after(self, i: int, op: Op, does: Plan, at: _Stream, end: int) -> None:
        """What comes after the op's device work."""
        told: list[object] = []
        if "actor-waits" in does.edges:
            told.append(op.actor)
        if "peer-waits" in does.edges:
            told.append(op.peer)
        if "devices-wait" in does.edges:
            told += self.of_devices(op)
        if "legacy-of-peer" in does.edges:
            told.append(self.redirect(op))
        for name in told:
            stream = self.stream(name, op)
            if stream is not at:
                stream.learn(end)
                self.issued(i, op, name)
        if "graph-order" in does.edges:
            self.stream(("launches", op.graph), op).known = end
            self.issued(i, op, ("launches", op.graph))
        stream = self.stream(op.actor, op)
        if "records" in does.edges:
            self.events[op.event] = stream.known
        if "records-start" in does.edges:
            start = stream.known if stream.kernel_start is None else stream.kernel_start
            if stream.begun is not None:
                start = stream.begun | (self.host[op.thread] if "launch" in does.edges else 0)
            self.events[op.event] = start
        self.stand(op, does, end)

    def stand(self, op: Op, does: Plan, known: int) -> None:
        if "signals" in does.edges:
            self.events[op.event] = known
        if "releases" in does.edges:
            self.events[op.event] = self.events.get(op.event, 0) | known

    def of_devices(self, op: Op) -> list[object]:
        devices = {op.device, self.device[op.actor], self.device[op.peer]}
        streams = [stream for stream in self.flags if self.device[stream] in devices]
        hidden = [self.legacy_of(device) for device in devices if device >= 0]
        return [*streams, *(stream for stream in hidden if stream not in streams)]

    def ordered(self, device: int) -> Iterator[int]:
        """Streams of a device that do not opt out of the default stream's order."""
        for stream, flags in self.flags.items():
            if flags & StreamFlag.BLOCKING and self.device[stream] == device:
                yield stream

    def redirect(self, op: Op) -> object:
        """The legacy default stream of the peer's device, whether the trace names it or not."""
        return self.legacy_of(self.device[op.peer])

    def legacy_of(self, device: int) -> object:
        for stream, flags in self.flags.items():
            if flags & StreamFlag.LEGACY and self.device[stream] == device:
                return stream
        self.device["hidden", device] = device
        return "hidden", device

    def legacy(self, op: Op) -> int:
        actor, known = op.actor, 0
        device = self.device[actor]
        if self.flags[actor] & StreamFlag.LEGACY:
            for other in self.ordered(device):
                known |= self.stream(other, op).known
        elif self.flags[actor] & StreamFlag.BLOCKING:
            for other, flags in self.flags.items():
                if flags & StreamFlag.LEGACY and self.device[other] == device:
                    known |= self.stream(other, op).known
            if ("hidden", device) in self.device:
                known |= self.stream(("hidden", device), op).known
        return known

    def owner(self, op: Op) -> int:
        return self.p.access(op.accesses[0]).storage

    def owners(self, op: Op, does: Plan) -> None:
        if "owner-record" in does.edges:
            self.marks.setdefault(self.owner(op), set()).add(op.actor)
        if "owner-free" in does.edges:
            lost = self.freed.get(self.owner(op), 0) != self.losses
            (self.unsure.add if lost else self.unsure.discard)(self.owner(op))
            self.freed[self.owner(op)] = self.losses
            self.closed[self.owner(op)] = 0
            for actor in self.marks.pop(self.owner(op), set()):
                self.closed[self.owner(op)] |= self.stream(actor, op).known

    def stream_of(self, op: Op, does: Plan) -> int:
        """What a wait for the op's stream makes known."""
        if not op.actor:
            return 0
        known = self.stream(op.actor, op).known
        if "legacy" in does.edges and self.flags[op.actor] & StreamFlag.LEGACY:
            known |= self.legacy(op)
        return known

    def prior(self, op: Op, does: Plan) -> int:
        return self.stream_of(op, does) if "host-waits-prior" in does.edges else 0

    def sources(self, op: Op, does: Plan) -> tuple[int, bool]:
        """What a host wait makes known, bound at its entry, but for signals."""
        edges, known, recorded = does.edges, 0, True
        if "host-waits-event" in edges:
            known |= self.events.get(op.event, 0)
            recorded = op.event in self.events
        if "owner-alloc" in edges:
            known |= self.closed.get(self.owner(op), 0)
        if "host-waits-actor" in edges:
            known |= self.stream_of(op, does)
        if edges & {"host-waits-device", "host-waits-all"}:
            every = op.device < 0 or "host-waits-all" in edges
            for name, device in self.device.items():
                if every or device == op.device:
                    known |= self.stream(name, op).known
        return known, recorded

    def note(self, i: int, recorded: bool, news: int) -> None:
        if not recorded:
            self.run.unrecorded.add(i)
        elif not news:
            self.run.implied.add(i)

    # Accesses

    def touch_on_host(self, i: int, op: Op, does: Plan, behind: int = 0) -> None:
        """`behind`: what it comes after besides, which the thread does not know yet."""
        for a in self.p.accesses_of(op):
            access = self.p.access(a)
            reads = access.reads and does.reads == "host"
            writes = access.writes and does.writes == "host"
            if reads or writes:
                self.touch(i, a, reads, writes, op.thread, behind)

    def touch_device(
        self, i: int, op: Op, does: Plan, timeline: object, known: int, thread: int
    ) -> int:
        """The op's accesses on a device timeline; what is loose knows what the thread does."""
        done = 0
        for places, before in ((("loose",), thread), (("stream", "queue"), known)):
            for a in self.p.accesses_of(op):
                access = self.p.access(a)
                reads = access.reads and does.reads in places
                writes = access.writes and does.writes in places
                if not reads and not writes:
                    continue
                self.met(Touch(i, a, reads, writes, timeline, before))
                done |= 1 << (len(self.run.touches) - 1)
                if op.kind is Kind.MEMCPY_ASYNC_D2H and writes:
                    self.results.append(len(self.run.touches) - 1)
        return done

    def touch(
        self, i: int, access: int, reads: bool, writes: bool, thread: int, behind: int = 0
    ) -> None:
        known = self.host[thread] | behind
        self.met(Touch(i, access, reads, writes, thread, known))
        # Host accesses last until the call returns: only then do others know of them. The thread
        # itself goes on after that.
        self.host[thread] |= 1 << (len(self.run.touches) - 1)

    def met(self, touch: Touch) -> None:
        """Where records are lost, anything may have ordered it after all that was."""
        everything = (1 << len(self.run.touches)) - 1
        self.run.touches.append(replace(touch, before=everything) if self.in_gap else touch)

    def read_results(self, i: int, op: Op, covered: int, returns: bool) -> None:
        """The host reads the results that it has waited for."""
        if self.given is not None:
            return
        found = [r for r in self.results if covered >> r & 1]
        self.results = [r for r in self.results if not covered >> r & 1]
        for result in found:
            access = self.run.touches[result].access
            self.run.anchors.setdefault((i, returns), []).append(access)
            self.touch(i, access, True, False, op.thread)

    def read_given(self, i: int, op: Op, returns: bool) -> None:
        """The host reads the results that it reads in the whole program."""
        for access in (self.given or {}).get((i, returns), []):
            self.touch(i, access, True, False, op.thread)


def overlap(a: Access, b: Access) -> bool:
    """Whether the bytes meet; unknown memory meets everything."""
    if a.storage == 0 or b.storage == 0:
        return True
    return a.storage == b.storage and a.lo < b.hi and b.lo < a.hi
