"""Where the syncs, event records and launches of a trace lie: ids only, one pass over `op`."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer.op_batches import sorted_ops
from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind
from synctrace.tracer.reader import Trace

# Calls that give work to a stream and do not wait for it.
WORK = frozenset(
    {
        *(Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2H, Kind.MEMCPY_ASYNC_D2D),
        *(Kind.MEMCPY_ASYNC_PEER, Kind.MEMSET_ASYNC, Kind.KERNEL, Kind.GRAPH_LAUNCH),
        *(Kind.HOST_FUNC, Kind.TENSOR_SET_ASYNC, Kind.TENSOR_GET_ASYNC, Kind.TENSOR_COPY_ASYNC),
    }
)
_WORK_KINDS = pa.array(sorted(int(kind) for kind in WORK), pa.uint8())
_EVENT_KINDS = pa.array([int(Kind.EVENT_RECORD), int(Kind.EVENT_WAIT)], pa.uint8())
_WITHOUT = pa.scalar(int(NO_EFFECT | Flag.CAPTURED), pa.uint32())
_PLACE = ("thread", "level", "site")
_COLUMNS = ("id", "kind", "flags", "actor", "event", *_PLACE)
_NONE = array("Q")


@dataclass(frozen=True)
class Wait:
    """A judged sync that took effect."""

    kind: Kind
    id: int
    actor: int
    event: int
    thread: int
    level: int


@dataclass(frozen=True)
class Records:
    """Records made by one thread at one place, or those of one event, in their order."""

    ids: "array[int]" = field(default_factory=lambda: array("Q"))
    events: "array[int]" = field(default_factory=lambda: array("I"))
    actors: "array[int]" = field(default_factory=lambda: array("I"))

    def before(self, op: int) -> int | None:
        """Index of the last one made before this op."""
        at = bisect_left(self.ids, op)
        return at - 1 if at else None


@dataclass(frozen=True)
class Heard:
    """Waits of one stream for events of another, in their order."""

    waits: "array[int]" = field(default_factory=lambda: array("Q"))
    records: "array[int]" = field(default_factory=lambda: array("Q"))  # the last one until then

    def add(self, wait: int, record: int) -> None:
        self.waits.append(wait)
        self.records.append(max(record, self.records[-1]) if self.records else record)

    def before(self, op: int) -> int | None:
        """The last record that was waited for before this op."""
        at = bisect_left(self.waits, op)
        return self.records[at - 1] if at else None


@dataclass(frozen=True)
class Skeleton:
    """Ops that took effect, by where they were made."""

    waits: dict[int, list[Wait]] = field(default_factory=dict)  # by site
    records: dict[tuple[int, int, int], Records] = field(
        default_factory=dict
    )  # thread, level, site
    of_event: dict[int, Records] = field(default_factory=dict)  # records by event
    heard: dict[int, dict[int, Heard]] = field(default_factory=dict)  # by stream that waits, source
    work: "dict[int, array[int]]" = field(default_factory=dict)  # ids by thread
    calls: "dict[tuple[int, int], array[int]]" = field(default_factory=dict)  # ids by thread, site

    def reach(self, wait: Wait) -> dict[int, int]:
        """Streams that a wait for a stream or an event is for, each with the op up to which.

        By events alone: the stream itself, those whose events it had waited for, and so on.
        """
        if wait.kind is Kind.STREAM_SYNC:
            reached = {wait.actor: wait.id}
        elif (last := self.last_record(wait.event, wait.id)) is not None:
            reached = dict([last])
        else:
            return {}
        to_look_at = list(reached)
        while to_look_at:
            stream = to_look_at.pop()
            for source, heard in self.heard.get(stream, {}).items():
                record = heard.before(reached[stream])
                if record is not None and record > reached.get(source, -1):
                    reached[source] = record
                    to_look_at.append(source)
        return reached

    def last_record(self, event: int, op: int) -> tuple[int, int] | None:
        """Stream and id of the event's last record before this op."""
        records = self.of_event.get(event, Records())
        at = records.before(op)
        return None if at is None else (records.actors[at], records.ids[at])

    def launches(self, thread: int, first: int, last: int) -> int:
        """Work that the thread gave to streams by ops after the first and before the last."""
        ids = self.work.get(thread, _NONE)
        return max(0, bisect_left(ids, last) - bisect_right(ids, first))

    def made_by(self, thread: int, site: int, op: int) -> bool:
        """Whether the thread made this op, at one of the places read, and there."""
        ids = self.calls.get((thread, site), _NONE)
        at = bisect_left(ids, op)
        return at < len(ids) and ids[at] == op

    def next_call(self, thread: int, sites: Collection[int], after: int) -> int | None:
        """The thread's first op after this one that was made at one of these places."""
        found = []
        for site in sites:
            ids = self.calls.get((thread, site), _NONE)
            at = bisect_right(ids, after)
            found += [ids[at]] if at < len(ids) else []
        return min(found, default=None)


def read(trace: Trace, waits: Collection[int], calls: Collection[int]) -> Skeleton:
    """`waits`: places whose syncs are wanted; `calls`: places of other ops whose ids are wanted."""
    reader = _Reader(waits, calls)
    if not reader.take(trace.batches("op", _COLUMNS)):
        reader = _Reader(waits, calls)
        reader.take(sorted_ops(trace, _COLUMNS))
    return reader.made


class _Reader:
    def __init__(self, waits: Collection[int], calls: Collection[int]) -> None:
        self.waits = pa.array(sorted(set(waits)), pa.uint32())
        self.calls = pa.array(sorted(set(calls)), pa.uint32())
        self.made = Skeleton()

    def take(self, batches: Iterable[pa.RecordBatch]) -> bool:
        """False: the ops are not in their order."""
        last = -1
        for batch in batches:
            if not batch.num_rows:
                continue
            if batch["id"][0].as_py() <= last:
                return False
            last = batch["id"][-1].as_py()
            took = pc.equal(pc.bit_wise_and(batch["flags"], _WITHOUT), pa.scalar(0, pa.uint32()))
            self.rows(batch.filter(took))
        return True

    def rows(self, ops: pa.RecordBatch) -> None:
        names = [name for name in _COLUMNS if name != "flags"]
        kinds = ops["kind"]
        for row in ops.filter(pc.is_in(ops["site"], self.waits)).to_pylist():
            wait = Wait(Kind(row["kind"]), *(row[n] for n in names if n not in ("kind", "site")))
            self.made.waits.setdefault(row["site"], []).append(wait)
        by_event = ops.filter(pc.is_in(kinds, _EVENT_KINDS))
        columns = (by_event[n].to_pylist() for n in ("kind", "id", "event", "actor", *_PLACE))
        for kind, id_, event, actor, *place in zip(*columns, strict=True):
            if kind == Kind.EVENT_WAIT:
                if (last := self.made.last_record(event, id_)) is not None:
                    source, record = last
                    heard = self.made.heard.setdefault(actor, {})
                    heard.setdefault(source, Heard()).add(id_, record)
                continue
            made_here = self.made.records.setdefault(tuple(place), Records())
            of_event = self.made.of_event.setdefault(event, Records())
            for records in (made_here, of_event):
                records.ids.append(id_)
                records.events.append(event)
                records.actors.append(actor)
        work = ops.filter(pc.is_in(kinds, _WORK_KINDS))
        for thread in pc.unique(work["thread"]).to_pylist():
            ids = work.filter(pc.equal(work["thread"], pa.scalar(thread, pa.uint32())))["id"]
            self.made.work.setdefault(thread, array("Q")).extend(ids.to_pylist())
        wanted = ops.filter(pc.is_in(ops["site"], self.calls))
        columns = (wanted[n].to_pylist() for n in ("id", "thread", "site"))
        for id_, thread, site in zip(*columns, strict=True):
            self.made.calls.setdefault((thread, site), array("Q")).append(id_)
