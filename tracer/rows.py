"""Turns a process's records into rows of its trace."""

from collections.abc import Callable

from synctrace.tracer.columns import Columns
from synctrace.tracer.device_times import DeviceTimes
from synctrace.tracer.objects import Objects
from synctrace.tracer.ops import Long, Ops, long_op
from synctrace.tracer.ranges import Ranges
from synctrace.tracer.rings import FIXED, Record, records
from synctrace.tracer.versions import Versions
from synctrace.tracer.writer import TraceWriter

Decoder = Callable[[int, bytes, int, int, int], None]  # thread, part, count, start, end

_OP, _OP_LONG = int(Record.OP), int(Record.OP_LONG)


class Rows:
    """The rows of one trace. Records of one ring come in order, rings in any order."""

    def __init__(self, writer: TraceWriter) -> None:
        self._writer = writer
        self._columns = columns = Columns()
        self.objects = objects = Objects(columns)
        self._ranges = ranges = Ranges(columns, objects.kernels)
        self._versions = versions = Versions(columns, ranges)
        self.ops = Ops(objects, ranges, versions)
        self.device_times = times = DeviceTimes()
        self._decoders: dict[int, Decoder] = {
            Record.GAP: self._gap,
            Record.ACTOR: objects.actor,
            Record.STORAGE: ranges.storage,
            Record.EVENT: objects.event,
            Record.STACK: objects.stack,
            Record.FRAME: objects.frame,
            Record.MODULE: objects.module,
            Record.NAME: objects.name,
            Record.SCOPE: objects.scope,
            Record.RENAME: objects.rename,
            Record.RANGES: versions.part,
            Record.NODE: versions.node,
            Record.NODE_EDGES: versions.edges,
            Record.GRAPH: versions.graph,
            Record.CALL: objects.call,
            Record.KERNEL: objects.kernel,
            Record.ACCESS: ranges.access,
            Record.MEMORY: ranges.memory,
            Record.DEVICE_OPS: times.ops,
            Record.DEVICE_TIMES: times.times,
        }

    def add(self, thread: int, part: bytes) -> None:
        """Take in the records of a thread (its actor id). Raises ValueError at a senseless one.

        What an op names was told before it, so ops can wait until the others are taken in.
        """
        plain: list[bytes] = []
        long: list[Long] = []
        run = done = 0  # ops that lie one behind the other
        try:
            for kind, count, start, end in records(part):
                if kind == _OP:
                    done = end
                    continue
                plain.append(part[run:start])
                run = done = end
                if kind == _OP_LONG:
                    long.append(long_op(part, count, start))
                elif decoder := self._decoders.get(kind):
                    decoder(thread, part, count, start, end)
        finally:
            plain.append(part[run:done])
            if packed := b"".join(plain):
                self.ops.add(thread, packed)
            if long:
                self.ops.add_long(thread, long)

    def release(self, watermark: int | None) -> None:
        """Give the writer the ops whose ticket_c is below the watermark, and all other rows."""
        self.ops.release(watermark)
        self._versions.forget_old_walks()
        self._columns.write(self._writer)
        self.ops.write(self._writer)

    def flush(self) -> None:
        """Write everything that was released."""
        self.ops.write(self._writer, 1)
        self.device_times.write(self._writer)
        self._writer.flush()

    def finish(self) -> None:
        """Write what was still held back: nothing will follow."""
        self.objects.finish()
        self.ops.release(None)
        self._versions.finish()
        self._ranges.finish()
        self.release(None)
        self.flush()

    def gap(self, first: int, ticket: int, thread: int, dropped: int) -> None:
        """Records were lost between these tickets."""
        row = {"first": first, "ticket": ticket, "thread": thread, "dropped": dropped}
        self._columns.put("gap", row)

    def _gap(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        first, ticket, dropped = FIXED[Record.GAP].unpack_from(part, start)
        self.gap(first, ticket, thread, dropped)
