"""The scenario notation (docs/scenarios.md): one case a line of JSON, checked before it is used."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.vocabulary import ATTRIBUTES, MAX_BYTES, WORDS, Word

FIELDS = ("thread", "op", "stream", "reads", "writes", "event", "note", "attrs")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}")


@dataclass(frozen=True)
class Range:
    """Bytes [offset, offset + size) of a named buffer."""

    buffer: str
    offset: int
    size: int


@dataclass(frozen=True)
class CaseOp:
    """One operation as the case tells it."""

    thread: str
    op: str
    stream: str | None
    reads: tuple[Range, ...]
    writes: tuple[Range, ...]
    event: str | None
    attrs: Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """One ordering question. `line` is its line in the file, from 1."""

    id: str
    line: int
    ops: tuple[CaseOp, ...]


class _Wrong(Exception):
    """What is wrong at the place being read, as `FIELD: what was expected`."""


def read_cases(path: Path) -> list[Case]:
    """All cases of a file, in file order.

    Raises SynctraceError naming file, line and field for anything the notation does not allow.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        reason = error.strerror or error
        raise SynctraceError(f"cannot read {path} ({reason}): give a .jsonl file") from error
    cases: dict[str, Case] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = _case(line, number)
            if case.id in cases:
                raise _Wrong(f"id: {case.id} was used on line {cases[case.id].line}")
        except _Wrong as wrong:
            raise SynctraceError(f"{path}, line {number}: {wrong}") from None
        cases[case.id] = case
    if not cases:
        raise SynctraceError(f"{path} holds no case: give one JSON object a line")
    return list(cases.values())


def _case(line: bytes, number: int) -> Case:
    value = _json(line)
    if not isinstance(value, dict):
        raise _Wrong("expected a JSON object with id and ops")
    name = value.get("id")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise _Wrong(
            "id: expected a name of letters, digits and . _ + - that starts with a letter or digit"
        )
    ops = value.get("ops")
    if not isinstance(ops, list) or not ops:
        raise _Wrong("ops: expected a list with at least one operation")
    return Case(name, number, tuple(_op(op, f"ops[{i}]") for i, op in enumerate(ops)))


def _json(line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8-sig"), object_pairs_hook=_no_twins)
    except UnicodeDecodeError as error:
        raise _Wrong(f"byte {error.start} is not UTF-8: save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise _Wrong(f"column {error.colno} is not JSON ({error.msg}): one case a line") from None
    except (ValueError, RecursionError):
        raise _Wrong("not JSON that can be read: a number too long or nested too deep") from None


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys are distinct."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise _Wrong(f"{twin}: given twice in one object")
    return found


def _op(value: Any, at: str) -> CaseOp:
    if not isinstance(value, dict):
        raise _Wrong(f"{at}: expected a JSON object with thread and op")
    for field in value:
        if field not in FIELDS:
            raise _Wrong(f"{at}.{field}: no such field, the fields are {', '.join(FIELDS)}")
    op = value.get("op")
    if not isinstance(op, str) or op not in WORDS:
        raise _Wrong(f"{at}.op: expected one of {', '.join(WORDS)}")
    word = WORDS[op]
    thread = _name(value.get("thread"), f"{at}.thread")
    if thread is None:
        raise _Wrong(f"{at}.thread: expected the name of the host thread, like T0")
    case_op = CaseOp(
        thread,
        op,
        _name(value.get("stream"), f"{at}.stream"),
        _ranges(value.get("reads"), f"{at}.reads"),
        _ranges(value.get("writes"), f"{at}.writes"),
        _name(value.get("event"), f"{at}.event"),
        _attrs(value.get("attrs"), word, op, f"{at}.attrs"),
    )
    _check_shape(case_op, word, at)
    return case_op


def _check_shape(op: CaseOp, word: Word, at: str) -> None:
    """What this kind of op needs and what it cannot have."""
    failed = op.attrs.get("failed") is True
    if op.stream is None and word.stream == "needed" and not failed:
        raise _Wrong(f"{at}.stream: {op.op} needs a stream (LEGACY is the legacy default stream)")
    if op.stream is not None and word.stream == "none":
        raise _Wrong(f"{at}.stream: {op.op} takes no stream")
    if op.event is None and word.event:
        raise _Wrong(f"{at}.event: {op.op} needs an event")
    if op.event is not None and not word.event:
        raise _Wrong(f"{at}.event: {op.op} takes no event")
    for field, ranges, (least, most) in (
        ("reads", op.reads, word.reads),
        ("writes", op.writes, word.writes),
    ):
        if len(ranges) > most:
            takes = f"at most {most}" if most else "none"
            raise _Wrong(f"{at}.{field}: {op.op} takes {takes}, got {len(ranges)} ranges")
        if len(ranges) < least:
            raise _Wrong(f"{at}.{field}: {op.op} needs {least}, like [[buffer, offset, size]]")


def _name(value: Any, at: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not value.isprintable():
        raise _Wrong(f"{at}: expected a name of 1 to 200 printable characters")
    return value


def _ranges(value: Any, at: str) -> tuple[Range, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _Wrong(f"{at}: expected a list of [buffer, offset, size]")
    return tuple(_range(item, f"{at}[{i}]") for i, item in enumerate(value))


def _range(value: Any, at: str) -> Range:
    if not isinstance(value, list) or len(value) != 3:
        raise _Wrong(f"{at}: expected [buffer, offset, size]")
    buffer = _name(value[0], f"{at}[0]")
    if buffer is None:
        raise _Wrong(f"{at}[0]: expected the name of a buffer")
    offset, size = value[1], value[2]
    if type(offset) is not int or offset < 0:
        raise _Wrong(f"{at}[1]: expected an offset in bytes, 0 or more")
    if type(size) is not int or size < 1:
        raise _Wrong(f"{at}[2]: expected a size in bytes, 1 or more")
    if offset + size > MAX_BYTES:
        raise _Wrong(f"{at}: a buffer ends at {MAX_BYTES} bytes (1 TiB) at the latest")
    return Range(buffer, offset, size)


def _attrs(value: Any, word: Word, op: str, at: str) -> dict[str, Any]:
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise _Wrong(f"{at}: expected a JSON object")
    for name, given in value.items():
        if name not in word.attrs:
            raise _Wrong(f"{at}.{name}: {op} has no such attribute, only {', '.join(word.attrs)}")
        allowed = ATTRIBUTES[name]
        if allowed is None:
            if _name(given, f"{at}.{name}") is None:
                raise _Wrong(f"{at}.{name}: expected a name")
        elif not any(given is one or (type(given) is str and given == one) for one in allowed):
            raise _Wrong(f"{at}.{name}: expected {' or '.join(map(json.dumps, allowed))}")
    for name in word.needs:
        if name not in value:
            raise _Wrong(f"{at}.{name}: {op} needs it")
    return value
