"""Rows of SYNC and TRACE rules to findings."""

from collections.abc import Iterable

from synctrace.analyzer.connect import Row
from synctrace.analyzer.finding import NOWHERE, Finding, OpInfo, Place, Proposal
from synctrace.analyzer.fingerprint import stable_id
from synctrace.analyzer.lookup import Lookup
from synctrace.analyzer.rule import Rule
from synctrace.analyzer.verdict import severity
from synctrace.analyzer.words import counted, instead, shared_noun


def sync_findings(lookup: Lookup, rule: Rule, rows: list[Row], wall_ns: int) -> list[Finding]:
    """Findings of a SYNC rule; places that differ only in the n-th call of a scope are one.

    `wall_ns`: the run's wall time, of which each finding's cost is a share.
    """
    if not rows:
        return []
    places = lookup.places({row["site"] for row in rows})
    shown = lookup.ops({row["ops"][0] for row in rows})
    proposals = _proposals(lookup, rows)
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        op = shown[row["ops"][0]]
        row["proposal"] = proposals.get(row["site"])
        chain = places.get(row["site"], NOWHERE).chain
        row["id"] = stable_id([rule.id, chain, op.kind, *_named_places(row["proposal"])])
        key = (row["id"], row["profile"], row["level"], row["why"])
        groups.setdefault(key, []).append(row)
    return [_finding(rule, group, shown, places, wall_ns) for group in groups.values()]


def _finding(
    rule: Rule, group: list[Row], shown: dict[int, OpInfo], places: dict[int, Place], wall_ns: int
) -> Finding:
    """One finding of rows that agree in all but the place's ordinal."""
    first = min(group, key=lambda row: int(row["ops"][0]))  # its proposal is for the op shown
    ops = sorted(op for row in group for op in row["ops"])
    here = [places.get(row["site"], NOWHERE) for row in group]
    noun = shared_noun([shown[row["ops"][0]] for row in group], len(ops) > 1)
    cost = sum(row["cost_ns"] for row in group)
    return Finding(
        id=first["id"],
        rule=rule.id,
        name=rule.name,
        family=rule.family,
        verdict=first["verdict"],
        why=first["why"],
        severity=severity(rule.severity, first["verdict"]),
        profile=first["profile"],
        level=first["level"],
        ops=tuple(ops),
        count=sum(row["count"] for row in group),
        message=rule.message.format(first=noun, instead=instead(first["proposal"])),
        sync=shown[ops[0]],
        ordinals=tuple(sorted({place.ordinal for place in here})),
        site_keys=site_keys(here),
        site_ids=tuple(sorted(row["site"] for row in group)),
        cost_ns=cost,
        cost_share=cost / wall_ns if wall_ns else None,
        proposal=first["proposal"],
    )


# Of places that are over-broad or avoidable: what to do instead, ids only.
_PROPOSALS = """
SELECT
  p.site, p.how, e.name AS event, p.record_op, p.before_op, p.write_op, p.read_op, p.bytes,
  p.streams, p.recorded_on
FROM _proposals AS p LEFT JOIN _event AS e ON e.id = p.event
"""


def _proposals(lookup: Lookup, rows: list[Row]) -> dict[int, Proposal]:
    """What stands in the place of these syncs, or what they serve, by site."""
    if all(row["verdict"] == "provable" for row in rows):
        return {}
    found = lookup.session.dicts(_PROPOSALS)
    names = ("record_op", "before_op", "write_op", "read_op")
    ops = lookup.ops({row[name] for row in found for name in names} - {None})
    return {
        row["site"]: Proposal(
            how=row["how"],
            event=row["event"] or "",
            streams=tuple(lookup.actors[actor][0] for actor in row["streams"]),
            recorded_on=tuple(lookup.actors[actor][0] for actor in row["recorded_on"]),
            bytes=row["bytes"],
            **{name.removesuffix("_op"): ops.get(row[name]) for name in names},
        )
        for row in found
    }


def _named_places(proposal: Proposal | None) -> list[str]:
    """What tells proposals for one place apart: where the event is recorded or waited for."""
    ops = (proposal.record, proposal.before) if proposal else ()
    return [op.place.chain for op in ops if op]


def site_keys(places: Iterable[Place]) -> tuple[str, ...]:
    """Keys of the places, calls from one stack in their order."""
    found = {(p.key.partition(".")[0], p.ordinal): p.key for p in places if p.key}
    return tuple(found[each] for each in sorted(found))


def trace_findings(rule: Rule, rows: list[Row]) -> list[Finding]:
    """Findings of a TRACE rule: what was lost, what was not watched."""
    return [
        Finding(
            id=stable_id([rule.id, row["what"]]),
            rule=rule.id,
            name=rule.name,
            family=rule.family,
            verdict="stated",
            why="",
            severity=rule.severity,
            profile="",
            level="",
            ops=(),
            count=1 if row["count"] is None else row["count"],
            message=rule.message.format(what=_words(row)),
        )
        for row in rows
    ]


def _words(row: Row) -> str:
    return str(row["what"]) if row["count"] is None else counted(row["count"], row["what"])
