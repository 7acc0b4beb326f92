"""Rows of RACE and LIFE rules to findings: one pair one finding, instances counted."""

from collections.abc import Iterable

from synctrace.analyzer import words
from synctrace.analyzer.connect import Row, Session
from synctrace.analyzer.finding import Finding, Memory, MissingEdge, OpInfo, Place, Touch, stable_id
from synctrace.analyzer.lookup import AccessInfo, Lookup
from synctrace.analyzer.named import fetch_waits_between
from synctrace.analyzer.rule import Rule
from synctrace.analyzer.verdict import severity

_CONFLICTS = """
SELECT
  c.id, c.first_site, c.second_site, c.first_actor, c.second_actor, c.known_op, c.present_op,
  c.hidden_by, o.thread
FROM _conflicts AS c LEFT JOIN _named AS o ON o.id = c.second_op
"""


def first_claims(rows: Iterable[tuple[Rule, Row]]) -> list[tuple[Rule, Row]]:
    """One pair, one finding: of several rules that have a conflict the lowest rank keeps it."""
    kept: list[tuple[Rule, Row]] = []
    taken: set[int] = set()
    for rule, row in sorted(rows, key=lambda each: each[0].rank):
        if row["conflict"] in taken:
            continue
        if row["conflict"] is not None:
            taken.add(row["conflict"])
        kept.append((rule, row))
    return kept


def pair_findings(
    session: Session, lookup: Lookup, claimed: list[tuple[Rule, Row]], profiles: tuple[str, ...]
) -> list[Finding]:
    """Findings of these rows; rows of one place, buffer and verdict are one finding."""
    if not claimed:
        return []
    conflicts = {row["id"]: row for row in session.dicts(_CONFLICTS)}
    sites = {site for c in conflicts.values() for site in (c["first_site"], c["second_site"])}
    places = lookup.places(sites)
    accesses = lookup.accesses(
        {a for _, row in claimed for a in (row["first_access"], row["second_access"]) if a}
    )
    plain = lookup.ops({row["first_op"] for _, row in claimed if row["conflict"] is None})
    groups: dict[tuple[str, ...], list[tuple[Rule, Row]]] = {}
    for rule, row in claimed:
        row["profile"] = row["profile"] or ",".join(profiles)
        conflict = conflicts.get(row["conflict"])
        chains = [plain[row["first_op"]].place.chain] if conflict is None else [
            _chain(places, conflict["first_site"]), _chain(places, conflict["second_site"])
        ]  # fmt: skip
        modes = [accesses[a].mode for a in (row["first_access"], row["second_access"]) if a]
        name = accesses[row["first_access"]].memory.name
        row["id"] = stable_id([rule.id, *chains, *modes, name])
        key = (row["id"], row["profile"], row["level"], row["verdict"])
        groups.setdefault(key, []).append((rule, row))
    shown = [min(group, key=lambda each: each[1]["first_op"]) for group in groups.values()]
    ops, useless = _ops(session, lookup, shown, conflicts)
    return [
        _finding(
            rule, row, conflicts.get(row["conflict"]), ops, useless.get(number), accesses, lookup,
            sum(each["count"] for _, each in group),
        )
        for number, ((rule, row), group) in enumerate(zip(shown, groups.values(), strict=True))
    ]  # fmt: skip


def _chain(places: dict[int, Place], site: int) -> str:
    return places[site].chain if site in places else ""


def _ops(
    session: Session, lookup: Lookup, shown: list[tuple[Rule, Row]], conflicts: dict[int, Row]
) -> tuple[dict[int, OpInfo], dict[int, int]]:
    """The ops that the findings show, and by number of the finding its useless wait."""
    with_pair = [n for n, (_, row) in enumerate(shown) if row["conflict"] is not None]
    between = fetch_waits_between(
        session,
        [
            (row["first_op"], row["second_op"], c["thread"] or 0, c["second_actor"])
            for row, c in ((shown[n][1], conflicts[shown[n][1]["conflict"]]) for n in with_pair)
        ],
    )
    useless = {with_pair[number]: op for number, op in between.items()}
    wanted = {row[name] for _, row in shown for name in ("first_op", "second_op")}
    wanted |= {conflicts[shown[n][1]["conflict"]]["present_op"] for n in with_pair}
    wanted |= set(useless.values())
    return lookup.ops(wanted - {None}), useless


def _finding(
    rule: Rule,
    row: Row,
    conflict: Row | None,
    ops: dict[int, OpInfo],
    useless: int | None,
    accesses: dict[int, AccessInfo],
    lookup: Lookup,
    count: int,
) -> Finding:
    first = accesses[row["first_access"]]
    ids = [row["first_op"]] if conflict is None else [row["first_op"], row["second_op"]]
    if conflict is None:
        touches: tuple[Touch, ...] = (_touch(ops[ids[0]], first, ops[ids[0]].stream, False),)
        edge = None
    else:
        second = accesses[row["second_access"]]
        one, two = (lookup.actors[conflict[f"{side}_actor"]] for side in ("first", "second"))
        touches = (_touch(ops[ids[0]], first, *one), _touch(ops[ids[1]], second, *two))
        edge = MissingEdge(
            knower=two[0],
            of=one[0],
            needs=row["first_op"],
            known=conflict["known_op"],
            present=ops.get(conflict["present_op"]),
            useless=ops.get(useless) if useless is not None else None,
            hidden_by=conflict["hidden_by"],
        )
    memory = first.memory
    memory = Memory(
        memory.name, memory.storage, memory.storage_name, memory.device, memory.size,
        row["lo_byte"], row["hi_byte"],
    )  # fmt: skip
    fields = words.fields(touches, memory.name or f"storage #{memory.storage}")
    return Finding(
        id=row["id"],
        rule=rule.id,
        name=rule.name,
        family=rule.family,
        verdict=row["verdict"],
        why="",
        severity=severity(rule.severity, row["verdict"]),
        profile=row["profile"],
        level=row["level"],
        ops=tuple(ids),
        count=count,
        message=rule.message.format(**fields),
        touches=touches,
        memory=memory,
        edge=edge,
    )


def _touch(op: OpInfo, access: AccessInfo, timeline: str, on_host: bool) -> Touch:
    return Touch(op, access.mode, access.extent, access.buffer, timeline, on_host)
