"""Rows of SYNC and TRACE rules to findings."""

from collections.abc import Iterable

from synctrace.analyzer.connect import Row
from synctrace.analyzer.finding import NOWHERE, Finding, Place, stable_id
from synctrace.analyzer.lookup import Lookup
from synctrace.analyzer.rule import Rule
from synctrace.analyzer.verdict import severity
from synctrace.analyzer.words import shared_noun


def sync_findings(lookup: Lookup, rule: Rule, rows: list[Row], wall_ns: int) -> list[Finding]:
    """Findings of a SYNC rule; places that differ only in the n-th call of a scope are one.

    `wall_ns`: the run's wall time, of which each finding's cost is a share.
    """
    if not rows:
        return []
    places = lookup.places({row["site"] for row in rows})
    shown = lookup.ops({row["ops"][0] for row in rows})
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        op = shown[row["ops"][0]]
        row["id"] = stable_id([rule.id, places.get(row["site"], NOWHERE).chain, op.kind])
        key = (row["id"], row["profile"], row["level"], row["why"])
        groups.setdefault(key, []).append(row)
    made = []
    for group in groups.values():
        ops = sorted(op for row in group for op in row["ops"])
        sync = shown[ops[0]]
        cost = sum(row["cost_ns"] for row in group)
        made.append(
            Finding(
                id=group[0]["id"],
                rule=rule.id,
                name=rule.name,
                family=rule.family,
                verdict=group[0]["verdict"],
                why=group[0]["why"],
                severity=severity(rule.severity, group[0]["verdict"]),
                profile=group[0]["profile"],
                level=group[0]["level"],
                ops=tuple(ops),
                count=sum(row["count"] for row in group),
                message=rule.message.format(
                    first=shared_noun([shown[row["ops"][0]] for row in group], len(ops) > 1)
                ),
                sync=sync,
                ordinals=tuple(sorted({places.get(row["site"], NOWHERE).ordinal for row in group})),
                site_keys=_keys(places.get(row["site"], NOWHERE) for row in group),
                site_ids=tuple(sorted(row["site"] for row in group)),
                cost_ns=cost,
                cost_share=cost / wall_ns if wall_ns else None,
            )
        )
    return made


def _keys(places: Iterable[Place]) -> tuple[str, ...]:
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
    text = str(row["what"]).replace("_", " ")
    return text if row["count"] is None else f"{row['count']} {text}"
