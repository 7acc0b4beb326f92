"""Rows of an imported trace, for tests."""

from typing import Any

from synctrace.tracer.kinds import Kind, Mode
from synctrace.tracer.reader import Trace


def rows(trace: Trace, table: str) -> list[dict[str, Any]]:
    return trace.table(table).to_pylist()


def by_id(trace: Trace, table: str) -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in rows(trace, table)}


def ops(trace: Trace, kind: Kind) -> list[dict[str, Any]]:
    return [op for op in rows(trace, "op") if op["kind"] == kind]


def kinds(trace: Trace) -> list[Kind]:
    return [Kind(op["kind"]) for op in rows(trace, "op")]


def touched(trace: Trace, op: dict[str, Any]) -> list[tuple[str, int, int, Mode]]:
    access, buffer = by_id(trace, "access"), by_id(trace, "buffer")
    found = [access[number] for number in op["accesses"]]
    return [(buffer[a["buffer"]]["name"], a["lo"], a["hi"], Mode(a["mode"])) for a in found]
