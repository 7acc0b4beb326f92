"""One operation of a scenario: JSON in, a checked `CaseOp` out."""

import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synctrace.tracer.vocabulary import (
    ATTRIBUTES,
    LEGACY,
    MAX_BYTES,
    MAX_DEVICE,
    MAX_ROWS,
    WORDS,
    Word,
    legacy_device,
)

FIELDS = ("thread", "op", "stream", "reads", "writes", "event", "note", "attrs")
_RANGE = "expected [buffer, offset, size] or [buffer, offset, width, height, pitch]"


@dataclass(frozen=True)
class Range:
    """Bytes of a named buffer: [offset, offset + size).

    Strided (pitch above 0): of those only the first `width` bytes of each row of `pitch` bytes.
    """

    buffer: str
    offset: int
    size: int
    width: int = 0
    height: int = 0
    pitch: int = 0

    @property
    def end(self) -> int:
        """Offset behind its last byte."""
        return self.offset + self.size


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

    @property
    def word(self) -> Word:
        """What the notation says of it."""
        return WORDS[self.op]

    def has(self, attribute: str) -> bool:
        """Whether a yes-or-no attribute is given and true."""
        return self.attrs.get(attribute) is True


class Wrong(Exception):
    """What is wrong at the place being read, as `FIELD: what was expected`.

    `line` counts from 0, where the case begins. A file's own words may hold anything: what cannot
    be printed is escaped.
    """

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(
            "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in what)
        )
        self.line = line


def read_op(value: Any, at: str) -> CaseOp:
    """The operation that this JSON value states; `at` is its place in the case, for errors.

    Raises Wrong for anything the notation does not allow.
    """
    if not isinstance(value, dict):
        raise Wrong(f"{at}: expected a JSON object with thread and op")
    for field in value:
        if field not in FIELDS:
            raise Wrong(f"{at}.{field}: no such field, the fields are {', '.join(FIELDS)}")
    op = value.get("op")
    if not isinstance(op, str) or op not in WORDS:
        raise Wrong(f"{at}.op: expected one of {', '.join(WORDS)}{_hint(op)}")
    word = WORDS[op]
    thread = read_name(value.get("thread"), f"{at}.thread")
    if thread is None:
        raise Wrong(f"{at}.thread: expected the name of the host thread, like T0")
    case_op = CaseOp(
        thread,
        op,
        read_name(value.get("stream"), f"{at}.stream"),
        _ranges(value.get("reads"), f"{at}.reads"),
        _ranges(value.get("writes"), f"{at}.writes"),
        read_name(value.get("event"), f"{at}.event"),
        _attrs(value.get("attrs"), word, op, f"{at}.attrs"),
    )
    _check_handles(case_op, at)
    _check_ranges(case_op, at)
    return case_op


def read_name(value: Any, at: str) -> str | None:
    """A name, or None where nothing is given. Raises Wrong for what is no name."""
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not value.isprintable():
        raise Wrong(f"{at}: expected a name of 1 to 200 printable characters")
    return value


def _hint(op: object) -> str:
    close = difflib.get_close_matches(op, WORDS, n=3) if isinstance(op, str) else []
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _check_handles(op: CaseOp, at: str) -> None:
    """The stream and the event that this kind of op needs or cannot have."""
    word, stream = op.word, op.stream
    if stream is None and word.stream == "needed" and not op.has("failed"):
        raise Wrong(f"{at}.stream: {op.op} needs a stream (LEGACY is the legacy default stream)")
    if stream is not None and word.stream == "none":
        raise Wrong(f"{at}.stream: {op.op} takes no stream")
    if stream is not None and re.fullmatch(rf"{LEGACY}[0-9]+", stream):
        device = legacy_device(stream)
        if device is None or device > MAX_DEVICE:
            raise Wrong(
                f"{at}.stream: expected LEGACY for the legacy default stream of device 0, "
                f"LEGACY1 to LEGACY{MAX_DEVICE} for those of the others"
            )
    if stream is not None and op.op == "stream_create" and legacy_device(stream) is not None:
        raise Wrong(f"{at}.stream: {stream} is there from the start, expected another name")
    if op.event is None and word.event == "needed":
        raise Wrong(f"{at}.event: {op.op} needs an event")
    if op.event is not None and word.event == "none":
        raise Wrong(f"{at}.event: {op.op} takes no event")


def _check_ranges(op: CaseOp, at: str) -> None:
    """The number of ranges that this kind of op takes."""
    for field, ranges, (least, most) in (
        ("reads", op.reads, op.word.reads),
        ("writes", op.writes, op.word.writes),
    ):
        if len(ranges) > most:
            takes = f"at most {most}" if most else "none"
            raise Wrong(f"{at}.{field}: {op.op} takes {takes}, got {len(ranges)} ranges")
        if len(ranges) < least:
            raise Wrong(f"{at}.{field}: {op.op} needs {least}, like [[buffer, offset, size]]")


def _ranges(value: Any, at: str) -> tuple[Range, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Wrong(f"{at}: expected a list of [buffer, offset, size]")
    return tuple(_range(item, f"{at}[{i}]") for i, item in enumerate(value))


def _range(value: Any, at: str) -> Range:
    if not isinstance(value, list) or len(value) not in (3, 5):
        raise Wrong(f"{at}: {_RANGE}")
    buffer = read_name(value[0], f"{at}[0]")
    if buffer is None:
        raise Wrong(f"{at}[0]: expected the name of a buffer")
    offset = _whole(value[1], f"{at}[1]", "an offset in bytes", 0)
    if len(value) == 3:
        size = _whole(value[2], f"{at}[2]", "a size in bytes", 1)
        found = Range(buffer, offset, size)
    else:
        width = _whole(value[2], f"{at}[2]", "the width of a row in bytes", 1)
        height = _whole(value[3], f"{at}[3]", "a number of rows", 1)
        pitch = _whole(value[4], f"{at}[4]", "the distance of rows in bytes, the width", width)
        if height > MAX_ROWS:
            raise Wrong(f"{at}[3]: expected at most {MAX_ROWS} rows")
        size = (height - 1) * pitch + width
        found = Range(buffer, offset, size)
        if height > 1 and pitch > width:
            found = Range(buffer, offset, size, width, height, pitch)
    if found.end > MAX_BYTES:
        raise Wrong(f"{at}: a buffer ends at {MAX_BYTES} bytes (1 TiB) at the latest")
    return found


def _whole(value: Any, at: str, what: str, least: int) -> int:
    if type(value) is not int or value < least:
        raise Wrong(f"{at}: expected {what}, {least} or more")
    return value


def _attrs(value: Any, word: Word, op: str, at: str) -> dict[str, Any]:
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise Wrong(f"{at}: expected a JSON object")
    for name, given in value.items():
        if name not in word.attrs:
            raise Wrong(f"{at}.{name}: {op} has no such attribute, only {', '.join(word.attrs)}")
        _check_value(name, given, f"{at}.{name}")
    for name in word.needs:
        if name not in value:
            raise Wrong(f"{at}.{name}: {op} needs it")
    return value


def _check_value(name: str, given: Any, at: str) -> None:
    allowed = ATTRIBUTES[name]
    if allowed == "name":
        if read_name(given, at) is None:
            raise Wrong(f"{at}: expected a name")
    elif allowed == "device":
        if type(given) is not int or not 0 <= given <= MAX_DEVICE:
            raise Wrong(f"{at}: expected the number of a device, 0 to {MAX_DEVICE}")
    elif not any(given is one or (type(given) is str and given == one) for one in allowed):
        raise Wrong(f"{at}: expected {' or '.join(map(json.dumps, allowed))}")
