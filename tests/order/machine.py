"""A host with threads, streams and copy queues: what a call puts on the devices, and waits for.

A call puts at most one *command* on a queue. A command may start when its call has been made, what
the call reads on the host is read, and all it stands behind in its queue and all its gates are
finished. It is finished when, moreover, its accesses are over: one without accesses (a record, a
wait) when it may start, a record of a kernel's start when that kernel may. Bit n of a set is the
command, and the call, of op n.
"""

from dataclasses import dataclass, field

from laws import Law
from random_traces import Op, Program

from synctrace.tracer.kinds import Flag, Kind, StreamFlag

Queue = tuple[str, int, int]
# What a board is made of.
TABLES = ("needs", "first", "waits", "queue", "chain", "kernel", "starts", "launches")
# Words of a call that neither looks at the queues nor changes them.
PRIVATE = {"signals", "releases", "host-waits-signal", "host-waits-event", "owner-record"}
ORDERED = StreamFlag.BLOCKING | StreamFlag.PER_THREAD  # with the legacy stream


@dataclass(frozen=True)
class Bound:
    """What the waits of a program are bound to, as recorded: by op index, sets of ops."""

    record: dict[int, int] = field(default_factory=dict)  # event waits: the record
    signals: dict[int, int] = field(default_factory=dict)  # host waits for signals: those
    free: dict[int, int] = field(default_factory=dict)  # cache_alloc: the free of that block
    marked: dict[int, frozenset[int]] = field(default_factory=dict)  # cache_free: its streams


def bind(program: Program, laws: list[Law]) -> Bound:
    """An event is bound when the wait is called, a signal when the wait for it returns."""
    bound, events = Bound(), {}
    marks: dict[int, set[int]] = {}
    freed: dict[int, int] = {}
    moments = [(op.ticket_c, i, False) for i, op in enumerate(program.ops)]
    moments += [(op.ticket_r, i, True) for i, op in enumerate(program.ops)]
    for _, i, returned in sorted(moments):
        op, words = program.ops[i], laws[i].words
        if returned:
            if "host-waits-signal" in words:
                bound.signals[i] = events.get(op.event, 0)
            continue
        if words & {"actor-waits-event", "host-waits-event"}:
            bound.record[i] = events.get(op.event, 0)
        if words & {"records", "records-start", "signals"}:
            events[op.event] = 1 << i
        if "releases" in words:
            events[op.event] = events.get(op.event, 0) | 1 << i
        block = program.accesses[op.accesses[0] - 1].storage if op.accesses else 0
        if "owner-record" in words:
            marks.setdefault(block, set()).add(op.actor)
        if "owner-free" in words:
            bound.marked[i] = frozenset(marks.pop(block, ()))
            freed[block] = 1 << i
        if "owner-alloc" in words:
            bound.free[i] = freed.get(block, 0)
    return bound


class Machine:
    """The devices of one program, before and after each of its calls."""

    def __init__(self, program: Program, laws: list[Law]) -> None:
        self.ops, self.laws, self.bound = program.ops, laws, bind(program, laws)
        first = program.threads + 1
        self.flags = {first + n: flag for n, flag in enumerate(program.stream_flags)}
        self.device = {first + n: device for n, device in enumerate(program.stream_devices)}
        self.boards: dict[tuple[object, ...], Board] = {}
        self.private = [not law.words - PRIVATE for law in laws]

    def stream(self, actor: int) -> Queue:
        """The queue of a stream. A device has one legacy stream."""
        if self.flags[actor] & StreamFlag.LEGACY:
            return "legacy", self.device[actor], 0
        return "stream", actor, 0

    def blocking(self, device: int) -> list[Queue]:
        """The streams that the legacy stream of a device waits for, and that wait for it."""
        return [
            ("stream", actor, 0)
            for actor, flag in self.flags.items()
            if flag & ORDERED and not flag & StreamFlag.LEGACY and self.device[actor] == device
        ]

    def of_device(self, device: int) -> list[Queue]:
        """Its streams, the legacy one too."""
        on = [self.stream(actor) for actor in self.flags if self.device[actor] == device]
        return [*on, ("legacy", device, 0)]


class Board:
    """The devices after some calls. Never changed: a call makes another."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.called = 0
        self.needs: dict[int, int] = {}  # by op: commands that must be finished before its own
        self.first: dict[int, int] = {}  # by op: those before the call touches anything
        self.waits: dict[int, int] = {}  # by op: those before the call returns
        self.queue: dict[Queue, int] = {}  # what stands in it: the next command comes after these
        self.chain: dict[Queue, int] = {}  # the last kernel, and dependent ones since
        self.kernel: dict[Queue, int] = {}  # the last kernel
        self.starts: dict[int, int] = {}  # by record of a start: that kernel
        self.launches: dict[int, int] = {}  # by graph: its last launch
        self.after: dict[int, Board] = {}

    def key(self) -> tuple[object, ...]:
        """Equal for devices that will do the same."""
        return (self.called, *(tuple(sorted(getattr(self, name).items())) for name in TABLES))

    def call(self, i: int) -> "Board":
        """The devices once the call of op i has been entered."""
        if i not in self.after:
            new = Board(self.machine)
            new.called = self.called | 1 << i
            for name in TABLES:
                setattr(new, name, dict(getattr(self, name)))
            new._enter(i, self.machine.ops[i], self.machine.laws[i])
            self.after[i] = self.machine.boards.setdefault(new.key(), new)
        return self.after[i]

    # What a call does

    def _enter(self, i: int, op: Op, law: Law) -> None:
        machine, words = self.machine, law.words
        prior = self._legacy_wait(op, words, "host-waits-prior")
        if "host-waits-prior" in words and op.actor:
            prior |= self.queue.get(machine.stream(op.actor), 0)
        gates = self._gates(i, op, words)
        if "host" in (law.reads, law.writes):
            prior |= self._others(op, words)
        waited = self._waited_for(op, words, i)
        if op.actor and words & {"launch", "owner-alloc"}:
            self._put(i, op, law, gates)
        elif "owner-free" in words:
            self.needs[i] = gates
        else:
            self.needs[i] = 0
        own = self._legacy_wait(op, words, "host-waits-actor")
        if "host-waits-actor" in words and op.actor:
            own |= self.queue.get(machine.stream(op.actor), 0)
        # The source of a device's work is read before that, behind what the stream had.
        source_first = law.reads == "host" and law.writes in ("stream", "queue", "loose")
        self.first[i] = prior | own & ~(1 << i) | (0 if source_first else waited)
        self.waits[i] = prior | waited | own

    def _put(self, i: int, op: Op, law: Law, gates: int) -> None:
        """A command on its queue, and what must stand behind it elsewhere."""
        machine, words, me = self.machine, law.words, 1 << i
        copies = bool(words & {"after-peer", "after-actor", "actor-waits", "peer-waits"})
        own = ("copies", op.peer, op.actor) if copies else machine.stream(op.actor)
        ahead = self.queue.get(own, 0)
        chain = self.chain.get(own, 0)
        works = law.reads != "none" or law.writes != "none"
        dependent = op.kind is Kind.KERNEL and op.flags & Flag.PDL and law.reads == "stream"
        if dependent and chain:
            ahead &= ~chain
            self.chain[own] = chain | me
        elif works:
            self.chain[own] = me if op.kind is Kind.KERNEL else 0
        self.needs[i] = gates | ahead
        if op.kind is Kind.KERNEL:
            self.kernel[own] = i
        if "records-start" in words and own in self.kernel:
            self.needs[i], self.starts[i] = 0, self.kernel[own]
        self._behind(own, gates | me * works)
        if "actor-waits" in words:
            self._behind(machine.stream(op.actor), me)
        if "peer-waits" in words and op.peer:
            self._behind(machine.stream(op.peer), me)
        if "graph-order" in words and op.graph:
            self.launches[op.graph] = me
        if "devices-wait" in words:
            for device in self._devices(op):
                for queue in machine.of_device(device):
                    self._behind(queue, me)
        if "legacy-of-peer" in words and op.peer:
            self._behind(("legacy", machine.device[op.peer], 0), me)

    def _behind(self, queue: Queue, commands: int) -> None:
        self.queue[queue] = self.queue.get(queue, 0) | commands

    def _all(self, queues: list[Queue]) -> int:
        found = 0
        for queue in queues:
            found |= self.queue.get(queue, 0)
        return found

    def _gates(self, i: int, op: Op, words: frozenset[str]) -> int:
        """Commands of other queues that must be finished before this one starts."""
        machine = self.machine
        gates = self._others(op, words)
        if "legacy" in words and op.actor:
            flags, device = machine.flags[op.actor], machine.device[op.actor]
            if flags & StreamFlag.LEGACY:
                gates |= self._all(machine.blocking(device))
            elif flags & ORDERED:
                gates |= self.queue.get(("legacy", device, 0), 0)
        if "legacy-of-peer" in words and op.peer:
            device = machine.device[op.peer]
            gates |= self._all([("legacy", device, 0), *machine.blocking(device)])
        if "graph-order" in words:
            gates |= self.launches.get(op.graph, 0)
        if "actor-waits-event" in words:
            gates |= machine.bound.record[i]
        if "owner-alloc" in words:
            gates |= machine.bound.free[i]
        if "owner-free" in words:
            gates |= self._all([machine.stream(actor) for actor in machine.bound.marked[i]])
        return gates

    def _others(self, op: Op, words: frozenset[str]) -> int:
        """What a copy comes after; done by the host, it is the host that waits for it."""
        gates = 0
        if "after-peer" in words and op.peer:
            gates |= self.queue.get(self.machine.stream(op.peer), 0)
        if "after-actor" in words:
            gates |= self.queue.get(self.machine.stream(op.actor), 0)
        if "after-devices" in words:
            for device in self._devices(op):
                gates |= self._all(self.machine.of_device(device))
        return gates

    def _devices(self, op: Op) -> set[int]:
        actors = [self.machine.device[actor] for actor in (op.actor, op.peer) if actor]
        return {device for device in (*actors, op.device) if device >= 0}

    def _waited_for(self, op: Op, words: frozenset[str], i: int) -> int:
        """What the host waits for, but for the op's own stream."""
        machine, found = self.machine, 0
        if "host-waits-event" in words:
            found |= machine.bound.record[i]
        if "host-waits-signal" in words:
            found |= machine.bound.signals[i]
        if "owner-alloc" in words:
            found |= machine.bound.free[i]
        every = "host-waits-all" in words or ("host-waits-device" in words and op.device < 0)
        if every:
            found |= self._all(list(self.queue))
        elif "host-waits-device" in words:
            found |= self._all(machine.of_device(op.device))
            copies = [queue for queue in self.queue if queue[0] == "copies"]
            found |= self._all([q for q in copies if machine.device[q[2]] == op.device])
        return found

    def _legacy_wait(self, op: Op, words: frozenset[str], word: str) -> int:
        """A host wait for a legacy stream is one for the blocking streams of its device too."""
        machine = self.machine
        if not ({word, "legacy"} <= words and op.actor):
            return 0
        if not machine.flags[op.actor] & StreamFlag.LEGACY:
            return 0
        return self._all(machine.blocking(machine.device[op.actor]))
