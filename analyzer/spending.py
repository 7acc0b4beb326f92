"""Budgets: what an iteration may spend. The verdict is rule SYNC11's; here is what it is given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from synctrace.analyzer.budget import WHOLE, Allowance, Budget
from synctrace.analyzer.connect import Row, Session
from synctrace.analyzer.finding import Census, Finding, Measured, OpInfo, Spender
from synctrace.analyzer.fingerprint import stable_id
from synctrace.analyzer.lookup import Lookup
from synctrace.analyzer.rule import Rule
from synctrace.analyzer.suppression import is_at
from synctrace.analyzer.words import measured
from synctrace.tracer.meta import is_scenario
from synctrace.tracer.reader import Trace

_SHOWN = 5  # places that spend most

LIMITS = pa.schema([("measure", pa.string()), ("most", pa.float64()), ("judge", pa.string())])
TURNS = pa.schema([("iteration", pa.uint32()), ("whole", pa.bool_())])
ALLOWED = pa.schema([("site", pa.uint32())])

_WAITS = "SELECT DISTINCT site FROM spending WHERE measure = 'syncs_per_iteration'"
_NAMES = "SELECT name, count(*) AS n FROM iteration GROUP BY name ORDER BY n DESC, name"
_TOTAL = "SELECT coalesce(sum(amount), 0) FROM spending WHERE measure = ?"
_SPENDERS = """
SELECT s.site, sum(s.amount) AS amount
FROM spending AS s
JOIN _turn AS t ON t.whole OR t.iteration = s.iteration
WHERE s.measure = ? AND s.amount > 0 AND (NOT s.waits OR s.site NOT IN (SELECT site FROM _allowed))
GROUP BY s.site ORDER BY amount DESC, s.site
"""


@dataclass(frozen=True)
class Spent:
    """What rule SYNC11 says of a trace: a row and a verdict a limit; allowances that were used."""

    rows: tuple[Row, ...] = ()
    measured: tuple[Measured, ...] = ()
    used: tuple[str, ...] = ()

    @property
    def ops(self) -> list[int]:
        """An op of each limit that is exceeded, at the place that spends most."""
        return [row["ops"][0] for row in self.rows if row["over"] and row["ops"]]


def spend(session: Session, trace: Trace, rule: Rule, budget: Budget, counted: Census) -> Spent:
    """Run the rule over the iterations of a trace. Spenders are not named yet."""
    names = dict(session.rows(_NAMES)) if budget.iteration != WHOLE else {}
    name = budget.iteration or next(iter(names), "")
    turns = _turns(session, name)
    used = _give_allowed(session, budget.allow)
    without_times = not counted.wall_ns or is_scenario(trace.meta)
    why = {m: _why_not(m, name, names, len(turns), without_times) for m in budget.limits}
    limits = [
        {"measure": measure, "most": most, "judge": budget.judge}
        for measure, most in budget.limits.items()
        if not why[measure]
    ]
    session.give("_budget", pa.Table.from_pylist(limits, schema=LIMITS))
    session.give("_turn", pa.Table.from_pylist(turns, schema=TURNS))
    rows = {row["measure"]: row for row in session.dicts(rule.sql)}
    told = [
        _measured(rows[measure], budget, measure, name)
        if measure in rows
        else Measured(measure, most, budget.judge, whole=_whole(session, measure), why=why[measure])
        for measure, most in budget.limits.items()
    ]
    return Spent(tuple(rows.values()), tuple(told), used)


def _turns(session: Session, name: str) -> list[Row]:
    """The iterations that are judged."""
    if name == WHOLE:
        return [{"iteration": None, "whole": True}]
    sql = "SELECT id FROM iteration WHERE name = ? ORDER BY id"
    return [{"iteration": id_, "whole": False} for (id_,) in session.rows(sql, name)]


def _give_allowed(session: Session, allow: Sequence[Allowance]) -> tuple[str, ...]:
    """Give the session the places whose waits do not count; the globs that mean one."""
    session.give("_allowed", ALLOWED.empty_table())
    if not allow:
        return ()
    sites = [site for (site,) in session.rows(_WAITS)]
    places = Lookup(session, 0).places(sites)
    met = {a.site: [s for s, place in places.items() if is_at(place, a.site)] for a in allow}
    rows = [{"site": site} for site in sorted({s for sites in met.values() for s in sites})]
    session.give("_allowed", pa.Table.from_pylist(rows, schema=ALLOWED))
    return tuple(glob for glob, sites in met.items() if sites)


def _why_not(
    measure: str, name: str, names: Mapping[str, int], turns: int, without_times: bool
) -> str:
    """Why the trace cannot answer; empty: it can."""
    if measure == "host_blocked_us" and without_times:
        return "the trace has no times that were measured"
    if turns:
        return ""
    if not names:
        return "the trace has no iterations"
    return f"no iteration is called {name}, they are {', '.join(list(names)[:5])}"


def _whole(session: Session, measure: str) -> float:
    [(amount,)] = session.rows(_TOTAL, measure)
    return float(amount)


def _measured(row: Row, budget: Budget, measure: str, name: str) -> Measured:
    number = row["worst_number"]
    return Measured(
        measure=measure,
        most=row["most"],
        judge=budget.judge,
        iterations=row["iterations"],
        name=name,
        median=row["median"],
        worst=row["worst"],
        worst_at="whole trace" if number is None else f"{name} #{number}",
        exceeded=row["count"],
        over=row["over"],
    )


def budget_findings(
    session: Session, lookup: Lookup, rule: Rule, spent: Spent
) -> tuple[list[Finding], tuple[Measured, ...]]:
    """A finding for each limit that is exceeded, and what was measured with who spends most."""
    shown = lookup.ops(spent.ops)
    rows = {row["measure"]: row for row in spent.rows}
    told = [_with_spenders(session, lookup, one) if one.over else one for one in spent.measured]
    findings = [_finding(rule, rows[m.measure], m, shown) for m in told if m.over]
    return findings, tuple(told)


def _with_spenders(session: Session, lookup: Lookup, one: Measured) -> Measured:
    """Places that differ only in the n-th call of a scope are one."""
    found = session.rows(_SPENDERS, one.measure)
    places = lookup.places([site for site, _ in found])
    amounts: dict[str, Spender] = {}
    for site, amount in found:
        place = places.get(site)
        if place is not None:
            before = amounts.get(place.chain)
            amounts[place.chain] = Spender(
                before.place if before else place, float(amount) + (before.amount if before else 0)
            )
    most = sorted(amounts.values(), key=lambda s: -s.amount)[:_SHOWN]
    return replace(one, spenders=tuple(most))


def _finding(rule: Rule, row: Row, told: Measured, shown: Mapping[int, OpInfo]) -> Finding:
    return Finding(
        id=stable_id([rule.id, told.measure]),
        rule=rule.id,
        name=rule.name,
        family=rule.family,
        verdict="over-budget",
        why=told.measure,
        severity=rule.severity,
        profile="",
        level=row["level"],
        ops=tuple(row["ops"]),
        count=told.exceeded,
        message=rule.message.format(what=measured(told)),
        sync=shown[row["ops"][0]],
        budget=told,
    )
