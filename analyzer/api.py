"""The library: `synctrace.open_trace(path).query(sql)` and `synctrace.check(path)`."""

from collections.abc import Sequence
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from synctrace.analyzer.finding import Checked
    from synctrace.tracer.reader import Trace

__version__ = version("synctrace")


class OpenTrace:
    """A trace that can be asked in SQL over the views of docs/views.md."""

    def __init__(
        self, trace: "Trace", profiles: Sequence[str] = (), host_order: str = "observed"
    ) -> None:
        from synctrace.analyzer.query import Questions

        self.trace = trace
        self._questions = Questions(trace, profiles, host_order)

    @property
    def meta(self) -> dict[str, Any]:
        """What the trace says of itself (docs/trace.md)."""
        return self.trace.meta

    def query(self, sql: str) -> "pa.Table":
        """Result of one SQL statement. Raises SynctraceError for SQL that does not run."""
        return self._questions.ask_arrow(sql)


def open_trace(
    path: "str | PathLike[str]", profiles: Sequence[str] = (), *, host_order: str = "observed"
) -> OpenTrace:
    """Open a trace folder. Raises SynctraceError if it is none or does not fit the contract."""
    from synctrace.tracer.reader import open_trace as read

    return OpenTrace(read(Path(path)), profiles, host_order)


def check(
    path: "str | PathLike[str]", profiles: Sequence[str] = (), *, host_order: str = "observed"
) -> "Checked":
    """Check a trace folder: findings, coverage, counts."""
    from synctrace.analyzer.check import check as run
    from synctrace.tracer.reader import open_trace as read

    return run(read(Path(path)), profiles, host_order=host_order)
