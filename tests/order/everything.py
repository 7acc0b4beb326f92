"""What everything.toml says of an op, by hand: the oracle does not read the engine's table."""

from dataclasses import dataclass

from random_traces import Op, Program

from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind, Level, MemoryKind, StreamFlag

# Of ops of level api: where that level is judged, what calls of it have done has no effect itself.
WITHOUT_EFFECT = NO_EFFECT | Flag.CAPTURED | Flag.LOWERED
JUDGED = (Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC)
HOST_WAITS = {
    *("host-waits-event", "host-waits-signal", "host-waits-actor", "host-waits-device"),
    *("host-waits-all", "owner-alloc"),
}
_STREAM = ("stream", "stream", "launch legacy")
_PLANS: dict[Kind, tuple[str, str, str]] = {
    Kind.HOST_READ: ("host", "host", ""),
    Kind.HOST_WRITE: ("host", "host", ""),
    Kind.KERNEL: _STREAM,
    Kind.MEMSET_ASYNC: _STREAM,
    Kind.MEMCPY_ASYNC_H2D: _STREAM,
    Kind.MEMCPY_ASYNC_D2H: _STREAM,
    Kind.MEMCPY_H2D: ("stream", "stream", "launch legacy host-waits-actor"),
    Kind.GRAPH_LAUNCH: ("stream", "stream", "launch legacy graph-order"),
    Kind.MEMCPY_ASYNC_PEER: ("stream", "stream", "launch legacy peer-waits"),
    Kind.MEMCPY_PEER: ("stream", "stream", "launch after-devices devices-wait"),
    Kind.HOST_FUNC: ("stream", "stream", "launch legacy signals"),
    Kind.MEMCPY_ASYNC_D2D: ("loose", "stream", "launch legacy"),
    Kind.MEMSET: ("none", "loose", "launch legacy"),
    Kind.MEMCPY_H2H: ("loose", "loose", "launch"),
    Kind.MEMCPY_D2H: ("host", "host", "legacy"),
    Kind.TENSOR_COPY_ASYNC: ("queue", "queue", "launch after-peer actor-waits"),
    Kind.FREE: ("host", "host", ""),
    Kind.EVENT_RECORD: ("none", "none", "launch legacy records"),
    Kind.EVENT_WAIT: ("none", "none", "launch legacy actor-waits-event"),
    Kind.EVENT_SYNC: ("none", "none", "host-waits-event"),
    Kind.EVENT_QUERY: ("none", "none", "host-waits-event"),
    Kind.STREAM_SYNC: ("none", "none", "host-waits-actor legacy"),
    Kind.STREAM_QUERY: ("none", "none", "legacy"),
    Kind.DEVICE_SYNC: ("none", "none", "host-waits-device"),
    Kind.CACHE_ALLOC: ("none", "none", "owner-alloc"),
    Kind.CACHE_FREE: ("none", "none", "owner-free"),
    Kind.RECORD_STREAM: ("none", "none", "owner-record"),
    Kind.THREAD_SIGNAL: ("none", "none", "signals"),
    Kind.THREAD_WAIT: ("none", "none", "host-waits-signal"),
    Kind.RELEASE: ("none", "none", "releases"),
    Kind.ACQUIRE: ("none", "none", "host-waits-signal"),
    Kind.BATCH: ("none", "none", ""),
}
# Edges that are no promise, and that an op has besides.
_HABITS = {
    Kind.TENSOR_COPY_ASYNC: "after-actor",
    Kind.STREAM_QUERY: "host-waits-actor",
    Kind.MEMCPY_D2H: "host-waits-prior",
}


@dataclass(frozen=True)
class Plan:
    """Where an op's accesses happen and which edges it gives."""

    reads: str
    writes: str
    edges: frozenset[str]

    @property
    def on_host(self) -> bool:
        return "host" in (self.reads, self.writes)

    @property
    def source_first(self) -> bool:
        """Whether the host reads the source of a device's work: not behind a wait for that."""
        return self.reads == "host" and self.writes in ("stream", "queue", "loose")

    @property
    def waits(self) -> bool:
        return not self.edges.isdisjoint(HOST_WAITS)


_OF_OTHERS = Flag.IMPLIED | Flag.FOREIGN | Flag.PROGRAMMATIC


def is_judged(op: Op) -> bool:
    """Whether it is asked if this sync is needed: the program's own, for what is in the trace, and
    not for a kernel's start."""
    return op.kind in JUDGED and op.level == Level.API and not op.flags & _OF_OTHERS


def size(made: Program, op: Op) -> int:
    """Bytes of its largest access."""
    return max((made.access(a).hi - made.access(a).lo for a in made.accesses_of(op)), default=0)


def memory(made: Program, op: Op) -> MemoryKind:
    """Kind of its first host-side range, as it is when the call is entered."""
    for a in made.accesses_of(op):
        found = made.access(a).memory
        for ticket, access, changed in sorted(made.changes):
            if access == a and ticket <= op.ticket_c:
                found = changed
        if found:
            return found
    return MemoryKind.UNKNOWN


def plan(made: Program, op: Op, *, habits: bool, fences: bool) -> Plan:
    """`habits`: with edges that are no promise; `fences`: with those that make nothing visible."""
    reads, writes, words = _PLANS[op.kind]
    edges = set(words.split())
    if habits and op.kind in _HABITS:
        edges |= {_HABITS[op.kind]}
    if op.kind is Kind.FREE and op.flags & Flag.IMPLICIT_SYNC:
        edges |= {"host-waits-all"}
    if op.kind is Kind.EVENT_RECORD and op.flags & Flag.PROGRAMMATIC:
        edges = edges - {"records"} | {"records-start"}
    if op.kind is Kind.TENSOR_COPY_ASYNC and op.flags & Flag.OFFSET and habits:
        edges |= {"peer-waits"}
    if op.kind is Kind.MEMCPY_ASYNC_PEER and op.flags & Flag.ACROSS:
        edges = edges - {"peer-waits"} | ({"legacy-of-peer"} if habits else set())
    if op.kind is Kind.MEMCPY_ASYNC_H2D and memory(made, op) is MemoryKind.PAGEABLE:
        if op.flags & Flag.UNSTAGED:
            reads = "loose"
        elif size(made, op) >= 8:
            reads, edges = "host", edges | {"host-waits-prior"}
        elif size(made, op) <= 3:
            reads = "host"
    if op.kind is Kind.MEMCPY_H2D and memory(made, op) is MemoryKind.PAGEABLE:
        reads, edges = "host", edges | ({"host-waits-prior"} if size(made, op) >= 8 else set())
    if not fences and op.flags & Flag.NO_FENCE:
        edges -= {"actor-waits-event", "host-waits-event"}
    if op.level == Level.GGML:  # beside: the host does it within the call
        host = ("none" if place == "none" else "host" for place in (reads, writes))
        return Plan(*host, frozenset())
    synchronous = op.actor and made.flags_of(op.actor) & StreamFlag.SYNCHRONOUS
    if op.flags & Flag.BLOCKING or synchronous:
        reads, writes = ("none" if place == "none" else "host" for place in (reads, writes))
    return Plan(reads, writes, frozenset(edges))
