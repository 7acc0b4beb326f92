"""Op records, taken in as Arrow columns: the bulk of a trace never becomes Python objects.

Records of struct record_op (native/record.h) are all of one size, so a run of them is a table of
words. Ops are held back until every op of an earlier ticket has been seen (release).
"""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind, Level
from synctrace.tracer.objects import Objects
from synctrace.tracer.ranges import Ranges
from synctrace.tracer.rings import FIXED, OP_SIZE, Record
from synctrace.tracer.schema import IDS, OP, U32, U64
from synctrace.tracer.versions import Versions
from synctrace.tracer.writer import BATCH_ROWS, TraceWriter

# A call that stays open for very long then costs order (the table is nearly sorted), not memory.
MAX_HELD = 200_000

# Word of each column in a record, by the size of the word in bytes.
_U64 = {"ticket_c": 1, "ticket_r": 2, "t_c": 3, "t_r": 4, "cpu_ns": 5, "parent": 6}
_U32 = {
    "flags": 14,
    "actor": 15,
    "peer": 16,
    "event": 17,
    "walk": 18,
    "stack": 19,
    "ordinal": 20,
    "scope": 21,
    "rc": 22,
    "device": 23,
    "kind_level_call": 24,
    "graph": 25,
    "timed": 26,
}
_ACCESS, _ACCESSES = 28, 8
_SIGNED = {"t_c": pa.int64(), "t_r": pa.int64(), "cpu_ns": pa.int64()}
_SIGNED |= {"rc": pa.int32(), "device": pa.int32()}

# Arrow's functions take Arrow's scalars at a tenth of the price of Python's numbers.
_ZERO, _HALF, _NO_PARENT = pa.scalar(0, U32), pa.scalar(32, U64), pa.scalar(0, U64)
_NUMBERS = [pa.scalar(n, pa.int32()) for n in range(OP_SIZE // 4)]
_NOT_TAKEN = pa.scalar(-1, pa.int64())
_LAUNCH = pa.scalar(int(Kind.GRAPH_LAUNCH), pa.uint8())
_RUNS_NOT = pa.scalar(int(NO_EFFECT | Flag.CAPTURED), U32)

# An op held back, before what its graph touches is known.
_HELD = pa.schema([f for f in OP.schema if f.name not in ("version", "access_set")]).append(
    pa.field("walk", U32)
)

Columns = dict[str, Any]
Long = tuple[bytes, Sequence[int]]  # a record and the numbers of its accesses


class Ops:
    """The ops of one trace on their way from the rings to the file."""

    def __init__(self, objects: Objects, ranges: Ranges, versions: Versions) -> None:
        self.written = 0
        self.launches_without_ranges = 0
        self.timed = 0  # ops of which device times were asked for
        self.levels: set[Level] = set()  # of the ops seen
        self._objects = objects
        self._ranges, self._versions = ranges, versions
        self._held: list[pa.Table] = []
        self._ready: list[pa.Table] = []

    def add(self, thread: int, packed: bytes) -> None:
        """Take in records of a thread (its actor id) that lie one behind the other."""
        found = _words(packed)
        numbers = _numbers(packed)
        self._hold(thread, found, numbers)

    def add_long(self, thread: int, ops: Sequence[Long]) -> None:
        """Take in records with more accesses than fit into them."""
        found = _words(b"".join(record for record, _ in ops))
        lists = pa.array([list(numbers) for _, numbers in ops], pa.list_(U32))
        self._hold(thread, found, lists)

    def release(self, watermark: int | None) -> None:
        """The ops whose ticket_c is below the watermark (None: all) are ready to be written."""
        if not self._held:
            return
        held = pa.concat_tables(self._held).combine_chunks()
        self._held = []
        held = held.take(pc.sort_indices(held["ticket_c"]))
        cut = held.num_rows
        if watermark is not None:
            below = pc.sum(pc.less(held["ticket_c"], pa.scalar(watermark, U64))).as_py()
            cut = max(below, held.num_rows - MAX_HELD)
        if cut:
            self._ready.append(self._with_graphs(held.slice(0, cut)))
        if cut < held.num_rows:
            self._held.append(held.slice(cut))

    def taken(self) -> int:
        """Number of ops taken in so far."""
        waiting: int = sum(table.num_rows for table in (*self._ready, *self._held))
        return self.written + waiting

    def write(self, writer: TraceWriter, least: int = BATCH_ROWS) -> None:
        """Write what is ready, if it is at least so many rows."""
        rows = sum(table.num_rows for table in self._ready)
        if not rows or rows < least:
            return
        table = pa.concat_tables(self._ready).combine_chunks()
        self._ready = []
        for batch in table.to_batches():
            writer.write_batch("op", batch)
        self.written += rows

    def _hold(self, thread: int, found: Columns, numbers: pa.Array) -> None:
        rows = len(found["ticket_c"])
        made: Columns = {
            **found,
            "id": found["ticket_c"],
            "thread": pa.array([thread] * rows, U32),
            "accesses": self._accesses(numbers),
            "site": self._sites(found),
            "parent": _absent(found["parent"], _NO_PARENT),
            "cpu_ns": _absent(found["cpu_ns"], _NOT_TAKEN),
        }
        for name in ("t_s", "t_e"):
            made[name] = pa.nulls(rows, pa.int64())
        self.timed += pc.sum(found["timed"]).as_py() or 0
        self.levels.update(map(Level, pc.unique(found["level"]).to_pylist()))
        self._held.append(pa.table([made[f.name] for f in _HELD], schema=_HELD))

    def _with_graphs(self, held: pa.Table) -> pa.Table:
        """What graphs touch, by the walks that found it: another thread may have told them."""
        walked = held["walk"].combine_chunks().dictionary_encode()
        walks = [self._versions.walk(number) for number in _distinct(walked)]
        known = _mapped(walked, [bool(walk) for walk in walks], pa.bool_())
        launch = pc.equal(held["kind"], _LAUNCH)
        runs = pc.equal(pc.bit_wise_and(held["flags"], _RUNS_NOT), _ZERO)
        unknown = pc.and_(pc.and_(launch, runs), pc.invert(known))
        touched = _mapped(walked, [w.access_set if w else 0 for w in walks])
        made = {
            "graph": pc.if_else(unknown, _ZERO, held["graph"]),
            "version": _mapped(walked, [w.version if w else 0 for w in walks]),
            # To make or update an executable touches nothing.
            "access_set": pc.if_else(launch, touched, _ZERO),
            "accesses": self._with_unknown(held, unknown),
        }
        columns = [made[f.name] if f.name in made else held[f.name] for f in OP.schema]
        return pa.table(columns, schema=OP.schema)

    def _with_unknown(self, held: pa.Table, unknown: pa.Array) -> pa.Array:
        """The accesses, with one of anything for each launch that is not known to touch less."""
        count = pc.sum(unknown).as_py() or 0
        if not count:
            return held["accesses"]
        self.launches_without_ranges += count
        anything = [self._ranges.unknown()]
        pairs = zip(held["accesses"].to_pylist(), unknown.to_pylist(), strict=True)
        return pa.array([row + anything * more for row, more in pairs], IDS)

    def _accesses(self, numbers: pa.Array) -> pa.Array:
        """access.id of each op's accesses, given by their numbers in the rings."""
        told = numbers.flatten().dictionary_encode()
        known = [self._ranges.numbered(n) for n in _distinct(told)]
        return pa.ListArray.from_arrays(numbers.offsets, _mapped(told, known))

    def _sites(self, found: Columns) -> pa.Array:
        """site.id by stack and ordinal, or by the function called where there is no stack."""
        stack = pc.shift_left(found["stack"].cast(U64), _HALF)
        place = pc.bit_wise_or(stack, found["ordinal"].cast(U64))
        key = pc.if_else(pc.equal(found["stack"], _ZERO), found["call"].cast(U64), place)
        keys = key.dictionary_encode()
        sites = [
            self._objects.site(k >> 32, k & 0xFFFFFFFF, 0)
            if k >> 32
            else self._objects.site(0, 0, k)
            for k in _distinct(keys)
        ]
        return _mapped(keys, sites)


def _words(packed: bytes) -> Columns:
    """Columns of records that lie one behind the other."""
    found = {name: _word(packed, word, U64) for name, word in _U64.items()}
    found |= {name: _word(packed, word, U32) for name, word in _U32.items()}
    found |= {name: found[name].view(type_) for name, type_ in _SIGNED.items()}
    mixed = found.pop("kind_level_call")
    found["kind"] = _bits(mixed, 0, 0xFF).cast(pa.uint8())
    found["level"] = _bits(mixed, 8, 0xFF).cast(pa.uint8())
    found["call"] = _bits(mixed, 16, 0xFFFF)
    return found


def _word(packed: bytes, word: int, type_: pa.DataType) -> pa.Array:
    """One word of each record."""
    return pc.list_element(_records(packed, type_), _NUMBERS[word])


def _records(packed: bytes, type_: pa.DataType) -> pa.Array:
    count = len(packed) * 8 // type_.bit_width
    words = pa.Array.from_buffers(type_, count, [None, pa.py_buffer(packed)])
    return pa.FixedSizeListArray.from_arrays(words, OP_SIZE * 8 // type_.bit_width)


def _numbers(packed: bytes) -> pa.Array:
    """Numbers of each record's accesses; 0 stands for none."""
    slots = pc.list_slice(_records(packed, U32), _ACCESS, _ACCESS + _ACCESSES).flatten()
    used = pc.not_equal(slots, _ZERO)
    ends = pc.cumulative_sum(used.cast(pa.int32()))
    rows = len(packed) // OP_SIZE
    last = pa.array(range(_ACCESSES - 1, rows * _ACCESSES, _ACCESSES), pa.int32())
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends.take(last)])
    return pa.ListArray.from_arrays(offsets, slots.filter(used))


def _bits(words: pa.Array, shift: int, mask: int) -> pa.Array:
    moved = pc.shift_right(words, pa.scalar(shift, U32))
    return pc.bit_wise_and(moved, pa.scalar(mask, U32))


def _distinct(encoded: pa.DictionaryArray) -> list[int]:
    found: list[int] = encoded.dictionary.to_pylist()
    return found


def _mapped(encoded: pa.DictionaryArray, to: Sequence[Any], type_: pa.DataType = U32) -> pa.Array:
    """Each value replaced; `to` is in the order of _distinct."""
    return pa.array(to, type_).take(encoded.indices)


def _absent(values: pa.Array, absent: pa.Scalar) -> pa.Array:
    """Null in place of the number that stands for nothing."""
    return pc.if_else(pc.equal(values, absent), pa.scalar(None, values.type), values)


def long_op(part: bytes, count: int, start: int) -> Long:
    """A record_op with `count` numbers of accesses behind it."""
    at = start + FIXED[Record.OP].size
    ends = range(at + 4, at + 4 * count + 1, 4)
    return part[start:at], [int.from_bytes(part[end - 4 : end], "little") for end in ends]
