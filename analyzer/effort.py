"""What ordering a trace takes: told beforehand where it is a lot, and given up beyond a limit.

The limit is far beyond any recorded program. The engine's work grows with the square of the
timelines a trace names and with the pairs it finds: a few thousand rows can be made to take days.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import ActorKind
from synctrace.tracer.reader import Trace

THREADS, ROWS = 2_000, 4_000_000  # above which it is told (docs/internals.md, Time of an op)
_COMPONENT, _ROW = 32, 120  # bytes: of a clock for each timeline that it knows of, of a row
SECONDS, SECONDS_A_ROW = 300.0, 1e-4  # of the process's own time
BYTES, BYTES_A_ROW = 2 << 30, 1024  # more than at the start
MOST_CONFLICTS = 500_000  # groups of racy pairs
_SLICE = 1 << 26  # between two looks: rows x timelines x the larger of timelines and ranges
_STATM = Path("/proc/self/statm")
_PAGE = 4096


@dataclass(frozen=True)
class Effort:
    """Time and memory of the process when it began, for the trace of this path."""

    path: Path
    seconds: float
    bytes: int

    def check(self, rows: int, timelines: int, conflicts: int) -> None:
        """Raises SynctraceError if so many rows and conflicts cost too much."""
        took, grew = time.process_time() - self.seconds, _resident() - self.bytes
        over = [
            f"{took:.0f} seconds" * (took > SECONDS + SECONDS_A_ROW * rows),
            f"{grew >> 20:,} MiB" * (grew > BYTES + BYTES_A_ROW * rows),
            f"more than {MOST_CONFLICTS:,} conflicts" * (conflicts > MOST_CONFLICTS),
        ]
        if any(over):
            raise SynctraceError(
                f"ordering {self.path} was given up after {rows:,} ops on {timelines:,} timelines, "
                f"{' and '.join(filter(None, over))}: record a shorter run"
            )


def warnings(trace: Trace) -> list[str]:
    """A sentence for each thing that makes the check slow or large; mostly none."""
    told = []
    actor, access = trace.table("actor"), trace.table("access")
    threads = pc.sum(pc.equal(actor["kind"], int(ActorKind.THREAD))).as_py() or 0
    if threads > THREADS:
        gigabytes = actor.num_rows**2 * _COMPONENT / 2e9
        told.append(
            f"{trace.path} has {threads:,} threads: what each saw of the others can take "
            f"{gigabytes:,.1f} GB and more"
        )
    strided = pc.greater(access["pitch"], 0)
    rows = pc.sum(pc.if_else(strided, access["height"], 0)).as_py() or 0
    if rows > ROWS:
        told.append(
            f"{trace.path} has strided ranges of {rows:,} rows: each is looked at by itself, "
            f"which can take minutes and {rows * _ROW / 1e9:,.1f} GB"
        )
    return told


def begin(path: Path) -> Effort:
    """What ordering this trace costs from now on."""
    return Effort(path, time.process_time(), _resident())


def slices(batch: pa.RecordBatch, timelines: int, ranges: int) -> Iterator[pa.RecordBatch]:
    """The batch in parts that take a moment even with so many timelines and ranges of an op."""
    step = max(1, _SLICE // (max(1, timelines) * max(1, timelines, ranges)))
    for start in range(0, batch.num_rows, step):
        yield batch.slice(start, step)


def _resident() -> int:
    return int(_STATM.read_text().split()[1]) * _PAGE
