"""Binding of the order engine (native/engine.h): columns in, rows out. Feeding releases the GIL."""

import ctypes
from collections.abc import Iterator, Sequence
from ctypes import POINTER, Structure, byref, c_int, c_uint8, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import pyarrow as pa

MEMORIES = 9  # numbers of MemoryKind
KINDS = 128  # op kinds are below
NO_OP = 2**64 - 1  # ST_NONE

# st_keys
NO_KEYS, SITES, HABITS = 0, 1, 2
# st_extent
PART, WHOLE, EVERYTHING = 0, 1, 2
# st_hazard
HAZARDS = ("read-after-write", "write-after-read", "write-after-write")


class Placement(Structure):
    """st_placement."""

    _fields_ = [
        ("reads", c_uint8),
        ("writes", c_uint8),
        ("judged", c_uint8),
        ("results", c_uint8),
        ("edges", c_uint32),
        ("habit_edges", c_uint32),
        ("habit", c_uint32),
    ]


class _Ranges(Structure):
    _fields_ = [
        ("count", c_uint64),
        *((name, c_void_p) for name in ("lo", "hi", "pitch", "width", "height", "storage")),
        *((name, c_void_p) for name in ("reads", "writes", "memory", "result", "extent")),
    ]


class Change(Structure):
    """st_change."""

    _fields_ = [("ticket", c_uint64), ("access", c_uint32), ("memory", c_uint8)]


class _Config(Structure):
    _fields_ = [
        ("actors", c_uint64),
        ("actor_kind", c_void_p),
        ("actor_flags", c_void_p),
        ("actor_device", c_void_p),
        ("ranges", _Ranges),
        ("sets", c_uint64),
        ("set_offsets", c_void_p),
        ("set_members", c_void_p),
        ("gaps", c_uint64),
        ("gap", c_void_p),
        ("changes", c_uint64),
        ("change", c_void_p),
        ("placement", c_void_p),
        ("variants", c_uint32),
        ("variant", c_void_p),
        ("levels", c_uint8),
        ("strict", c_uint8),
        ("keep_pairs", c_uint8),
        ("keys", c_uint8),
        ("dependent", c_uint8),
        ("drop_at_free", c_uint8),
    ]


_COLUMNS = (
    *("id", "ticket_c", "ticket_r", "kind", "level", "flags", "thread", "actor", "peer"),
    *("event", "graph", "access_offsets", "accesses", "access_set", "site", "device"),
    *("t_c", "t_r"),
)


class _Batch(Structure):
    _fields_ = [("rows", c_uint64), *((name, c_void_p) for name in _COLUMNS)]


class Conflict(Structure):
    """st_conflict."""

    _fields_ = [
        ("first_op", c_uint64),
        ("second_op", c_uint64),
        ("lo", c_uint64),
        ("hi", c_uint64),
        ("count", c_uint64),
        ("known_op", c_uint64),
        ("present_op", c_uint64),
        ("first_access", c_uint32),
        ("second_access", c_uint32),
        ("first_site", c_uint32),
        ("second_site", c_uint32),
        ("first_actor", c_uint32),
        ("second_actor", c_uint32),
        ("storage", c_uint32),
        ("hazard", c_uint8),
    ]


class Need(Structure):
    """st_need."""

    _fields_ = [
        ("instances", c_uint64),
        ("implied", c_uint64),
        ("needed", c_uint64),
        ("final", c_uint64),
        ("unrecorded", c_uint64),
        ("blocked_ns", ctypes.c_int64),
        ("first_op", c_uint64),
        ("last_op", c_uint64),
        ("site", c_uint32),
    ]


class Hidden(Structure):
    """st_hidden."""

    _fields_ = [
        ("first_site", c_uint32),
        ("second_site", c_uint32),
        ("storage", c_uint32),
        ("habit", c_uint32),
        ("hazard", c_uint8),
    ]


class Stats(Structure):
    """st_stats."""

    _fields_ = [
        *((name, c_uint64) for name in ("rows", "effective", "accesses", "timelines", "nodes")),
        ("missing", c_uint64),
        ("unordered", c_uint64),
        ("kinds", c_uint64 * KINDS),
    ]


@dataclass(frozen=True)
class Ranges:
    """Columns of st_ranges by access id from 0, as Arrow arrays without nulls."""

    lo: pa.Array
    hi: pa.Array
    pitch: pa.Array
    width: pa.Array
    height: pa.Array
    storage: pa.Array
    reads: pa.Array
    writes: pa.Array
    memory: pa.Array
    result: pa.Array
    extent: pa.Array


@dataclass(frozen=True)
class Config:
    """What an engine is made for. Arrays are Arrow arrays without nulls, indexed by id from 0."""

    actor_kind: pa.Array  # uint8
    actor_flags: pa.Array  # uint32
    actor_device: pa.Array  # int32
    ranges: Ranges
    placement: "ctypes.Array[Placement]"
    variants: Sequence[int]  # flags on which the placement depends
    levels: int  # bit set
    set_offsets: pa.Array | None = None  # uint64
    set_members: pa.Array | None = None  # uint32
    gaps: Sequence[int] = ()
    changes: Sequence[tuple[int, int, int]] = ()  # ticket, access, memory
    strict: bool = False
    keep_pairs: bool = False
    keys: int = NO_KEYS
    dependent: bool = False
    drop_at_free: bool = False


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(files("synctrace.analyzer") / "libsynctrace_engine.so"))
    library.st_new.restype = c_void_p
    library.st_new.argtypes = [POINTER(_Config)]
    library.st_feed.argtypes = [c_void_p, POINTER(_Batch)]
    library.st_finish.argtypes = [c_void_p]
    library.st_free.argtypes = [c_void_p]
    library.st_free.restype = None
    for name, row in (("conflicts", Conflict), ("pairs", Conflict), ("needs", Need)):
        _returns_rows(library, name, row)
    _returns_rows(library, "hiding", Hidden)
    library.st_statistics.restype = POINTER(Stats)
    library.st_statistics.argtypes = [c_void_p]
    for name in ("st_feed", "st_finish"):
        getattr(library, name).restype = c_int
    return library


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
        """Raises MemoryError if the ranges do not fit."""
        self._library = _library()
        self._kept: list[Any] = [config]  # what the engine points into
        c = _Config(actors=len(config.actor_kind))
        c.actor_kind = address(config.actor_kind)
        c.actor_flags = address(config.actor_flags)
        c.actor_device = address(config.actor_device)
        c.ranges = _Ranges(count=len(config.ranges.lo))
        for name, *_ in _Ranges._fields_[1:]:
            setattr(c.ranges, name, address(getattr(config.ranges, name)))
        if config.set_offsets is not None and config.set_members is not None:
            c.sets = len(config.set_offsets) - 1
            c.set_offsets = address(config.set_offsets)
            c.set_members = address(config.set_members)
        c.gaps = len(config.gaps)
        c.gap = self._array(c_uint64, sorted(config.gaps))
        c.changes = len(config.changes)
        c.change = self._array(Change, [Change(*change) for change in sorted(config.changes)])
        c.placement = ctypes.addressof(config.placement)
        c.variants = len(config.variants)
        c.variant = self._array(c_uint32, config.variants)
        c.levels = config.levels
        c.strict = config.strict
        c.keep_pairs = config.keep_pairs
        c.keys = config.keys
        c.dependent = config.dependent
        c.drop_at_free = config.drop_at_free
        self._engine = self._library.st_new(byref(c))
        if not self._engine:
            raise MemoryError("the distinct ranges of this trace do not fit in memory")

    def feed(self, batch: pa.RecordBatch) -> None:
        """Take rows of table op, or of some of its columns, in the order of their tickets."""
        b = _Batch(rows=batch.num_rows)
        for field, column in zip(batch.schema, batch.columns, strict=True):
            if field.name == "accesses":
                offsets = column.buffers()[1]
                b.access_offsets = int(offsets.address) + column.offset * 4
                b.accesses = address(column.values)
            elif field.name in _COLUMNS:
                setattr(b, field.name, address(column))
        self._check(self._library.st_feed(self._engine, byref(b)))

    def finish(self) -> None:
        """End of the trace: results are whole from here on."""
        self._check(self._library.st_finish(self._engine))

    def conflicts(self) -> Iterator[Any]:
        """The first racy pair of each group and how many second ops the group has."""
        return self._rows("conflicts")

    def pairs(self) -> Iterator[Any]:
        """Every racy pair found, with keep_pairs."""
        return self._rows("pairs")

    def needs(self) -> Iterator[Any]:
        """Every judged sync site."""
        return self._rows("needs")

    def hidden(self) -> Iterator[Any]:
        """Pairs that one habit alone orders."""
        return self._rows("hiding")

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

    def _array(self, of: Any, values: Sequence[Any]) -> int:
        array = (of * max(1, len(values)))(*values)
        self._kept.append(array)
        return ctypes.addressof(array)

    @staticmethod
    def _check(failed: int) -> None:
        if failed:
            raise MemoryError("the order engine ran out of memory")
