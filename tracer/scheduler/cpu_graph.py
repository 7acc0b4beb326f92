"""Captured graphs of the CPU device: calls that are stored, and run whenever they are launched."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from synctrace.tracer import tell
from synctrace.tracer.scheduler.cpu_memory import accesses
from synctrace.tracer.scheduler.cpu_worker import Point, Work, Worker
from synctrace.tracer.scheduler.device import DeviceError, Graph, Slice

tell.hide(__file__)


@dataclass
class Capture:
    """What a stream has been given since the capture began."""

    works: list[Work] = field(default_factory=list)
    reads: list[Slice] = field(default_factory=list)
    writes: list[Slice] = field(default_factory=list)

    def add(self, work: Work, reads: Sequence[Slice], writes: Sequence[Slice]) -> None:
        """One more node."""
        self.works.append(work)
        self.reads.extend(reads)
        self.writes.extend(writes)

    def touches(self) -> tuple[int, ...]:
        """What a launch does to which bytes, for a trace."""
        return tuple(dict.fromkeys(accesses(self.reads, self.writes)))


class CpuGraph:
    """The nodes of the latest capture under its name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.version = 0
        self.plan = tell.Plan(name)
        self._captured = Capture()
        self._last: Point | None = None  # latest launch
        self._lock = threading.Lock()

    @property
    def nodes(self) -> int:
        return len(self._captured.works)

    @property
    def works(self) -> tuple[Work, ...]:
        """What a launch runs, in order."""
        return tuple(self._captured.works)

    def become(self, captured: Capture) -> None:
        """A new version. Launches made before keep their nodes."""
        self._captured = captured
        self.version += 1
        words = dict.fromkeys(work.label for work in captured.works)
        self.plan.captured(captured.touches, self.nodes, ", ".join(words)[:199])

    def launch(self, worker: Worker) -> None:
        """Run all nodes in order, after the launch before on whatever stream that was."""
        with self._lock:
            if self._last and self._last.worker is not worker:
                worker.give(self._last)
            self._last = worker.give(tuple(self._captured.works))


def graph_of(graph: Graph) -> CpuGraph:
    """The graph, which must be the CPU device's."""
    if not isinstance(graph, CpuGraph):
        raise DeviceError(f"{graph.name} is not a graph of the CPU device: capture it there")
    return graph
