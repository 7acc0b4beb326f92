"""Needed waits that could be narrower, as a table for the views over_broad and avoidable."""

from collections.abc import Sequence

import pyarrow as pa

from synctrace.analyzer.connect import Row, Session
from synctrace.analyzer.examine import LEAST_PASSES, MOST_WORK, Examined, TinyRead, examine
from synctrace.analyzer.narrow import Candidate, NeededPair
from synctrace.analyzer.order import Order
from synctrace.analyzer.outcome import PROPOSALS
from synctrace.analyzer.rule import Rule

RULES = ("SYNC02", "SYNC03")
TINY_READ = "tiny-read"

# Pairs of known and assumed accesses, of places that known ones need; the dearest place first.
_NEEDED = """
SELECT
  p.sync_site, p.first_op, p.second_op, p.first_site, p.second_site, p.first_actor, p.second_actor,
  p.hazard
FROM _needed AS p
JOIN (
  SELECT site, max(blocked_ns) AS blocked_ns FROM need
  WHERE site > 0 AND site IN (SELECT n.site FROM need AS n WHERE n.verdict = 'needed')
  GROUP BY site
) AS s ON s.site = p.sync_site
WHERE p.needed > 0
ORDER BY s.blocked_ns DESC, p.sync_site, p.first_op, p.second_op
"""

_PLACES_LEFT = """
SELECT count(DISTINCT site) FROM need WHERE site > 0 AND verdict = 'needed'
"""

_PLACES = """
SELECT site, any_value(level), max(blocked_ns) FROM need
WHERE site IN (SELECT unnest(?)) GROUP BY site
"""


def work_allowed(rules: Sequence[Rule], select: Sequence[str]) -> int | None:
    """Ops x passes that a check may run for it: none where no rule of these is to be run, without
    bounds (None) where one is asked for by its id."""
    if not any(rule.id in RULES for rule in rules):
        return 0
    return None if {one.upper() for one in select} & set(RULES) else MOST_WORK


def affordable(most_work: int | None, ops: int, models: int) -> bool:
    """Whether a single place can be examined with so much work."""
    return most_work is None or (most_work > 0 and LEAST_PASSES * ops * models <= most_work)


def examined(session: Session, found: Order, most_work: int | None) -> Examined:
    """Look for narrower waits and tiny reads; the session has the order, with needed pairs."""
    if most_work == 0:
        return Examined()
    if not affordable(most_work, found.ops, len(found.models)):
        [(places,)] = session.rows(_PLACES_LEFT)
        return Examined(too_long=places)
    needed: dict[int, list[NeededPair]] = {}
    for site, *pair in session.rows(_NEEDED):
        needed.setdefault(site, []).append(NeededPair(*pair))
    return examine(found.world, found.models, needed, most_work=most_work, ops=found.ops)


def table(session: Session, found: Order, seen: Examined) -> pa.Table:
    """One row a place."""
    sites = sorted({*seen.narrower, *seen.tiny})
    places = session.rows(_PLACES, sites) if sites else []
    profile = ",".join(sorted(found.profiles))
    rows = []
    for site, level, blocked_ns in places:
        of = {"profile": profile, "level": level, "site": site, "blocked_ns": blocked_ns}
        narrower, tiny = seen.narrower.get(site), seen.tiny.get(site)
        rows += [of | _narrower(narrower)] if narrower else []
        rows += [of | _tiny(tiny)] if tiny else []
    return pa.Table.from_pylist(rows, schema=PROPOSALS)


def _narrower(one: Candidate) -> Row:
    return {
        "how": str(one.how),
        "ops": one.replaced,
        "event": one.event,
        "record_op": one.record,
        "before_op": one.before,
        "streams": one.streams,
        "recorded_on": one.recorded_on,
    }


def _tiny(one: TinyRead) -> Row:
    return {
        "how": TINY_READ,
        "ops": one.replaced,
        "event": 0,
        "streams": (),
        "recorded_on": (),
        "write_op": one.write,
        "read_op": one.read,
        "bytes": one.bytes,
    }


def named_ops(proposals: pa.Table) -> list[int]:
    """Every op that a finding of these shows."""
    named: set[int | None] = {ops[0] for ops in proposals["ops"].to_pylist()}
    for name in ("record_op", "before_op", "write_op", "read_op"):
        named.update(proposals[name].to_pylist())
    return sorted(op for op in named if op is not None)
