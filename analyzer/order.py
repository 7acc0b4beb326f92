"""Who is before whom: runs the passes of each profile over a trace and merges what they find."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer import hiding, layers, passes, ported, stream
from synctrace.analyzer.abi import HAZARDS, NO_ID, SITES
from synctrace.analyzer.engine import Engine
from synctrace.analyzer.hiding import Group
from synctrace.analyzer.outcome import CONFLICTS, NEEDED, NEEDS
from synctrace.analyzer.passes import Pass
from synctrace.analyzer.profile import Profile, load
from synctrace.analyzer.stream import World
from synctrace.tracer.kinds import Flag, Level
from synctrace.tracer.reader import Trace

# What a pair is that a pass finds and no pass before it in this list.
VERDICTS = {
    "certain": "certain",
    "must": "latent",
    "visible": "ordered-not-visible",
    "strict": "host-order-assumed",
    "wide": "range-guess",
    "guess": "mode-unknown",
}


@dataclass(frozen=True)
class Order:
    """What the passes found: racy pairs by group, judged sync sites, which pairs need them."""

    conflicts: pa.Table
    needs: pa.Table
    needed: pa.Table
    ops: int
    profiles: tuple[str, ...]
    host_orders: tuple[str, ...]  # of each profile: observed or strict, as it ran
    passes: tuple[str, ...]
    world: World  # for what is to be ordered again
    models: tuple[Profile, ...]


def run(
    trace: Trace,
    profiles: Sequence[str],
    host_order: str = "observed",
    *,
    keep_needed: bool = False,
    progress: stream.Progress | None = None,
) -> Order:
    """Judge a trace under each profile.

    `host_order` observed: a call that returned before another thread's was entered is before it;
    strict: only signals and waits order threads. `keep_needed`: tell which pairs need each sync,
    for some percent of the time; else that table is empty. `progress` is told how many ops of a
    pass were taken. A pair that races under one profile and
    is ordered under another is latent. Raises SynctraceError for an unknown
    profile and for a trace whose ops have no order.
    """
    models = [load(name) for name in profiles]
    world = stream.read_world(trace, models, progress)
    conflicts: list[dict[str, Any]] = []
    needs: list[dict[str, Any]] = []
    needed: list[pa.Table] = []
    names: list[str] = []
    ops = 0
    for model in models:
        plan = passes.plan(model, world.seen, host_order)
        with stream.judged(world, model, plan, keep_needed) as found:
            ops = max(ops, found[plan[0]].stats.rows)
            conflicts += _conflicts(world, model, found)
            needs += _needs(world, model, found)
            needed += _needed(model, found)
        names += [f"{model.name}/{each.name}" for each in plan]
    ported.mark(conflicts, models)
    _note_outer(world, models, needs)
    return Order(
        pa.Table.from_pylist(conflicts, CONFLICTS),
        pa.Table.from_pylist(needs, NEEDS),
        pa.concat_tables([NEEDED.empty_table(), *needed]),
        ops,
        tuple(model.name for model in models),
        tuple(passes.host_order_of(model, host_order) for model in models),
        tuple(names),
        world,
        tuple(models),
    )


def _conflicts(world: World, model: Profile, found: dict[Pass, Engine]) -> list[dict[str, Any]]:
    """Groups of racy pairs, each under the surest verdict that finds it."""
    by_name = {each.name: e for each, e in found.items()}
    rows: dict[Group, dict[str, Any]] = {}
    for name, verdict in VERDICTS.items():
        if name not in by_name:
            continue
        for c in by_name[name].conflicts():
            group = (c.first_site, c.second_site, c.storage, c.hazard)
            if group in rows:
                continue
            rows[group] = _conflict(world, model, c) | {"verdict": verdict}
    if "habits" in by_name:
        for group, words in hiding.told(world, model, by_name["habits"], rows).items():
            rows[group]["hidden_by"] = words
    return list(rows.values())


def _conflict(world: World, model: Profile, c: Any) -> dict[str, Any]:
    base = world.extents.base[c.storage].as_py()
    same = (
        *("first_op", "second_op", "first_access", "second_access", "storage", "count"),
        *("first_site", "second_site", "first_actor", "second_actor"),
        *("worst_first_op", "worst_second_op"),
    )
    return {
        "profile": model.name,
        "level": int(model.level),
        "hazard": HAZARDS[c.hazard],
        "lo": c.lo - base,
        "hi": c.hi - base,
        "worst_lo": c.worst_lo - base,
        "worst_hi": c.worst_hi - base,
        "known_op": None if c.known_op == NO_ID else c.known_op,
        "present_op": None if c.present_op == NO_ID else c.present_op,
        **{name: getattr(c, name) for name in same},
    }


def _needs(world: World, model: Profile, found: dict[Pass, Engine]) -> list[dict[str, Any]]:
    judges = [e for each, e in found.items() if each.keys == SITES]
    proven = {need.site: need.needed for need in judges[0].needs()}
    # What is ordered without a sync may still be visible by it alone, or ordered by threads alone.
    others: dict[int, list[Any]] = {}
    for judge in judges[1:-1]:
        for need in judge.needs():
            others.setdefault(need.site, []).append(need)
    # A lost call can have been made at any place and needed there by a lost access.
    lost = bool(world.gaps) or judges[-1].stats.missing > 0
    names = ("site", "instances", "final", "unrecorded", "first_op", "last_op")
    return [
        {
            "profile": model.name,
            "level": int(model.level),
            "blocked_ns": max(0, need.blocked_ns),
            "implied": 0 if lost else min(each.implied for each in (need, *also)),
            "needed": sum(each.needed for each in (need, *also)) + lost,
            "proven": proven.get(need.site, 0),
            **{name: getattr(need, name) for name in names},
        }
        for need in judges[-1].needs()
        for also in [others.get(need.site, ())]
    ]


def _note_outer(world: World, models: Sequence[Profile], needs: list[dict[str, Any]]) -> None:
    """Of the API's syncs that another layer makes: which, if both layers are judged."""
    judged = {level for model in models for level in model.levels}
    if world.seen.flags & Flag.LOWERED and {Level.API, Level.GGML} <= judged:
        outer = layers.outer_syncs(world.trace)
        for row in needs:
            row["made_by"] = outer.get(row["site"])


def _needed(model: Profile, found: dict[Pass, Engine]) -> list[pa.Table]:
    """Which pairs need the judged syncs: by what was seen, and with the rest assumed."""
    judges = [e for each, e in found.items() if each.keys == SITES]
    if len(judges) == 1:
        return [_needed_pairs(model, judges[0], ("needed", "proven"))]
    return [
        _needed_pairs(model, judges[0], ("proven",)),
        *(_needed_pairs(model, judge, ("needed",)) for judge in judges[1:]),
    ]


def _needed_pairs(model: Profile, judge: Engine, counted: Sequence[str]) -> pa.Table:
    """Rows of NEEDED, their count in these columns."""
    pairs = judge.needed_pairs()
    unknown = pc.equal(pairs["sync_op"], pa.scalar(NO_ID, pa.uint64()))
    none = pa.array([0] * pairs.num_rows, pa.uint64())
    columns: dict[str, Any] = {
        **{name: pairs[name] for name in pairs.column_names},
        **{name: pairs["count"] if name in counted else none for name in ("needed", "proven")},
        "profile": pa.array([model.name] * pairs.num_rows, pa.string()),
        "level": pa.array([int(model.level)] * pairs.num_rows, pa.uint8()),
        "hazard": pa.array(HAZARDS).take(pairs["hazard"]),
        "sync_op": pc.if_else(unknown, None, pairs["sync_op"]),
    }
    return pa.table([columns[name] for name in NEEDED.names], schema=NEEDED)
