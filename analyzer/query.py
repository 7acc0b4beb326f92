"""SQL of the user over one trace, on a locked connection."""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synctrace.analyzer.connect import Session, views, without_comments
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.reader import Trace

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from synctrace.analyzer.order import Order

_ORDER_VIEWS = {"conflict", "need", "need_pair", "needless", "needless_op"}
_PROPOSAL_VIEWS = {"over_broad", "avoidable"}
_CHECK_VIEWS = {"finding"}
_HISTORY = {"edge", "hb"}
ORDERED = _ORDER_VIEWS | _PROPOSAL_VIEWS | _CHECK_VIEWS | _HISTORY  # that run the order engine
_LATE_VIEWS = {"late_use"}
_BRANCH_VIEWS = {"branch"}
_MISSING = re.compile(r'Catalog Error: Table with name "?([^\s"]+)"? does not exist')

# Rows that are in memory at a time, of an answer that is written as it comes.
BATCH_ROWS = 1 << 14


@dataclass(frozen=True)
class Answer:
    """Rows of one statement: a list, or as they come, to be read once. No names: it gives none."""

    names: tuple[str, ...]
    rows: Iterable[tuple[Any, ...]]


class Questions:
    """A trace that can be asked. Order and findings are computed when a question names them."""

    def __init__(
        self, trace: Trace, profiles: Sequence[str] = (), host_order: str = "observed"
    ) -> None:
        self.trace = trace
        self.profiles = tuple(profiles)
        self.host_order = host_order
        self.session = Session(trace)
        self.session.give("_named", self.session.table("op"))
        self._ready: set[str] = set()
        self._found: Order | None = None  # once a question needs it

    @contextmanager
    def asked(self, sql: str) -> Iterator[Answer]:
        """Run one statement; its answer is to be read within. Raises SynctraceError as `ask`."""
        with self._told(sql):
            cursor = self.session.con.execute(sql)
            names = tuple(d[0] for d in cursor.description or ())
            yield Answer(names, _fetched(cursor) if names else iter(()))

    @contextmanager
    def asked_arrow(self, sql: str) -> Iterator["pa.RecordBatchReader"]:
        """The same in Arrow, batch by batch; columns of one name are told apart."""
        import pyarrow as pa

        with self._told(sql):
            relation = self.session.con.sql(sql)
            if relation is None:
                raise SynctraceError("the statement gives no rows: SELECT something")
            found = relation.to_arrow_reader(BATCH_ROWS)
            schema = renamed(found.schema)
            batches = (pa.record_batch(b.columns, schema=schema) for b in found)
            yield pa.RecordBatchReader.from_batches(schema, batches)

    def ask(self, sql: str) -> Answer:
        """Run one statement to its end. Raises SynctraceError for SQL that does not run."""
        with self.asked(sql) as answer:
            return Answer(answer.names, list(answer.rows))

    def ask_arrow(self, sql: str) -> "pa.Table":
        """Result of one query in Arrow. Raises SynctraceError for SQL that does not run."""
        with self._told(sql):
            table: pa.Table = self.session.con.sql(sql).to_arrow_table()
            return table

    @contextmanager
    def _told(self, sql: str) -> Iterator[None]:
        """What the SQL names is made; DuckDB's errors are told as the user's."""
        import duckdb

        need_text(sql)
        self._prepare(sql)
        try:
            self.session.provide(sql)
            yield
        except duckdb.CatalogException as error:
            missing = _MISSING.match(str(error))
            told = _no_view(missing[1]) if missing else str(error)
            raise SynctraceError(f"the query does not run: {told}".expandtabs(2)) from error
        except duckdb.Error as error:
            raise SynctraceError(f"the query does not run: {error}") from error
        except RuntimeError as error:  # so DuckDB tells of Ctrl-C
            if "interrupted" in str(error).lower():
                raise KeyboardInterrupt from error
            raise

    def statements(self, text: str) -> list[str]:
        """The statements of a text. Raises SynctraceError for text that is no SQL."""
        import duckdb

        need_text(text)
        try:
            return [s.query for s in self.session.con.extract_statements(text)]
        except duckdb.Error as error:
            raise SynctraceError(f"the query does not parse: {error}") from error

    def _prepare(self, sql: str) -> None:
        named = {word.lower() for word in re.findall(r"\w+", without_comments(sql))}
        if named & {"loss", "coverage"}:
            self._once("account", self._give_account)
        if named & (_ORDER_VIEWS | _PROPOSAL_VIEWS):
            self._once("order", self._give_order)
        if named & _HISTORY:
            self._once("history", self._give_history)
        if named & _LATE_VIEWS:
            self._once("late", self._give_late)
        if named & _BRANCH_VIEWS:
            self._once("branches", self._give_branches)
        if named & _PROPOSAL_VIEWS:
            self._once("proposals", self._give_proposals)
        if named & _CHECK_VIEWS:
            self._once("check", self._give_findings)

    def _once(self, what: str, give: Callable[[], None]) -> None:
        if what not in self._ready:
            give()
            self._ready.add(what)

    def _give_account(self) -> None:
        from synctrace.analyzer.check import give_account
        from synctrace.analyzer.coverage import counters

        give_account(self.session, self.trace, counters(self.session, self.trace))

    def _give_branches(self) -> None:
        from synctrace.analyzer.branches import fetch_branches

        fetch_branches(self.session)

    def _give_late(self) -> None:
        from synctrace.analyzer.census import census
        from synctrace.analyzer.late import fetch_late

        fetch_late(self.session, census(self.session))

    def _models(self) -> tuple[str, ...]:
        """Profiles asked for, or the trace's own: such as speak of its ops."""
        from synctrace.analyzer.check import default_profiles, need_judged_ops

        levels = dict(self.session.rows("SELECT level, count(*) FROM _op GROUP BY level"))
        profiles = self.profiles or default_profiles(self.trace, levels)
        need_judged_ops(self.trace, profiles, levels)
        return profiles

    def _give_history(self) -> None:
        from synctrace.analyzer import history

        kept = history.run(self.trace, self._models(), self.host_order)
        self.session.give("_edges", kept.edges)
        self.session.give("_parts", kept.parts)
        self.session.give("_clocks", kept.clocks)

    def _give_order(self) -> None:
        from synctrace.analyzer import order
        from synctrace.analyzer.check import give_order, needless_sites
        from synctrace.analyzer.named import fetch_judged

        profiles = self._models()
        found = order.run(self.trace, profiles, self.host_order, keep_needed=True)
        give_order(self.session, found)
        fetch_judged(self.session, needless_sites(self.session))
        self._found = found

    def _give_proposals(self) -> None:
        from synctrace.analyzer.check import give_proposals
        from synctrace.analyzer.proposals import examined

        assert self._found is not None
        seen = examined(self.session, self._found, most_work=None)
        give_proposals(self.session, self._found, seen)

    def _give_findings(self) -> None:
        from synctrace.analyzer.check import check, findings_table

        checked = check(self.trace, self.profiles, host_order=self.host_order)
        self.session.give("_findings", findings_table(checked))


def need_text(sql: str) -> None:
    """DuckDB takes what UTF-8 can say. Raises SynctraceError for bytes that are none."""
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise SynctraceError(
            "the query is not UTF-8: look for characters that are broken"
        ) from error


def _no_view(name: str) -> str:
    """What to say of a view that is not there: DuckDB would propose tables of its own."""
    close = difflib.get_close_matches(name.lower(), views(), n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"there is no view {name}: {hint}`synctrace explain` lists them"


def _fetched(cursor: "duckdb.DuckDBPyConnection") -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(BATCH_ROWS):
        yield from rows


def distinct(names: Sequence[str]) -> list[str]:
    """Names with _1, _2 behind those that came before, as DuckDB names the columns of a table."""
    keys: list[str] = []
    for name in names:
        key, n = name, 0
        while key in keys:
            n += 1
            key = f"{name}_{n}"
        keys.append(key)
    return keys


def renamed(schema: "pa.Schema") -> "pa.Schema":
    """The schema with each column under a name of its own."""
    import pyarrow as pa

    names = distinct(schema.names)
    return pa.schema([field.with_name(n) for field, n in zip(schema, names, strict=True)])
