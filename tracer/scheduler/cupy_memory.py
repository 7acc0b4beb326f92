"""The memories of the CuPy device. Host memory is the host device's too, which computes in it."""

import ctypes
from collections.abc import Iterable, Sequence
from typing import cast

from synctrace.tracer import tell
from synctrace.tracer.cupy.importing import IS_HIP, runtime
from synctrace.tracer.cupy.lanes import watched
from synctrace.tracer.cupy.places import Touch
from synctrace.tracer.kinds import Extent, Flag, Kind, MemoryKind, Mode
from synctrace.tracer.scheduler.cpu_memory import HOST, CpuMemory, Home
from synctrace.tracer.scheduler.device import DeviceError, Memory, Slice, slice_of
from synctrace.tracer.scheduler.refusals import check_size

tell.hide(__file__)


class GpuMemory:
    """Bytes of a device, out of the host's reach.

    `device` is the ordinal of the scheduler's device, which may share its GPU with others; traces
    name the GPU. `flags`: those of its free.
    """

    kind = MemoryKind.DEVICE

    def __init__(
        self, name: str, size: int, address: int, ordinal: int, told: tell.Memory, flags: Flag
    ) -> None:
        self.name, self.size, self.address, self.device = name, size, address, ordinal
        self.told, self._flags = told, flags
        self.is_of_pool = flags is Flag.POOL
        self.freed = False

    def slice(self, lo: int = 0, hi: int | None = None, name: str | None = None) -> Slice:
        """Bytes [lo, hi), to the end if `hi` is left out."""
        return slice_of(self, lo, hi, name)

    def free(self) -> None:
        """End its life: cudaFree, which waits for the streams unless it is a pool's memory."""
        self.end()
        access = self.told.write()
        with tell.call(Kind.FREE, accesses=(access,), flags=self._flags, device=self.told.device):
            runtime.free(self.address)

    def end(self) -> None:
        """Mark it as freed, which happens once."""
        if self.freed:
            raise DeviceError(f"{self.name} was freed before: free it once")
        self.freed = True
        self.told.gone()

    def store(self, data: bytes, lo: int = 0, name: str | None = None) -> None:
        """Refused."""
        raise DeviceError(f"{self.name} is device memory, written by the host: copy it")

    def load(self, lo: int = 0, hi: int | None = None, name: str | None = None) -> bytes:
        """Refused."""
        raise DeviceError(f"{self.name} is device memory, read by the host: copy it")


class HostMemory(CpuMemory):
    """Pinned or managed memory that the CUDA or HIP runtime gave."""

    def free(self) -> None:
        """End its life now; of managed memory the runtime waits for all streams first."""
        self.end()
        self.told.gone()
        is_managed = self.kind is MemoryKind.MANAGED
        kind = Kind.FREE if is_managed else Kind.FREE_HOST
        flags = Flag.IMPLICIT_SYNC if is_managed else Flag(0)
        with tell.call(kind, accesses=(self.told.write(),), flags=flags, device=self.told.device):
            (runtime.free if is_managed else runtime.freeHost)(self.told.base)


def device_memory(name: str, size: int, ordinal: int, gpu: int) -> GpuMemory:
    """cudaMalloc, or hipMalloc, on the current device, which is `gpu`."""
    check_size(name, size)
    address = runtime.malloc(size)
    told = tell.Memory(name, size, MemoryKind.DEVICE, device=gpu, base=address)
    _tell_alloc(Kind.ALLOC_DEVICE, told, gpu)
    return GpuMemory(name, size, address, ordinal, told, Flag.IMPLICIT_SYNC)


def pinned_memory(name: str, size: int, gpu: int) -> HostMemory:
    """Host memory that every GPU reaches."""
    check_size(name, size)
    address = runtime.hostAlloc(size, runtime.hostAllocPortable)
    told = tell.Memory(name, size, MemoryKind.PINNED, base=address)
    _tell_alloc(Kind.ALLOC_PINNED, told, gpu)
    return HostMemory(name, _bytes_at(address, size), MemoryKind.PINNED, HOST, told)


def managed_memory(name: str, size: int, home: Home, gpu: int) -> HostMemory:
    """Memory that the host and the GPUs use in place. Raises DeviceError on ROCm."""
    if IS_HIP:
        raise DeviceError(f"CuPy gives no managed memory on ROCm: make {name} pinned")
    check_size(name, size)
    address = runtime.mallocManaged(size)
    told = tell.Memory(name, size, MemoryKind.MANAGED, device=gpu, base=address)
    _tell_alloc(Kind.ALLOC_MANAGED, told, gpu)
    return HostMemory(name, _bytes_at(address, size), MemoryKind.MANAGED, home, told)


def _tell_alloc(kind: Kind, memory: tell.Memory, gpu: int) -> None:
    """Behind the call itself, which alone knows where the memory lies."""
    with tell.call(kind, accesses=(memory.write(),), device=gpu):
        pass


def _bytes_at(address: int, size: int) -> bytearray:
    """The bytes themselves, without a copy: what the host device needs of a bytearray."""
    return cast(bytearray, memoryview((ctypes.c_char * size).from_address(address)).cast("B"))


def told_of(memory: Memory) -> tell.Memory:
    """Its storage in a trace, which knows its address too. Refuses memory of simulated devices."""
    if isinstance(memory, GpuMemory):
        return memory.told
    if isinstance(memory, CpuMemory) and memory.kind is not MemoryKind.DEVICE:
        return memory.told
    raise DeviceError(f"{memory.name} is not memory of a GPU or the host: copy it there")


def address_of(each: Slice) -> int:
    """Where its bytes lie."""
    return told_of(each.memory).base + each.lo


def touches(reads: Iterable[Slice], writes: Iterable[Slice]) -> Sequence[Touch]:
    """What is read and what is written of the memories; nothing if nobody wants to know."""
    if not watched():
        return ()
    return [
        (told_of(each.memory), mode, each.lo, each.hi, each.name or "", Extent.EXACT)
        for mode, slices in ((Mode.READ, reads), (Mode.WRITE, writes))
        for each in slices
        if each.size
    ]
