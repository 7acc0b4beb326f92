"""The order of a trace in which some syncs are left out and others put in: what would race then.

A sync left out stays as an op that gives no edge: results that the host read at its return are read
there all the same. Ids and tickets are spread, so that calls fit in between, and told as they are
in the trace: a call put in by the id of the op in front of which it stands.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer import abi, passes, stream
from synctrace.analyzer.abi import HAZARDS
from synctrace.analyzer.engine import Config, Engine
from synctrace.analyzer.passes import Pass
from synctrace.analyzer.profile import Profile
from synctrace.analyzer.stream import World
from synctrace.tracer.kinds import Flag, Kind

SPREAD = 16  # ids and tickets grow by so much for one of the trace
MOST_CALLS = SPREAD // 2 - 1  # put in before one op: each takes two tickets
MOST_RACES = 100_000  # of the trace as it is: beyond, comparing would take too much memory
MOST_ROWS = 4_000_000  # the same, in ops
_ID, _TICKETS = "id", ("ticket_c", "ticket_r")


@dataclass(frozen=True)
class Call:
    """A call to put in just before an op of the same thread."""

    before: int  # op.id
    kind: Kind
    thread: int
    level: int
    actor: int = 0
    event: int = 0


@dataclass(frozen=True)
class Edit:
    """Ops to leave out, by id, and calls to put in; those before one op in their order."""

    left_out: tuple[int, ...] = ()
    put_in: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two accesses without order: ops in trace order, and how much the one knew of the other.

    `known`: of the timeline of the access met first, what the other's knew; grows with that.
    """

    first_op: int
    second_op: int
    first_access: int
    second_access: int
    first_actor: int
    second_actor: int
    hazard: str
    known: int


class TooMuch(Exception):
    """The trace races too much for its races to be compared one by one."""


class Replay:
    """A trace under one memory model, to be ordered again with edits.

    The passes are those by which the need of syncs is judged: documented edges alone, only signals
    and waits order threads, all that may have been touched counts.
    """

    def __init__(self, world: World, model: Profile) -> None:
        """Orders the trace as it is. Raises TooMuch."""
        self.world = world
        self.model = model
        kinds = replace(world.seen, kinds=tuple(Kind))  # calls of any kind may be put in
        self._judges = [self._judge(run) for run in passes.judging(model, kinds)]

    def __len__(self) -> int:
        """Passes that an edit takes."""
        return len(self._judges)

    def breaks(self, edit: Edit) -> bool:
        """Whether some pair races with it that does not without it."""
        for judge in self._judges:
            with self._run(edit, judge.config) as run:
                if any(True for _ in judge.new(run, every=bool(judge.there))):
                    return True
        return False

    def new_pairs(self, edit: Edit, most: int) -> list[Pair]:
        """The first so many pairs of a pass that race with it and not without it.

        Of each access, and each actor it races with, the latest such pair.
        """
        found: list[Pair] = []
        for judge in self._judges:
            with self._run(edit, replace(judge.config, keep_pairs=True)) as run:
                found += islice(judge.new(run, every=True), most)
        return found

    def idle(self, edit: Edit) -> dict[int, tuple[int, int]]:
        """By site of judged syncs with the edit: instances, and those that tell nothing."""
        # In the order seen, waits are for what other threads gave to a stream, too.
        seen = next((one for one in self._judges if not one.config.strict), self._judges[-1])
        config = replace(seen.config, keep_pairs=False, keys=abi.SITES)
        with self._run(edit, config) as run:
            return {need.site: (need.instances, need.implied) for need in run.needs()}

    def _judge(self, run: Pass) -> "_Judge":
        found = stream.config(self.world, self.model, replace(run, keys=abi.NO_KEYS))
        changes = [(_spread(at), access, memory) for at, access, memory in found.changes]
        gaps = [(_spread(first), _spread(last)) for first, last in found.gaps]
        config = replace(found, changes=changes, gaps=gaps)
        with self._run(Edit(), config) as engine:
            races, rows = sum(c.count for c in engine.conflicts()), int(engine.stats.rows)
            missing = bool(engine.stats.missing)
        if races > MOST_RACES or (races and rows > MOST_ROWS):
            raise TooMuch
        if not races:
            return _Judge(config, {}, missing)
        config = replace(config, keep_pairs=True)
        with self._run(Edit(), config) as engine:
            return _Judge(config, {_key(p): p.known for p in map(_pair, engine.pairs())}, missing)

    @property
    def missing(self) -> bool:
        """Whether ops name accesses or actors that the trace does not have."""
        return any(judge.missing for judge in self._judges)

    @contextmanager
    def _run(self, edit: Edit, config: Config) -> Iterator[Engine]:
        with stream.fed(self.world, self.model, [(config, _Editor(edit))]) as [engine]:
            yield engine


@dataclass(frozen=True)
class _Judge:
    """One pass, and the races of the trace as it is: what was known."""

    config: Config
    there: Mapping[tuple[int, ...], int]
    missing: bool

    def new(self, run: Engine, every: bool) -> Iterator[Pair]:
        """Pairs that are not there; `every`: with keep_pairs, else the first of each group.

        Less known than before: an earlier access of that timeline may race now too.
        """
        for pair in map(_pair, run.pairs() if every else run.conflicts()):
            known = self.there.get(_key(pair))
            if known is None or pair.known < known:
                yield pair


def _pair(c: Any) -> Pair:
    return Pair(
        *(_told(c.first_op), _told(c.second_op), c.first_access, c.second_access),
        *(c.first_actor, c.second_actor, HAZARDS[c.hazard]),
        c.known,
    )


def _spread(number: int) -> int:
    """Id or ticket: there is room for calls before the first, too."""
    return (number + 1) * SPREAD


def _told(spread: int) -> int:
    """Id in the trace: of an op, or of the op before which a call was put in."""
    return -(-spread // SPREAD) - 1


def _key(pair: Pair) -> tuple[int, ...]:
    return (
        *(pair.first_op, pair.second_op, pair.first_access, pair.second_access),
        *(pair.first_actor, pair.second_actor),
    )


class _Editor:
    """Makes the edit in a batch of ops; batches are of growing ids."""

    def __init__(self, edit: Edit) -> None:
        """Raises ValueError for more calls before one op than there is room for."""
        self.left_out = sorted(edit.left_out)
        self.put_in = sorted(edit.put_in, key=lambda call: call.before)
        self.befores = [call.before for call in self.put_in]

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        ids = batch["id"]
        if not len(ids):
            return batch
        low, high = ids[0].as_py(), ids[-1].as_py()
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        out = self.left_out[bisect_left(self.left_out, low) : bisect_right(self.left_out, high)]
        if out:
            gone = pc.is_in(ids, pa.array(out, pa.uint64()))
            flags = columns["flags"]
            skipped = pc.bit_wise_or(flags, pa.scalar(int(Flag.SKIPPED), pa.uint32()))
            columns["flags"] = pc.if_else(gone, skipped, flags)
        for name in (_ID, *_TICKETS):
            if name in columns:
                next_ = pc.add(columns[name], pa.scalar(1, pa.uint64()))
                columns[name] = pc.multiply(next_, pa.scalar(SPREAD, pa.uint64()))
        edited = pa.record_batch(columns, schema=batch.schema)
        span = slice(bisect_left(self.befores, low), bisect_right(self.befores, high))
        calls = self.put_in[span]
        return _with_calls(edited, ids, calls) if calls else edited


def _with_calls(batch: pa.RecordBatch, ids: pa.Array, calls: Sequence[Call]) -> pa.RecordBatch:
    """The batch with these calls in between. `ids`: of its ops in the trace."""
    at = pc.index_in(pa.array([c.before for c in calls], pa.uint64()), ids).to_pylist()
    entered = batch["ticket_c"] if "ticket_c" in batch.schema.names else None
    rows: list[dict[str, Any]] = []
    for n, (call, row) in enumerate(zip(calls, at, strict=True)):
        here = [other.before for other in calls[n : n + MOST_CALLS + 1]].count(call.before)
        if here > MOST_CALLS:
            raise ValueError(f"more than {MOST_CALLS} calls before op {call.before}")
        if row is None:  # the ops of this batch are not in order: it will come again, sorted
            continue
        made = {
            "id": _spread(call.before) - here,
            "kind": int(call.kind),
            "level": call.level,
            "thread": call.thread,
            "actor": call.actor,
            "event": call.event,
            "device": -1,
        }
        if entered is not None:
            ticket = entered[row].as_py()
            made |= {"ticket_c": ticket - 2 * here, "ticket_r": ticket - 2 * here + 1}
        rows.append(made)
    columns = [
        pa.array([made.get(f.name, [] if f.name == "accesses" else 0) for made in rows], f.type)
        for f in batch.schema
    ]
    more = pa.record_batch(columns, schema=batch.schema)
    [whole] = pa.Table.from_batches([batch, more]).sort_by("id").combine_chunks().to_batches()
    return whole
