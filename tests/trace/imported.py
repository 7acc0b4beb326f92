"""Scenarios as traces, for tests: import a few ops and look at the rows."""

import json
from pathlib import Path
from typing import Any

from synctrace.tracer.kinds import Mode, Origin
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.scenario import import_cases


def rows(trace: Trace, table: str) -> list[dict[str, Any]]:
    return trace.table(table).to_pylist()


def by_id(trace: Trace, table: str) -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in rows(trace, table)}


def trace_of(path: Path, *ops: dict[str, Any]) -> Trace:
    file = path / "case.jsonl"
    file.write_text(json.dumps({"id": "case", "ops": [{"thread": "T0", **op} for op in ops]}))
    (folder,) = import_cases(file, path / "case.synctrace", "case", overwrite=True)
    return open_trace(folder)


def accesses(trace: Trace, op: int) -> list[tuple[str, int, int, Mode, Origin]]:
    access, buffer = by_id(trace, "access"), by_id(trace, "buffer")
    found = [access[number] for number in rows(trace, "op")[op]["accesses"]]
    return [
        (buffer[a["buffer"]]["name"], a["lo"], a["hi"], Mode(a["mode"]), Origin(a["origin"]))
        for a in found
    ]
