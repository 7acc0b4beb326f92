"""An answer to a query as text: a table to read, rows one below the other, csv, json."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any, Protocol
from uuid import UUID

from synctrace.analyzer.query import BATCH_ROWS, Answer, distinct
from synctrace.analyzer.report.escape import as_json, shown

TEXT = ("table", "csv", "json")
Row = tuple[Any, ...]
WIDEST = 100  # of a column of a table: a longer text moves the rest of its own row alone
_NOT_AS_IN_CSV = frozenset({bool, bytes, list, tuple, dict})
_NOT_JSON = frozenset(
    {float, Decimal, bytes, list, tuple, dict, date, datetime, time, timedelta, UUID}
)


class Text(Protocol):
    """What text is written to."""

    def write(self, text: str, /) -> object:
        """Take one more piece."""


def write_text(answer: Answer, format_: str, out: Text) -> None:
    """Write all rows as `table`, `csv` or `json`, the last two as they come."""
    if format_ == "table":
        for line in table_lines(answer.names, list(answer.rows)):
            out.write(f"{line}\n")
    elif format_ == "csv":
        out.write(_csv([answer.names]))
        for rows in _batches(answer):
            out.write(_csv(_each(rows, _NOT_AS_IN_CSV, plain)))
    else:
        keys = distinct(answer.names)
        before = "["
        for rows in _batches(answer):
            made = [dict(zip(keys, r, strict=True)) for r in _each(rows, _NOT_JSON, json_value)]
            told = json.dumps(made, ensure_ascii=False, default=str)
            out.write(before + as_json(told)[1:-1])
            before = ", "
        out.write("[]\n" if before == "[" else "]\n")


def _batches(answer: Answer) -> Iterator[list[Row]]:
    rows = iter(answer.rows)
    while batch := list(islice(rows, BATCH_ROWS)):
        yield batch


def _each(
    rows: Sequence[Row], kinds: frozenset[type], change: Callable[[object], object]
) -> Iterable[Row]:
    """The rows, columns changed that hold values of these types: most hold none."""
    columns = list(zip(*rows, strict=True))
    if not any(kinds & set(map(type, column)) for column in columns):
        return rows
    return zip(*(map(change, c) if kinds & set(map(type, c)) else c for c in columns), strict=True)


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def json_value(value: object) -> object:
    """The value as JSON has it: decimals as numbers, dates in ISO 8601, bytes in hexadecimal.

    null is also what JSON has no number for (NaN, infinity); other types are text.
    """
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [json_value(each) for each in value]
    if isinstance(value, dict):
        return {plain(key): json_value(each) for key, each in value.items()}
    return str(value)


def plain(value: object) -> str:
    """The value as text: empty for NULL, lists and structs as JSON, bytes in hexadecimal."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple | dict):
        return json.dumps(json_value(value), ensure_ascii=False)
    return str(value)


def table_lines(
    names: Sequence[str], rows: Sequence[Row], width: int | None = None
) -> Iterator[str]:
    """A table, its number of rows last. One wider than `width` columns is `stacked`."""
    cells = [[shown(plain(value)) for value in row] for row in rows]
    names = [shown(name) for name in names]
    widths = [max(len(line[i]) for line in (names, *cells)) for i in range(len(names))]
    if width is not None and rows and sum(widths) + 2 * (len(widths) - 1) > width:
        yield from stacked(names, cells)
    else:
        widths = [min(wide, WIDEST) for wide in widths]
        yield from _lines(names, cells, widths, [_is_number(rows, i) for i in range(len(names))])
    yield f"({len(rows):,} row{'' if len(rows) == 1 else 's'})"


def _is_number(rows: Sequence[Row], column: int) -> bool:
    numbers = (int, float, Decimal, type(None))
    return bool(rows) and all(
        isinstance(row[column], numbers) and not isinstance(row[column], bool) for row in rows
    )


def _lines(
    names: Sequence[str],
    cells: Iterable[Sequence[str]],
    widths: Sequence[int],
    right: Sequence[bool],
) -> Iterator[str]:
    for line in (names, ["-" * width for width in widths], *cells):
        padded = (
            text.rjust(width) if is_right else text.ljust(width)
            for text, width, is_right in zip(line, widths, right, strict=True)
        )
        yield "  ".join(padded).rstrip()


def stacked(names: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Row by row, a line a column: nothing is cut, whatever the width."""
    width = max(map(len, names))
    for number, row in enumerate(cells, start=1):
        yield f"-- row {number:,} " + "-" * max(0, width - 4 - len(f"{number:,}"))
        for name, text in zip(names, row, strict=True):
            yield f"{name:<{width}}  {text}".rstrip()
