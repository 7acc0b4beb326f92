"""How far a recording is: what was written, how fast, what was dropped."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Growth:
    """Recorded processes, and what their traces hold after so many seconds."""

    pids: tuple[int, ...]
    ops: int
    size_bytes: int
    dropped: int
    seconds: float

    def __str__(self) -> str:
        rate = f" ({self.ops / self.seconds:,.0f} a second)" if self.seconds else ""
        return (
            f"{self.ops:,} operations{rate}, {told_size(self.size_bytes)}, {self.dropped:,} dropped"
        )


def size_of(traces: Iterable[Path]) -> int:
    """Bytes of all files of these traces that can be looked at."""
    total = 0
    for path in traces:
        with suppress(OSError):
            total += sum(file.stat().st_size for file in path.iterdir())
    return total


def told_size(size_bytes: int) -> str:
    """The size with a unit that is easy to read."""
    if size_bytes < 1_000:
        return f"{size_bytes} bytes"
    value, units = size_bytes / 1e3, iter(("kB", "MB", "GB", "TB"))
    unit = next(units)
    while value >= 999.95 and unit != "TB":
        value, unit = value / 1e3, next(units)
    return f"{value:.1f} {unit}"
