"""Who is before whom: runs the passes of each profile over a trace and merges what they find.

Ops are streamed batch by batch: the next batch is decoded while the engines take this one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from queue import Queue
from threading import Thread
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer import engine, extents, passes
from synctrace.analyzer.abi import HAZARDS, NO_OP, SITES
from synctrace.analyzer.engine import Engine
from synctrace.analyzer.extents import Extents
from synctrace.analyzer.outcome import CONFLICTS, NEEDS
from synctrace.analyzer.passes import Pass
from synctrace.analyzer.profile import Profile, load
from synctrace.tracer.kinds import ActorKind, Kind
from synctrace.tracer.reader import Trace

# What a pair is that a pass finds and no pass before it in this list.
VERDICTS = {
    "certain": "certain",
    "must": "latent",
    "strict": "host-order-assumed",
    "wide": "range-guess",
    "guess": "mode-unknown",
}


@dataclass(frozen=True)
class Order:
    """What the passes found: racy pairs by group, and judged sync sites."""

    conflicts: pa.Table
    needs: pa.Table
    ops: int
    profiles: tuple[str, ...]
    passes: tuple[str, ...]


@dataclass(frozen=True)
class _World:
    """Tables of the trace that every pass needs."""

    trace: Trace
    actors: pa.Table
    extents: Extents
    set_offsets: pa.Array | None
    set_members: pa.Array | None
    gaps: list[int]


def run(trace: Trace, profiles: Sequence[str], host_order: str = "observed") -> Order:
    """Judge a trace under each profile.

    `host_order` observed: a call that returned before another thread's was entered is before it;
    strict: only signals and waits order threads. Raises SynctraceError for an unknown profile and
    a trace whose ops have no order.
    """
    models = [load(name) for name in profiles]
    world = _read(trace)
    conflicts: list[dict[str, Any]] = []
    needs: list[dict[str, Any]] = []
    names: dict[str, None] = {}
    ops = 0
    for model in models:
        plan = passes.plan(model, _seen(world), host_order)
        levels = _levels(trace, model)
        for level in levels:
            engines = [Engine(_config(world, model, each, level)) for each in plan]
            try:
                ops = max(ops, _feed(world, model, levels, engines))
                found = dict(zip(plan, engines, strict=True))
                conflicts += _conflicts(world, model, level, found)
                needs += _needs(model, level, found)
            finally:
                for each in engines:
                    each.close()
        names |= dict.fromkeys(f"{model.name}/{each.name}" for each in plan)
    return Order(
        pa.Table.from_pylist(conflicts, CONFLICTS),
        pa.Table.from_pylist(needs, NEEDS),
        ops,
        tuple(model.name for model in models),
        tuple(names),
    )


def _read(trace: Trace) -> _World:
    sets = trace.table("access_set")
    offsets = members = None
    if sets.num_rows:
        offsets, members = _sets(sets)
    return _World(
        trace,
        extents.by_id(trace.table("actor")),
        extents.read(trace),
        offsets,
        members,
        sorted(trace.table("gap")["ticket"].to_pylist()),
    )


def _sets(sets: pa.Table) -> tuple[pa.Array, pa.Array]:
    """access_set as offsets by id from 0 and members."""
    sets = sets.sort_by("id")
    lengths = [0] * (sets["id"][-1].as_py() + 1)
    for name, length in zip(
        sets["id"].to_pylist(), pc.list_value_length(sets["accesses"]).to_pylist(), strict=True
    ):
        lengths[name] = length
    offsets = [0]
    for length in lengths:
        offsets.append(offsets[-1] + length)
    members = pc.list_flatten(sets["accesses"])
    if isinstance(members, pa.ChunkedArray):
        members = members.combine_chunks()
    return pa.array(offsets, pa.uint64()), members


def _seen(world: _World) -> passes.Seen:
    kinds = world.actors["kind"].to_pylist()[1:]
    return passes.Seen(
        threads=sum(kind == ActorKind.THREAD for kind in kinds),
        guessed_ranges=world.extents.guessed_ranges,
        unknown_modes=world.extents.unknown_modes,
        assumed=world.extents.assumed,
        kinds=_kinds(world.trace),
    )


def _kinds(trace: Trace) -> list[Kind]:
    """Op kinds that occur."""
    found: set[int] = set()
    for batch in trace.batches("op", ["kind"]):
        found.update(pc.unique(batch["kind"]).to_pylist())
    known = {int(kind) for kind in Kind}
    return [Kind(number) for number in sorted(found & known)]


def _levels(trace: Trace, model: Profile) -> list[int]:
    """Levels of the profile, one pass set each. Nested app and api calls are judged together."""
    del trace
    return [sum(1 << int(level) for level in model.levels)]


def _config(world: _World, model: Profile, run: Pass, level: int) -> engine.Config:
    table, variants = passes.placements(model, run.classes)
    found = world.extents
    return engine.Config(
        actor_kind=_column(world.actors, "kind"),
        actor_flags=_column(world.actors, "flags"),
        actor_device=_column(world.actors, "device"),
        ranges=found.ranges(run),
        placement=table,
        variants=variants,
        levels=level,
        set_offsets=world.set_offsets,
        set_members=world.set_members,
        gaps=world.gaps,
        changes=found.changes,
        strict=run.strict,
        keys=run.keys,
        drop_at_free=model.lives == "distinct",
    )


def _column(table: pa.Table, name: str) -> pa.Array:
    column = table[name]
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _columns(world: _World, model: Profile) -> list[str]:
    """Columns of op that can matter."""
    edges = {edge.edge for statement in model.statements for edge in statement.edges}
    wanted = {
        "peer": bool(edges & {"after-peer", "actor-waits"}),
        "graph": "graph-order" in edges,
        "device": "host-waits-device" in edges,
        "access_set": world.set_offsets is not None,
    }
    names = ["id", "ticket_c", "ticket_r", "kind", "level", "flags", "thread", "actor", "peer"]
    names += ["event", "graph", "accesses", "access_set", "site", "device", "t_c", "t_r"]
    return [name for name in names if wanted.get(name, True)]


def _feed(world: _World, model: Profile, levels: list[int], engines: list[Engine]) -> int:
    """Stream the ops through the engines; returns how many there were."""
    del levels
    columns = _columns(world, model)
    for batch in _decoded_ahead(world.trace, columns):
        for each in engines:
            each.feed(batch)
    for each in engines:
        each.finish()
    return int(engines[0].stats.rows)


def _decoded_ahead(trace: Trace, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Batches of table op, the next one decoded by another thread."""
    ahead: Queue[pa.RecordBatch | BaseException | None] = Queue(maxsize=2)

    def decode() -> None:
        try:
            for batch in trace.batches("op", columns):
                ahead.put(batch)
            ahead.put(None)
        except BaseException as error:
            ahead.put(error)

    Thread(target=decode, daemon=True).start()
    while (batch := ahead.get()) is not None:
        if isinstance(batch, BaseException):
            raise batch
        yield batch


def _conflicts(
    world: _World, model: Profile, level: int, found: dict[Pass, Engine]
) -> list[dict[str, Any]]:
    """Groups of racy pairs, each under the surest verdict that finds it."""
    by_name = {each.name: (each, e) for each, e in found.items()}
    hidden_by: dict[tuple[int, ...], set[int]] = {}
    if "habits" in by_name:
        for h in by_name["habits"][1].hidden():
            key = (h.first_site, h.second_site, h.storage, h.hazard)
            hidden_by.setdefault(key, set()).add(h.habit)
    rows: dict[tuple[int, ...], dict[str, Any]] = {}
    for name, verdict in VERDICTS.items():
        if name not in by_name:
            continue
        for c in by_name[name][1].conflicts():
            key = (c.first_site, c.second_site, c.storage, c.hazard)
            if key in rows:
                continue
            base = world.extents.base[c.storage].as_py()
            hidden = hidden_by.get(key, set()) if verdict == "latent" else set()
            rows[key] = {
                "profile": model.name,
                "verdict": verdict,
                "hazard": HAZARDS[c.hazard],
                **{n: getattr(c, n) for n in ("first_op", "second_op", "count", "storage")},
                **{n: getattr(c, n) for n in ("first_access", "second_access")},
                **{n: getattr(c, n) for n in ("first_site", "second_site")},
                **{n: getattr(c, n) for n in ("first_actor", "second_actor")},
                "lo": c.lo - base,
                "hi": c.hi - base,
                "known_op": None if c.known_op == NO_OP else c.known_op,
                "present_op": None if c.present_op == NO_OP else c.present_op,
                "hidden_by": "; ".join(passes.habit(model, h) for h in sorted(hidden)) or None,
                "level": _level(level),
            }
    return list(rows.values())


def _needs(model: Profile, level: int, found: dict[Pass, Engine]) -> list[dict[str, Any]]:
    judge = next(e for each, e in found.items() if each.keys == SITES)
    names = ("site", "instances", "implied", "needed", "final", "unrecorded", "first_op", "last_op")
    return [
        {
            "profile": model.name,
            "level": _level(level),
            "blocked_ns": max(0, need.blocked_ns),
            **{name: getattr(need, name) for name in names},
        }
        for need in judge.needs()
    ]


def _level(levels: int) -> int:
    return levels.bit_length() - 1
