"""Rows at the index that is their id, for tables whose ids are dense from 1.

A torn trace may lack rows. Memory is bounded all the same: an id far beyond the number of rows is
damage.
"""

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.errors import damaged
from synctrace.tracer.reader import Trace

# Ids up to so many, and so many a row there is, are taken for those of a trace that lacks rows.
SPARE, A_ROW = 1 << 16, 16


def check_id(trace: Trace, table: str, largest: int | None, rows: int) -> None:
    """Raises SynctraceError if `largest` is no id of a table that has or had about so many rows."""
    if (largest or 0) > SPARE + A_ROW * rows:
        raise damaged(trace.path, f"id {largest} of table {table}, which has {rows} rows")


def by_id(trace: Trace, name: str, rows: pa.Table | None = None) -> pa.Table:
    """Integer columns, each row at the index that is its id; missing rows and row 0 are zero.

    `rows`: those to be taken for the table's.
    """
    table = trace.table(name) if rows is None else rows
    ids = table["id"].combine_chunks()
    names = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    columns = {name: table[name].combine_chunks() for name in names}
    if _is_dense(ids):
        zero = {name: pa.array([0], column.type) for name, column in columns.items()}
        joined = {name: pa.concat_arrays([zero[name], columns[name]]) for name in names}
        return pa.table(joined)
    largest = pc.max(ids).as_py()
    check_id(trace, name, largest, table.num_rows)
    at: list[int | None] = [None] * (largest + 1)
    for row, id_ in enumerate(ids.to_pylist()):
        at[id_] = row
    at[0] = None
    index = pa.array(at, pa.int64())
    return pa.table({name: pc.fill_null(columns[name].take(index), 0) for name in names})


def _is_dense(ids: pa.Array) -> bool:
    """Whether they are 1, 2, 3, …"""
    if not len(ids):
        return True
    ends = ids[0].as_py() == 1 and ids[-1].as_py() == len(ids)
    return ends and bool(pc.all(pc.less(ids[:-1], ids[1:])).as_py())
