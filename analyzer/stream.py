"""Streams the ops of a trace through engines: one a pass, each batch decoded once.

The next batch is decoded by a second thread while the engines take this one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer import effort, extents, known_modes, passes, value_waits
from synctrace.analyzer.engine import Config, Engine
from synctrace.analyzer.extents import Extents
from synctrace.analyzer.numbered import by_id, check_id
from synctrace.analyzer.op_batches import decoded_ahead, sorted_ops
from synctrace.analyzer.passes import Pass, Seen
from synctrace.analyzer.placements import placements
from synctrace.analyzer.profile import Profile
from synctrace.analyzer.sharing import shared_streams
from synctrace.analyzer.statement import Class
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import ActorKind, Flag, Kind
from synctrace.tracer.meta import is_scenario
from synctrace.tracer.reader import Trace

Progress = Callable[[int], None]
Change = Callable[[pa.RecordBatch], pa.RecordBatch]  # of a batch of ops, in trace order
_OF_PEER = {"after-peer", "actor-waits", "peer-waits", "legacy-of-peer"}
_OF_PEER |= {"after-devices", "devices-wait"}
_OF_DEVICE = {"host-waits-device", "after-devices", "devices-wait"}
_ALWAYS = ("id", "kind", "level", "flags", "thread", "actor", "event", "accesses")


@dataclass(frozen=True)
class World:
    """What every pass over a trace needs of it, but for the ops."""

    trace: Trace
    actors: pa.Table  # by id
    extents: Extents
    set_offsets: pa.Array | None
    set_members: pa.Array | None
    # Between which tickets nothing can be judged: records were lost, or a stream waits for a value.
    gaps: tuple[tuple[int, int], ...]
    shared: (
        pa.Array | None
    )  # uint8 of each actor: 1: a stream of several threads; None: see sharing
    seen: Seen
    early: known_modes.Early | None  # kernels' code that does not wait
    progress: Progress | None = None  # told how many ops of a pass were taken


def read_world(trace: Trace, models: Sequence[Profile], progress: Progress | None = None) -> World:
    """Read all tables but `op`, and of that which kinds and flags occur."""
    classes = passes.ALL - {Class.MUST}
    flags = _flags(trace)
    early = known_modes.early(trace) if flags & Flag.DEPENDENT else None
    flags |= early.flags if early else Flag(0)
    habits = any(passes.gives(model, classes, list(Kind), flags) for model in models)
    actors = by_id(trace, "actor")
    stores = not is_scenario(trace.meta) and any(m.host_writes == "at-sync" for m in models)
    found = extents.read(trace, stores=stores)
    offsets, members = _sets(trace)
    shared = shared_streams(trace, actors, models, flags)
    seen = Seen(
        threads=sum(kind == ActorKind.THREAD for kind in actors["kind"].to_pylist()[1:]),
        guessed_ranges=found.guessed_ranges,
        unknown_modes=found.unknown_modes,
        assumed=found.assumed,
        host_sources=stores and found.host_sources,
        kinds=_kinds(trace) if habits else (),
        flags=flags,
        shared=shared is not None,
    )
    gaps = _gaps(trace.table("gap"), value_waits.intervals(trace, actors))
    return World(trace, actors, found, offsets, members, gaps, shared, seen, early, progress)


def _gaps(table: pa.Table, more: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Intervals of lost records, and more of these; those that meet are one."""
    merged: list[tuple[int, int]] = []
    lost = zip(table["first"].to_pylist(), table["ticket"].to_pylist(), strict=True)
    for first, last in sorted((min(one), max(one)) for one in (*lost, *more)):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


@contextmanager
def judged(
    world: World, model: Profile, plan: Sequence[Pass], keep_needed: bool = False
) -> Iterator[dict[Pass, Engine]]:
    """Engines that have taken the whole trace, by pass.

    `keep_needed`: those that judge syncs keep which pairs need them. Raises SynctraceError if op
    ids do not grow with ticket_c.
    """
    configs = [config(world, model, each, keep_needed) for each in plan]
    with fed(world, model, [(one, None) for one in configs]) as engines:
        yield dict(zip(plan, engines, strict=True))


@contextmanager
def fed(
    world: World, model: Profile, runs: Sequence[tuple[Config, Change | None]]
) -> Iterator[list[Engine]]:
    """Engines of these configurations that have taken the whole trace, batch by batch as `Change`
    makes it of the trace's own; each batch is decoded once.

    Raises SynctraceError if op ids do not grow with ticket_c.
    """
    columns = _columns(world, model)
    changes = [change for _, change in runs]
    engines: list[Engine] = []
    try:
        engines += [Engine(one) for one, _ in runs]
        unordered = _feed(world, decoded_ahead(world.trace, columns), engines, changes)
        if unordered:  # threads whose records were written a batch each
            for each in engines:
                each.close()
            engines[:] = [Engine(one) for one, _ in runs]
            unordered = _feed(world, sorted_ops(world.trace, columns), engines, changes)
        if unordered:
            raise SynctraceError(
                f"the ops of {world.trace.path} have no order (ids do not grow with ticket_c): "
                "record it again"
            )
        yield engines
    finally:
        for each in engines:
            each.close()


def _kinds(trace: Trace) -> tuple[Kind, ...]:
    """Op kinds that occur."""
    found: set[int] = set()
    for batch in trace.batches("op", ["kind"]):
        found.update(pc.unique(batch["kind"]).to_pylist())
    return tuple(kind for kind in Kind if kind in found)


def _flags(trace: Trace) -> Flag:
    """Flags that occur."""
    found = Flag(0)
    for batch in trace.batches("op", ["flags"]):
        flags = batch["flags"]
        if pc.max(flags).as_py():
            for value in pc.unique(flags).to_pylist():
                found |= Flag(value)
    return found


def _sets(trace: Trace) -> tuple[pa.Array | None, pa.Array | None]:
    """access_set as offsets by id from 0 and members."""
    sets = trace.table("access_set")
    if not sets.num_rows:
        return None, None
    names = sets["id"].to_pylist()
    check_id(trace, "access_set", max(names), len(names))
    order = sorted(range(len(names)), key=names.__getitem__)
    lists = sets["accesses"].combine_chunks().take(pa.array(order))
    lengths = [0] * (max(names) + 1)
    for row, length in zip(order, pc.list_value_length(lists).to_pylist(), strict=True):
        lengths[names[row]] = length
    return pa.array([0, *accumulate(lengths)], pa.uint64()), lists.flatten()


def _columns(world: World, model: Profile) -> list[str]:
    """Columns of op that can matter."""
    edges = {edge.edge for statement in model.statements for edge in statement.edges}
    # Ids grow with ticket_c: one thread's calls are in order by them alone.
    timed = world.seen.threads > 1 or bool(world.gaps) or bool(world.extents.changes)
    optional = {
        "ticket_c": timed,
        "ticket_r": timed,
        "peer": bool(edges & _OF_PEER),
        "graph": "graph-order" in edges,
        "device": bool(edges & _OF_DEVICE),
        "access_set": world.set_offsets is not None,
        "call": world.early is not None,
    }
    names = [*_ALWAYS, "site", "t_c", "t_r"]
    return [*names, *(name for name, wanted in optional.items() if wanted)]


def config(world: World, model: Profile, run: Pass, keep_needed: bool = False) -> Config:
    """What an engine needs for this pass."""
    if is_scenario(world.trace.meta):
        model = replace(model, host_reads="stated", host_writes="stated")
    rewrites = run.assumed and model.host_writes == "at-sync"
    return Config(
        actor_kind=_column(world.actors, "kind"),
        actor_flags=_column(world.actors, "flags"),
        actor_device=_column(world.actors, "device"),
        ranges=world.extents.ranges(run),
        placements=placements(model, run.classes, rewrites=rewrites),
        levels=sum(1 << int(level) for level in model.levels),
        beside=sum(1 << int(level) for level in model.beside),
        set_offsets=world.set_offsets,
        set_members=world.set_members,
        gaps=world.gaps,
        changes=world.extents.changes,
        actor_shared=world.shared,
        issue=run.issue,
        strict=run.strict,
        keys=run.keys,
        keep_needed=keep_needed,
        dependent=_looks_before_kernels(model, world.seen.flags),
        across=run.across,
    )


def _looks_before_kernels(model: Profile, flags: Flag) -> bool:
    """Whether work or an event stands beside a stream's last kernel and not after it."""
    return bool(flags & Flag.PDL) or any(
        edge.edge == "records-start" and s.with_flags & flags == s.with_flags
        for s in model.statements
        for edge in s.edges
    )


def _column(table: pa.Table, name: str) -> pa.Array:
    return table[name].combine_chunks()


def _feed(
    world: World,
    batches: Iterator[pa.RecordBatch],
    engines: Sequence[Engine],
    changes: Sequence[Change | None],
) -> int:
    """Stream the ops through the engines; returns how many were out of order."""
    limit = effort.begin(world.trace.path)
    fed_rows, timelines = 0, world.actors.num_rows
    ranges = world.extents.most_ranges(world.set_offsets, world.set_members)
    for batch in batches:
        if world.progress:
            world.progress(fed_rows)
        if world.early is not None:
            batch = known_modes.with_early(batch, world.early)
        for part in effort.slices(batch, timelines, ranges):
            for each, change in zip(engines, changes, strict=True):
                each.feed(change(part) if change else part)
            fed_rows += part.num_rows
            timelines = max(timelines, int(engines[0].stats.timelines))
            limit.check(fed_rows, timelines, sum(each.conflict_groups for each in engines))
        if engines[0].stats.unordered:
            break
    for each in engines:
        each.finish()
    return int(engines[0].stats.unordered)
