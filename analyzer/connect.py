"""A DuckDB connection that holds one trace under the documented views of views.sql.

Views, the macros they use and the tables they read are made on first need: opening a small trace
costs a few ms. A connection is locked from the start: no files, no network, no extensions, no
settings, no variables of this program.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from synctrace.analyzer.joinable import need_joinable
from synctrace.analyzer.kind_macros import kind_macros
from synctrace.tracer import schema
from synctrace.tracer.decoded import NOTHING
from synctrace.tracer.errors import SynctraceError, damaged

if TYPE_CHECKING:
    import pyarrow as pa

    from synctrace.tracer.reader import Trace

Row = dict[str, Any]  # of an answer, by column

# Tables of up to so many bytes, decompressed, are held in memory; larger ones are scanned from the
# file.
IN_MEMORY_BYTES = 96 << 20

# Memory is DuckDB's own limit, 80 % of the machine's or the container's, and none of it is spilled:
# the folder for that would be one of the current directory.
LOCKED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
}

KERNEL_NAMES = "_kernel_names"  # private table: id of a kernel, its name demangled


@dataclass(frozen=True)
class View:
    """One documented view: its sentence, its columns with theirs, and the SQL that makes it."""

    name: str
    doc: str
    columns: dict[str, str]
    sql: str


@cache
def views() -> dict[str, View]:
    """Every public view by name, in the order of views.sql."""
    return _views("views.sql")


@cache
def private_views() -> dict[str, View]:
    """Views that others are made of; their columns need no sentence."""
    return _views("own_frames.sql") | _views("device_times.sql")


def _views(file: str) -> dict[str, View]:
    text = (files("synctrace.analyzer") / file).read_text(encoding="utf-8")
    found = re.findall(r"((?:^--[^\n]*\n)+)(CREATE VIEW (\w+) AS\n.*?;)\n", text, re.M | re.S)
    return {name: _view(name, head, sql) for head, sql, name in found}


@cache
def macros() -> dict[str, View]:
    """Every public macro by name; its columns are none."""
    text = (files("synctrace.analyzer") / "macros.sql").read_text(encoding="utf-8")
    found = re.findall(r"((?:^--[^\n]*\n)+)(CREATE MACRO (\w+)\(.*?;)\n", text, re.M | re.S)
    return {name: View(name, _sentences(head), {}, sql) for head, sql, name in found}


def _sentences(head: str) -> str:
    return " ".join(line.removeprefix("--").strip() for line in head.splitlines())


def _view(name: str, head: str, sql: str) -> View:
    return View(name, _sentences(head), documented_columns(sql), sql)


def documented_columns(sql: str) -> dict[str, str]:
    """Columns that a comment behind them explains, with that sentence."""
    columns = {}
    for line in sql.splitlines():
        code, comment, sentence = line.partition(" -- ")
        if comment and (column := re.search(r"(\w+),?\s*$", code)):
            columns[column[1]] = sentence.strip()
    return columns


def _kernel_names(trace: "Trace") -> "pa.Table":
    import pyarrow as pa

    from synctrace.analyzer.engine import demangled

    kernels = trace.table("kernel")
    names = [demangled(name) for name in kernels["name"].to_pylist()]
    return pa.table({"id": kernels["id"], "demangled": pa.array(names, pa.string())})


class Session:
    """A connection that makes views, macros and tables as SQL names them."""

    def __init__(self, trace: "Trace", tables: "Mapping[str, pa.Table] | None" = None) -> None:
        """`tables`: private tables by name besides those of the trace (_conflicts, …).

        Raises SynctraceError where the current folder is gone.
        """
        import duckdb

        self.trace = trace
        # Several threads only cost time to plan for and to start where there is little to do.
        config = LOCKED | ({"threads": 1} if is_small(trace, "op") else {})
        try:
            self.con: duckdb.DuckDBPyConnection = duckdb.connect(config=config)
        except duckdb.IOException as error:  # it asks where it is, though it reads nothing there
            raise SynctraceError(
                "the current folder is gone or cannot be read: change to another one"
            ) from error
        # Under `python -c` and at Python's prompt DuckDB would print one among the answers.
        self.con.execute("SET enable_progress_bar = false").fetchall()
        self.con.execute("SET lock_configuration = true").fetchall()
        self._given = dict(tables or {})
        self._made: set[str] = set()
        self._tables: dict[str, object] = {}

    def provide(self, sql: str) -> None:
        """Make everything that this SQL names, and what that needs in turn."""
        self._provide(re.findall(r"\w+", without_comments(sql)))

    def _provide(self, words: list[str]) -> None:
        for name in (word.lower() for word in words):
            if name not in self._made and self._known(name):
                self._made.add(name)
                try:
                    self._make(name)
                except BaseException:
                    self._made.discard(name)
                    raise

    def _known(self, name: str) -> bool:
        return (
            name in self._given
            or name in views()
            or name in private_views()
            or name in macros()
            or name in kind_macros()
            or name == KERNEL_NAMES
            or name.removeprefix("_") in schema.TABLES
        )

    def _make(self, name: str, kept: bool = False) -> None:
        if name in self._given:
            self.con.register(name, self._given[name])
        elif name in macros():
            sql = without_comments(macros()[name].sql)
            self._provide(_named(sql))
            self.con.execute(sql).fetchall()
        elif name in kind_macros():
            self.con.execute(f"CREATE MACRO {name}(n) AS {kind_macros()[name]}").fetchall()
        elif view := views().get(name) or private_views().get(name):
            sql = without_comments(view.sql)
            self._provide(_named(sql))
            made = "CREATE TABLE" if kept else "CREATE VIEW"
            self.con.execute(sql.replace("CREATE VIEW", made, 1)).fetchall()
        elif name == KERNEL_NAMES:
            self.con.register(name, _kernel_names(self.trace))
        elif name.startswith("_"):
            self.con.register(name, self.table(name[1:]))

    def table(self, name: str) -> object:
        """A table of the trace as DuckDB can scan it many times.

        Raises SynctraceError for a damaged one, and for one that no join over it would come to an
        end with.
        """
        if name not in self._tables and name == "access" and _has_modes(self.trace):
            from synctrace.analyzer.known_modes import accesses

            need_joinable(self.trace, name)
            self._tables[name] = accesses(self.trace)
        if name not in self._tables:
            small = is_small(self.trace, name)
            if not small:  # the file is scanned as it is
                for _ in self.trace.batches(name):
                    pass
            need_joinable(self.trace, name)
            self._tables[name] = self.trace.table(name) if small else self.trace.source(name)
        return self._tables[name]

    def scan(
        self, table: str, columns: list[str], sql: str, *values: object
    ) -> list[tuple[Any, ...]]:
        """Run our own SQL over one pass of a table, called _scan; a large one is streamed."""
        self.con.register("_scan", self._one_pass(table, columns))
        try:
            return self.rows(sql, *values)
        finally:
            self.con.unregister("_scan")

    def _one_pass(self, table: str, columns: list[str]) -> object:
        if is_small(self.trace, table) or (table == "access" and _has_modes(self.trace)):
            return self.table(table)
        import pyarrow as pa

        fields = [schema.TABLES[table].schema.field(c) for c in columns]
        batches = self.trace.batches(table, columns)
        return pa.RecordBatchReader.from_batches(pa.schema(fields), batches)

    def give(self, name: str, table: "pa.Table") -> None:
        """Add a private table; the views over it are made when SQL names them."""
        self._given[name] = table

    def keep(self, view: str) -> None:
        """Run a view once and keep its rows: for views that many rules ask."""
        self._made.add(view)
        self._make(view, kept=True)

    def holds(self, name: str) -> bool:
        """Whether a given private table has rows."""
        return bool(self._given[name].num_rows)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run our own SQL. Raises SynctraceError where the trace's numbers or size defeat it."""
        return self._run(sql, values)[1]

    def dicts(self, sql: str, *values: object) -> list[Row]:
        """Run our own SQL; one dict a row."""
        names, rows = self._run(sql, values)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _run(self, sql: str, values: Sequence[object]) -> tuple[list[str], list[tuple[Any, ...]]]:
        import duckdb

        self._provide(_named(without_comments(sql)))
        try:
            cursor = self.con.execute(sql, list(values))
            return [d[0] for d in cursor.description or ()], cursor.fetchall()
        except duckdb.OutOfMemoryException as error:
            raise SynctraceError(
                f"{self.trace.path} needs more memory than there is "
                f"({str(error).splitlines()[0]}): record a shorter run"
            ) from error
        except duckdb.DataError as error:  # a number that does not fit
            raise damaged(self.trace.path, str(error).splitlines()[0]) from error


def _has_modes(trace: "Trace") -> bool:
    """Whether table access is not what its file says: kernels' code says more."""
    if "kernel_code" not in trace.decoded:
        return False
    from synctrace.analyzer.known_modes import has_modes

    return has_modes(trace)


def is_small(trace: "Trace", table: str) -> bool:
    """Whether the table is held in memory rather than scanned from its file."""
    return trace.decoded.get(table, NOTHING).bytes <= IN_MEMORY_BYTES


def without_comments(sql: str) -> str:
    """The statement alone: comments become spaces."""
    return re.sub(r"--[^\n]*|/\*.*?\*/", " ", sql, flags=re.S)


def _named(sql: str) -> list[str]:
    """What our own SQL names: tables after FROM and JOIN, macros before a bracket.

    Its other words, columns and kinds of ops called like a view among them, are none.
    """
    return re.findall(r"\w+(?=\()|(?<=\bFROM )\w+|(?<=\bJOIN )\w+", sql)
