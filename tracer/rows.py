"""Turns records into rows of the trace: gives ids, holds ops until their order is known."""

from bisect import bisect_left
from collections.abc import Callable, Hashable
from typing import Any

from synctrace.tracer.kinds import NO_EFFECT, Extent, Kind, Mode, Origin
from synctrace.tracer.rings import ACCESS, FIXED, Record, records, text_of
from synctrace.tracer.writer import TraceWriter

Row = dict[str, Any]

# Ops are held until every op of an earlier ticket has been seen, but no more of them than this: a
# call that stays open for very long then costs order (the table is nearly sorted), not memory.
MAX_HELD = 200_000


class Ids:
    """Dense ids from 1 for distinct keys."""

    def __init__(self) -> None:
        self._ids: dict[Hashable, int] = {}

    def of(self, key: Hashable) -> tuple[int, bool]:
        """Id of the key, and whether it is new."""
        known = self._ids.get(key)
        if known is not None:
            return known, False
        self._ids[key] = len(self._ids) + 1
        return len(self._ids), True


class Rows:
    """The rows of one trace. Records of one ring come in order, rings in any order."""

    def __init__(self, writer: TraceWriter) -> None:
        self._writer = writer
        self._columns: dict[str, dict[str, list[Any]]] = {}
        self._held: list[tuple[int, int, tuple[Any, ...], tuple[int, ...]]] = []
        self._access_ids: dict[bytes, int] = {}
        self._buffers, self._stacks, self._sites = Ids(), Ids(), Ids()
        self._sets, self._versions = Ids(), Ids()
        self._version_of: dict[int, int] = {}
        self._generation: dict[Hashable, int] = {}
        self._stack_of: dict[int, int] = {}
        self._ranges: dict[int, list[int]] = {}
        self._walks: dict[int, tuple[int, int, int]] = {}  # graph, version, access set
        self._version_count: dict[int, int] = {}
        self._call_names: dict[int, str] = {}
        self._storages: dict[int, tuple[str, int]] = {}
        self._unnamed: dict[int, int] = {}  # storage -> buffer that stands for all of it
        self._scopes: dict[int, Row] = {}  # those whose name is to come
        self.modules: dict[tuple[int, str], Row] = {}
        self.addresses: set[int] = set()
        self.ops = 0
        self.launches_without_ranges = 0
        self._decoders: dict[int, Callable[[int, bytes, int, int, int], None]] = {
            Record.OP: self._op,
            Record.GAP: self._gap,
            Record.ACTOR: self._actor,
            Record.STORAGE: self._storage,
            Record.EVENT: self._event,
            Record.STACK: self._stack,
            Record.MODULE: self._module,
            Record.SCOPE: self._scope,
            Record.RENAME: self._rename,
            Record.RANGES: self._range_part,
            Record.GRAPH: self._graph,
            Record.CALL: self._call,
        }

    def add(self, thread: int, part: bytes) -> None:
        """Take in the records of a thread (its actor id)."""
        for kind, count, start, end in records(part):
            decoder = self._decoders.get(kind)
            if decoder:
                decoder(thread, part, count, start, end)

    def release(self, watermark: int | None) -> None:
        """Write the ops whose ticket_c is below the watermark (None: all) and all other rows."""
        if self._held:
            self._held.sort()
            cut = len(self._held)
            if watermark is not None:
                cut = bisect_left(self._held, (watermark,))
                cut = max(cut, len(self._held) - MAX_HELD)
            for _, thread, op, accesses in self._held[:cut]:
                self._write_op(thread, op, accesses)
            del self._held[:cut]
        for table, columns in self._columns.items():
            self._writer.append(table, columns)
        self._columns.clear()

    def finish(self) -> None:
        """Write what was still held back: nothing will follow."""
        for row in self._scopes.values():
            self._put("scope", row)
        self._scopes.clear()
        for storage, buffer in self._unnamed.items():
            self._put_unnamed(storage, buffer)
        self._unnamed.clear()
        self.release(None)

    def gap(self, ticket: int, thread: int, dropped: int) -> None:
        """Records were lost before this ticket."""
        self._put("gap", {"ticket": ticket, "thread": thread, "dropped": dropped})

    def _put(self, table: str, row: Row) -> None:
        columns = self._columns.setdefault(table, {name: [] for name in row})
        for name, value in row.items():
            columns[name].append(value)

    # Ops

    def _op(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        op = FIXED[Record.OP].unpack_from(part, start)
        at = start + FIXED[Record.OP].size
        accesses = tuple(self._access(part[a : a + 128]) for a in range(at, at + count * 128, 128))
        self._held.append((op[0], thread, op, accesses))

    def _write_op(self, thread: int, op: tuple[Any, ...], accesses: tuple[int, ...]) -> None:
        (c, r, t_c, t_r, cpu, parent, flags, actor, peer, event, walk, stack) = op[:12]
        (ordinal, scope, rc, device, kind, level, call, _, _, graph) = op[12:]
        known = self._walks.get(walk)
        _, version, access_set = known or (graph, 0, 0)
        if kind == Kind.GRAPH_LAUNCH and not known and not flags & NO_EFFECT:
            self.launches_without_ranges += 1
            accesses = (*accesses, self._unknown())
        self.ops += 1
        self._put(
            "op",
            {
                "id": c,
                "ticket_c": c,
                "ticket_r": r,
                "kind": kind,
                "level": level,
                "flags": flags,
                "thread": thread,
                "actor": actor,
                "peer": peer,
                "event": event,
                "graph": graph if known else 0,
                "version": version,
                "accesses": accesses,
                "access_set": access_set,
                "site": self._site(stack, ordinal, call),
                "scope": scope,
                "call": call,
                "parent": parent or None,
                "rc": rc,
                "device": device,
                "t_c": t_c,
                "t_r": t_r,
                "cpu_ns": None if cpu < 0 else cpu,
            },
        )

    def _site(self, stack: int, ordinal: int, call: int) -> int:
        known = self._stack_of.get(stack, 0)
        label = "" if known else self._call_names.get(call, "unknown call")
        site, new = self._sites.of((known, ordinal, label))
        if new:
            self._put("site", {"id": site, "stack": known, "ordinal": ordinal, "label": label})
        return site

    def _stack(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        (number, _) = FIXED[Record.STACK].unpack_from(part, start)
        at = start + FIXED[Record.STACK].size
        frames = tuple(
            int.from_bytes(part[a : a + 8], "little") for a in range(at, at + count * 8, 8)
        )
        stack, new = self._stacks.of(frames)
        self._stack_of[number] = stack
        if new:
            self.addresses.update(frames)
            self._put("stack", {"id": stack, "frames": frames})

    def _call(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        (number, _) = FIXED[Record.CALL].unpack_from(part, start)
        self._call_names[number] = text_of(part[start + FIXED[Record.CALL].size : end])
        self._put("call", {"id": number, "name": self._call_names[number]})

    # Ranges

    def _access(self, raw: bytes) -> int:
        known = self._access_ids.get(raw)
        if known is not None:
            return known
        number = len(self._access_ids) + 1
        self._access_ids[raw] = number
        (storage, mode, extent, origin, usage, lo, hi, pitch, width, height, a, b, name) = (
            ACCESS.unpack(raw)
        )
        self._put(
            "access",
            {
                "id": number,
                "storage": storage,
                "buffer": self._buffer(storage, a, b, text_of(name), usage),
                "lo": lo,
                "hi": hi if extent == Extent.EXACT else lo,
                "upper_lo": lo,
                "upper_hi": hi,
                "mode": mode,
                "extent": extent,
                "origin": origin,
                "pitch": pitch,
                "width": width,
                "height": height,
            },
        )
        return number

    def _unknown(self) -> int:
        """The access of a launch whose ranges are not known: anything."""
        known = self._access_ids.get(b"")
        if known is None:
            known = self._access_ids[b""] = len(self._access_ids) + 1
            row = dict.fromkeys(("lo", "hi", "upper_lo", "upper_hi", "pitch", "width", "height"), 0)
            kinds = {"mode": Mode.UNKNOWN, "extent": Extent.UPPER_BOUND, "origin": Origin.GGML}
            self._put("access", {"id": known, "storage": 0, "buffer": 0, **row, **kinds})
        return known

    def _buffer(self, storage: int, lo: int, hi: int, name: str, usage: int) -> int:
        if not name:
            buffer, new = self._buffers.of(storage)
            if new:
                self._unnamed[storage] = buffer
            return buffer
        buffer, new = self._buffers.of((storage, lo, hi, name, usage))
        if new:
            row = {"id": buffer, "storage": storage, "lo": lo, "hi": hi}
            self._put("buffer", {**row, "name": name, "usage": usage})
        return buffer

    def _put_unnamed(self, storage: int, buffer: int) -> None:
        name, size = self._storages.get(storage, ("unknown memory", 0))
        row = {"id": buffer, "storage": storage, "lo": 0, "hi": size, "name": name, "usage": 0}
        self._put("buffer", row)

    def _range_part(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        (walk, _) = FIXED[Record.RANGES].unpack_from(part, start)
        at = start + FIXED[Record.RANGES].size
        accesses = (self._access(part[a : a + 128]) for a in range(at, at + count * 128, 128))
        self._ranges.setdefault(walk, []).extend(accesses)

    def _graph(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        handle, walk, graph, nodes, _ = FIXED[Record.GRAPH].unpack_from(part, start)
        accesses = tuple(self._ranges.pop(walk, ()))
        access_set, new = self._sets.of(accesses)
        if new:
            self._put("access_set", {"id": access_set, "accesses": accesses})
        number, new = self._versions.of((graph, access_set, nodes))
        if new:
            version = self._version_count.get(graph, 0)
            self._version_count[graph] = version + 1
            self._version_of[number] = version
            self._put(
                "graph",
                {
                    "id": graph,
                    "version": version,
                    "name": f"graph {graph}",
                    "handle": handle,
                    "generation": 1,
                    "access_set": access_set,
                    "nodes": nodes,
                },
            )
        self._walks[walk] = (graph, self._version_of[number], access_set)

    # Objects

    def _life(self, table: str, handle: int) -> int:
        """n-th life of a handle, from 1."""
        life = self._generation.get((table, handle), 0) + 1
        self._generation[table, handle] = life
        return life

    def _actor(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        handle, born, number, device, flags, kind = FIXED[Record.ACTOR].unpack_from(part, start)
        self._put(
            "actor",
            {
                "id": number,
                "kind": kind,
                "name": text_of(part[start + FIXED[Record.ACTOR].size : end]),
                "device": device,
                "flags": flags,
                "handle": handle,
                "generation": self._life("actor", handle),
                "born": born,
            },
        )

    def _storage(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        values = FIXED[Record.STORAGE].unpack_from(part, start)
        handle, base, size, born, number, device, memory, _ = values
        name = text_of(part[start + FIXED[Record.STORAGE].size : end])
        self._storages[number] = (name, size)
        self._put(
            "storage",
            {
                "id": number,
                "name": name,
                "device": device,
                "base": base,
                "size": size,
                "handle": handle,
                "generation": self._life("storage", handle),
                "born": born,
            },
        )
        row = {"storage": number, "lo": 0, "hi": size, "kind": memory, "since": born}
        self._put("memory", row)

    def _event(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        handle, born, number, device = FIXED[Record.EVENT].unpack_from(part, start)
        self._put(
            "event",
            {
                "id": number,
                "name": f"event {number}",
                "device": device,
                "handle": handle,
                "generation": self._life("event", handle),
                "born": born,
            },
        )

    def _module(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        base, size, loaded = FIXED[Record.MODULE].unpack_from(part, start)
        path = text_of(part[start + FIXED[Record.MODULE].size : end])
        if path.startswith("linux-vdso"):
            return
        row = {"base": base, "size": size, "path": path, "loaded": loaded}
        self.modules.setdefault((base, path), row)

    def _scope(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        number, since, scope, parent, kind, named = FIXED[Record.SCOPE].unpack_from(part, start)
        row = {
            "id": scope,
            "parent": parent,
            "kind": kind,
            "name": text_of(part[start + FIXED[Record.SCOPE].size : end]),
            "number": number,
            "thread": thread,
            "since": since,
        }
        if named:
            self._put("scope", row)
        else:
            self._scopes[scope] = row

    def _rename(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        (scope, _) = FIXED[Record.RENAME].unpack_from(part, start)
        row = self._scopes.pop(scope, None)
        if row:
            self._put("scope", {**row, "name": text_of(part[start + 16 : end])})

    def _gap(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        ticket, dropped = FIXED[Record.GAP].unpack_from(part, start)
        self.gap(ticket, thread, dropped)
