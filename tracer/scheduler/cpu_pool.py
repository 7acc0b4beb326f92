"""The stream-ordered pool of a CPU device: what was freed is handed out again, soon."""

import threading

from synctrace.tracer.scheduler.cpu_memory import new_bytes
from synctrace.tracer.scheduler.cpu_worker import Point


class Pool:
    """Blocks by size. A block may be used by whoever comes after the point of its free."""

    def __init__(self) -> None:
        self._free: dict[int, list[tuple[bytearray, Point]]] = {}
        self._lock = threading.Lock()

    def take(self, name: str, size: int) -> tuple[bytearray, Point | None]:
        """Bytes, and what their new owner must wait for: the latest freed if there are any."""
        with self._lock:
            if blocks := self._free.get(size):
                return blocks.pop()
        return new_bytes(name, size), None

    def give(self, data: bytearray, freed: Point) -> None:
        """Take a block back."""
        with self._lock:
            self._free.setdefault(len(data), []).append((data, freed))
