"""Order, rules, findings: one trace in, everything that `check` has to tell out."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from synctrace.analyzer import order, proposals
from synctrace.analyzer.advice import advice_findings, advice_rows
from synctrace.analyzer.branches import fetch_branches, has_nodes
from synctrace.analyzer.budget import Budget
from synctrace.analyzer.census import census, signature
from synctrace.analyzer.connect import Session
from synctrace.analyzer.coverage import counters, known_share
from synctrace.analyzer.examine import Examined
from synctrace.analyzer.finding import Census, Checked, Finding, SyncPlaces
from synctrace.analyzer.late import fetch_late
from synctrace.analyzer.lookup import Lookup
from synctrace.analyzer.named import fetch_named
from synctrace.analyzer.order import Order
from synctrace.analyzer.pairs import first_claims, pair_findings
from synctrace.analyzer.profile import load, shipped
from synctrace.analyzer.rule import Rule, default_ids, load_rule, selected
from synctrace.analyzer.spending import Spent, budget_findings, spend
from synctrace.analyzer.stream import Progress
from synctrace.analyzer.syncs import sync_findings, trace_findings
from synctrace.analyzer.told_once import told_once
from synctrace.analyzer.verdict import rank
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.faults import told
from synctrace.tracer.kinds import Level
from synctrace.tracer.reader import Trace

PAIRS = ("race", "life")
MOST_COST_NS = (1 << 63) - 1  # times of a damaged trace add up to more
_COUNTED = pa.schema([("what", pa.string()), ("count", pa.int64())])
_FINDING = pa.schema(
    [
        *((name, pa.string()) for name in ("id", "rule", "family", "verdict", "severity")),
        *((name, pa.string()) for name in ("profile", "level")),
        ("ops", pa.list_(pa.uint64())),
        ("buffer", pa.string()),
        ("lo", pa.uint64()),
        ("hi", pa.uint64()),
        ("count", pa.uint64()),
        ("cost_ns", pa.int64()),
        ("message", pa.string()),
    ]
)


def check(
    trace: Trace,
    profiles: Sequence[str] = (),
    *,
    host_order: str = "observed",
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    shape: bool = False,
    share: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Checked:
    """Check one trace under these profiles (none: the trace's own).

    `select` and `ignore` take rule ids or prefixes; `shape` asks for the iteration's signature,
    `share` for how much of the accesses is known; without a budget no rule judges one. `progress`
    is told how many ops of a pass over the trace were ordered.
    Raises SynctraceError for a trace without a profile, for unknown profiles or rules, and for a
    profile that speaks of none of the trace's ops.
    """
    started = time.perf_counter()
    rules = [load_rule(id_) for id_ in selected(select, ignore)]
    rules = [rule for rule in rules if rule.rows != "budget" or budget]
    asked = _asked(trace, profiles, host_order)
    session = Session(trace)
    counted = census(session)
    profiles = tuple(profiles) or default_profiles(trace, counted.levels)
    need_judged_ops(trace, profiles, counted.levels)
    work = proposals.work_allowed(rules, select)
    affordable = proposals.affordable(work, counted.ops, len(profiles))
    keep_needed = affordable or any(rule.view == "need_pair" for rule in rules)
    found = order.run(trace, profiles, host_order, keep_needed=keep_needed, progress=progress)
    unseen = counters(session, trace)
    give_order(session, found)
    give_account(session, trace, unseen)
    needless = needless_sites(session)
    seen = proposals.examined(session, found, work)
    instead = give_proposals(session, found, seen)
    advice = advice_rows(session, rules)
    late = fetch_late(session, counted)
    limited = next((rule for rule in rules if rule.rows == "budget"), None)
    spent = spend(session, trace, limited, budget, counted) if limited and budget else Spent()
    others = [*proposals.named_ops(instead), *(row["ops"][0] for _, row in advice), *spent.ops]
    fetch_named(session, [*conflict_ops(found), *late], needless, others, counted)
    lookup = Lookup(session, counted.start_ns)
    branches = fetch_branches(session)
    has_rows = views_with_rows(session, found, counted, bool(needless), bool(late), branches)
    findings = run_rules(session, lookup, rules, has_rows, counted.wall_ns, found.profiles)
    findings += advice_findings(lookup, advice, counted.wall_ns)
    if len(counted.levels) > 1:
        findings = told_once(session, lookup, findings)
    measured = spent.measured
    if limited:
        over, measured = budget_findings(session, lookup, limited, spent)
        findings += over
    return Checked(
        trace=str(trace.path),
        complete=trace.complete,
        lost=trace.lost,
        dropped=dropped(trace),
        coverage=unseen,
        profiles=found.profiles,
        passes=found.passes,
        host_orders=found.host_orders,
        rules=tuple(rule.id for rule in rules),
        census=counted,
        findings=tuple(replace(f, asked=asked) for f in sorted(findings, key=rank)),
        signature=signature(session, counted.ops) if shape else None,
        syncs=sync_places(session, needless, seen),
        faults=told(trace.meta.get("skipped") or (), int(trace.meta.get("forced_copies") or 0)),
        share=known_share(session, unseen) if share else None,
        budgets=measured,
        used_allowances=spent.used,
        asked=asked,
        seconds=time.perf_counter() - started,
    )


def _asked(trace: Trace, profiles: Sequence[str], host_order: str) -> tuple[str, ...]:
    """Options by which another command orders the trace as this check does."""
    words: list[str] = []
    if profiles and list(profiles) != str(trace.meta.get("profile") or "").split(","):
        words += ["--profile", ",".join(profiles)]
    if host_order != "observed":
        words += ["--host-order", host_order]
    return tuple(words)


def default_profiles(trace: Trace, levels: Mapping[int, int]) -> tuple[str, ...]:
    """Profiles that the trace names for itself: of several, those that judge some of its ops.

    `levels`: number of ops by level.
    """
    named = str(trace.meta.get("profile") or "")
    if not named:
        raise SynctraceError(
            f"{trace.path} names no profile: say which memory model holds with --profile NAME "
            "(`synctrace explain` lists them)"
        )
    profiles = tuple(dict.fromkeys(named.split(",")))
    for profile in profiles:
        if profile not in shipped():  # a trace does not say which files are read
            raise SynctraceError(
                f"{trace.path} names {profile} for its profile, which is none of the shipped "
                "ones: if you mean it, say so with --profile"
            )
    fit = [p for p in profiles if any(levels.get(level) for level in load(p).levels)]
    return tuple(fit) or profiles


def need_judged_ops(trace: Trace, profiles: Sequence[str], levels: Mapping[int, int]) -> None:
    """Refuse a profile that would call any trace clean, since it speaks of none of its ops.

    `levels`: number of ops by level. Raises SynctraceError.
    """
    ops = sum(levels.values())
    for name in profiles:
        model = load(name)
        if not ops or any(levels.get(level) for level in model.levels):
            continue
        there = ", ".join(str(Level(level).name).lower() for level in sorted(levels))
        fit = [one for one in shipped() if any(levels.get(level) for level in load(one).levels)]
        wanted = ", ".join(str(level.name).lower() for level in model.levels)
        raise SynctraceError(
            f"0 of the {ops:,} ops of {trace.path} are of a level that profile {model.name} judges "
            f"({wanted}; these are {there}): check it by {' or '.join(fit) or 'another profile'}"
        )


def dropped(trace: Trace) -> int:
    """Records dropped; a trace that was not closed tells them in its gaps alone."""
    told = int(trace.meta.get("dropped") or 0)
    return told or sum(trace.table("gap")["dropped"].to_pylist())


def give_order(session: Session, found: Order) -> None:
    """Give the session what the order engine says; conflicts are numbered from 0."""
    numbered = pa.array(range(found.conflicts.num_rows), pa.uint64())
    session.give("_conflicts", found.conflicts.append_column("id", numbered))
    session.give("_needs", found.needs)
    session.give("_needed", found.needed)


def give_proposals(session: Session, found: Order, seen: Examined) -> pa.Table:
    """Give the session what could stand in the place of needed waits; the table given."""
    made = proposals.table(session, found, seen)
    session.give("_proposals", made)
    return made


def give_account(session: Session, trace: Trace, unseen: dict[str, int]) -> None:
    """Give the session the trace's own account of what was lost and not watched."""
    lost = [{"what": text, "count": None} for text in trace.lost]
    session.give("_loss", pa.Table.from_pylist(lost, schema=_COUNTED))
    watched = [{"what": name, "count": number} for name, number in unseen.items() if number]
    session.give("_coverage", pa.Table.from_pylist(watched, schema=_COUNTED))


def findings_table(checked: Checked) -> pa.Table:
    """The findings as the view `finding` shows them."""
    rows = [
        {
            **{k: getattr(f, k) for k in _FINDING.names if hasattr(f, k)},
            "ops": list(f.ops),
            "buffer": f.memory.name if f.memory else None,
            "lo": f.memory.lo if f.memory else None,
            "hi": f.memory.hi if f.memory else None,
            "cost_ns": None if f.cost_ns is None else min(f.cost_ns, MOST_COST_NS),
        }
        for f in checked.findings
    ]
    return pa.Table.from_pylist(rows, schema=_FINDING)


def conflict_ops(found: Order) -> list[int]:
    """Every op that a conflict names."""
    named: set[int] = set()
    for column in ("first_op", "second_op", "present_op"):
        named.update(found.conflicts.column(column).to_pylist())
    return sorted(named - {None})


def needless_sites(session: Session) -> list[int]:
    """Places of view needless."""
    return [site for (site,) in session.rows("SELECT DISTINCT site FROM needless ORDER BY site")]


def sync_places(session: Session, needless: Sequence[int], seen: Examined) -> SyncPlaces:
    """Places of judged syncs by what holds of them under some profile asked for."""
    sites = dict(session.rows("SELECT verdict, list(site) FROM need GROUP BY verdict"))
    needed = set(sites.get("needed", ()))
    unproven = set(sites.get("not provable", ())) - needed
    return SyncPlaces(
        *(len(needless), len(needed), len(unproven)),
        *(len(seen.narrower), len(seen.tiny), seen.too_long, seen.too_racy),
    )


def views_with_rows(
    session: Session, found: Order, counted: Census, needless: bool, late: bool, branches: bool
) -> dict[str, bool]:
    """Views that rules name as theirs: whether they have rows, as far as that is known for free."""
    return {
        "conflict": found.conflicts.num_rows > 0,
        "captured_launch": bool(counted.captured_graphs) or has_nodes(session),
        "branch": branches,
        "late_use": late,
        "needless": needless,
        "over_broad": session.holds("_proposals"),
        "avoidable": session.holds("_proposals"),
        "loss": session.holds("_loss"),
        "coverage": session.holds("_coverage"),
    }


def run_rules(
    session: Session,
    lookup: Lookup,
    rules: Sequence[Rule],
    has_rows: Mapping[str, bool],
    wall_ns: int,
    profiles: tuple[str, ...],
) -> list[Finding]:
    """Run the rules, advice and budgets aside, whose view has rows."""
    if has_rows["conflict"]:
        session.keep("conflict")
    findings: list[Finding] = []
    pairs = []
    told_apart = [rule for rule in rules if not rule.is_advice and rule.rows != "budget"]
    for rule in _with_rivals(told_apart):
        rows = session.dicts(rule.sql) if has_rows[rule.view] else []
        if rule.family in PAIRS:
            pairs += [(rule, row) for row in rows]
        elif rule.family == "sync":
            findings += sync_findings(lookup, rule, rows, wall_ns)
        else:
            findings += trace_findings(rule, rows)
    claimed = [(rule, row) for rule, row in first_claims(pairs) if rule in rules]
    return findings + pair_findings(session, lookup, claimed, profiles)


def _with_rivals(rules: Sequence[Rule]) -> list[Rule]:
    """Whose a pair is does not hang on --select: if one rule of pairs runs, all of them run."""
    if not any(rule.family in PAIRS for rule in rules):
        return list(rules)
    every = [load_rule(id_) for id_ in default_ids()]
    return [rule for rule in every if rule in rules or rule.family in PAIRS]
