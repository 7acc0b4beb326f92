"""Rows of a trace on their way to the writer; what ops name is told once and numbered."""

from dataclasses import dataclass, field

from synctrace.tracer.columns import Columns, Ids
from synctrace.tracer.kinds import (
    ActorKind,
    Extent,
    Flag,
    Kind,
    Level,
    MemoryKind,
    Mode,
    Origin,
    StreamFlag,
)
from synctrace.tracer.writer import TraceWriter

_OPS_A_BATCH = 1 << 14


@dataclass(frozen=True)
class Access:
    """One way of touching bytes, offsets in the storage; pitch, width, height: of rows."""

    storage: int
    lo: int
    hi: int
    mode: Mode
    extent: Extent = Extent.EXACT
    pitch: int = 0
    width: int = 0
    height: int = 0


_NO_FLAGS = Flag(0)
_ANYTHING = Access(0, 0, 0, Mode.UNKNOWN, Extent.UPPER_BOUND)


@dataclass(slots=True)
class Op:
    """What a call did: columns of table op, but for who called it and when."""

    kind: Kind
    actor: int = 0
    peer: int = 0
    event: int = 0
    graph: int = 0
    flags: Flag = _NO_FLAGS
    device: int = -1
    rc: int = 0
    accesses: list[int] = field(default_factory=list)
    call: str = ""  # if it is not the function's name


@dataclass(slots=True)
class Taken:
    """An op whose call has been entered, its tickets and times."""

    op: Op
    thread: int  # actor.id
    function: str
    ticket_c: int
    t_c: int
    ticket_r: int = 0
    t_r: int = 0
    t_s: int | None = None
    t_e: int | None = None


class Rows:
    """The rows of one trace."""

    def __init__(self, writer: TraceWriter) -> None:
        self._writer = writer
        self._columns = Columns()
        self._accesses, self._calls, self._sites = Ids(), Ids(), Ids()
        self._numbers = dict.fromkeys(("actor", "event", "graph", "storage"), 0)
        self._actor_names: dict[int, str] = {0: ""}
        self._ops = 0
        self._waiting = 0

    def thread(self, name: str, tid: int, ticket: int) -> int:
        """actor.id of a host thread."""
        return self._actor(ActorKind.THREAD, name, tid, -1, StreamFlag(0), ticket)

    def stream(self, name: str, handle: int, device: int, flags: StreamFlag, ticket: int) -> int:
        """actor.id of one life of a stream."""
        return self._actor(ActorKind.STREAM, name, handle, device, flags, ticket)

    def event(self, handle: int, ticket: int) -> int:
        """event.id of one life of an event."""
        number = self._next("event")
        life = self._columns.life("event", handle)
        row = {"id": number, "name": f"event {number}", "device": -1, "handle": handle}
        self._columns.put("event", {**row, "generation": life, "born": ticket})
        return number

    def graph(self, name: str, handle: int) -> int:
        """graph.id of one life of an executable graph, or of a capture; nothing more is known."""
        number = self._next("graph")
        life = self._columns.life("graph", handle) if handle else 1
        row = {"id": number, "version": 0, "name": f"{name} {number}", "handle": handle}
        rest = {"generation": life, "access_set": 0, "nodes": 0, "operations": ""}
        self._columns.put("graph", {**row, **rest})
        return number

    def storage(
        self, name: str, device: int, base: int, size: int, kind: MemoryKind, ticket: int
    ) -> int:
        """storage.id of one life of memory; its buffer has the same number and name."""
        number = self._next("storage")
        name = f"{name} {number}" if base else name
        life = self._columns.life("storage", base)
        row = {"id": number, "name": name, "device": device, "base": base, "size": size}
        self._columns.put("storage", {**row, "handle": base, "generation": life, "born": ticket})
        self.memory(number, 0, size, kind, ticket)
        buffer = {"id": number, "storage": number, "lo": 0, "hi": size, "name": name}
        self._columns.put("buffer", buffer)
        return number

    def memory(self, storage: int, lo: int, hi: int, kind: MemoryKind, since: int) -> None:
        """From this ticket on these bytes are memory of this kind."""
        row = {"storage": storage, "lo": lo, "hi": hi, "kind": kind, "since": since}
        self._columns.put("memory", row)

    def access(self, access: Access) -> int:
        """access.id."""
        number, new = self._accesses.of(access)
        if new:
            exact = access.extent is Extent.EXACT
            row = {"id": number, "storage": access.storage, "buffer": access.storage}
            row |= {"lo": access.lo, "hi": access.hi if exact else access.lo}
            row |= {"upper_lo": access.lo, "upper_hi": access.hi, "mode": access.mode}
            row |= {"extent": access.extent, "origin": Origin.ARGUMENT}
            shape = {"pitch": access.pitch, "width": access.width, "height": access.height}
            self._columns.put("access", {**row, **shape})
        return number

    def unknown(self) -> int:
        """access.id of what may be anything."""
        return self.access(_ANYTHING)

    def gap(self, first: int, last: int, thread: int, calls: int) -> None:
        """Between these tickets calls were made whose order is not known."""
        row = {"first": first, "ticket": last, "thread": thread, "dropped": calls}
        self._columns.put("gap", row)

    def op(self, taken: Taken) -> None:
        """A call that has returned. They come in the order of their entry."""
        op = taken.op
        self._ops += 1
        self._columns.put(
            "op",
            {
                "id": self._ops,
                "ticket_c": taken.ticket_c,
                "ticket_r": taken.ticket_r,
                "kind": op.kind,
                "level": Level.API,
                "flags": op.flags,
                "thread": taken.thread,
                "actor": op.actor,
                "peer": op.peer,
                "event": op.event,
                "graph": op.graph,
                "accesses": op.accesses,
                "site": self._site(taken.function, op.actor),
                "call": self._call(op.call or taken.function),
                "rc": op.rc,
                "device": op.device,
                "t_c": taken.t_c,
                "t_r": taken.t_r,
                "t_s": taken.t_s,
                "t_e": taken.t_e,
            },
        )
        self._waiting += 1
        if self._waiting >= _OPS_A_BATCH:
            self.flush()

    def flush(self) -> None:
        """Give the writer all that is there."""
        self._columns.write(self._writer)
        self._waiting = 0

    def _actor(
        self, kind: ActorKind, name: str, handle: int, device: int, flags: StreamFlag, born: int
    ) -> int:
        number = self._next("actor")
        self._actor_names[number] = name
        # The null stream of each device has no handle, and streams per thread have one in common.
        life = self._columns.life(f"actor {kind}", handle) if handle > 2 else 1
        row = {"id": number, "kind": kind, "name": name, "device": device, "flags": flags}
        self._columns.put("actor", {**row, "handle": handle, "generation": life, "born": born})
        return number

    def _next(self, table: str) -> int:
        self._numbers[table] += 1
        return self._numbers[table]

    def _call(self, name: str) -> int:
        number, new = self._calls.of(name)
        if new:
            self._columns.put("call", {"id": number, "name": name})
        return number

    def _site(self, function: str, actor: int) -> int:
        """No stack is in the database: calls of one function on one stream are one place."""
        number, new = self._sites.of((function, actor))
        if new:
            label = f"{function} on {self._actor_names[actor]}" if actor else function
            self._columns.put("site", {"id": number, "stack": 0, "ordinal": 0, "label": label})
        return number
