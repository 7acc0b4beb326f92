"""Rows on their way into the trace, as columns; and ids for distinct things."""

from collections.abc import Hashable
from typing import Any

from synctrace.tracer.writer import TraceWriter

Row = dict[str, Any]


class Ids:
    """Dense ids from 1 for distinct keys."""

    def __init__(self) -> None:
        self._ids: dict[Hashable, int] = {}

    def of(self, key: Hashable) -> tuple[int, bool]:
        """Id of the key, and whether it is new."""
        known = self._ids.get(key)
        if known is not None:
            return known, False
        self._ids[key] = len(self._ids) + 1
        return len(self._ids), True


class Columns:
    """Rows not yet given to the writer. All rows of a table have the same columns."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, list[Any]]] = {}
        self._lives: dict[tuple[str, int], int] = {}

    def put(self, table: str, row: Row) -> None:
        """Add one row."""
        columns = self._tables.setdefault(table, {name: [] for name in row})
        for name, value in row.items():
            columns[name].append(value)

    def write(self, writer: TraceWriter) -> None:
        """Give all rows to the writer."""
        for table, columns in self._tables.items():
            writer.append(table, columns)
        self._tables.clear()

    def life(self, table: str, handle: int) -> int:
        """n-th life of a handle, from 1."""
        life = self._lives.get((table, handle), 0) + 1
        self._lives[table, handle] = life
        return life
