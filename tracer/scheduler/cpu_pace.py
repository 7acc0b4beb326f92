"""How long the work of the CPU device takes: settable, and different from one to the next."""

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from synctrace.tracer.scheduler.device import DeviceError

_PIECES = 16  # that a copy is at most moved in
_PIECE_S = 100e-6  # shorter waits than this are no shorter in practice


@dataclass(frozen=True)
class Speed:
    """Average times of a device. Each work takes 0.2 to 1.8 times its own, drawn by `seed`.

    `latency_s`: until a copy moves its first byte. `bytes_per_s`: of a copy or a fill.
    `kernel_s`: of a kernel. Raises DeviceError for what is no such time.
    """

    latency_s: float = 50e-6
    bytes_per_s: float = 1e9
    kernel_s: float = 100e-6
    seed: int = 0

    def __post_init__(self) -> None:
        times = (self.latency_s, self.kernel_s, 1 / self.bytes_per_s if self.bytes_per_s else -1)
        if not all(0 <= each < threading.TIMEOUT_MAX for each in times):
            raise DeviceError(f"{self} has a time or rate that nothing takes: give positive ones")


DEFAULT_SPEED = Speed()


class Pace:
    """Draws the times of one stream, in the order of its work: a seed always gives the same."""

    def __init__(self, speed: Speed, who: str) -> None:
        self._speed = speed
        self._random = random.Random(f"{speed.seed} {who}")

    def kernel(self) -> None:
        """Let the time of a kernel pass."""
        self._wait(self._drawn(self._speed.kernel_s))

    def pieces(self, size: int) -> Iterator[tuple[int, int]]:
        """Ranges in which `size` bytes are moved, each once it is its time."""
        self._wait(self._drawn(self._speed.latency_s))
        seconds = self._drawn(size / self._speed.bytes_per_s)
        count = max(1, min(_PIECES, size, int(seconds / _PIECE_S)))
        for i in range(count):
            self._wait(seconds / count)
            yield size * i // count, size * (i + 1) // count

    def _drawn(self, seconds: float) -> float:
        return seconds * self._random.uniform(0.2, 1.8)

    def _wait(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)
