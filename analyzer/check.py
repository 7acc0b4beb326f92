"""Order, rules, findings: one trace in, everything that `check` has to tell out."""

import time
from collections.abc import Sequence

import pyarrow as pa

from synctrace.analyzer import order
from synctrace.analyzer.census import census, coverage, signature
from synctrace.analyzer.connect import Session
from synctrace.analyzer.finding import Census, Checked, Finding, SyncPlaces
from synctrace.analyzer.lookup import Lookup
from synctrace.analyzer.named import fetch_named
from synctrace.analyzer.order import Order
from synctrace.analyzer.pairs import first_claims, pair_findings
from synctrace.analyzer.rule import load_rule, rule_ids, selected
from synctrace.analyzer.syncs import sync_findings, trace_findings
from synctrace.analyzer.verdict import rank
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.faults import told
from synctrace.tracer.reader import Trace

PAIRS = ("race", "life")
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
) -> Checked:
    """Check one trace under these profiles (none: the trace's own).

    `select` and `ignore` take rule ids or prefixes; `shape` asks for the iteration's signature.
    Raises SynctraceError for a trace without a profile and unknown profiles or rules.
    """
    started = time.perf_counter()
    rules = selected(select, ignore)
    profiles = tuple(profiles) or default_profiles(trace)
    found = order.run(trace, profiles, host_order)
    session = Session(trace)
    counted = census(session)
    unseen = coverage(session, trace)
    give_order(session, found)
    give_account(session, trace, unseen)
    fetch_named(session, conflict_ops(found), needless_sites(found), counted)
    findings = run_rules(session, rules, found, counted)
    return Checked(
        trace=str(trace.path),
        complete=trace.complete,
        lost=trace.lost,
        dropped=int(trace.meta.get("dropped") or 0),
        coverage=unseen,
        profiles=found.profiles,
        passes=found.passes,
        host_order=host_order,
        census=counted,
        findings=tuple(sorted(findings, key=rank)),
        signature=signature(session, counted.ops) if shape else None,
        syncs=sync_places(found),
        faults=told(trace.meta.get("skipped") or (), int(trace.meta.get("forced_copies") or 0)),
        seconds=time.perf_counter() - started,
    )


def default_profiles(trace: Trace) -> tuple[str, ...]:
    """Profile that the trace names for itself."""
    profile = str(trace.meta.get("profile") or "")
    if not profile:
        raise SynctraceError(
            f"{trace.path} names no profile: say which memory model holds with --profile NAME "
            "(`synctrace explain` lists them)"
        )
    return (profile,)


def give_order(session: Session, found: Order) -> None:
    """Give the session what the order engine says; conflicts are numbered from 0."""
    numbered = pa.array(range(found.conflicts.num_rows), pa.uint64())
    session.give("_conflicts", found.conflicts.append_column("id", numbered))
    session.give("_needs", found.needs)


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


def needless_sites(found: Order) -> list[int]:
    """Places of which no sync is needed under any profile and some are judged."""
    needed: dict[int, bool] = {}
    for row in found.needs.to_pylist():
        is_needed = row["needed"] > 0 or row["instances"] <= row["final"] + row["unrecorded"]
        needed[row["site"]] = needed.get(row["site"], False) or is_needed
    return sorted(site for site, is_needed in needed.items() if not is_needed)


def sync_places(found: Order) -> SyncPlaces:
    """Places of judged syncs by what holds of them under some profile asked for."""
    rows = found.needs.to_pylist()
    needed = {row["site"] for row in rows if row["proven"]}
    unproven = {row["site"] for row in rows if row["needed"]} - needed
    return SyncPlaces(len(needless_sites(found)), len(needed), len(unproven))


def run_rules(
    session: Session, rules: Sequence[str], found: Order, counted: Census
) -> list[Finding]:
    """Run the rules that can find something; a rule over an empty table is not even read."""
    lookup = Lookup(session, counted.start_ns)
    if found.conflicts.num_rows:
        session.keep("conflict")
    findings: list[Finding] = []
    pairs = []
    for id_ in _with_rivals(rules):
        if not _can_find(id_, session, found, counted):
            continue
        rule = load_rule(id_)
        rows = session.dicts(rule.sql)
        if rule.family in PAIRS:
            pairs += [(rule, row) for row in rows]
        elif rule.family == "sync":
            findings += sync_findings(lookup, rule, rows, counted.wall_ns)
        else:
            findings += trace_findings(rule, rows)
    claimed = [(rule, row) for rule, row in first_claims(pairs) if rule.id in rules]
    return findings + pair_findings(session, lookup, claimed, found.profiles)


def _with_rivals(rules: Sequence[str]) -> list[str]:
    """Whose a pair is does not hang on --select: if one rule of pairs runs, all of them run."""
    pairs = [id_ for id_ in rule_ids() if id_.startswith(("RACE", "LIFE"))]
    return sorted({*rules, *pairs}) if set(pairs) & set(rules) else list(rules)


def _can_find(id_: str, session: Session, found: Order, counted: Census) -> bool:
    if id_ == "LIFE02":
        return bool(counted.captured_graphs)
    if id_.startswith(("RACE", "LIFE")):
        return bool(found.conflicts.num_rows)
    if id_.startswith("SYNC"):
        return bool(needless_sites(found))
    return session.holds("_loss" if id_ == "TRACE01" else "_coverage")
