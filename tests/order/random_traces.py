"""Small random programs: a few threads and streams that touch a few bytes, with every edge."""

import random
from dataclasses import dataclass, field, replace

from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind, StreamFlag

BYTES = 16  # of each of the storages
STORAGES = 2
SIGNALS = (Kind.THREAD_SIGNAL, Kind.THREAD_WAIT, Kind.RELEASE, Kind.ACQUIRE)


@dataclass(frozen=True)
class Access:
    """Bytes touched; a storage of 0 is unknown memory."""

    storage: int
    lo: int
    hi: int
    reads: bool
    writes: bool
    memory: MemoryKind = MemoryKind.UNKNOWN
    stores_told: bool = False  # what the host stores there is told: no more is assumed


@dataclass(frozen=True)
class Op:
    """One row of table op."""

    id: int
    ticket_c: int
    ticket_r: int
    kind: Kind
    thread: int
    actor: int = 0
    peer: int = 0
    event: int = 0
    graph: int = 0
    accesses: tuple[int, ...] = ()
    access_set: int = 0
    site: int = 0
    device: int = -1
    flags: Flag = Flag(0)  # noqa: RUF009, immutable
    level: Level = Level.API


@dataclass
class Program:
    """Ops by ticket_c, and what they name. Actor ids: threads first, then streams."""

    threads: int
    streams: int
    stream_flags: list[StreamFlag]
    stream_devices: list[int]
    ops: list[Op] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)  # id 1 is the first
    sets: list[tuple[int, ...]] = field(default_factory=list)  # id 1 is the first
    gaps: list[tuple[int, int]] = field(default_factory=list)  # tickets; none meets another
    changes: list[tuple[int, int, MemoryKind]] = field(default_factory=list)  # ticket, access

    def access(self, number: int) -> Access:
        """An access by its id."""
        return self.accesses[number - 1]

    def flags_of(self, actor: int) -> StreamFlag:
        """Standing flags of a stream."""
        return self.stream_flags[actor - self.threads - 1]

    def accesses_of(self, op: Op) -> tuple[int, ...]:
        """Its own and those of its set, in the engine's order."""
        return op.accesses + (self.sets[op.access_set - 1] if op.access_set else ())


def program(
    seed: int,
    *,
    actors: int = 0,
    first_id: int = 0,
    gaps: bool | None = None,
    threads: int = 0,
    layers: bool = False,
) -> Program:
    """A random program; `actors`: number of streams, else 2 to 4; `gaps`: None for some;
    `threads`: else 1 or 2; `layers`: also what only a recorder of several layers makes."""
    rng = random.Random(seed)
    threads = threads or rng.choice([1, 1, 2])
    streams = actors or rng.choice([2, 3, 4])
    legacy, blocking = rng.random() < 0.2, rng.random() < 0.1
    flags = [
        StreamFlag.LEGACY
        if legacy and s == 0
        else rng.choice([StreamFlag.BLOCKING, StreamFlag.NONBLOCKING])
        if legacy or blocking
        else StreamFlag.SYNCHRONOUS
        if rng.random() < 0.05
        else StreamFlag(0)
        for s in range(streams)
    ]
    made = Program(threads, streams, flags, [rng.choice([0, 0, 0, 1]) for _ in range(streams)])
    count = rng.choice([15, 25, 40]) if not actors else 4 * actors
    maker = Maker(rng, made, first_id)
    if gaps is not None:
        maker.features["gaps"] = gaps
    maker.run(count, rng.choice([0.3, 0.5, 0.7]))
    return layered(made, seed) if layers else made


ELEMENTS = (Kind.KERNEL, Kind.MEMSET_ASYNC, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2H)
EVENTS = (Kind.EVENT_RECORD, Kind.EVENT_WAIT, Kind.EVENT_SYNC)


def layered(made: Program, seed: int) -> Program:
    """The program with batches, ops of the layer beside, lowered ones, and syncs of others."""
    rng = random.Random(f"layers {seed}")
    batched: set[int] = set()  # threads that have begun a batch
    ops = []
    for op in made.ops:
        if rng.random() < 0.1:
            ops.append(replace(op, kind=Kind.BATCH, actor=0, peer=0, accesses=(), access_set=0))
            batched.add(op.thread)
            continue
        one = op
        if op.kind in ELEMENTS and not op.flags & Flag.PDL and op.thread in batched:
            one = replace(one, flags=one.flags | (Flag.BATCHED if rng.random() < 0.7 else 0))
        if op.kind in EVENTS and rng.random() < 0.2:
            one = replace(
                one, flags=one.flags | rng.choice([Flag.IMPLIED, Flag.FOREIGN, Flag.PROGRAMMATIC])
            )
        if rng.random() < 0.05:
            one = replace(one, flags=one.flags | Flag.LOWERED)
        if rng.random() < 0.1:
            one = replace(one, level=Level.GGML)
        ops.append(one)
    return replace(made, ops=ops)


def partly_told(made: Program, seed: int) -> Program:
    """The program, with the host's stores to some of the ranges told."""
    rng = random.Random(f"told {seed}")
    ranges = [replace(one, stores_told=rng.random() < 0.3) for one in made.accesses]
    return replace(made, accesses=ranges)


class Maker:
    """Schedules calls of the threads; calls of different threads may overlap."""

    def __init__(self, rng: random.Random, made: Program, first_id: int) -> None:
        self.rng = rng
        self.made = made
        self.ids = first_id
        self.features = {
            name: rng.random() < share
            for name, share in (
                ("copies", 0.4), ("graphs", 0.2), ("pdl", 0.3), ("owners", 0.2), ("results", 0.4),
                ("gaps", 0.03), ("unknown", 0.1), ("host_calls", 0.3), ("effectless", 0.3),
                ("peers", 0.3), ("loose", 0.3), ("starts", 0.2), ("queries", 0.2),
                ("unfenced", 0.15), ("changes", 0.2),
            )
        }  # fmt: skip

    def run(self, count: int, syncs: float) -> None:
        ticket = 0
        gap: int | None = None
        open_: dict[int, tuple[Op, int]] = {}
        threads = range(1, self.made.threads + 1)
        made: list[tuple[Op, int]] = []
        while len(made) < count or open_:
            thread = self.rng.choice(threads)
            ticket += 1
            if thread in open_:
                op, entered = open_.pop(thread)
                made.append((Op(**{**op.__dict__, "ticket_c": entered, "ticket_r": ticket}), 0))
            elif len(made) + len(open_) < count:
                open_[thread] = (self.op(thread, syncs), ticket)
                if self.rng.random() < 0.7:  # mostly calls do not overlap
                    ticket += 1
                    op, entered = open_.pop(thread)
                    row = {**op.__dict__, "ticket_c": entered, "ticket_r": ticket}
                    made.append((Op(**row), 0))
            if self.features["gaps"] and self.rng.random() < (0.02 if gap is None else 0.2):
                ticket += 1
                gap = self.gap(gap, ticket)
        if gap is not None:
            self.gap(gap, ticket + 1)
        if self.features["changes"]:
            self.change_memory(ticket)
        rows = sorted((op for op, _ in made), key=lambda op: op.ticket_c)
        for op in rows:
            self.ids += self.rng.choice([1, 1, 1, 5])
            self.made.ops.append(Op(**{**op.__dict__, "id": self.ids}))

    def gap(self, first: int | None, ticket: int) -> int | None:
        """Records are lost from now on, or no longer."""
        if first is None:
            return ticket
        self.made.gaps.append((first, ticket))
        return None

    def change_memory(self, last: int) -> None:
        """Some ranges become memory of another kind on the way."""
        kinds = [MemoryKind.PINNED, MemoryKind.PAGEABLE]
        for access in range(1, len(self.made.accesses) + 1):
            if self.rng.random() < 0.3:
                at = self.rng.randrange(last + 1)
                self.made.changes.append((at, access, self.rng.choice(kinds)))

    def op(self, thread: int, syncs: float) -> Op:
        rng = self.rng
        site = rng.randrange(1, 7)
        stream = self.made.threads + 1 + rng.randrange(self.made.streams)
        base = {"id": 0, "ticket_c": 0, "ticket_r": 0, "thread": thread, "site": site}
        if self.features["effectless"] and rng.random() < 0.1:
            base["flags"] = rng.choice([Flag.FAILED, Flag.SKIPPED, Flag.CAPTURED, Flag.PARENT])
        if rng.random() < syncs:
            return self.sync(base, stream)
        return self.work(base, stream)

    def sync(self, base: dict, stream: int) -> Op:
        rng = self.rng
        kind = rng.choice(
            [Kind.EVENT_RECORD] * 3
            + [Kind.EVENT_WAIT] * 3
            + [Kind.STREAM_SYNC, Kind.EVENT_SYNC, Kind.EVENT_SYNC]
            + [Kind.DEVICE_SYNC] * (rng.random() < 0.3)
            + [Kind.THREAD_SIGNAL, Kind.THREAD_WAIT] * (self.made.threads > 1)
            + [Kind.RELEASE, Kind.ACQUIRE] * (self.made.threads > 1)
            + [Kind.STREAM_QUERY, Kind.EVENT_QUERY] * self.features["queries"]
        )
        if kind is Kind.DEVICE_SYNC:
            return Op(kind=kind, device=rng.choice([-1, 0, 1]), **base)
        if kind in SIGNALS:
            return Op(kind=kind, event=rng.choice([4, 5]), **base)
        if kind in (Kind.STREAM_SYNC, Kind.STREAM_QUERY):
            return Op(kind=kind, actor=stream, **base)
        flags = base.pop("flags", Flag(0))
        if kind is Kind.EVENT_RECORD and self.features["starts"] and rng.random() < 0.3:
            flags |= Flag.PROGRAMMATIC
        if kind is not Kind.EVENT_RECORD and self.features["unfenced"] and rng.random() < 0.4:
            flags |= Flag.NO_FENCE
        event = rng.randrange(1, 4)
        actor = 0 if kind in (Kind.EVENT_SYNC, Kind.EVENT_QUERY) else stream
        return Op(kind=kind, actor=actor, event=event, flags=flags, **base)

    def work(self, base: dict, stream: int) -> Op:
        rng, has = self.rng, self.features
        accesses = tuple(self.access() for _ in range(rng.choice([1, 1, 2])))
        if rng.random() < 0.1:
            self.made.sets.append(tuple(self.access() for _ in range(2)))
            base["access_set"] = len(self.made.sets)
        if rng.random() < 0.3:
            kind = rng.choice([Kind.HOST_READ, Kind.HOST_WRITE])
            return Op(kind=kind, accesses=accesses, **base)
        kinds = [Kind.KERNEL] * 3 + [Kind.MEMSET_ASYNC, Kind.MEMCPY_ASYNC_H2D]
        kinds += [Kind.TENSOR_COPY_ASYNC] * (3 * has["copies"]) + [Kind.GRAPH_LAUNCH] * (
            3 * has["graphs"]
        )
        kinds += [Kind.MEMCPY_ASYNC_D2H] * (2 * has["results"])
        kinds += [Kind.MEMCPY_H2D, Kind.FREE, Kind.MEMCPY_D2H] * has["host_calls"]
        kinds += [Kind.MEMCPY_ASYNC_PEER, Kind.MEMCPY_ASYNC_PEER, Kind.MEMCPY_PEER] * has["peers"]
        kinds += [Kind.MEMCPY_ASYNC_D2D, Kind.MEMSET, Kind.MEMCPY_H2H] * has["loose"]
        kinds += [Kind.HOST_FUNC] * (has["loose"] or has["queries"])
        kinds += [Kind.CACHE_ALLOC, Kind.CACHE_FREE, Kind.RECORD_STREAM] * has["owners"]
        kind = rng.choice(kinds)
        flags = base.pop("flags", Flag(0))
        if kind is Kind.KERNEL and has["pdl"] and rng.random() < 0.5:
            flags |= Flag.PDL
        if kind is Kind.FREE and rng.random() < 0.5:
            flags |= Flag.IMPLICIT_SYNC
        if kind is Kind.MEMCPY_ASYNC_H2D and rng.random() < 0.3:
            flags |= Flag.UNSTAGED
        if kind is Kind.TENSOR_COPY_ASYNC and rng.random() < 0.4:
            flags |= Flag.OFFSET
        if kind is Kind.MEMCPY_ASYNC_PEER and rng.random() < 0.5:
            flags |= Flag.ACROSS
        if kind is Kind.MEMCPY_PEER:
            base["device"] = rng.choice([-1, 0, 1])
        if kind is Kind.HOST_FUNC:
            base["event"] = rng.choice([4, 5])
        if kind in (Kind.TENSOR_COPY_ASYNC, Kind.MEMCPY_ASYNC_PEER, Kind.MEMCPY_PEER):
            base["peer"] = self.made.threads + 1 + rng.randrange(self.made.streams)
        if kind is Kind.GRAPH_LAUNCH:
            base["graph"] = rng.choice([1, 2])
        if rng.random() < 0.03:
            flags |= Flag.BLOCKING
        actor = 0 if kind in (Kind.FREE, Kind.CACHE_FREE) else stream
        return Op(kind=kind, actor=actor, accesses=accesses, flags=flags, **base)

    def access(self) -> int:
        rng = self.rng
        lo = rng.randrange(BYTES)
        hi = min(BYTES, lo + rng.choice([1, 1, 2, 4, 8]))
        if rng.random() < 0.05:
            lo, hi = 0, BYTES
        mode = rng.choice([(True, False), (False, True), (False, True), (True, True)])
        memory = rng.choice([MemoryKind.UNKNOWN, MemoryKind.PINNED, MemoryKind.PAGEABLE])
        storage = rng.choice([1, 1, 2])
        if self.features["unknown"] and rng.random() < 0.1:
            storage, lo, hi = 0, 0, 0
        access = Access(storage, lo, hi, *mode, memory)
        self.made.accesses.append(access)
        return len(self.made.accesses)
