"""An answer to a query as text: a table to read, rows one below the other, csv, json."""

import csv
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any, Protocol

from synctrace.analyzer.query import Answer, distinct
from synctrace.analyzer.report.escape import shown

TEXT = ("table", "csv", "json")


class Text(Protocol):
    """What text is written to."""

    def write(self, text: str, /) -> object:
        """Take one more piece."""


def write_text(answer: Answer, format_: str, out: Text) -> None:
    """Write all rows as `table`, `csv` or `json`, the last two row by row."""
    if format_ == "table":
        for line in table_lines(answer.names, list(answer.rows)):
            out.write(f"{line}\n")
    elif format_ == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(answer.names)
        writer.writerows([plain(value) for value in row] for row in answer.rows)
    else:
        for part in _json_parts(answer):
            out.write(part)


def _json_parts(answer: Answer) -> Iterator[str]:
    """One list of objects, a row each."""
    keys = distinct(answer.names)
    before = "["
    for row in answer.rows:
        yield before
        before = ", "
        made = dict(zip(keys, map(json_value, row), strict=True))
        yield json.dumps(made, ensure_ascii=False)
    yield "[]\n" if before == "[" else "]\n"


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
    names: Sequence[str], rows: Sequence[tuple[Any, ...]], width: int | None = None
) -> Iterator[str]:
    """A table, its number of rows last. One wider than `width` columns is `stacked`."""
    cells = [[shown(plain(value)) for value in row] for row in rows]
    names = [shown(name) for name in names]
    widths = [max(len(line[i]) for line in (names, *cells)) for i in range(len(names))]
    if width is not None and rows and sum(widths) + 2 * (len(widths) - 1) > width:
        yield from stacked(names, cells)
    else:
        yield from _lines(names, cells, widths, [_is_number(rows, i) for i in range(len(names))])
    yield f"({len(rows):,} row{'' if len(rows) == 1 else 's'})"


def _is_number(rows: Sequence[tuple[Any, ...]], column: int) -> bool:
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
