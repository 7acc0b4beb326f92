"""Turns scenario cases into traces: an ordering question becomes something `check` can judge.

Op ids are the op's indexes in the case, from 0. Op i is entered at ticket 2i and returns at 2i+1;
a ticket is 1000 ns long. Streams that no stream_create names are non-blocking.
"""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from synctrace.tracer.case import Case, CaseOp, Range, read_cases
from synctrace.tracer.errors import SynctraceError
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
from synctrace.tracer.vocabulary import LEGACY, WORDS
from synctrace.tracer.writer import TraceWriter

PROFILE = "catalogue"
TICKET_NS = 1000

# Neither reads nor writes: the block they concern, for the order edges of caching allocators.
_OWNER_KINDS = (Kind.CACHE_ALLOC, Kind.CACHE_FREE, Kind.RECORD_STREAM)
# Accesses of the whole buffer: use outside the pair is a race.
_LIFE_KINDS = (Kind.ALLOC_ASYNC, Kind.FREE_ASYNC, Kind.FREE, Kind.FREE_HOST)
_ALLOC_KINDS = (Kind.ALLOC_PINNED, Kind.ALLOC_PAGEABLE, Kind.ALLOC_DEVICE)


def import_cases(
    cases: Path, out: Path, case: str | None = None, overwrite: bool = False
) -> list[Path]:
    """Write the case named `case` to the trace folder `out`, or every case to `out`/ID.

    Returns the trace folders. Raises SynctraceError for a file that is not in the notation (before
    anything is written), an unknown case and folders that exist.
    """
    found = read_cases(cases)
    if case is None:
        targets = [(one, out / one.id) for one in found]
    else:
        targets = [(_named(found, case, cases), out)]
    for one, path in targets:
        write_case(one, path, cases.name, overwrite=overwrite)
    return [path for _, path in targets]


def _named(found: list[Case], name: str, file: Path) -> Case:
    for one in found:
        if one.id == name:
            return one
    close = difflib.get_close_matches(name, [one.id for one in found], n=3)
    others = f"it has {len(found)} others" if len(found) > 1 else f"its only case is {found[0].id}"
    hint = f"did you mean {' or '.join(close)}?" if close else others
    raise SynctraceError(f"{file} has no case {name}: {hint}")


def write_case(case: Case, path: Path, file: str, *, overwrite: bool = False) -> None:
    """Write one case as a trace; `file` is the source file shown at its call sites."""
    meta: dict[str, object] = {
        "profile": PROFILE,
        "level": [Level.API.name.lower()],
        "source": "import",
        "command": ["synctrace", "import", file, "--case", case.id],
        "program": case.id,
    }
    with TraceWriter(path, meta, overwrite=overwrite) as writer:
        names = _Names(case)
        _write_names(writer, names)
        _write_ops(writer, case, names)
        _write_sites(writer, case, file)


class _Names:
    """Ids of everything that a case names, dense from 1 in order of first appearance."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.actors: dict[tuple[ActorKind, str], int] = {}
        self.events: dict[str, int] = {}
        self.graphs: dict[str, int] = {}
        self.calls: dict[str, int] = {}
        self.buffers: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        self.accesses: dict[tuple[Range, Mode, Origin], int] = {}
        self.born: dict[tuple[str, str], int] = {}  # ticket of the first op that names it
        for index, op in enumerate(case.ops):
            self._see(op, 2 * index)

    def _see(self, op: CaseOp, ticket: int) -> None:
        _number(self.actors, (ActorKind.THREAD, op.thread))
        self.born.setdefault(("thread", op.thread), ticket)
        _number(self.calls, op.op)
        if stream := stream_of(op):
            _number(self.actors, (ActorKind.STREAM, stream))
            self.born.setdefault(("stream", stream), ticket)
        if op.event:
            _number(self.events, op.event)
            self.born.setdefault(("event", op.event), ticket)
        if graph := graph_of(op):
            _number(self.graphs, graph)
        for each in (*op.reads, *op.writes):
            _number(self.buffers, each.buffer)
            end = each.offset + each.size
            self.sizes[each.buffer] = max(self.sizes.get(each.buffer, 0), end)
            self.born.setdefault(("buffer", each.buffer), ticket)

    def of_op(self, op: CaseOp) -> list[int]:
        """access.ids of an op, interned."""
        kind = WORDS[op.op].kind
        if kind in _ALLOC_KINDS:
            return []
        if kind in _OWNER_KINDS or kind in _LIFE_KINDS:
            buffer = op.writes[0].buffer
            whole = Range(buffer, 0, self.sizes[buffer])
            if kind in _OWNER_KINDS:
                # Synthetic: names the block and never proves a race.
                return [_number(self.accesses, (whole, Mode.READ, Origin.SYNTHETIC))]
            return [_number(self.accesses, (whole, Mode.WRITE, Origin.ARGUMENT))]
        touched = [(each, Mode.READ) for each in op.reads]
        touched += [(each, Mode.WRITE) for each in op.writes]
        ids = [_number(self.accesses, (each, mode, Origin.ARGUMENT)) for each, mode in touched]
        return list(dict.fromkeys(ids))


def stream_of(op: CaseOp) -> str | None:
    """Stream that executes the op or is waited for; memcpy_h2d names the legacy one by itself."""
    if op.stream is None and WORDS[op.op].kind is Kind.MEMCPY_H2D:
        return LEGACY
    return op.stream


def graph_of(op: CaseOp) -> str | None:
    """Graph that the op launches, captures, destroys or is captured into."""
    graph: str | None = op.attrs.get("graph") or op.attrs.get("captured_in")
    return graph


def _number(table: dict[Any, int], key: Any) -> int:
    return table.setdefault(key, len(table) + 1)


def _write_names(writer: TraceWriter, names: _Names) -> None:
    flags = _stream_flags(names.case)
    for (kind, name), number in names.actors.items():
        stream = kind is ActorKind.STREAM
        row = {
            "id": number,
            "kind": kind,
            "name": name,
            "device": 0 if stream else -1,
            "flags": flags.get(name, StreamFlag.NONBLOCKING) if stream else 0,
            "handle": number,
            "generation": 1,
            "born": names.born["stream" if stream else "thread", name],
        }
        _row(writer, "actor", row)
    for name, number in names.events.items():
        born = names.born["event", name]
        row = {"id": number, "name": name, "handle": number, "generation": 1, "born": born}
        _row(writer, "event", row)
    captured = [op.attrs.get("captured_in") for op in names.case.ops]
    for name, number in names.graphs.items():
        row = {"id": number, "name": name, "handle": number, "generation": 1}
        _row(writer, "graph", {**row, "nodes": captured.count(name)})
    for name, number in names.calls.items():
        _row(writer, "call", {"id": number, "name": name})
    _write_storage(writer, names)


def _stream_flags(case: Case) -> dict[str, StreamFlag]:
    flags = {LEGACY: StreamFlag.LEGACY}
    for op in case.ops:
        if WORDS[op.op].kind is Kind.STREAM_CREATE and op.stream not in (None, LEGACY):
            flags[str(op.stream)] = StreamFlag[op.attrs["flags"].upper()]
    return flags


def _write_storage(writer: TraceWriter, names: _Names) -> None:
    """One storage and one buffer a name; memory of unknown kind unless an op allocates it."""
    kinds = _memory(names.case)
    base = 1 << 12  # a page, so that no storage lies at address 0
    for name, number in names.buffers.items():
        size, born = names.sizes[name], names.born["buffer", name]
        kind = kinds.get(name, MemoryKind.UNKNOWN)
        device = 0 if kind is MemoryKind.DEVICE else -1
        row = {"id": number, "name": name, "device": device, "base": base, "size": size}
        _row(writer, "storage", {**row, "handle": number, "generation": 1, "born": born})
        memory = {"storage": number, "lo": 0, "hi": size, "kind": kind, "since": born}
        _row(writer, "memory", memory)
        _row(writer, "buffer", {"id": number, "storage": number, "lo": 0, "hi": size, "name": name})
        base += (size + 8191) // 4096 * 4096


def _memory(case: Case) -> dict[str, MemoryKind]:
    """Kind of memory of each allocated buffer; the first allocation holds."""
    kinds: dict[str, MemoryKind] = {}
    for op in case.ops:
        memory = WORDS[op.op].memory
        if memory is not None:
            pinned = op.attrs.get("mem") == "pinned"
            kinds.setdefault(op.writes[0].buffer, MemoryKind.PINNED if pinned else memory)
    return kinds


def _write_ops(writer: TraceWriter, case: Case, names: _Names) -> None:
    for index, op in enumerate(case.ops):
        stream, graph = stream_of(op), graph_of(op)
        row = {
            "id": index,
            "ticket_c": 2 * index,
            "ticket_r": 2 * index + 1,
            "kind": WORDS[op.op].kind,
            "level": Level.API,
            "flags": flags_of(op),
            "thread": names.actors[ActorKind.THREAD, op.thread],
            "actor": names.actors[ActorKind.STREAM, stream] if stream else 0,
            "event": names.events[op.event] if op.event else 0,
            "graph": names.graphs[graph] if graph else 0,
            "accesses": names.of_op(op),
            "site": index + 1,
            "call": names.calls[op.op],
            "rc": 1 if op.attrs.get("failed") else 0,
            "device": 0 if stream else -1,
            "t_c": 2 * index * TICKET_NS,
            "t_r": (2 * index + 1) * TICKET_NS,
        }
        _row(writer, "op", row)
    for (each, mode, origin), number in names.accesses.items():
        end = each.offset + each.size
        row = {"id": number, "storage": names.buffers[each.buffer], "mode": mode, "origin": origin}
        row |= {"buffer": names.buffers[each.buffer], "extent": Extent.EXACT}
        row |= {"lo": each.offset, "hi": end, "upper_lo": each.offset, "upper_hi": end}
        _row(writer, "access", row)


def flags_of(op: CaseOp) -> Flag:
    """Flags that the op's attributes stand for."""
    told = {
        Flag.FAILED: op.attrs.get("failed") is True,
        Flag.CAPTURED: "captured_in" in op.attrs,
        Flag.PDL: op.attrs.get("pdl") is True,
        Flag.IMPLICIT_SYNC: op.attrs.get("implicit_sync") is True,
        Flag.UNSTAGED: op.attrs.get("staged") is False,
    }
    flags = Flag(0)
    for flag, is_set in told.items():
        if is_set:
            flags |= flag
    return flags


def _write_sites(writer: TraceWriter, case: Case, file: str) -> None:
    """Every op is a site of its own, at the case's line of the file."""
    for number, op in enumerate(case.ops, start=1):
        words: Iterable[str | None] = (op.thread, op.op, stream_of(op), op.event)
        label = " ".join(word for word in words if word)
        _row(writer, "site", {"id": number, "stack": number, "label": label})
        _row(writer, "stack", {"id": number, "frames": [number]})
        frame = {"address": number, "function": op.op, "file": file, "line": case.line}
        _row(writer, "frame", frame)


def _row(writer: TraceWriter, table: str, row: dict[str, Any]) -> None:
    writer.append(table, {name: [value] for name, value in row.items()})
