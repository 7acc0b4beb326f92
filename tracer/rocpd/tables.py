"""The tables of a rocprofv3 database, under one set of names for every version of its schema.

Schema 3 (ROCm 7) has times, thread and process in each row, schema 4 points at rows of
rocpd_track and rocpd_timestamp. A table's name ends with the UUID of the process that wrote it;
views without it join all of them. Older files have no UUID.
"""

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from synctrace.tracer.errors import SynctraceError

HOW = "record with `rocprofv3 --runtime-trace -- PROGRAM` of ROCm 7 or newer"

# What is told where a table is missing; the first three cannot be done without.
_NEEDED = {
    "region": "the calls",
    "string": "the names of the calls",
    "arg": "the arguments of the calls",
}
_WANTED = {
    "event": "no call can be joined with what ran for it: no device times, allocations or kernels",
    "kernel_dispatch": "kernels have no names and no device times",
    "memory_copy": "copies have no device times, and the direction of some is not known",
    "memory_allocate": "which memory was allocated is not known",
    "info_process": "the command line is not known",
    "info_thread": "threads have no names",
    "info_agent": "all work is taken as work of device 0",
    "info_kernel_symbol": "kernels have no names",
}
_OTHERS = ("info_node", "track", "timestamp", "metadata")
_SUFFIX = re.compile(r"(_[0-9A-Fa-f_]{8,})?")  # a UUID with _ for -, or nothing
# Tables of rocmProfileData (rpd), whose files have the same first word.
_OF_RPD = {"rocpd_op", "rocpd_api"}


@dataclass(frozen=True)
class Tables:
    """The tables that one process wrote: quoted name and columns of each."""

    names: dict[str, str]
    columns: dict[str, frozenset[str]]

    def __contains__(self, table: object) -> bool:
        return table in self.names

    @property
    def missing(self) -> list[str]:
        """What is not known for want of a table, a sentence each."""
        return [
            f"there is no table rocpd_{table}: {loss}"
            for table, loss in _WANTED.items()
            if table not in self.names
        ]

    def column(self, table: str, *names: str) -> str:
        """SQL of the first of these columns that `x` or, in schema 4, its track `k` has."""
        for name in names:
            if name in self.columns[table]:
                return f'x."{name}"'
            if self._has_track(table) and name in self.columns["track"]:
                return f'k."{name}"'
        return "NULL"

    def rows(self, table: str) -> str:
        """SQL of the table as `x`, joined with what `column` and `times` refer to."""
        sql = f"{self.names[table]} AS x"
        if self._has_track(table):
            sql += f" LEFT JOIN {self.names['track']} AS k ON k.id = x.track_id"
        if self._has_timestamps(table):
            stamps = self.names["timestamp"]
            sql += f" LEFT JOIN {stamps} AS s ON s.id = x.start_id"
            sql += f" LEFT JOIN {stamps} AS e ON e.id = x.end_id"
        return sql

    def times(self, table: str) -> str:
        """SQL of start and end, two columns."""
        if self._has_timestamps(table):
            return "s.value AS started, e.value AS ended"
        start, end = self.column(table, "start"), self.column(table, "end")
        return f"{start} AS started, {end} AS ended"

    def _has_track(self, table: str) -> bool:
        return "track_id" in self.columns[table] and "track" in self.names

    def _has_timestamps(self, table: str) -> bool:
        return "start_id" in self.columns[table] and "timestamp" in self.names


def find(connection: sqlite3.Connection, file: Path) -> list[Tables]:
    """The sets of tables in the file, in the order of their UUIDs.

    Raises SynctraceError for a database that is none of rocprofv3's, or without calls or arguments.
    """
    kinds: dict[str, str] = dict(
        connection.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')")
    )
    sets: dict[str, dict[str, str]] = {}
    for name in kinds:
        for table in (*_NEEDED, *_WANTED, *_OTHERS):
            rest = name.removeprefix(f"rocpd_{table}")
            if rest != name and _SUFFIX.fullmatch(rest):
                sets.setdefault(rest, {})[table] = name
    sets = {suffix: names for suffix, names in sets.items() if "region" in names}
    if len(sets) > 1 and "" in sets and kinds[sets[""]["region"]] == "view":
        del sets[""]  # the views over the others
    if not sets:
        raise SynctraceError(_none_of_ours(kinds, file))
    return [_tables(connection, sets[suffix], file) for suffix in sorted(sets)]


def _none_of_ours(kinds: dict[str, str], file: Path) -> str:
    if _OF_RPD & set(kinds):
        return f"{file} is a database of rocmProfileData, which has no arguments of calls: {HOW}"
    return f"{file} is no database of rocprofv3 (it has no table rocpd_region): {HOW}"


def _tables(connection: sqlite3.Connection, names: dict[str, str], file: Path) -> Tables:
    for table, what in _NEEDED.items():
        if table not in names:
            raise SynctraceError(
                f"{file} does not hold {what} (there is no table rocpd_{table}): {HOW}"
            )
    quoted = {table: '"' + name.replace('"', '""') + '"' for table, name in names.items()}
    columns = {
        table: frozenset(row[1] for row in connection.execute(f"PRAGMA table_info({name})"))
        for table, name in quoted.items()
    }
    return Tables(quoted, columns)
