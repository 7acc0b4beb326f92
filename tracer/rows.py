"""Turns a process's records into rows of its trace; holds ops until their order is known."""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from synctrace.tracer.columns import Columns
from synctrace.tracer.kinds import NO_EFFECT, Kind
from synctrace.tracer.objects import Objects
from synctrace.tracer.ranges import Ranges
from synctrace.tracer.rings import FIXED, Record, records
from synctrace.tracer.writer import TraceWriter

# Ops are held until every op of an earlier ticket has been seen, but no more of them than this: a
# call that stays open for very long then costs order (the table is nearly sorted), not memory.
MAX_HELD = 200_000

# Columns of an op, in the order of OpRow; ops are many, so they go to the writer as they are.
OP_COLUMNS = (
    *("id", "ticket_c", "ticket_r", "kind", "level", "flags", "thread", "actor", "peer", "event"),
    *("graph", "version", "access_set", "accesses", "site"),
    *("scope", "call", "parent", "rc", "device", "t_c", "t_r", "cpu_ns"),
)
OpRow = tuple[Any, ...]

Decoder = Callable[[int, bytes, int, int, int], None]  # thread, part, count, start, end


class Rows:
    """The rows of one trace. Records of one ring come in order, rings in any order."""

    def __init__(self, writer: TraceWriter) -> None:
        self._writer = writer
        self._columns = columns = Columns()
        self._ranges = ranges = Ranges(columns)
        self.objects = objects = Objects(columns)
        self._held: list[tuple[int, int, tuple[Any, ...], tuple[int, ...]]] = []
        self.ops = 0
        self.launches_without_ranges = 0
        self._decoders: dict[int, Decoder] = {
            Record.OP: self._op,
            Record.GAP: self._gap,
            Record.ACTOR: objects.actor,
            Record.STORAGE: ranges.storage,
            Record.EVENT: objects.event,
            Record.STACK: objects.stack,
            Record.MODULE: objects.module,
            Record.SCOPE: objects.scope,
            Record.RENAME: objects.rename,
            Record.RANGES: ranges.graph_part,
            Record.GRAPH: ranges.graph,
            Record.CALL: objects.call,
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
            rows = [self._finished(*held[1:]) for held in self._held[:cut]]
            del self._held[:cut]
            self.ops += len(rows)
            columns = zip(OP_COLUMNS, zip(*rows, strict=True), strict=True) if rows else ()
            self._writer.append("op", dict(columns))
        self._columns.write(self._writer)

    def finish(self) -> None:
        """Write what was still held back: nothing will follow."""
        self.objects.finish()
        self._ranges.finish()
        self.release(None)

    def gap(self, ticket: int, thread: int, dropped: int) -> None:
        """Records were lost before this ticket."""
        self._columns.put("gap", {"ticket": ticket, "thread": thread, "dropped": dropped})

    def _op(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        op = FIXED[Record.OP].unpack_from(part, start)
        accesses = self._ranges.accesses(part, start + FIXED[Record.OP].size, count)
        self._held.append((op[0], thread, op, accesses))

    def _gap(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        ticket, dropped = FIXED[Record.GAP].unpack_from(part, start)
        self.gap(ticket, thread, dropped)

    def _finished(self, thread: int, op: tuple[Any, ...], accesses: tuple[int, ...]) -> OpRow:
        (c, r, t_c, t_r, cpu, parent, flags, actor, peer, event, walk, stack) = op[:12]
        (ordinal, scope, rc, device, kind, level, call, _, _, graph) = op[12:]
        known = self._ranges.walk(walk) if walk else None
        if kind == Kind.GRAPH_LAUNCH and not known and not flags & NO_EFFECT:
            self.launches_without_ranges += 1
            accesses = (*accesses, self._ranges.unknown())
        ranges = (graph, known.version, known.access_set) if known else (0, 0, 0)
        site = self.objects.site(stack, ordinal, call)
        cpu_ns = None if cpu < 0 else cpu
        return (
            *(c, c, r, kind, level, flags, thread, actor, peer, event, *ranges, accesses, site),
            *(scope, call, parent or None, rc, device, t_c, t_r, cpu_ns),
        )
