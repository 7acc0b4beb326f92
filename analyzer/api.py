"""The library: `synctrace.record()`, `synctrace.open(path).query(sql)`, `synctrace.check(path)`."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    import pyarrow as pa

    from synctrace.analyzer.finding import Checked
    from synctrace.tracer.reader import Trace
    from synctrace.tracer.recording import Recording

_P = ParamSpec("_P")
_R = TypeVar("_R")

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
        """Result of one SQL statement. Raises SynctraceError for SQL that does not run.

        An Arrow table: `.to_pandas()` makes pandas of it, `polars.from_arrow()` polars.
        """
        return self._questions.ask_arrow(sql)


def open_trace(
    path: "str | PathLike[str]", profiles: Sequence[str] = (), *, host_order: str = "observed"
) -> OpenTrace:
    """Open a trace folder. Raises SynctraceError if it is none or does not fit the contract."""
    from synctrace.tracer.reader import open_trace as read

    return OpenTrace(read(Path(path)), profiles, host_order)


open = open_trace  # as users write it: synctrace.open(path)


@overload
def record(path: Callable[_P, _R]) -> Callable[_P, _R]: ...


@overload
def record(
    path: "str | PathLike[str] | None" = None,
    *,
    overwrite: bool = False,
    profile: str | None = None,
    stacks: bool = True,
    ring_kb: int = 4096,
    sample: float = 0.0,
) -> "Recording": ...


def record(
    path: "str | PathLike[str] | Callable[_P, _R] | None" = None,
    *,
    overwrite: bool = False,
    profile: str | None = None,
    stacks: bool = True,
    ring_kb: int = 4096,
    sample: float = 0.0,
) -> "Recording | Callable[_P, _R]":
    """Record this process: `with synctrace.record("run.synctrace") as recording:`, or a decorator.

    Arguments and errors are those of synctrace.tracer.recording.Recording; `@synctrace.record`
    alone takes its defaults.
    """
    from synctrace.tracer.recording import Recording

    if callable(path):
        return Recording()(path)
    return Recording(
        path,
        overwrite=overwrite,
        profile=profile,
        stacks=stacks,
        ring_kb=ring_kb,
        sample=sample,
    )


def check(
    path: "str | PathLike[str]",
    profiles: Sequence[str] = (),
    *,
    host_order: str = "observed",
    select: Sequence[str] = (),
) -> "Checked":
    """Check a trace folder: findings, coverage, counts. `select`: only these rules or prefixes.

    Raises SynctraceError if it is no trace, or has no such profile or rule.
    """
    from synctrace.analyzer.check import check as run
    from synctrace.tracer.reader import open_trace as read

    return run(read(Path(path)), profiles, host_order=host_order, select=select)
