"""The accesses of a trace as the engine sees them: flat ranges, modes, kinds of memory.

Storages lie side by side in one flat space, in the order of their ids.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer import abi, known_modes
from synctrace.analyzer.abi import EVERYTHING, PART, WHOLE
from synctrace.analyzer.engine import Ranges
from synctrace.analyzer.numbered import by_id, check_id
from synctrace.analyzer.passes import Pass
from synctrace.analyzer.told_stores import told_stores
from synctrace.tracer.errors import damaged
from synctrace.tracer.kinds import MemoryKind, Mode, Origin
from synctrace.tracer.reader import Trace

MOST_ROWS = pa.scalar(1 << 24, pa.uint64())  # the engine takes no more of all ranges together
MOST_BYTES = (1 << 64) - 1  # of all storages; one can be all of a host's address space
# Scalars are made once: for a bare number Arrow looks each time for what else it might be. And a
# bare 0 is signed, and so would be what is compared with it.
ZERO, ONE = pa.scalar(0, pa.uint64()), pa.scalar(1, pa.uint64())
SIGNED_ZERO, NO = pa.scalar(0, pa.int32()), pa.scalar(False)
SYNTHETIC = pa.scalar(int(Origin.SYNTHETIC), pa.uint8())
EVERY_BYTE, WHOLE_STORAGE, PART_OF_IT = (
    pa.scalar(extent, pa.uint8()) for extent in (EVERYTHING, WHOLE, PART)
)
READS_UNSEEN, STORES_UNSEEN = (
    pa.scalar(bit, pa.uint8()) for bit in (abi.READS_UNSEEN, abi.STORES_UNSEEN)
)
HOST_MEMORY = frozenset(MemoryKind) - {MemoryKind.UNKNOWN, MemoryKind.DEVICE}
_KNOWN_MODES = (Mode.READ, Mode.WRITE, Mode.READ_WRITE, Mode.POISON, Mode.UNUSED)
_NO_READS = (Mode.WRITE, Mode.POISON, Mode.UNUSED)


@dataclass(frozen=True)
class Extents:
    """Tables access, storage and memory, by id from 0 (id 0: nothing)."""

    access: pa.Table
    base: pa.Array  # uint64: flat address of each storage
    size: pa.Array  # uint64: flat size of each storage
    device: pa.Array  # int32 of each storage
    memory: pa.Array  # uint8 of each access: its host memory's kind at first, else 0
    changes: tuple[tuple[int, int, int], ...]  # ticket, access, memory from then on
    told: (
        pa.Array | None
    )  # bool of each access: the host's stores there are told; None: asked of none

    @cached_property
    def guessed_ranges(self) -> bool:
        """Whether some access may touch more than its certain part."""
        a = self.access
        wider = pc.or_(pc.not_equal(a["lo"], a["upper_lo"]), pc.not_equal(a["hi"], a["upper_hi"]))
        return bool(pc.any(pc.and_(wider, _known(a))).as_py())

    @cached_property
    def unknown_modes(self) -> bool:
        """Whether some access may or may not read or write."""
        return bool(
            pc.any(
                pc.and_(pc.invert(_is_in(self.access["mode"], _KNOWN_MODES)), _known(self.access))
            ).as_py()
        )

    @cached_property
    def assumed(self) -> bool:
        """Whether some access counts for redundancy alone."""
        synthetic = pc.and_(pc.equal(self.access["origin"], SYNTHETIC), _known(self.access))
        return bool(pc.any(pc.or_(synthetic, self._everything)).as_py())

    @cached_property
    def host_sources(self) -> bool:
        """Whether some access reads host memory that the host may have stored to unseen."""
        reads = pc.invert(_is_in(self.access["mode"], _NO_READS))
        read = pc.and_(reads, _known(self.access))
        return bool(pc.any(pc.and_(read, self._stores_unseen)).as_py())

    @cached_property
    def _in_host(self) -> Any:
        """Which accesses are to host memory."""
        on_host = pc.less(self.device.take(self.access["storage"]), SIGNED_ZERO)
        return pc.or_(on_host, pc.greater(self.memory, ZERO))

    @cached_property
    def _stores_unseen(self) -> Any:
        """Which accesses are to host memory whose stores are not told."""
        return self._in_host if self.told is None else pc.and_not(self._in_host, self.told)

    @cached_property
    def _everything(self) -> Any:
        """Which accesses are to memory that is not known: all but row 0."""
        return pc.and_(pc.equal(self.access["storage"], ZERO), pc.greater(self.access["id"], ZERO))

    @cached_property
    def bytes(self) -> pa.Array:
        """Bytes that each access may touch; none of memory that is not known."""
        a = self.access
        strided = pc.multiply(a["width"], a["height"])
        linear = pc.subtract(a["upper_hi"], a["upper_lo"])
        touched = pc.if_else(pc.greater(a["pitch"], ZERO), strided, linear)
        upwards = pc.and_(_known(a), pc.less(a["upper_lo"], a["upper_hi"]))
        return _array(pc.if_else(upwards, touched, ZERO), pa.uint64())

    def most_ranges(self, offsets: pa.Array | None, members: pa.Array | None) -> int:
        """Most ranges of an access or of a set of them, rows of strided ones counted each."""
        rows = pc.min_element_wise(self.access["height"], MOST_ROWS)
        ranges = pc.if_else(pc.greater(self.access["pitch"], ZERO), rows, ONE)
        tallest = int(pc.max(ranges).as_py() or 1)
        if offsets is None or members is None or not len(members):
            return tallest
        upto = _array(pc.cumulative_sum(ranges.take(members)), pa.uint64())
        ends = pa.concat_arrays([pa.array([0], pa.uint64()), upto]).take(offsets)
        return max(tallest, pc.max(pc.pairwise_diff(ends)).as_py() or 0)

    def ranges(self, run: Pass) -> Ranges:
        """Columns for the engine: what counts in this pass."""
        a = self.access
        lo, hi = (a["upper_lo"], a["upper_hi"]) if run.upper else (a["lo"], a["hi"])
        reads, writes = self._modes(run)
        counts = self._counts(run)
        base = self.base.take(a["storage"])
        flat_lo = pc.add(base, lo)
        flat_hi = pc.if_else(pc.and_(counts, pc.less(lo, hi)), pc.add(base, hi), flat_lo)
        exact = pc.if_else(pc.equal(lo, a["lo"]), pc.equal(hi, a["hi"]), NO)
        pitch = pc.if_else(exact, a["pitch"], ZERO)
        return Ranges(
            lo=_array(flat_lo, pa.uint64()),
            hi=_array(flat_hi, pa.uint64()),
            pitch=_array(pitch, pa.uint64()),
            width=_array(a["width"], pa.uint64()),
            height=_array(a["height"], pa.uint64()),
            bytes=self.bytes,
            storage=_array(a["storage"], pa.uint32()),
            reads=_array(pc.and_(reads, counts), pa.uint8()),
            writes=_array(pc.and_(writes, counts), pa.uint8()),
            memory=_array(self.memory, pa.uint8()),
            host=_host_bits(self._in_host, self._stores_unseen),
            extent=_array(self._extent(lo, hi, counts), pa.uint8()),
        )

    def _counts(self, run: Pass) -> Any:
        """Which accesses count at all in this pass."""
        if run.assumed:
            return pc.or_(_known(self.access), self._everything)
        seen = pc.not_equal(self.access["origin"], SYNTHETIC)
        return pc.and_(_known(self.access), seen)

    def _modes(self, run: Pass) -> tuple[Any, Any]:
        """Which accesses read and which write, if they count."""
        mode = self.access["mode"]
        reads = _is_in(mode, (Mode.READ, Mode.READ_WRITE))
        writes = _is_in(mode, (Mode.WRITE, Mode.READ_WRITE, Mode.POISON))
        if not run.unknown:
            return reads, writes
        unknown = pc.invert(_is_in(mode, _KNOWN_MODES))
        return pc.or_(reads, unknown), pc.or_(writes, unknown)

    def _extent(self, lo: Any, hi: Any, counts: Any) -> Any:
        """st_extent of each access with these bounds."""
        ends = pc.and_(pc.equal(lo, ZERO), pc.equal(hi, self.size.take(self.access["storage"])))
        whole = pc.and_(ends, pc.equal(self.access["pitch"], ZERO))
        extent = pc.if_else(
            self._everything, EVERY_BYTE, pc.if_else(whole, WHOLE_STORAGE, PART_OF_IT)
        )
        return pc.if_else(counts, extent, PART_OF_IT)


def read(trace: Trace, *, stores: bool) -> Extents:
    """The accesses of a trace, ready for any pass. `stores`: unseen ones of the host may count."""
    access = by_id(trace, "access", known_modes.accesses(trace))
    storage = by_id(trace, "storage")
    size: list[int] = storage["size"].to_pylist()
    device: list[int] = storage["device"].to_pylist()
    if not _fits(access, storage):
        # A torn trace may name storages that it lost: they get room of their own.
        largest = pc.max(access["storage"]).as_py()
        check_id(trace, "storage", largest, storage.num_rows + access.num_rows)
        size += [0] * (largest + 1 - len(size))
        device += [0] * (largest + 1 - len(device))
        names = ("storage", "hi", "upper_hi")
        for name, hi, upper in zip(*(access[n].to_pylist() for n in names), strict=True):
            if name:
                size[name] = max(size[name], upper, hi)
    device[0] = 0
    *base, end = accumulate(size, initial=0)
    if end > MOST_BYTES:
        raise damaged(trace.path, f"storages of {end} bytes")
    memory, changes = _memory(trace.table("memory"), access, len(size))
    return Extents(
        access=access,
        base=pa.array(base, pa.uint64()),
        size=pa.array(size, pa.uint64()),
        device=pa.array(device, pa.int32()),
        memory=memory,
        changes=changes,
        told=told_stores(trace, access) if stores else None,
    )


def _fits(access: pa.Table, storage: pa.Table) -> bool:
    """Whether every access lies within its storage."""
    if (pc.max(access["storage"]).as_py() or 0) >= storage.num_rows:
        return False
    size = storage["size"].take(access["storage"].combine_chunks())
    nowhere = pc.equal(access["storage"], 0)
    ends = (pc.or_(nowhere, pc.less_equal(access[name], size)) for name in ("hi", "upper_hi"))
    return all(pc.all(end).as_py() for end in ends)


def _memory(
    memory: pa.Table, access: pa.Table, storages: int
) -> tuple[pa.Array, tuple[tuple[int, int, int], ...]]:
    """Kind of host memory of each access at first, and how it changes."""
    spans: dict[int, list[dict[str, Any]]] = {}
    for row in sorted(memory.to_pylist(), key=lambda row: int(row["since"])):
        spans.setdefault(row["storage"], []).append(row)
    simple = [0] * storages
    several = set()
    for storage, rows in spans.items():
        if storage < storages and len(rows) == 1:
            simple[storage] = _host(rows[0]["kind"])
        elif storage < storages:
            several.add(storage)
    kinds = pa.array(simple, pa.uint8()).take(access["storage"].combine_chunks())
    if not several:
        return kinds, ()
    first: list[int] = kinds.to_pylist()
    changes = []
    places: dict[int, list[tuple[int, int]]] = {storage: [] for storage in several}
    columns = (access[name].to_pylist() for name in ("storage", "upper_lo"))
    for name, (storage, lo) in enumerate(zip(*columns, strict=True)):
        if storage in several:
            places[storage].append((lo, name))
    for storage, found in places.items():
        for name, seen in _in_turn(spans[storage], found):
            first[name] = _host(seen[0]["kind"])
            changes += [(row["since"], name, _host(row["kind"])) for row in seen[1:]]
    return pa.array(first, pa.uint8()), tuple(sorted(changes))


def _in_turn(
    spans: Sequence[dict[str, Any]], places: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """For each place (offset, name) the name and the spans that hold it, in their order."""
    coming = sorted(range(len(spans)), key=lambda n: int(spans[n]["lo"]), reverse=True)
    here: list[tuple[int, int]] = []  # ends and numbers of spans that have begun
    for lo, name in sorted(places):
        while coming and spans[coming[-1]]["lo"] <= lo:
            number = coming.pop()
            heappush(here, (spans[number]["hi"], number))
        while here and here[0][0] <= lo:
            heappop(here)
        if here:
            yield name, [spans[number] for number in sorted(number for _, number in here)]


def _host(kind: int) -> int:
    return kind if kind in HOST_MEMORY else 0


def _host_bits(in_host: Any, stores_unseen: Any) -> pa.Array:
    """st_host of each access."""
    reads = pc.multiply(_array(in_host, pa.uint8()), READS_UNSEEN)
    return _array(
        pc.add(reads, pc.multiply(_array(stores_unseen, pa.uint8()), STORES_UNSEEN)), pa.uint8()
    )


def _known(access: pa.Table) -> Any:
    return pc.greater(access["storage"], ZERO)


def _is_in(column: Any, values: tuple[Mode, ...]) -> Any:
    return pc.is_in(column, pa.array([int(v) for v in values], pa.uint8()))


def _array(column: Any, type_: pa.DataType) -> pa.Array:
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return column.cast(type_)
