"""What every join over the tables of a trace relies on: a key names one row, scopes are a tree.

A trace that breaks it would not be wrong, but endless: ten rows of one id are ten thousand million
in a join of ten tables, and scopes that lie within each other have no outermost.
"""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.decoded import NOTHING
from synctrace.tracer.errors import damaged
from synctrace.tracer.reader import MOST_ROWS, Trace
from synctrace.tracer.schema import TABLES

MOST_DEPTH = 256  # scopes around a scope
_KEYS = {"graph": ("id", "version"), "frame": ("address",)}


def need_joinable(trace: Trace, table: str) -> None:
    """Raises SynctraceError for a table that names two rows alike, and for scopes that are no
    tree of up to MOST_DEPTH."""
    key = _KEYS.get(table, ("id",))
    if key[0] not in TABLES[table].schema.names:
        return
    if not 0 < trace.decoded.get(table, NOTHING).rows <= MOST_ROWS:  # more ops: the engine's matter
        return
    batches = list(trace.batches(table, key))
    if not batches:
        return
    rows = pa.Table.from_batches(batches)
    ids = rows[key[0]].combine_chunks()
    if len(key) > 1:
        upper = pc.shift_left(ids.cast(pa.uint64()), pa.scalar(32, pa.uint64()))
        ids = pc.bit_wise_or(upper, rows[key[1]].combine_chunks().cast(pa.uint64()))
    if not _grow(ids) and pc.count_distinct(ids).as_py() < len(ids):
        raise damaged(trace.path, f"two rows of table {table} have the same {' and '.join(key)}")
    if table == "scope":
        _need_tree(trace)


def _grow(ids: Any) -> bool:
    """Whether each is greater than the one before: what a recorder writes."""
    return bool(pc.all(pc.less(ids[:-1], ids[1:])).as_py())


def _need_tree(trace: Trace) -> None:
    parents: dict[int, int] = {}
    for batch in trace.batches("scope", ["id", "parent"]):
        parents |= zip(*(column.to_pylist() for column in batch.columns), strict=True)
    if 0 in parents:
        raise damaged(trace.path, "scope 0 is none")
    depths = {0: 0}
    for scope in parents:
        path: list[int] = []
        at = scope
        while at not in depths and len(path) <= MOST_DEPTH:
            path.append(at)
            at = parents.get(at, 0)
        depth = depths.get(at, MOST_DEPTH) + len(path)
        if depth > MOST_DEPTH:
            raise damaged(
                trace.path,
                f"scope {scope} lies within itself or within more than {MOST_DEPTH} others",
            )
        depths |= {each: depth - n for n, each in enumerate(path)}
