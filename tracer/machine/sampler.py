"""The machine while a program is recorded: what GPUs it has, and counters at an interval.

Works in the loop that drains the rings, and never waits there: GPUs answer in a child of their own,
the kernel's task files are read where it is time to. It takes at most a tenth of a core.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from synctrace.tracer.machine.devices import Probe, Timed, of_this_process
from synctrace.tracer.machine.thread_time import MOST_THREADS, thread_times

SHARE = 9  # a round is followed by a pause of at least so many times its length
COLUMNS = ("t", "source", "subject", "counter", "value")

Columns = dict[str, list[Any]]
# A process that is recorded: its id, and what appends rows to its table `sample`.
Sampled = tuple[int, Callable[[Columns], None]]


class Machine:
    """Facts of the machine, and its counters every `seconds` (0: facts alone)."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._probe = Probe(seconds) if seconds else of_this_process()
        self._due = 0.0
        self._crowded: set[int] = set()

    def sample(self, processes: Sequence[Sampled]) -> None:
        """Append what was read of the devices to every trace, and of its threads to each."""
        if not self._seconds:
            return
        of_devices = self._probe.readings()
        started = time.monotonic()
        is_due = started >= self._due
        for pid, append in processes:
            rows = [*of_devices, *(self._threads(pid) if is_due else [])]
            if rows:
                columns = zip(*rows, strict=True)
                append(dict(zip(COLUMNS, map(list, columns), strict=True)))
        if is_due and processes:
            took = time.monotonic() - started
            self._due = started + max(self._seconds, (SHARE + 1) * took)

    def is_known(self) -> bool:
        """Whether `meta` would not wait."""
        return self._probe.is_answered()

    def meta(self) -> dict[str, Any]:
        """Keys of meta.json. Waits a few seconds where a GPU's driver has not answered yet."""
        told = self._probe.facts()
        crowded = [
            f"threads: process {pid} had more than the {MOST_THREADS} that are sampled"
            for pid in sorted(self._crowded)
        ]
        return {**told, "unread": [*told["unread"], *crowded]}

    def close(self) -> None:
        """Read no more."""
        if self._seconds:
            self._probe.close()

    def _threads(self, pid: int) -> list[Timed]:
        rows: list[Timed] = []
        threads = set()
        for thread, counter, value in thread_times(pid):
            threads.add(thread)
            rows.append((time.monotonic_ns(), "thread", thread, counter, float(value)))
        if len(threads) >= MOST_THREADS:
            self._crowded.add(pid)
        return rows
