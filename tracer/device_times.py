"""When a device worked for which op: what CUPTI said of calls, by the number it has for each.

Which op a number stands for and when the device worked come in any order, in packs of hundreds, so
they are matched as Arrow columns.
"""

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.rings import DEVICE_OP, DEVICE_TIME, HEAD
from synctrace.tracer.schema import DEVICE_WORK, I64, U32, U64
from synctrace.tracer.writer import TraceWriter

# Numbers of ops that are kept for times to come; one of several times is told again within these.
KEPT_OPS = 1 << 20
# Times whose op is not known yet: of work that no recorded call gave it never is.
KEPT_TIMES = 1 << 18

_OPS = pa.schema([("op", U64), ("number", U32), ("matched", pa.bool_())])
_TIMES = pa.schema([("number", U32), ("t_s", I64), ("t_e", I64)])


class DeviceTimes:
    """Device times on their way from CUPTI's records to table device_work."""

    def __init__(self) -> None:
        self.matched = 0  # ops of which there are times
        self._unmatched = 0
        self._ops = _OPS.empty_table()
        self._times = _TIMES.empty_table()

    def ops(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """Take in which op a number stands for (struct device_op)."""
        words = _words(part, start, count, DEVICE_OP.size, U64)
        numbers = pc.bit_wise_and(words[1], pa.scalar(0xFFFFFFFF, U64)).cast(U32)
        none = pa.array([False] * count, pa.bool_())
        self._ops = pa.concat_tables([self._ops, pa.table([words[0], numbers, none], schema=_OPS)])

    def times(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """Take in when a device worked (struct device_time)."""
        words = _words(part, start, count, DEVICE_TIME.size, I64)
        numbers = pc.bit_wise_and(words[0], pa.scalar(0xFFFFFFFF, I64)).cast(U32)
        new = pa.table([numbers, words[1], words[2]], schema=_TIMES)
        self._times = pa.concat_tables([self._times, new])

    def write(self, writer: TraceWriter) -> None:
        """Give the writer what is matched by now."""
        if not self._times.num_rows:
            return
        ops, times = self._ops.combine_chunks(), self._times.combine_chunks()
        at = pc.index_in(times["number"], value_set=ops["number"])
        known = pc.is_valid(at)
        found = times.filter(known)
        if found.num_rows:
            rows = [ops["op"].take(pc.drop_null(at)), found["t_s"], found["t_e"]]
            for batch in pa.table(rows, schema=DEVICE_WORK.schema).to_batches():
                writer.write_batch("device_work", batch)
        self._keep(ops, found)
        left = times.filter(pc.invert(known))
        given_up = max(left.num_rows - KEPT_TIMES, 0)
        self._unmatched += given_up
        self._times = left.slice(given_up)

    def of_no_op(self) -> int:
        """How many times are no op's, as far as is known."""
        waiting: int = self._times.num_rows
        return self._unmatched + waiting

    def _keep(self, ops: pa.Table, found: pa.Table) -> None:
        """The newest ops, and which of them have been matched."""
        hit = pc.is_in(ops["number"], value_set=found["number"])
        self.matched += pc.sum(pc.and_(hit, pc.invert(ops["matched"]))).as_py() or 0
        ops = ops.set_column(2, _OPS.field(2), pc.or_(hit, ops["matched"]))
        self._ops = ops.slice(max(ops.num_rows - KEPT_OPS, 0))


def _words(part: bytes, start: int, count: int, size: int, type_: pa.DataType) -> list[pa.Array]:
    """Columns of `count` items of 8-byte words behind a record's head."""
    at, wide = start + HEAD.size, size // 8
    packed = pa.py_buffer(part[at : at + count * size])
    words = pa.Array.from_buffers(type_, count * wide, [None, packed])
    items = pa.FixedSizeListArray.from_arrays(words, wide)
    return [pc.list_element(items, word) for word in range(wide)]
