"""The rows of one scenario case.

Op ids are the op's indexes in the case, from 0. Op i is entered at ticket 2i and returns at 2i+1,
but for calls that overlap; a ticket is 1000 ns long. Streams that no stream_create names are
non-blocking. All other ids are dense from 1, in order of first appearance.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from synctrace.tracer.accesses import Access, Accesses
from synctrace.tracer.capture import graphs_of
from synctrace.tracer.case import Case
from synctrace.tracer.kinds import ActorKind, Extent, Level, MemoryKind, StreamFlag
from synctrace.tracer.operation import CaseOp
from synctrace.tracer.resources import Resources, stream_of
from synctrace.tracer.vocabulary import legacy_device
from synctrace.tracer.writer import TraceWriter

TICKET_NS = 1000


def tickets_of(ops: Sequence[CaseOp]) -> list[tuple[int, int]]:
    """Tickets of entry and return of each op.

    One that overlaps is entered just before the one ahead of it returns.
    """
    entry = [2 * i - op.has("overlaps") for i, op in enumerate(ops)]
    returned = [2 * i + 1 for i in range(len(ops))]
    for i, op in enumerate(ops):
        if op.has("overlaps"):
            returned[i - 1] = 2 * i
    return list(zip(entry, returned, strict=True))


class CaseRows:
    """Writes the tables of one case."""

    def __init__(self, writer: TraceWriter, case: Case) -> None:
        self._writer, self._case = writer, case
        self._tickets = tickets_of(case.ops)
        self._resources = Resources(case)
        self._graphs = graphs_of(case.ops)
        self._touched = Accesses(case, self._graphs)
        self._actors: dict[tuple[ActorKind, str], int] = {}
        self._events: dict[str, int] = {}
        self._calls: dict[str, int] = {}
        self._buffers = {name: i for i, name in enumerate(self._touched.sizes, 1)}
        self._graph_ids: dict[str, int] = {}
        self._born: dict[tuple[str, str], int] = {}  # ticket of the first op that names it
        for (ticket, _), op, peer in zip(
            self._tickets, case.ops, self._resources.peers, strict=True
        ):
            self._see(op, peer, ticket)
        for each in self._graphs.versions:
            _number(self._graph_ids, each.graph)

    def _see(self, op: CaseOp, peer: str | None, ticket: int) -> None:
        _number(self._actors, (ActorKind.THREAD, op.thread))
        self._born.setdefault(("thread", op.thread), ticket)
        _number(self._calls, op.op)
        for stream in (stream_of(op), peer):
            if stream:
                _number(self._actors, (ActorKind.STREAM, stream))
                self._born.setdefault(("stream", stream), ticket)
        if op.event:
            _number(self._events, op.event)
            self._born.setdefault(("event", op.event), ticket)
        for each in (*op.reads, *op.writes):
            self._born.setdefault(("buffer", each.buffer), ticket)

    def write(self, file: str) -> None:
        """All tables; `file` is the source file shown at the call sites."""
        self._write_actors()
        self._write_names()
        self._write_storage()
        self._write_graphs()
        self._write_ops()
        self._write_accesses()
        self._write_sites(file)

    def _write_actors(self) -> None:
        for (kind, name), number in self._actors.items():
            stream = kind is ActorKind.STREAM
            self._row(
                "actor",
                id=number,
                kind=kind,
                name=name,
                device=self._resources.stream_device(name) if stream else -1,
                flags=self._stream_flags(name) if stream else 0,
                handle=number,
                generation=1,
                born=self._born["stream" if stream else "thread", name],
            )

    def _stream_flags(self, stream: str) -> StreamFlag:
        if legacy_device(stream) is not None:
            return StreamFlag.LEGACY
        return self._resources.stream_flags.get(stream, StreamFlag.NONBLOCKING)

    def _write_names(self) -> None:
        for name, number in self._events.items():
            born = self._born["event", name]
            self._row("event", id=number, name=name, handle=number, generation=1, born=born)
        for name, number in self._calls.items():
            self._row("call", id=number, name=name)

    def _write_storage(self) -> None:
        """One storage and one buffer a name; memory of unknown kind unless an op allocates it."""
        base = 1 << 12  # a page, so that no storage lies at address 0
        first = {m.buffer: m.kind for m in self._resources.memory if m.op is None}
        for name, number in self._buffers.items():
            size, born = self._touched.sizes[name], self._born["buffer", name]
            device = self._resources.storage_devices.get(name, -1)
            life = {"handle": number, "generation": 1, "born": born}
            self._row("storage", id=number, name=name, device=device, base=base, size=size, **life)
            self._write_memory(name, first.get(name, MemoryKind.UNKNOWN), born)
            self._row("buffer", id=number, storage=number, lo=0, hi=size, name=name)
            base += (size + 8191) // 4096 * 4096
        for change in self._resources.memory:
            if change.op is not None:
                since = self._tickets[change.op][change.after]
                self._write_memory(change.buffer, change.kind, since)

    def _write_memory(self, buffer: str, kind: MemoryKind, since: int) -> None:
        size = self._touched.sizes[buffer]
        self._row("memory", storage=self._buffers[buffer], lo=0, hi=size, kind=kind, since=since)

    def _write_graphs(self) -> None:
        for each in self._graphs.versions:
            number = self._graph_ids[each.graph]
            words = dict.fromkeys(self._case.ops[i].op for i in each.nodes)
            self._row(
                "graph",
                id=number,
                version=each.version,
                name=each.graph,
                handle=number,
                generation=1,
                access_set=self._touched.set_of_version[each.graph, each.version],
                nodes=len(each.nodes),
                operations=", ".join(words)[:200],
            )
            version = {"graph": number, "version": each.version}
            for node, index in enumerate(each.nodes):
                op = self._case.ops[index]
                accesses = self._touched.of_op[index]
                self._row(
                    "node", **version, node=node, kind=op.word.kind, name=op.op, accesses=accesses
                )
            for first, second in each.edges:
                self._row("node_edge", **version, first=first, second=second)

    def _write_ops(self) -> None:
        for index, op in enumerate(self._case.ops):
            stream, peer = stream_of(op), self._resources.peers[index]
            graph, (entered, returned) = self._graphs.of_op[index], self._tickets[index]
            self._row(
                "op",
                id=index,
                ticket_c=entered,
                ticket_r=returned,
                kind=op.word.kind,
                level=Level.API,
                flags=self._resources.flags[index],
                thread=self._actors[ActorKind.THREAD, op.thread],
                actor=self._actors[ActorKind.STREAM, stream] if stream else 0,
                peer=self._actors[ActorKind.STREAM, peer] if peer else 0,
                event=self._events[op.event] if op.event else 0,
                graph=self._graph_ids[graph.graph] if graph else 0,
                version=graph.version if graph else 0,
                accesses=self._touched.of_op[index],
                access_set=self._touched.set_of_op[index],
                site=index + 1,
                call=self._calls[op.op],
                rc=1 if op.has("failed") else 0,
                device=self._resources.devices[index],
                t_c=entered * TICKET_NS,
                t_r=returned * TICKET_NS,
            )

    def _write_accesses(self) -> None:
        for access, number in self._touched.ids.items():
            self._row("access", id=number, **self._of_access(access))
        for members, number in self._touched.sets.items():
            self._row("access_set", id=number, accesses=list(members))

    def _of_access(self, access: Access) -> dict[str, Any]:
        each, buffer = access.range, self._buffers[access.range.buffer]
        # Of a read that may not happen no byte is certain. Of a write its mode says so.
        return {
            "storage": buffer,
            "buffer": buffer,
            "lo": each.offset,
            "hi": each.end if access.certain else each.offset,
            "upper_lo": each.offset,
            "upper_hi": each.end,
            "mode": access.mode,
            "extent": Extent.EXACT if access.certain else Extent.UPPER_BOUND,
            "origin": access.origin,
            "pitch": each.pitch,
            "width": each.width,
            "height": each.height,
        }

    def _write_sites(self, file: str) -> None:
        """Every op is a site of its own, at the case's line of the file."""
        for number, op in enumerate(self._case.ops, start=1):
            words: Iterable[str | None] = (op.thread, op.op, stream_of(op), op.event)
            label = " ".join(word for word in words if word)
            self._row("site", id=number, stack=number, label=label)
            self._row("stack", id=number, frames=[number])
            line = self._case.line
            self._row("frame", address=number, function=op.op, file=file, line=line)

    def _row(self, table: str, **row: Any) -> None:
        self._writer.append(table, {name: [value] for name, value in row.items()})


def _number(table: dict[Any, int], key: Any) -> int:
    return table.setdefault(key, len(table) + 1)
