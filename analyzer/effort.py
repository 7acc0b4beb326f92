"""What ordering a trace may cost: far beyond any recorded program, and yet an end.

The engine's work grows with the square of the timelines a trace names and with the pairs it finds:
a few thousand rows can be made to take days.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from synctrace.tracer.errors import SynctraceError

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
