"""The scheduler's device on a GPU, by CuPy: CUDA or ROCm.

Several devices may share one GPU, so that examples for four run on one card: each then has streams
and memory of its own, copies between them stay within the GPU, and `synchronize` waits for its
streams one by one. A trace names the GPU that a call was made on: one device with many streams.
"""

from synctrace.tracer import tell
from synctrace.tracer.cupy import streams as cuda
from synctrace.tracer.cupy.importing import cupy, runtime
from synctrace.tracer.cupy.lanes import legacy_lane
from synctrace.tracer.cupy.places import numbers
from synctrace.tracer.kinds import MemoryKind
from synctrace.tracer.scheduler.busy import Busy
from synctrace.tracer.scheduler.copies import SYNCHRONOUS
from synctrace.tracer.scheduler.cpu_memory import CpuMemory, Home, allocate
from synctrace.tracer.scheduler.cupy_memory import (
    GpuMemory,
    HostMemory,
    address_of,
    device_memory,
    managed_memory,
    pinned_memory,
    touches,
)
from synctrace.tracer.scheduler.cupy_stream import CupyEvent, CupyStream, Shared, copy_call
from synctrace.tracer.scheduler.cupy_times import Times
from synctrace.tracer.scheduler.device import DeviceError, Slice
from synctrace.tracer.scheduler.refusals import check_none_captured

tell.hide(__file__)


class CupyDevice:
    """One device of the scheduler, on GPU `gpu`.

    `cycles`: GPU clocks that each kernel spins before it computes, so that it takes time. `timed`:
    `busy` is wanted. `shared`: other devices use the GPU too.
    """

    def __init__(
        self,
        ordinal: int = 0,
        gpu: int | None = None,
        cycles: int = 0,
        *,
        timed: bool = False,
        shared: bool = False,
    ) -> None:
        self.ordinal = ordinal
        self.name = f"CUDA{ordinal}"
        self._gpu = ordinal if gpu is None else gpu
        gpus = gpu_count()
        if not 0 <= self._gpu < gpus:
            raise DeviceError(f"there is no GPU {self._gpu}, only {gpus}: share one (gpu=0)")
        self._legacy = legacy_lane(self._gpu)
        self._home = Home(ordinal, self._legacy)
        self._streams: list[CupyStream] = []
        self._memories: list[GpuMemory | HostMemory] = []
        self._has_copied = False
        self._is_shared = shared
        self._shared = Shared(self.name, ordinal, self._gpu, cycles)
        self._shared.select()
        self._shared.times = Times(self.name) if timed else None

    def stream(self, name: str) -> CupyStream:
        """A stream that is in no order with the legacy default stream."""
        self._shared.select()
        stream = CupyStream(self._shared, name)
        self._streams.append(stream)
        return stream

    def event(self, name: str) -> CupyEvent:
        """An event, which any GPU's streams may wait for."""
        self._shared.select()
        return CupyEvent(name, self.ordinal)

    def memory(self, name: str, size: int) -> GpuMemory:
        """Memory of the GPU."""
        self._shared.select()
        memory = device_memory(name, size, self.ordinal, self._gpu)
        self._memories.append(memory)
        return memory

    def pinned(self, name: str, size: int) -> HostMemory:
        """Page-locked host memory, for every GPU."""
        self._shared.select()
        memory = pinned_memory(name, size, self._gpu)
        self._memories.append(memory)
        return memory

    def pageable(self, name: str, size: int) -> CpuMemory:
        """Host memory that a copy to the device has read when it returns."""
        return allocate(name, size, MemoryKind.PAGEABLE)

    def managed(self, name: str, size: int) -> HostMemory:
        """Memory that the host and the GPUs use in place."""
        self._shared.select()
        memory = managed_memory(name, size, self._home, self._gpu)
        self._memories.append(memory)
        return memory

    def copy(self, to: Slice, source: Slice) -> None:
        """cudaMemcpy, on the legacy default stream: waits for no other stream."""
        self._shared.select()
        call = copy_call(to, source, self._gpu)
        self._has_copied = True
        with tell.call(
            SYNCHRONOUS[call.kind],
            self._legacy,
            peer=call.peer,
            accesses=numbers(touches((source,), (to,))),
            flags=call.flags,
        ):
            runtime.memcpy(address_of(to), address_of(source), to.size, runtime.memcpyDefault)

    def synchronize(self) -> None:
        """The host waits for all streams of the GPU; of a shared one, for those of this device."""
        self._shared.select()
        check_none_captured(self.name, {name for name, _ in self._shared.capturing})
        if not self._is_shared:
            cuda.Device(self._gpu).synchronize()
            return
        for stream in self._streams:
            stream.synchronize()
        if self._has_copied:
            cuda.Stream.null.synchronize()

    def busy(self) -> list[Busy]:
        """What its streams did and when, since the last call. It must be done."""
        return self._shared.times.take() if self._shared.times else []

    def close(self) -> None:
        """Wait for the GPU and free what is left. Does it once."""
        if self._shared.closed:
            return
        self.synchronize()
        for memory in self._memories:
            if not memory.freed:
                memory.free()
        self._shared.graphs.clear()
        self._streams.clear()
        self._shared.closed = True


def gpu_count() -> int:
    """GPUs that CuPy can use. Raises DeviceError, which says why, if there is none."""
    try:
        count = int(runtime.getDeviceCount())
    except RuntimeError as error:
        raise DeviceError(
            f"CuPy {cupy.__version__} finds no GPU ({error}): see `synctrace doctor`, or use "
            "the CPU device"
        ) from error
    if not count:
        raise DeviceError("there is no GPU here: use the CPU device")
    return count


def cupy_devices(count: int, cycles: int = 0, timed: bool = False) -> list[CupyDevice]:
    """Devices 0 to `count` - 1, over all GPUs in turn: they share GPUs if there are fewer.

    Where a GPU may reach another directly it is allowed to. `cycles`, `timed`: see `CupyDevice`.
    """
    gpus = min(count, gpu_count())
    for gpu in range(gpus):
        for other in range(gpus):
            _enable_peer(gpu, other)
    return [
        CupyDevice(ordinal, ordinal % gpus, cycles, timed=timed, shared=gpus < count)
        for ordinal in range(count)
    ]


def _enable_peer(gpu: int, other: int) -> None:
    if gpu == other or not runtime.deviceCanAccessPeer(gpu, other):
        return
    runtime.setDevice(gpu)
    try:
        runtime.deviceEnablePeerAccess(other)
    except RuntimeError as error:  # by CuPy or by an earlier call
        if "AlreadyEnabled" not in str(error):
            raise
