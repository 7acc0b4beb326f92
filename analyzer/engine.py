"""Binding of the order engine (native/engine.h): columns in, rows out. Feeding releases the GIL."""

import ctypes
from collections.abc import Iterator, Sequence
from ctypes import POINTER, Structure, byref, c_int, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import pyarrow as pa

from synctrace.analyzer.abi import (
    BATCH_COLUMNS,
    BY_TICKET,
    HISTORY,
    NO_KEYS,
    BatchStruct,
    Change,
    ConfigStruct,
    Conflict,
    Gap,
    HiddenPair,
    KindRow,
    Need,
    NeededPair,
    Placement,
    RangeColumns,
    Stats,
)
from synctrace.tracer.errors import SynctraceError

# Format of an unsigned number by its bytes.
_UNSIGNED: dict[int, Literal["B", "I", "Q"]] = {1: "B", 4: "I", 8: "Q"}


@dataclass(frozen=True)
class Ranges:
    """Columns of st_ranges by access id from 0, as Arrow arrays without nulls."""

    lo: pa.Array
    hi: pa.Array
    pitch: pa.Array
    width: pa.Array
    height: pa.Array
    bytes: pa.Array
    storage: pa.Array
    reads: pa.Array
    writes: pa.Array
    memory: pa.Array
    host: pa.Array
    extent: pa.Array


@dataclass(frozen=True)
class Placements:
    """A profile as the engine reads it: by kind, where its placements lie among all of them."""

    kinds: Sequence[KindRow]  # one a kind
    rows: Sequence[Placement]  # the first: of kinds without any
    flags: Sequence[int]  # of all kinds, in turn
    sizes: Sequence[int]


@dataclass(frozen=True)
class Config:
    """What an engine is made for. Arrays are Arrow arrays without nulls, indexed by id from 0."""

    actor_kind: pa.Array  # uint8
    actor_flags: pa.Array  # uint32
    actor_device: pa.Array  # int32
    ranges: Ranges
    placements: Placements
    levels: int  # bit set
    beside: int = 0  # bit set: levels whose ops are work of the host
    set_offsets: pa.Array | None = None  # uint64
    set_members: pa.Array | None = None  # uint32
    gaps: Sequence[tuple[int, int]] = ()  # first and last ticket; none meets another
    changes: Sequence[tuple[int, int, int]] = ()  # ticket, access, memory
    actor_shared: pa.Array | None = None  # uint8: more than one thread deals with this stream
    issue: int = BY_TICKET
    strict: bool = False
    keep_pairs: bool = False
    keys: int = NO_KEYS
    keep_needed: bool = False  # with SITES: keep which pairs need each
    dependent: bool = False  # what came before a stream's last kernel can matter
    across: bool = False  # only pairs on different devices count


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(files("synctrace.analyzer") / "libsynctrace_engine.so"))
    library.st_new.restype = c_void_p
    library.st_new.argtypes = [POINTER(ConfigStruct)]
    library.st_feed.argtypes = [c_void_p, POINTER(BatchStruct)]
    library.st_finish.argtypes = [c_void_p]
    library.st_free.argtypes = [c_void_p]
    library.st_free.restype = None
    for name, row in (("conflicts", Conflict), ("pairs", Conflict), ("needs", Need)):
        _returns_rows(library, name, row)
    _returns_rows(library, "needed_pairs", NeededPair)
    _returns_rows(library, "hidden_pairs", HiddenPair)
    library.st_history.restype = c_void_p
    library.st_history.argtypes = [c_void_p, c_int, POINTER(c_uint64)]
    library.st_statistics.restype = POINTER(Stats)
    library.st_statistics.argtypes = [c_void_p]
    for name in ("st_feed", "st_finish"):
        getattr(library, name).restype = c_int
    library.st_demangled.restype = c_void_p
    library.st_demangled.argtypes = [ctypes.c_char_p]
    library.st_free_name.restype = None
    library.st_free_name.argtypes = [c_void_p]
    return library


def demangled(name: str) -> str:
    """A C++ symbol's name as its source spells it; any other name as it is."""
    library = _library()
    # Without the prefix it would be taken for a type: "f" is float.
    plain = library.st_demangled(name.encode()) if name.startswith("_Z") else None
    if not plain:
        return name
    try:
        return ctypes.string_at(plain).decode(errors="replace")
    finally:
        library.st_free_name(plain)


def _returns_rows(library: ctypes.CDLL, name: str, row: type[Structure]) -> None:
    function = getattr(library, f"st_{name}")
    function.restype = POINTER(row)
    function.argtypes = [c_void_p, POINTER(c_uint64)]


def address(array: pa.Array) -> int:
    """Address of the first value of a fixed-width Arrow array without nulls."""
    width = array.type.bit_width // 8
    buffer = array.buffers()[1]
    return int(buffer.address) + array.offset * width if buffer is not None else 0


class Engine:
    """One pass being run. Free it with close() or as a context manager."""

    def __init__(self, config: Config) -> None:
        """Raises SynctraceError if the ranges do not fit."""
        self._library = _library()
        self._kept: list[Any] = [config]  # what the engine points into
        c = ConfigStruct(actors=len(config.actor_kind))
        c.actor_kind = address(config.actor_kind)
        c.actor_flags = address(config.actor_flags)
        c.actor_device = address(config.actor_device)
        c.ranges = RangeColumns(count=len(config.ranges.lo))
        for name, *_ in RangeColumns._fields_[1:]:
            setattr(c.ranges, name, address(getattr(config.ranges, name)))
        if not config.placements.sizes:
            c.ranges.bytes = None
        if config.set_offsets is not None and config.set_members is not None:
            c.sets = len(config.set_offsets) - 1
            c.set_offsets = address(config.set_offsets)
            c.set_members = address(config.set_members)
        c.gaps = len(config.gaps)
        c.gap = self._array(Gap, [Gap(*gap) for gap in sorted(config.gaps)])
        c.changes = len(config.changes)
        c.change = self._array(Change, [Change(*change) for change in sorted(config.changes)])
        table = config.placements
        c.kind = self._array(KindRow, table.kinds)
        c.placements = len(table.rows)
        c.placement = self._array(Placement, table.rows)
        c.flag = self._array(c_uint32, table.flags)
        c.size = self._array(c_uint64, table.sizes)
        c.levels = config.levels
        c.beside = config.beside
        if config.actor_shared is not None:
            c.actor_shared = address(config.actor_shared)
        c.issue = config.issue
        c.strict = config.strict
        c.keep_pairs = config.keep_pairs
        c.keys = config.keys
        c.keep_needed = config.keep_needed
        c.dependent = config.dependent
        c.across = config.across
        self._engine = self._library.st_new(byref(c))
        if not self._engine:
            raise SynctraceError("the distinct ranges of this trace do not fit in memory")

    def feed(self, batch: pa.RecordBatch) -> None:
        """Take rows of table op, or of some of its columns, in the order of their tickets."""
        b = BatchStruct(rows=batch.num_rows)
        for field, column in zip(batch.schema, batch.columns, strict=True):
            if field.name == "accesses":
                offsets = column.buffers()[1]
                b.access_offsets = int(offsets.address) + column.offset * 4
                b.accesses = address(column.values)
            elif field.name in BATCH_COLUMNS:
                setattr(b, field.name, address(column))
        self._check(self._library.st_feed(self._engine, byref(b)))

    def finish(self) -> None:
        """End of the trace: results are whole from here on."""
        self._check(self._library.st_finish(self._engine))

    def conflicts(self) -> Iterator[Any]:
        """The first racy pair of each group and how many second ops the group has."""
        return self._rows("conflicts")

    @property
    def conflict_groups(self) -> int:
        """How many of these there are, so far."""
        count = c_uint64()
        self._library.st_conflicts(self._engine, byref(count))
        return count.value

    def pairs(self) -> Iterator[Any]:
        """Every racy pair found, with keep_pairs."""
        return self._rows("pairs")

    def needs(self) -> Iterator[Any]:
        """Every judged sync site."""
        return self._rows("needs")

    def needed_pairs(self) -> pa.Table:
        """Groups of ordered pairs by the sync site that they need, with keep_needed."""
        return self._table("needed_pairs", NeededPair)

    def hidden_pairs(self) -> Iterator[Any]:
        """Pairs that one habit alone orders."""
        return self._rows("hidden_pairs")

    def history(self, column: str) -> pa.Array:
        """A column of abi.HISTORY, with EVERY_EDGE; its own copy."""
        count = c_uint64()
        number = list(HISTORY).index(column)
        values = self._library.st_history(self._engine, number, byref(count))
        type_ = pa.type_for_alias(HISTORY[column])
        data = ctypes.string_at(values, count.value * type_.bit_width // 8) if count.value else b""
        return pa.Array.from_buffers(type_, count.value, [None, pa.py_buffer(data)])

    @property
    def stats(self) -> Stats:
        """Counters."""
        found: Stats = self._library.st_statistics(self._engine).contents
        return found

    def close(self) -> None:
        """Give the memory back; results are gone."""
        if self._engine:
            self._library.st_free(self._engine)
            self._engine = None

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, name: str) -> Iterator[Any]:
        count = c_uint64()
        rows = getattr(self._library, f"st_{name}")(self._engine, byref(count))
        return (rows[i] for i in range(count.value))

    def _table(self, name: str, of: type[Structure]) -> pa.Table:
        """The same as Arrow columns, for results that may be many."""
        count = c_uint64()
        rows = getattr(self._library, f"st_{name}")(self._engine, byref(count))
        array = ctypes.cast(rows, POINTER(of * count.value)).contents if count.value else (of * 0)()
        memory, size = memoryview(array).cast("B"), ctypes.sizeof(of)
        columns = {}
        for column in (field[0] for field in of._fields_):
            at = getattr(of, column)  # fields lie at multiples of their size, and so do structs
            values = memory.cast(_UNSIGNED[at.size])[at.offset // at.size :: size // at.size]
            columns[column] = pa.array(values.tolist(), f"uint{8 * at.size}")
        return pa.table(columns)

    def _array(self, of: Any, values: Sequence[Any]) -> int:
        array = (of * max(1, len(values)))(*values)
        self._kept.append(array)
        return ctypes.addressof(array)

    @staticmethod
    def _check(failed: int) -> None:
        if failed:
            raise SynctraceError("the order engine ran out of memory")
