"""Captured graphs of the CuPy device."""

from collections.abc import Callable, Sequence
from typing import Any

from synctrace.tracer import tell
from synctrace.tracer.cupy import streams as cuda


class CupyGraph:
    """A captured graph. On ROCm, where CuPy captures none: the calls, made anew by each launch."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.version = 0
        self.nodes = 0
        self.plan = tell.Plan(name)
        self.captured: cuda.Graph | None = None
        self.calls: Sequence[Callable[[], None]] = ()
        # Destroying an executable graph that runs is undefined on some runtimes: kept to the end.
        self._older: list[Any] = []

    def become(self, captured: cuda.Graph) -> None:
        """A new version. Launches made before keep theirs."""
        self._older.append(self.captured)
        self.captured = captured
        self.nodes, self.version = captured.nodes, self.version + 1

    def become_calls(self, calls: Sequence[Callable[[], None]]) -> None:
        """A new version, of calls."""
        self.calls, self.nodes, self.version = calls, len(calls), self.version + 1
