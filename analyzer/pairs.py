"""Rows of RACE and LIFE rules to findings: one pair one finding, instances counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from synctrace.analyzer import fingerprint, words
from synctrace.analyzer.connect import Row, Session
from synctrace.analyzer.finding import Finding, Instance, MissingEdge, OpInfo, Place, Touch
from synctrace.analyzer.lookup import AccessInfo, Lookup
from synctrace.analyzer.named import fetch_waits_between
from synctrace.analyzer.rule import Rule
from synctrace.analyzer.verdict import VERDICTS, severity

_CONFLICTS = """
SELECT
  c.id, c.first_site, c.second_site, c.first_actor, c.second_actor, c.known_op, c.present_op,
  c.worst_first_op, c.worst_second_op, c.worst_lo, c.worst_hi, c.hidden_by, c.hazard, o.thread
FROM _conflicts AS c LEFT JOIN _named AS o ON o.id = c.second_op
"""


@dataclass(frozen=True)
class _Known:
    """What the findings speak of, by id."""

    ops: dict[int, OpInfo]
    accesses: dict[int, AccessInfo]
    actors: dict[int, tuple[str, bool]]  # name for reports, whether it is a host thread
    conflicts: dict[int, Row]


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
    """Findings of these rows; rows of the same places and kind of buffer are one finding."""
    if not claimed:
        return []
    conflicts = {row["id"]: row for row in session.dicts(_CONFLICTS)}
    sites = {site for c in conflicts.values() for site in (c["first_site"], c["second_site"])}
    places = lookup.places(sites)
    accesses = lookup.accesses(
        {a for _, row in claimed for a in (row["first_access"], row["second_access"]) if a}
    )
    plain = lookup.ops(
        {op for _, row in claimed if row["conflict"] is None for op in _sides(row).values()}
    )
    groups: dict[tuple[str, ...], list[tuple[Rule, Row]]] = {}
    for rule, row in claimed:
        row["profile"] = row["profile"] or ",".join(profiles)
        conflict = conflicts.get(row["conflict"])
        chains = [plain[op].place.chain for op in _sides(row).values()] if conflict is None else [
            _chain(places, conflict["first_site"]), _chain(places, conflict["second_site"])
        ]  # fmt: skip
        modes = [accesses[a].mode for a in (row["first_access"], row["second_access"]) if a]
        name = accesses[row["first_access"]].memory.name
        named = fingerprint.buffer(name)
        row["id"] = fingerprint.stable_id([rule.id, *chains, *modes, named, *_nodes(row).values()])
        key = (row["id"], row["profile"], row["level"])
        groups.setdefault(key, []).append((rule, row))
    shown = [min(group, key=lambda each: _sureness(each[1])) for group in groups.values()]
    ops, useless = _ops(session, lookup, shown, conflicts)
    known = _Known(ops, accesses, lookup.actors, conflicts)
    return [
        _grouped(
            _finding(rule, row, known, ops[useless[number]] if number in useless else None),
            [each for _, each in group],
            known,
        )
        for number, ((rule, row), group) in enumerate(zip(shown, groups.values(), strict=True))
    ]


def _sureness(row: Row) -> tuple[int, int]:
    return VERDICTS.index(row["verdict"]), row["first_op"]


def _grouped(finding: Finding, rows: Sequence[Row], known: _Known) -> Finding:
    """The finding with what holds of all its rows."""
    counts: Counter[str] = Counter()
    for row in sorted(rows, key=_sureness):
        counts[row["verdict"]] += row["count"]
    surest = [_worst(row, known) for row in rows if row["verdict"] == finding.verdict]
    return replace(
        finding,
        count=counts.total(),
        verdicts=dict(counts),
        first=_first(min(rows, key=lambda row: row["first_op"])),
        worst=min(surest, key=lambda each: (each.lo - each.hi, each.ops)),
        buffers=len({_memory_of(row, known) for row in rows}),
    )


def _memory_of(row: Row, known: _Known) -> tuple[int, str]:
    memory = known.accesses[row["first_access"]].memory
    return memory.storage, memory.name


def _first(row: Row) -> Instance:
    ops = dict.fromkeys(op for op in (row["first_op"], row["second_op"]) if op is not None)
    return Instance(tuple(ops), row["verdict"], row["lo_byte"], row["hi_byte"])


def _worst(row: Row, known: _Known) -> Instance:
    """The row's instance with most bytes; of a captured range its only one."""
    conflict = known.conflicts.get(row["conflict"])
    if conflict is None:
        return _first(row)
    ops = (conflict["worst_first_op"], conflict["worst_second_op"])
    return Instance(ops, row["verdict"], conflict["worst_lo"], conflict["worst_hi"])


def _sides(row: Row) -> dict[str, int]:
    """Op of each side; a captured range has its launch alone, branches have it on both."""
    return {side: op for side in ("first", "second") if (op := row[f"{side}_op"]) is not None}


def _nodes(row: Row) -> dict[str, str]:
    """Names of the two nodes, where the row is of a graph's branches."""
    return {key: row[key] for key in ("first_node", "second_node") if row.get(key)}


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
    wanted = {op for _, row in shown for op in _sides(row).values()}
    wanted |= {conflicts[shown[n][1]["conflict"]]["present_op"] for n in with_pair}
    wanted |= set(useless.values())
    return lookup.ops(wanted - {None}), useless


def _finding(rule: Rule, row: Row, known: _Known, useless: OpInfo | None) -> Finding:
    touches = _touches(row, known)
    memory = known.accesses[row["first_access"]].memory
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
        ops=tuple(dict.fromkeys(touch.op.id for touch in touches)),
        count=row["count"],
        message=rule.message.format(**fields, **_nodes(row)),
        touches=touches,
        memory=replace(memory, lo=row["lo_byte"], hi=row["hi_byte"]),
        edge=_edge(row, touches, known, useless),
    )


def _touches(row: Row, known: _Known) -> tuple[Touch, ...]:
    """Both sides of a pair; of a captured range its launch alone."""
    conflict = known.conflicts.get(row["conflict"])
    touches = []
    for side, op_id in _sides(row).items():
        op, access = known.ops[op_id], known.accesses[row[f"{side}_access"]]
        if conflict is not None:
            timeline = known.actors[conflict[f"{side}_actor"]]
        elif node := row.get(f"{side}_node"):
            timeline = (node, False)
        else:
            timeline = (op.stream, False) if op.stream else _host(op, known)
        touches.append(Touch(op, access.mode, access.extent, access.buffer, *timeline))
    if conflict and conflict["hazard"] == "read-after-write" and touches[1].mode == "write":
        # The host reads a result: the access told of is the copy's that wrote it.
        touches[1] = replace(touches[1], mode="read")
    return tuple(touches)


def _host(op: OpInfo, known: _Known) -> tuple[str, bool]:
    """Timeline of an op that acts on no stream."""
    hosts = [name for name, is_host in known.actors.values() if is_host]
    return (hosts[0] if len(hosts) == 1 else f"HOST {op.thread}", True)


def _edge(
    row: Row, touches: tuple[Touch, ...], known: _Known, useless: OpInfo | None
) -> MissingEdge | None:
    conflict = known.conflicts.get(row["conflict"])
    if conflict is None:
        return None
    first, second = touches
    return MissingEdge(
        knower=second.timeline,
        of=first.timeline,
        needs=first.op.id,
        known=conflict["known_op"],
        present=known.ops.get(conflict["present_op"]),
        useless=useless,
        hidden_by=conflict["hidden_by"],
        in_batch=first.op.batched and second.op.batched and first.timeline == second.timeline,
    )
