"""The scenario notation (docs/scenarios.md): cases as JSON, checked before they are used."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synctrace.tracer.case_graphs import check_graphs
from synctrace.tracer.case_handles import check_handles
from synctrace.tracer.case_memory import check_memory
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.operation import CaseOp, Wrong, read_name, read_op

PROFILE = "catalogue"  # memory model of a case that names none
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}")


@dataclass(frozen=True)
class Case:
    """One ordering question. `line` is its line in the file, from 1."""

    id: str
    line: int
    profile: str
    ops: tuple[CaseOp, ...]


def read_cases(path: Path) -> list[Case]:
    """All cases of a file, in file order.

    Raises SynctraceError naming file, line and field for anything the notation does not allow.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise SynctraceError(f"cannot read {path} ({reason}): give a .jsonl file") from error
    cases: dict[str, Case] = {}
    for number, text in _texts(data):
        try:
            case = _case(text, number)
            if case.id in cases:
                raise Wrong(f"id: {case.id} was used on line {cases[case.id].line}")
        except Wrong as wrong:
            raise SynctraceError(f"{path}, line {number + wrong.line}: {wrong}") from None
        cases[case.id] = case
    if not cases:
        raise SynctraceError(f"{path} holds no case: give one JSON object a line")
    return list(cases.values())


def _texts(data: bytes) -> list[tuple[int, bytes]]:
    """The JSON of each case and the line where it begins: one a line, or all of the file."""
    lines = data.split(b"\n")
    texts = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if len(texts) > 1 and _goes_on(texts[0][1]):
        first = texts[0][0]
        return [(first, b"\n".join(lines[first - 1 :]))]
    return texts


def _goes_on(line: bytes) -> bool:
    """Whether this is JSON that ends too early."""
    text = line.decode("utf-8-sig", errors="replace").rstrip()
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text)
    except (ValueError, RecursionError):
        pass
    return False


def _case(text: bytes, number: int) -> Case:
    value = _json(text)
    if not isinstance(value, dict):
        raise Wrong("expected a JSON object with id and ops")
    name = value.get("id")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise Wrong(
            "id: expected a name of letters, digits and . _ + - that starts with a letter or digit"
        )
    profile = read_name(value.get("profile"), "profile") or PROFILE
    ops = value.get("ops")
    if not isinstance(ops, list) or not ops:
        raise Wrong("ops: expected a list with at least one operation")
    found = tuple(read_op(op, f"ops[{i}]") for i, op in enumerate(ops))
    for check in (check_handles, check_graphs, check_memory):
        check(found)
    return Case(name, number, profile, found)


def _json(text: bytes) -> Any:
    try:
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_no_twins)
    except UnicodeDecodeError as error:
        raise Wrong(f"byte {error.start} is not UTF-8: save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise Wrong(
            f"column {error.colno} is not JSON ({error.msg}): one case a line, or a file",
            error.lineno - 1,
        ) from None
    except (ValueError, RecursionError):
        raise Wrong("not JSON that can be read: a number too long or nested too deep") from None


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys are distinct."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twin = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise Wrong(f"{twin}: given twice in one object")
    return found
