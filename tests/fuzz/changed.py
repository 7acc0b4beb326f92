"""A trace somebody has been at: its rows, its files and its meta.json changed as an input says."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from drawn import TEXTS, Drawn

from synctrace.tracer.schema import TABLES, table_file

MOST_CHANGES = 12
MOST_ROWS = 3000  # of a table: an input is to be judged in well under a second


@dataclass
class Changing:
    """Rows of each table, meta.json, and what is to be done to the files once they are written."""

    rows: dict[str, list[dict[str, Any]]]
    meta: dict[str, Any]
    schemas: dict[str, pa.Schema]
    layout: dict[str, str]
    after: list[Callable[[Path], None]]


def write(seed: Path, draw: Drawn, out: Path) -> None:
    """Write the seed's trace to the folder `out` with the changes that are drawn."""
    trace = Changing({}, json.loads((seed / "meta.json").read_text()), {}, {}, [])
    for name in TABLES:
        if table_file(seed, name).exists():
            with pa.ipc.open_file(str(table_file(seed, name))) as file:
                trace.rows[name] = file.read_all().to_pylist()
    for _ in range(MOST_CHANGES):
        if not draw:
            break
        draw.one(CHANGES)(trace, draw)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    (out / "meta.json").write_text(json.dumps(trace.meta))
    for name, rows in trace.rows.items():
        _write_table(table_file(out, name), name, rows[:MOST_ROWS], trace)
    for each in trace.after:
        each(out)


def _table(trace: Changing, draw: Drawn) -> tuple[str, list[dict[str, Any]]]:
    name = draw.one(list(TABLES))
    return name, trace.rows.setdefault(name, [])


def _value(name: str, column: str, draw: Drawn) -> Any:
    type_ = TABLES[name].schema.field(column).type
    if pa.types.is_list(type_):
        return [_number(type_.value_type, draw) for _ in range(draw.one((0, 1, 2, 3, 40, 900)))]
    if pa.types.is_string(type_):
        return draw.one(TEXTS)
    if pa.types.is_floating(type_):
        return draw.one((0.0, float("nan"), float("inf"), -1e308))
    return _number(type_, draw)


def _number(type_: pa.DataType, draw: Drawn) -> int:
    signed = pa.types.is_signed_integer(type_)
    value = draw.edge() % (1 << type_.bit_width)
    return value - (1 << type_.bit_width) if signed and value >> (type_.bit_width - 1) else value


def _cell(trace: Changing, draw: Drawn) -> None:
    name, rows = _table(trace, draw)
    if rows:
        column = draw.one(TABLES[name].schema.names)
        rows[draw.number(len(rows))][column] = _value(name, column, draw)


def _column(trace: Changing, draw: Drawn) -> None:
    name, rows = _table(trace, draw)
    column = draw.one(TABLES[name].schema.names)
    value = _value(name, column, draw)
    for row in rows:
        row[column] = value


def _more(trace: Changing, draw: Drawn) -> None:
    """A row again and again; perhaps each with an id of its own."""
    name, rows = _table(trace, draw)
    row = rows[draw.number(len(rows))] if rows else {}
    full = {c.name: row.get(c.name, _value(name, c.name, draw)) for c in TABLES[name].columns}
    numbered = [c for c in ("id", "ticket_c", "ticket_r") if c in full and draw.number(4)]
    for _ in range(draw.one((1, 2, 30, 500))):
        next_ = {c: max((r[c] or 0 for r in rows), default=0) + 1 for c in numbered}
        rows.append(full | {c: value % 2**32 for c, value in next_.items()})


def _fewer(trace: Changing, draw: Drawn) -> None:
    _, rows = _table(trace, draw)
    del rows[draw.number(len(rows) + 1) :]


def _swap(trace: Changing, draw: Drawn) -> None:
    _, rows = _table(trace, draw)
    if rows:
        one, other = draw.number(len(rows)), draw.number(len(rows))
        rows[one], rows[other] = rows[other], rows[one]


def _drop(trace: Changing, draw: Drawn) -> None:
    trace.rows.pop(draw.one(list(TABLES)), None)


def _meta(trace: Changing, draw: Drawn) -> None:
    trace.meta[draw.one(sorted(trace.meta))] = draw.json()


def _counts(trace: Changing, draw: Drawn) -> None:
    """An unclosed trace, or one that does not count its rows."""
    trace.meta["counts"] = {}
    trace.meta["complete"] = bool(draw.number(2))


def _schema(trace: Changing, draw: Drawn) -> None:
    name = draw.one(list(TABLES))
    schema = trace.schemas.get(name, TABLES[name].schema)
    at = draw.number(len(schema))
    field, own = schema.field(at), TABLES[name].schema.field(at)
    changed = draw.one(
        (
            pa.field(field.name, pa.dictionary(pa.int32(), own.type)),
            pa.field(field.name, own.type, nullable=not own.nullable),
            pa.field(field.name, pa.list_(own.type)),
            pa.field("x", own.type, nullable=False),
            pa.field(field.name, pa.null()),
            pa.field(field.name, pa.string_view()),
        )
    )
    trace.schemas[name] = schema.set(at, changed)


def _layout(trace: Changing, draw: Drawn) -> None:
    name = draw.one(list(TABLES))
    trace.layout[name] = draw.one(("plain", "zstd", "stream", "rows", "empty"))


def _byte(trace: Changing, draw: Drawn) -> None:
    file, at, bit = draw.one(["meta.json", *_files()]), draw.number(1 << 16), draw.number(256)

    def change(folder: Path) -> None:
        path = folder / file
        if path.exists() and (data := bytearray(path.read_bytes())):
            data[at % len(data)] ^= bit or 1
            path.write_bytes(data)

    trace.after.append(change)


def _cut(trace: Changing, draw: Drawn) -> None:
    file, at = draw.one(["meta.json", *_files()]), draw.number(1 << 16)

    def cut(folder: Path) -> None:
        path = folder / file
        if path.exists():
            data = path.read_bytes()
            path.write_bytes(data[: at % (len(data) + 1)])

    trace.after.append(cut)


def _files() -> list[str]:
    return [f"{name}.arrow" for name in TABLES]


CHANGES = (
    *(_cell, _cell, _cell, _cell, _cell, _cell, _column, _column, _more, _more, _fewer, _swap),
    *(_drop, _meta, _counts, _counts, _schema, _layout, _byte, _byte, _cut),
)


def _write_table(file: Path, name: str, rows: list[dict[str, Any]], trace: Changing) -> None:
    own = TABLES[name].schema
    columns = [_array(field, [row[field.name] for row in rows]) for field in own]
    schema = trace.schemas.get(name, own)
    for i, field in enumerate(schema):
        if field.type != own.field(i).type:
            columns[i] = _as_type(columns[i], field.type)
    batch = pa.RecordBatch.from_arrays(columns, schema=schema)
    layout = trace.layout.get(name, "")
    compression = {"plain": None, "zstd": "zstd"}.get(layout, "lz4")
    options = pa.ipc.IpcWriteOptions(compression=compression)
    if layout == "stream":
        with pa.OSFile(str(file), "wb") as sink:
            sink.write(b"ARROW1\0\0")
            with pa.ipc.new_stream(sink, schema, options=options) as stream:
                stream.write_batch(batch)
        return
    with pa.ipc.new_file(str(file), schema, options=options) as out:
        for at in range(0, len(rows), 3) if layout == "rows" else [0]:
            out.write_batch(batch.slice(at, 3) if layout == "rows" else batch)
        if layout == "empty":
            out.write_batch(batch.slice(0, 0))


def _array(field: pa.Field, values: list[Any]) -> pa.Array:
    """Texts may be no UTF-8: they are made of bytes."""
    if pa.types.is_string(field.type):
        as_bytes = [v.encode() if isinstance(v, str) else v for v in values]
        return pa.array(as_bytes, pa.binary()).view(pa.string())
    return pa.array(values, field.type)


def _as_type(column: pa.Array, type_: pa.DataType) -> pa.Array:
    if pa.types.is_list(type_):
        ends = pa.array(range(len(column) + 1), pa.int32())
        return pa.ListArray.from_arrays(ends, column)
    if pa.types.is_dictionary(type_) and len(column):
        return pa.DictionaryArray.from_arrays(pa.array([0] * len(column), pa.int32()), column[:1])
    return pa.nulls(len(column), type_)
