"""Advice: rules that prove nothing wrong but show what a place costs. Run only when asked for."""

from collections.abc import Sequence

from synctrace.analyzer.connect import Row, Session
from synctrace.analyzer.finding import NOWHERE, Finding, OpInfo, Place
from synctrace.analyzer.fingerprint import stable_id
from synctrace.analyzer.lookup import AccessInfo, Lookup
from synctrace.analyzer.rule import Rule
from synctrace.analyzer.syncs import site_keys
from synctrace.analyzer.words import shared_noun

Found = tuple[Rule, Row]


def advice_rows(session: Session, rules: Sequence[Rule]) -> list[Found]:
    """What the advice rules among these find."""
    return [(rule, row) for rule in rules if rule.is_advice for row in session.dicts(rule.sql)]


def advice_findings(lookup: Lookup, found: Sequence[Found], wall_ns: int) -> list[Finding]:
    """Findings of these rows; what happens at places that differ only in the n-th call is one.

    `wall_ns`: the run's wall time, of which each finding's cost is a share. The first op of each
    row must be in _named.
    """
    if not found:
        return []
    places = lookup.places({row["site"] for _, row in found})
    shown = lookup.ops({row["ops"][0] for _, row in found})
    accesses = lookup.accesses({row["access"] for _, row in found if row["access"]})
    groups: dict[tuple[str, str], list[Found]] = {}
    for rule, row in found:
        chain = places.get(row["site"], NOWHERE).chain
        kind = shown[row["ops"][0]].kind
        row["id"] = stable_id([rule.id, chain, kind, row["part"] or ""])
        groups.setdefault((row["id"], row["level"]), []).append((rule, row))
    return [
        _finding(group[0][0], [row for _, row in group], shown, places, accesses, wall_ns)
        for group in groups.values()
    ]


def _finding(
    rule: Rule,
    rows: list[Row],
    shown: dict[int, OpInfo],
    places: dict[int, Place],
    accesses: dict[int, AccessInfo],
    wall_ns: int,
) -> Finding:
    """One finding of rows that agree in all but the place's ordinal."""
    ops = sorted({op for row in rows for op in row["ops"]})
    noun = shared_noun([shown[row["ops"][0]] for row in rows], len(ops) > 1)
    first = min(rows, key=lambda row: row["ops"][0])
    here = [places.get(row["site"], NOWHERE) for row in rows]
    cost = _sum(rows, "cost_ns")
    return Finding(
        id=first["id"],
        rule=rule.id,
        name=rule.name,
        family=rule.family,
        verdict="advice",
        why="",
        severity=rule.severity,
        profile="",
        level=first["level"],
        ops=tuple(ops),
        count=sum(row["count"] for row in rows),
        message=rule.message.format(first=noun, what=_names(rows)),
        memory=accesses[first["access"]].memory if first["access"] else None,
        sync=shown[first["ops"][0]],
        ordinals=tuple(sorted({place.ordinal for place in here})),
        site_ids=tuple(sorted({row["site"] for row in rows})),
        site_keys=site_keys(here),
        cost_ns=cost,
        cost_share=cost / wall_ns if cost is not None and wall_ns else None,
        size_bytes=_sum(rows, "size_bytes"),
    )


def _sum(rows: list[Row], column: str) -> int | None:
    """Sum of what is known; None: nothing is."""
    known = [int(row[column]) for row in rows if row[column] is not None]
    return sum(known) if known else None


def _names(rows: list[Row]) -> str:
    return ", ".join(sorted({row["what"] for row in rows if row["what"]}))
