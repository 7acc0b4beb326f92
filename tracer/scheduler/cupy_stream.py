"""Streams, events and captured graphs of the CuPy device."""

import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from synctrace.tracer import tell
from synctrace.tracer.cupy import streams as cuda
from synctrace.tracer.cupy.importing import IS_HIP, runtime
from synctrace.tracer.cupy.lanes import lane_of, legacy_lane, on_stream
from synctrace.tracer.kinds import Flag, Kind, MemoryKind
from synctrace.tracer.scheduler import cpu_work, cupy_kernel, refusals
from synctrace.tracer.scheduler.copies import copy_kind, is_host
from synctrace.tracer.scheduler.cupy_graph import CupyGraph
from synctrace.tracer.scheduler.cupy_memory import GpuMemory, address_of, told_of, touches
from synctrace.tracer.scheduler.cupy_times import Times
from synctrace.tracer.scheduler.device import Body, DeviceError, Event, Graph, Kernel, Memory, Slice
from synctrace.tracer.scheduler.handover import Handover

tell.hide(__file__)

_UNTIMED: AbstractContextManager[None] = nullcontext()


@dataclass(frozen=True)
class CopyCall:
    """How a trace calls an asynchronous copy."""

    kind: Kind
    peer: tell.Timeline | None
    flags: Flag


def copy_call(to: Slice, source: Slice, gpu: int) -> CopyCall:
    """That of a copy on a stream of `gpu`. Kind NONE: both are host memory."""
    refusals.check_same_size(to, source)
    gpus = [told_of(each.memory).device for each in (source, to) if not is_host(each)]
    other = next((each for each in gpus if each != gpu), None)
    peer = None if other is None else legacy_lane(other)
    is_across = len(set(gpus)) > 1
    flags = Flag.ACROSS if is_across else Flag(0)
    return CopyCall(copy_kind(to, source, is_across), peer, flags)


class CupyEvent:
    """An event without times, as ggml makes them."""

    def __init__(self, name: str, device: int) -> None:
        self.name, self.device = name, device
        self.event = cuda.Event(disable_timing=True, name=name)

    def synchronize(self) -> None:
        """The host waits."""
        self.event.synchronize()

    def query(self) -> bool:
        """Whether the stream has come to the record."""
        return bool(self.event.done)


@dataclass
class Shared:
    """What the streams of one device have in common.

    `cycles`: GPU clocks that each kernel spins first. `times`: of copies, graphs and the like.
    """

    name: str
    ordinal: int
    gpu: int
    cycles: int
    times: Times | None = None
    graphs: dict[str, CupyGraph] = field(default_factory=dict)
    capturing: set[tuple[str, int]] = field(default_factory=set)  # name of a stream, its own key
    closed: bool = False

    def check_open(self) -> None:
        """Refuse calls once the device is closed."""
        refusals.check_open(self.name, self.closed)

    def select(self) -> None:
        """Make its GPU the current device of this thread."""
        self.check_open()
        if runtime.getDevice() != self.gpu:
            runtime.setDevice(self.gpu)


class CupyStream:
    """A non-blocking stream of one GPU, which must be the current one when it is made."""

    def __init__(self, shared: Shared, name: str) -> None:
        self.name, self.device = name, shared.ordinal
        self._shared = shared
        self._calls: list[Callable[[], None]] | None = None  # captured on ROCm
        self._is_capturing = False
        self.stream = cuda.Stream(non_blocking=True, name=name)
        self.told = lane_of(self.stream)
        self._key = (name, id(self.told))
        # A capture that nobody can end any more keeps nobody waiting.
        weakref.finalize(self, shared.capturing.discard, self._key).atexit = False

    # Work

    def copy(self, to: Slice, source: Slice) -> None:
        """cudaMemcpyAsync; between two GPUs that is the peer copy."""
        call = copy_call(to, source, self._shared.gpu)
        refusals.check_stream_copy(call.kind, to, source, self._is_capturing)
        self._do("copy", lambda: self._copy(call, to, source))

    def _copy(self, call: CopyCall, to: Slice, source: Slice) -> None:
        touched = touches((source,), (to,))
        with on_stream(call.kind, self.told, touched, peer=call.peer, flags=call.flags):
            runtime.memcpyAsync(
                *(address_of(to), address_of(source), to.size, runtime.memcpyDefault),
                self.stream.ptr,
            )

    def fill(self, to: Slice, value: int) -> None:
        """cudaMemsetAsync."""
        refusals.check_fill(to, value)
        self._do("fill", lambda: self._fill(to, value))

    def _fill(self, to: Slice, value: int) -> None:
        with on_stream(Kind.MEMSET_ASYNC, self.told, touches((), (to,))):
            runtime.memsetAsync(address_of(to), value, to.size, self.stream.ptr)

    def launch(self, kernel: Kernel, reads: Sequence[Slice], writes: Sequence[Slice]) -> None:
        """Launch a kernel, which is compiled at its first launch."""
        refusals.check_kernel(kernel.name, (*reads, *writes), self.device)
        self._do(kernel.name, lambda: self._launch(kernel, reads, writes))

    def _launch(self, kernel: Kernel, reads: Sequence[Slice], writes: Sequence[Slice]) -> None:
        touched = touches(reads, writes)
        self._shared.select()
        with self.stream, on_stream(Kind.KERNEL, self.told, touched, name=kernel.name):
            cupy_kernel.launch(kernel, reads, writes, self._shared.cycles)

    def host_call(
        self,
        function: Body,
        reads: Sequence[Slice] = (),
        writes: Sequence[Slice] = (),
        signal: Handover | None = None,
    ) -> None:
        """cudaLaunchHostFunc; on ROCm the older stream callback."""
        if signal:  # a trace could not tell which launch gave it
            self._refuse_capture("host function with a signal")
        refusals.check_host((*reads, *writes))
        inputs, outputs = cpu_work.arguments(reads, writes)

        def run(*_: object) -> None:
            try:
                function(inputs, outputs)
            finally:  # who waits must go on
                if signal:
                    signal.give()

        def enqueue() -> None:
            event = signal.told if signal else None
            with on_stream(Kind.HOST_FUNC, self.told, touches(reads, writes), event=event):
                if IS_HIP:
                    cuda.plain_add_callback(self.stream, run, None)
                else:
                    cuda.plain_launch_host_func(self.stream, run, None)

        self._do("host function", enqueue)

    # Order

    def record(self, event: Event) -> None:
        """The event stands for everything given until now."""
        self._refuse_capture("record of an event")
        known = _event_of(event)
        refusals.check_recorded_here(known.name, known.device, self.device)
        self.stream.record(known.event)

    def wait(self, event: Event) -> None:
        """What is given from now on comes after what the event stands for now."""
        self._refuse_capture("wait for an event")
        self.stream.wait_event(_event_of(event).event)

    def synchronize(self) -> None:
        """The host waits for everything given until now."""
        self._refuse_capture("synchronize")
        self.stream.synchronize()

    def query(self) -> bool:
        """Whether all of it is done."""
        self._refuse_capture("query")
        return bool(self.stream.done)

    # Graphs

    def begin_capture(self) -> None:
        """Store calls from now on."""
        self._refuse_capture("begin of another capture")
        self._is_capturing = True
        self._shared.capturing.add(self._key)
        if IS_HIP:
            self._calls = []
            return
        self._shared.select()
        self.stream.begin_capture()

    def end_capture(self, name: str) -> CupyGraph:
        """The stored calls as a graph, or as a new version of the one of that name."""
        if not self._is_capturing:
            raise refusals.nothing_captured(self.name)
        self._shared.select()
        self._is_capturing = False
        self._shared.capturing.discard(self._key)
        graph = self._shared.graphs.setdefault(name, CupyGraph(name))
        if self._calls is not None:
            graph.become_calls(tuple(self._calls))
            self._calls = None
        else:
            graph.become(self.stream.end_capture(graph.plan))
        return graph

    def launch_graph(self, graph: Graph) -> None:
        """cudaGraphLaunch."""
        self._refuse_capture("launch of a graph")
        if not isinstance(graph, CupyGraph):
            raise DeviceError(f"{graph.name} is not a graph of the CuPy device: capture it there")
        with self._timed(graph.name):
            if graph.captured:
                graph.captured.launch(self.stream)
            for call in graph.calls:
                call()

    # Memory in the stream's order

    def alloc_async(self, name: str, size: int) -> GpuMemory:
        """cudaMallocAsync. Raises DeviceError on ROCm, for which CuPy has it not."""
        self._refuse_capture("allocation")
        if IS_HIP:
            raise DeviceError(f"CuPy has no stream-ordered memory on ROCm: allocate {name}")
        refusals.check_size(name, size)
        self._shared.select()
        address = runtime.mallocAsync(size, self.stream.ptr)
        told = tell.Memory(name, size, MemoryKind.DEVICE, device=self._shared.gpu, base=address)
        # Told behind the call, which alone knows where it lies; on this thread that is the same.
        with tell.call(Kind.ALLOC_ASYNC, self.told, accesses=(told.write(),)):
            return GpuMemory(name, size, address, self.device, told, Flag.POOL)

    def free_async(self, memory: Memory) -> None:
        """cudaFreeAsync."""
        self._refuse_capture("free")
        if not (isinstance(memory, GpuMemory) and memory.is_of_pool):
            raise DeviceError(f"{memory.name} is not of the pool of {self._shared.name}: free it")
        memory.end()
        with tell.call(Kind.FREE_ASYNC, self.told, accesses=(memory.told.write(),)):
            runtime.freeAsync(memory.address, self.stream.ptr)

    def _do(self, label: str, call: Callable[[], None]) -> None:
        self._shared.check_open()
        if self._calls is not None:
            self._calls.append(call)
        elif self._is_capturing:
            call()
        else:
            with self._timed(label):
                call()

    def _timed(self, label: str) -> AbstractContextManager[None]:
        if self._shared.times is None:
            return _UNTIMED
        return self._shared.times.around(self.name, label, self.stream.ptr)

    def _refuse_capture(self, what: str) -> None:
        self._shared.check_open()
        refusals.check_not_captured(what, self.name, self._is_capturing)


def _event_of(event: Event) -> CupyEvent:
    """The event, which must be the CuPy device's."""
    if not isinstance(event, CupyEvent):
        raise DeviceError(f"{event.name} is not an event of the CuPy device: make it there")
    return event
