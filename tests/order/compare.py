"""The engine against brute force, trace by trace."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import oracle
from everything import WITHOUT_EFFECT, is_judged
from judge import Judgement, judge
from oracle import Run, Touch
from random_traces import Program, partly_told, program

from synctrace.analyzer import abi
from synctrace.analyzer.statement import Class
from synctrace.tracer.kinds import Flag

# Strict host order, and when work of another thread on a stream is before work given to it now.
ORDERS = [
    (True, abi.BY_TICKET),
    (False, abi.BY_TICKET),
    (True, abi.BY_RETURN),
    (True, abi.BY_HOST),
]
Pair = tuple[int, int, int, int]  # op indexes and accesses, in the order in which they are met


def conflicts(made: Program, run: Run) -> list[tuple[int, int]]:
    """Pairs of touches of different ops that meet, at least one a write."""
    found = []
    for first, second in combinations(range(len(run.touches)), 2):
        a, b = run.touches[first], run.touches[second]
        if a.op != b.op and (a.writes or b.writes):
            one, two = made.accesses[a.access - 1], made.accesses[b.access - 1]
            if oracle.overlap(one, two):
                found.append((first, second))
    return found


def ordered(run: Run, first: int, second: int) -> bool:
    return bool(run.touches[second].before >> first & 1)


def check(seed: int, counts: Counter[str], **options: Any) -> None:
    """Compare on one random program; raises AssertionError with the seed where they differ."""
    made = program(seed, **options)
    habits, rewrites = seed % 2 == 0, seed % 5 == 1
    if rewrites:
        made = partly_told(made, seed)
    for strict, issue in ORDERS if made.threads > 1 else ORDERS[:1]:
        given = {"strict": strict, "issue": issue, "habits": habits, "rewrites": rewrites}
        run = oracle.run(made, **given)
        said = judge(made, batch=[7, 1 << 30][seed % 3 == 0], **given)
        assert said.stats["unordered"] == said.stats["missing"] == 0
        _check_pairs(made, run, dict.fromkeys(said.pairs, 1), counts, (seed, strict, issue))
        if any(op.flags & Flag.NO_FENCE for op in made.ops):
            _check_visible(made, strict, issue, habits, counts, seed)
        if strict:
            _check_needs(made, run, said, given, counts, seed)
            counts["sources written"] += _sources_written(run)
            _check_hidden(made, issue, counts, seed)
    counts["traces"] += 1


def _sources_written(run: Run) -> int:
    """How often the host writes what it has waited for."""
    return sum(source for done in run.anchors.values() for _, source in done)


def check_lost(seed: int, counts: Counter[str]) -> None:
    """Lose records of one thread: no pair is reported that is none in the whole program."""
    rng = random.Random(seed)
    made = program(seed, gaps=False)
    first = rng.choice(made.ops)
    span = first.ticket_r + rng.choice([0, 3, 10, 30])
    lost = [
        op
        for op in made.ops
        if op.thread == first.thread
        and first.ticket_c <= op.ticket_c < op.ticket_r <= span
        and (op is first or rng.random() < 0.8)
    ]
    gap = (first.ticket_c, max(op.ticket_r for op in lost))
    left = replace(made, ops=[op for op in made.ops if op not in lost], gaps=[gap])
    for strict in [True, False] if made.threads > 1 else [True]:
        run = oracle.run(made, strict=strict, habits=True)
        exist = _named(made, run, _racy(made, run))
        said = judge(left, strict=strict, habits=True)
        false = set(said.pairs) - exist
        assert not false, f"{seed}, {strict}: invented by the loss: {false}"
        counts["reported"] += len(said.pairs)
        counts["racy pairs"] += len(exist)


def _check_visible(
    made: Program, strict: bool, issue: int, habits: bool, counts: Counter[str], seed: int
) -> None:
    """Without what makes nothing visible, pairs on different devices alone."""
    run = oracle.run(made, strict=strict, issue=issue, habits=habits, fences=False)
    said = judge(made, strict=strict, issue=issue, habits=habits, fences=False)
    where = (seed, strict, "visible")
    _check_pairs(made, run, dict.fromkeys(said.pairs, 1), counts, where, across=True)
    counts["pairs not visible"] += len(said.pairs)


def _racy(made: Program, run: Run, across: bool = False) -> list[tuple[int, int]]:
    """Pairs that nothing orders; `across`: on different devices."""
    pairs = [(a, b) for a, b in conflicts(made, run) if not ordered(run, a, b)]
    devices = [_device(made, touch.timeline) for touch in run.touches]
    return [(a, b) for a, b in pairs if not across or devices[a] != devices[b]]


def _device(made: Program, timeline: Any) -> int:
    """Device of a timeline of the oracle's: a thread, a stream, its fork or a queue to it."""
    if isinstance(timeline, tuple):
        timeline = timeline[2 if timeline[0] == "queue" else 1]
    return -1 if timeline <= made.threads else made.stream_devices[timeline - made.threads - 1]


def _named(made: Program, run: Run, pairs: list[tuple[int, int]]) -> set[Pair]:
    return {_name(made, run.touches[a], run.touches[b]) for a, b in pairs}


def _name(made: Program, a: Touch, b: Touch) -> Pair:
    (one, x), (two, y) = sorted(((made.ops[a.op].id, a.access), (made.ops[b.op].id, b.access)))
    return one, two, x, y


def _check_pairs(
    made: Program,
    run: Run,
    said: dict[Pair, int],
    counts: Counter[str],
    where: object,
    across: bool = False,
) -> None:
    racy = _racy(made, run, across)
    exist = _named(made, run, racy)
    false = set(said) - exist
    assert not false, f"{where}: no race, but reported: {false}"
    # For every access, other timeline and conflicting kind: the latest racy access is found.
    latest: dict[tuple[int, object, bool], int] = {}
    for a, b in racy:
        for is_write, counted in ((True, run.touches[a].writes), (False, run.touches[a].reads)):
            if counted and (is_write or run.touches[b].writes):
                key = (b, run.touches[a].timeline, is_write)
                latest[key] = max(latest.get(key, -1), a)
    found = {pair[:2] for pair in said}
    for (b, timeline, _), a in latest.items():
        pair = _name(made, run.touches[a], run.touches[b])
        assert pair[:2] in found, f"{where}: missed {pair} on {timeline}"
    counts["racy pairs"] += len(exist)
    counts["reported"] += len(said)
    counts["latest"] += len(latest)


def _check_needs(
    made: Program,
    run: Run,
    judgement: Judgement,
    given: dict[str, Any],
    counts: Counter[str],
    seed: int,
) -> None:
    given = {**given, "anchors": run.anchors}
    needs = judgement.needs
    keep = [(a, b) for a, b in conflicts(made, run) if ordered(run, a, b)]
    racy = len(conflicts(made, run)) > len(keep)
    judged = {
        i: op for i, op in enumerate(made.ops) if is_judged(op) and not op.flags & WITHOUT_EFFECT
    }

    same = oracle.run(made, emptied=run.implied.__contains__, **given)
    assert [t.before for t in same.touches] == [t.before for t in run.touches], seed
    for site in {op.site for op in judged.values()}:
        here = [i for i, op in judged.items() if op.site == site]
        assert needs[site]["instances"] == len(here), seed
        implied = sum(i in run.implied for i in here)
        # Where threads share streams the engine may count an issue of another thread as news though
        # nothing hangs on it: such a sync is called needless for another reason, or not at all.
        exact = given["issue"] == abi.BY_TICKET
        assert needs[site]["implied"] <= implied, (seed, site)
        assert needs[site]["implied"] == implied or not exact, (seed, site)
        assert needs[site]["unrecorded"] == sum(i in run.unrecorded for i in here), (seed, site)
        gone = set(here)
        other = oracle.run(made, removed=gone.__contains__, **given)
        assert len(other.touches) == len(run.touches), seed
        _check_needed(made, run, other, site, judgement.needed, counts, seed)
        unneeded = all(ordered(other, a, b) for a, b in keep)
        said = needs[site]["needed"] == 0
        assert unneeded or not said, f"{seed}: site {site} is needed"
        counts["unneeded sites"] += unneeded
        counts["unneeded sites found"] += said
        if not racy and not made.gaps:
            assert said == unneeded, f"{seed}: site {site} is not needed, but called so"
        counts["sites"] += 1


def _check_needed(
    made: Program,
    run: Run,
    other: Run,
    site: int,
    said: list[dict[str, int]],
    counts: Counter[str],
    seed: int,
) -> None:
    """The pairs that need a site are those that race without it (`other`) and else do not."""
    exist: dict[tuple[int, ...], set[tuple[int, int]]] = {}
    latest: dict[tuple[int, object, bool], int] = {}
    masked = set()  # where a later access races anyhow, the engine has forgotten those before it
    for a, b in conflicts(made, run):
        first, second = run.touches[a], run.touches[b]
        slots = [
            (b, first.timeline, is_write)
            for is_write, counted in ((True, first.writes), (False, first.reads))
            if counted and (is_write or second.writes)
        ]
        if not ordered(run, a, b):
            masked.update(slots)
        elif not ordered(other, a, b):
            for slot in slots:
                latest[slot] = a
                pair = _needed_pair(made, run, a, b, slot[2])
                exist.setdefault(pair[0], set()).add(pair[1])
    groups = {}
    for row in said:
        if row["sync_site"] == site:
            names = ("first_site", "second_site", "storage", "hazard")
            group = tuple(row[name] for name in names)
            groups[group] = row
            pair = (row["first_op"], row["second_op"])
            assert pair in exist.get(group, ()), f"{seed}: {pair} does not need site {site}"
            seconds = {second for _, second in exist[group]}
            assert 0 < row["count"] <= len(seconds), f"{seed}: {group} at {site}"
            sync = row["sync_op"]
            at = {op.site for op in made.ops if op.id == sync}
            assert sync == abi.NO_ID or at == {site}, f"{seed}: {sync} is not of site {site}"
            counts["needed pairs"] += 1
            counts["needed pairs by a known sync"] += sync != abi.NO_ID
    for slot, a in latest.items():
        if slot not in masked:
            group, pair = _needed_pair(made, run, a, slot[0], slot[2])
            assert group in groups, f"{seed}: {pair} needs site {site}"


def _needed_pair(
    made: Program, run: Run, a: int, b: int, is_write: bool
) -> tuple[tuple[int, int, int, int], tuple[int, int]]:
    """Group and ops of a pair in trace order, its first access in the order met a write or not."""
    first, second = run.touches[a], run.touches[b]
    hazard = 1 if not is_write else 0 if second.reads else 2
    if first.op > second.op:
        first, second = second, first
        hazard = hazard if hazard == 2 else 1 - hazard
    ops = made.ops[first.op], made.ops[second.op]
    storages = [made.accesses[run.touches[t].access - 1].storage for t in (b, a)]
    storage = next((s for s in storages if s), 0)
    return (ops[0].site, ops[1].site, storage, hazard), (ops[0].id, ops[1].id)


def _check_hidden(made: Program, issue: int, counts: Counter[str], seed: int) -> None:
    """A pair said to be ordered by an edge alone is unordered without those of its class."""
    said = judge(made, strict=True, issue=issue, habits=True, keys=abi.HABITS)
    if not said.hidden:
        return
    full = oracle.run(made, strict=True, issue=issue, habits=True)
    given = {"strict": True, "issue": issue, "anchors": full.anchors}
    found = {}
    for unfenced in (False, True):
        bare = oracle.run(made, habits=unfenced, fences=not unfenced, **given)
        found[unfenced] = {
            (made.ops[full.touches[a].op].site, made.ops[full.touches[b].op].site)
            for a, b in conflicts(made, full)
            if ordered(full, a, b) and not ordered(bare, a, b)
        }
    for first, second, klass in said.hidden:
        sites = found[klass is Class.UNFENCED]
        assert (first, second) in sites, f"{seed}: no {klass} edge orders {first}, {second}"
        counts[f"hidden by {klass}"] += 1
