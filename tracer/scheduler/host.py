"""The host as a device: what it is given is done at return, as by ggml's CPU backend.

Its work is told as host_write (host_read if it writes nothing) of the calling thread: that is what
it is, under every profile. A graph is told as a launch on a timeline that is synchronous, which the
order engine takes for accesses of the calling thread as well; the launch has a name in reports.
"""

from collections.abc import Sequence

from synctrace.tracer import tell
from synctrace.tracer.kinds import Kind, MemoryKind, StreamFlag
from synctrace.tracer.scheduler import cpu_work, refusals
from synctrace.tracer.scheduler.busy import Busy
from synctrace.tracer.scheduler.cpu_graph import Capture, CpuGraph, graph_of
from synctrace.tracer.scheduler.cpu_memory import CpuMemory, accesses, allocate
from synctrace.tracer.scheduler.cpu_pace import DEFAULT_SPEED, Pace, Speed
from synctrace.tracer.scheduler.cpu_worker import Work, perform
from synctrace.tracer.scheduler.device import (
    Body,
    Device,
    DeviceError,
    Event,
    Graph,
    Kernel,
    Memory,
    Slice,
)
from synctrace.tracer.scheduler.handover import Handover

tell.hide(__file__)

_NAME = "CPU"
_HAS_NO = "the host has no {}: what it is given is done at return"


class HostStream:
    """Does each call before it returns. Knows host memory (and managed) only."""

    device = -1

    def __init__(self, name: str, speed: Speed, busy: list[Busy] | None) -> None:
        self.name = name
        self._pace = Pace(speed, name)
        self._busy = busy
        self._told = tell.Timeline(name, device=-1, flags=StreamFlag.SYNCHRONOUS)
        self._capture: Capture | None = None
        self._graphs: dict[str, CpuGraph] = {}

    def copy(self, to: Slice, source: Slice) -> None:
        """Move bytes of host memory."""
        refusals.check_same_size(to, source)
        self._do(cpu_work.copying(to, source), (source,), (to,))

    def fill(self, to: Slice, value: int) -> None:
        """Set all bytes."""
        self._do(cpu_work.filling(to, value), (), (to,))

    def launch(self, kernel: Kernel, reads: Sequence[Slice], writes: Sequence[Slice]) -> None:
        """Run the kernel here and now."""
        self._do(cpu_work.computing(kernel, reads, writes), reads, writes)

    def host_call(
        self,
        function: Body,
        reads: Sequence[Slice] = (),
        writes: Sequence[Slice] = (),
        signal: Handover | None = None,
    ) -> None:
        """Call the function, then give the signal."""
        if signal:
            self._refuse_capture("host function with a signal")
        self._do(cpu_work.calling(function, reads, writes), reads, writes)
        if signal:
            signal.signal()

    def wait(self, event: Event) -> None:
        """The host waits."""
        self._refuse_capture("wait for an event")
        event.synchronize()

    def synchronize(self) -> None:
        """Nothing is ever pending."""
        self._refuse_capture("synchronize")

    def query(self) -> bool:
        """All is done."""
        self._refuse_capture("query")
        return True

    def record(self, event: Event) -> None:
        """Refused."""
        raise DeviceError(_HAS_NO.format("events"))

    def begin_capture(self) -> None:
        """From now on calls are stored, not made."""
        self._refuse_capture("begin of another capture")
        self._capture = Capture()

    def end_capture(self, name: str) -> CpuGraph:
        """The calls since `begin_capture` as a graph, or a new version of the one of that name."""
        if self._capture is None:
            raise refusals.nothing_captured(self.name)
        captured, self._capture = self._capture, None
        graph = self._graphs.setdefault(name, CpuGraph(name))
        graph.become(captured)
        return graph

    def launch_graph(self, graph: Graph) -> None:
        """Run all nodes here and now."""
        self._refuse_capture("launch of a graph")
        known = graph_of(graph)
        with tell.call(Kind.GRAPH_LAUNCH, self._told, graph=known.plan):
            for work in known.works:
                self._perform(work)

    def alloc_async(self, name: str, size: int) -> Memory:
        """Refused."""
        raise DeviceError(_HAS_NO.format("stream-ordered memory"))

    def free_async(self, memory: Memory) -> None:
        """Refused."""
        raise DeviceError(_HAS_NO.format("stream-ordered memory"))

    def _do(self, work: Work, reads: Sequence[Slice], writes: Sequence[Slice]) -> None:
        refusals.check_host((*reads, *writes))
        if self._capture is not None:
            self._capture.add(work, reads, writes)
            return
        kind = Kind.HOST_WRITE if writes else Kind.HOST_READ
        with tell.call(kind, accesses=accesses(reads, writes), name=work.label):
            self._perform(work)

    def _refuse_capture(self, what: str) -> None:
        refusals.check_not_captured(what, self.name, self._capture is not None)

    def _perform(self, work: Work) -> None:
        failure = perform(work, self._pace, (_NAME, self.name), self._busy)
        if failure:
            cause = failure.__cause__
            raise failure if isinstance(cause, Exception) else cause or failure


class HostDevice:
    """The host. All its memory is host memory; its streams are for whoever calls."""

    ordinal = -1
    name = _NAME

    def __init__(self, speed: Speed = DEFAULT_SPEED, *, busy: list[Busy] | None = None) -> None:
        self._speed, self._busy = speed, busy

    def stream(self, name: str) -> HostStream:
        """A stream whose calls are done at return."""
        return HostStream(name, self._speed, self._busy)

    def event(self, name: str) -> Event:
        """Refused."""
        raise DeviceError(_HAS_NO.format("events"))

    def memory(self, name: str, size: int) -> CpuMemory:
        """The host's own memory is pageable."""
        return allocate(name, size, MemoryKind.PAGEABLE)

    def pinned(self, name: str, size: int) -> CpuMemory:
        """Host memory that copies read and write when they run."""
        return allocate(name, size, MemoryKind.PINNED)

    def pageable(self, name: str, size: int) -> CpuMemory:
        """Host memory that a copy to a device takes within the call."""
        return allocate(name, size, MemoryKind.PAGEABLE)

    def managed(self, name: str, size: int) -> CpuMemory:
        """Refused."""
        raise DeviceError(f"managed memory {name} belongs to a device: ask that for it")

    def copy(self, to: Slice, source: Slice) -> None:
        """Move bytes of host memory."""
        self.stream("copy").copy(to, source)

    def synchronize(self) -> None:
        """Nothing is ever pending."""

    def close(self) -> None:
        """Nothing to give back."""


def host_device(speed: Speed = DEFAULT_SPEED, busy: list[Busy] | None = None) -> Device:
    """The host as the scheduler knows it."""
    return HostDevice(speed, busy=busy)
