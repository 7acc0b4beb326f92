"""Whatever fits the contract comes back as it went in, however it is cut into batches."""

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from synctrace.tracer import reader
from synctrace.tracer.reader import MOST_NS, open_trace
from synctrace.tracer.schema import TABLES, Column
from synctrace.tracer.writer import TraceWriter

BITS = {pa.uint8(): 8, pa.uint32(): 32, pa.uint64(): 64}


def values(type_: pa.DataType) -> st.SearchStrategy[Any]:
    if type_ in BITS:
        return st.integers(0, 2 ** BITS[type_] - 1)
    if type_ == pa.int32():
        return st.integers(-(2**31), 2**31 - 1)
    if type_ == pa.int64():
        return st.integers(1 - MOST_NS, MOST_NS - 1)
    if pa.types.is_list(type_):
        return st.lists(values(type_.value_type), max_size=4)
    if pa.types.is_floating(type_):
        return st.floats(allow_nan=False)
    assert pa.types.is_string(type_)
    return st.text(max_size=8)


def of_column(table: str, column: Column) -> st.SearchStrategy[Any]:
    if words := reader._VOCABULARIES.get((table, column.name)):
        return st.sampled_from([int(word) for word in words])
    return st.none() | values(column.type) if column.nullable else values(column.type)


def rows_of(name: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    row = st.fixed_dictionaries(
        {column.name: of_column(name, column) for column in TABLES[name].columns}
    )
    return st.lists(row, max_size=6)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_written_rows_are_read_rows(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TABLES)))
    parts = data.draw(st.lists(rows_of(name), max_size=3))
    columns = TABLES[name].schema.names
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t"
        with TraceWriter(path, {}) as writer:
            for rows in parts:
                writer.append(name, {column: [row[column] for row in rows] for column in columns})
                if data.draw(st.booleans()):
                    writer.flush()
        trace = open_trace(path)
        assert trace.complete
        written = [row for rows in parts for row in rows]
        assert trace.table(name).to_pylist() == written
        assert trace.meta["counts"] == ({name: len(written)} if written else {})
        some = data.draw(st.lists(st.sampled_from(columns), min_size=1, unique=True))
        read = [row for batch in trace.batches(name, some) for row in batch.to_pylist()]
        assert read == [{column: row[column] for column in some} for row in written]
