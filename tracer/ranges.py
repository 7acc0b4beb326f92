"""Storages, named buffers, accesses and the range sets of graphs, each stored once."""

from dataclasses import dataclass

from synctrace.tracer.columns import Columns, Ids
from synctrace.tracer.kinds import Extent, Mode, Origin
from synctrace.tracer.rings import FIXED, RANGE, Record, text_of, two_texts_of

RECENT_WALKS = 64  # of a graph that several threads launch, some may be taken in late
_UNKNOWN = b""  # key of the access that may be anything


@dataclass(frozen=True)
class Walk:
    """What one walk of a graph found."""

    version: int
    access_set: int


class Ranges:
    """Rows about bytes."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self.numbers: dict[int, int] = {}  # access.id of each record_access
        self._access_ids: dict[bytes, int] = {}
        self._buffers, self._sets, self._versions = Ids(), Ids(), Ids()
        self._storages: dict[int, tuple[str, int]] = {}
        self._unnamed: dict[int, int] = {}  # storage -> buffer that stands for all of it
        self._parts: dict[int, list[int]] = {}
        self._walks: dict[int, Walk] = {}
        self._graph_versions: dict[int, int] = {}
        self._version_of: dict[int, int] = {}
        self._recent: dict[int, list[int]] = {}  # the last walks of each graph

    def walk(self, number: int) -> Walk | None:
        """The walk of this number, if it was told."""
        return self._walks.get(number)

    def access(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_access: threads tell the same range under different numbers."""
        (number, _) = FIXED[Record.ACCESS].unpack_from(part, start)
        self.numbers[number] = self._access(part[end - RANGE.size : end])

    def unknown(self) -> int:
        """The access of a launch whose ranges are not known: anything."""
        known = self._access_ids.get(_UNKNOWN)
        if known is None:
            known = self._access_ids[_UNKNOWN] = len(self._access_ids) + 1
            row = dict.fromkeys(("lo", "hi", "upper_lo", "upper_hi", "pitch", "width", "height"), 0)
            kinds = {"mode": Mode.UNKNOWN, "extent": Extent.UPPER_BOUND, "origin": Origin.GGML}
            self._columns.put("access", {"id": known, "storage": 0, "buffer": 0, **row, **kinds})
        return known

    def finish(self) -> None:
        """Rows that wait for a name which may come late."""
        for storage, buffer in self._unnamed.items():
            name, size = self._storages.get(storage, ("unknown memory", 0))
            row = {"id": buffer, "storage": storage, "lo": 0, "hi": size, "name": name, "usage": 0}
            self._columns.put("buffer", row)
        self._unnamed.clear()

    def _access(self, raw: bytes) -> int:
        known = self._access_ids.get(raw)
        if known is not None:
            return known
        number = self._access_ids[raw] = len(self._access_ids) + 1
        (storage, mode, extent, origin, usage, lo, hi, pitch, width, height, a, b, name) = (
            RANGE.unpack(raw)
        )
        self._columns.put(
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

    def _buffer(self, storage: int, lo: int, hi: int, name: str, usage: int) -> int:
        if not storage:
            return 0
        if not name:
            buffer, new = self._buffers.of(storage)
            if new:
                self._unnamed[storage] = buffer
            return buffer
        buffer, new = self._buffers.of((storage, lo, hi, name, usage))
        if new:
            row = {"id": buffer, "storage": storage, "lo": lo, "hi": hi}
            self._columns.put("buffer", {**row, "name": name, "usage": usage})
        return buffer

    def storage(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_storage."""
        values = FIXED[Record.STORAGE].unpack_from(part, start)
        handle, base, size, born, number, device, memory, _ = values
        name = text_of(part[start + FIXED[Record.STORAGE].size : end])
        self._storages[number] = (name, size)
        self._columns.put(
            "storage",
            {
                "id": number,
                "name": name,
                "device": device,
                "base": base,
                "size": size,
                "handle": handle,
                "generation": self._columns.life("storage", handle),
                "born": born,
            },
        )
        row = {"storage": number, "lo": 0, "hi": size, "kind": memory, "since": born}
        self._columns.put("memory", row)

    def graph_part(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_ranges."""
        (walk, _) = FIXED[Record.RANGES].unpack_from(part, start)
        at = start + FIXED[Record.RANGES].size
        ends = range(at + RANGE.size, at + count * RANGE.size + 1, RANGE.size)
        found = [self._access(part[end - RANGE.size : end]) for end in ends]
        self._parts.setdefault(walk, []).extend(found)

    def graph(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_graph: a walk that found what an earlier one did is the same version."""
        handle, walk, graph, nodes, _ = FIXED[Record.GRAPH].unpack_from(part, start)
        texts = part[start + FIXED[Record.GRAPH].size : end]
        operations, name = two_texts_of(texts) if count else (text_of(texts), "")
        accesses = tuple(self._parts.pop(walk, ()))
        access_set, new = self._sets.of(accesses)
        if new:
            self._columns.put("access_set", {"id": access_set, "accesses": accesses})
        number, new = self._versions.of((graph, access_set, nodes))
        if new:
            version = self._graph_versions.get(graph, 0)
            self._graph_versions[graph] = version + 1
            self._version_of[number] = version
            self._columns.put(
                "graph",
                {
                    "id": graph,
                    "version": version,
                    "name": name or f"graph {graph}",
                    "handle": handle,
                    "generation": 1,
                    "access_set": access_set,
                    "nodes": nodes,
                    "operations": operations,
                },
            )
        self._walks[walk] = Walk(self._version_of[number], access_set)
        self._recent.setdefault(graph, []).append(walk)

    def forget_old_walks(self) -> None:
        """Those that no launch taken in from now on can name: a graph is launched as it is last."""
        for walks in self._recent.values():
            for walk in walks[:-RECENT_WALKS]:
                del self._walks[walk]
            del walks[:-RECENT_WALKS]
