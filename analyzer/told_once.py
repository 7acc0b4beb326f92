"""What two layers both show is one finding: a race of their calls, a wait that one makes for the
other.

A call of the API that did the work of another layer's call stands for that one: their findings are
one if rule, or memory, and the places of the outer calls are the same. Of a race the surest verdict
is told, the API's of two that are alike; of syncs and copies the outer calls, which are the ones
that the program makes.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from synctrace.analyzer.connect import Session
from synctrace.analyzer.finding import NOWHERE, Finding
from synctrace.analyzer.lookup import Lookup
from synctrace.analyzer.verdict import VERDICTS

_API = "api"
_PAIRS = ("race", "life")

_CALLS = """
CREATE TABLE _of_layer AS
SELECT id, parent FROM _scan WHERE id IN (SELECT unnest(?)) AND parent IS NOT NULL
"""
_OUTER = """
SELECT c.id, o.id, o.site FROM _of_layer AS c
JOIN (SELECT id, site FROM _scan WHERE is_lowered(flags)) AS o ON o.id = c.parent
"""


@dataclass(frozen=True)
class _Outer:
    """The call of another layer whose work an op did."""

    op: int
    chain: str  # of its place


def told_once(session: Session, lookup: Lookup, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each of one thing. The session's trace has ops of two levels."""
    calls = {op for f in findings if f.level == _API for op in f.ops}
    outer = _outer(session, lookup, calls)
    return _without_inner(_pairs_once(findings, outer), outer)


def _outer(session: Session, lookup: Lookup, ops: Collection[int]) -> Mapping[int, _Outer]:
    """Of each of these ops that did the work of another layer's call: that call."""
    if not ops:
        return {}
    session.scan("op", ["id", "parent"], _CALLS, sorted(ops))
    rows = session.scan("op", ["id", "flags", "site"], _OUTER)
    places = lookup.places({site for _, _, site in rows})
    return {inner: _Outer(outer, places.get(site, NOWHERE).chain) for inner, outer, site in rows}


def _pairs_once(findings: Sequence[Finding], outer: Mapping[int, _Outer]) -> list[Finding]:
    """Of races and lifetime errors that the API's calls show, too: the one that says more."""
    by_places: dict[tuple[str, ...], list[Finding]] = {}
    for one in findings:
        if one.family in _PAIRS and one.level == _API and len(one.touches) == 2:
            by_places.setdefault(_places(one, outer), []).append(one)
    instead: dict[int, Finding] = {}  # by identity of the finding whose place it takes
    gone: set[int] = set()
    for one in findings:
        if one.family not in _PAIRS or one.level == _API or len(one.touches) != 2:
            continue
        alike = by_places.get(_places(one, outer), [])
        inner = next((each for each in alike if _is_same(one, each)), None)
        if inner is None:
            continue
        alike.remove(inner)
        leads = VERDICTS.index(inner.verdict) <= VERDICTS.index(one.verdict)
        told, other = (inner, one) if leads else (one, inner)
        gone.add(id(other))
        instead[id(told)] = replace(told, profile=f"{inner.profile},{one.profile}")
    return [instead.get(id(one), one) for one in findings if id(one) not in gone]


def _places(finding: Finding, outer: Mapping[int, _Outer]) -> tuple[str, ...]:
    """Where the outer calls of both sides were made."""
    calls = (
        outer.get(touch.op.id, _Outer(touch.op.id, touch.op.place.chain))
        for touch in finding.touches
    )
    return tuple(call.chain or f"op {call.op}" for call in calls)


def _is_same(one: Finding, other: Finding) -> bool:
    if one.rule == other.rule:
        return True
    return bool(one.memory and other.memory and one.memory.storage == other.memory.storage)


def _without_inner(findings: Sequence[Finding], outer: Mapping[int, _Outer]) -> list[Finding]:
    """Without what is told of the API's calls and of the outer ones that made them.

    That a wait of another layer could be narrower, or do without, is told only if it could be so
    in the API's calls as well.
    """
    listed = [one for one in findings if one.family not in _PAIRS]
    ops_of: dict[str, set[int]] = {}  # of other layers, by rule
    for one in listed:
        if one.level != _API:
            ops_of.setdefault(one.rule, set()).update(one.ops)
    gone = {
        id(one)
        for one in listed
        if one.level == _API
        and one.ops
        and all((outer[op].op if op in outer else op) in ops_of.get(one.rule, ()) for op in one.ops)
    }
    return [one for one in findings if id(one) not in gone]
