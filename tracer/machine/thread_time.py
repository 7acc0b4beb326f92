"""CPU time of the threads of a process, from the kernel's task files."""

import os
from collections.abc import Iterator
from pathlib import Path

MOST_THREADS = 1024  # of a process that are read at a time: one takes about 10 us
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


def thread_times(pid: int) -> Iterator[tuple[str, str, int]]:
    """Thread id, counter and its value, ns since the thread began; nothing for a process gone.

    `cpu_ns`: on a core; `waiting_ns`: ready, and waiting for one (not on every kernel). Threads
    that end while one looks, or may not be looked at, are left out.
    """
    folder = f"/proc/{pid}/task"
    try:
        threads = os.listdir(folder)  # noqa: PTH208 - a thousand Path objects are not free
    except OSError:
        return
    for thread in threads[:MOST_THREADS]:
        try:
            yield from _times(thread, Path(folder, thread))
        except (OSError, ValueError, IndexError):
            continue


def _times(thread: str, folder: Path) -> Iterator[tuple[str, str, int]]:
    """To the nanosecond by `schedstat`; a kernel without it counts clock ticks, in `stat`."""
    try:
        cpu, waiting = (folder / "schedstat").read_bytes().split()[:2]
    except FileNotFoundError:
        fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
        yield thread, "cpu_ns", (int(fields[11]) + int(fields[12])) * _TICK_NS
        return
    yield thread, "cpu_ns", int(cpu)
    yield thread, "waiting_ns", int(waiting)
