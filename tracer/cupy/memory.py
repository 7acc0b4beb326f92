"""Pinned memory of the host and CuPy's pool of device memory, recorded."""

import math
import sys
from collections.abc import Callable
from typing import Any, Literal

from synctrace.tracer import binding, tell
from synctrace.tracer.cupy.importing import cupy, runtime
from synctrace.tracer.cupy.lanes import lane_of
from synctrace.tracer.cupy.places import places, remember
from synctrace.tracer.kinds import Kind, MemoryKind

tell.hide(__file__)

_KINDS = {
    0: (Kind.ALLOC_PINNED, MemoryKind.PINNED),
    runtime.hostAllocMapped: (Kind.ALLOC_MAPPED, MemoryKind.MAPPED),
    runtime.hostAllocWriteCombined: (Kind.ALLOC_WRITE_COMBINED, MemoryKind.WRITE_COMBINED),
}


class PinnedMemory(cupy.cuda.PinnedMemory):
    """`cupy.cuda.PinnedMemory` whose life is recorded.

    Freed with its last reference, which the trace holds as a write of the host to all of it. As
    allocator of all pinned memory of CuPy:
    `cupy.cuda.set_pinned_memory_allocator(synctrace.cupy.pinned_allocator)`.
    """

    def __init__(self, size: int, flags: int = 0, name: str | None = None) -> None:
        super().__init__(size, flags)
        self._memory: tell.Memory | None = None
        if not size:
            return
        want = flags & (runtime.hostAllocMapped | runtime.hostAllocWriteCombined)
        call, kind = _KINDS.get(want, _KINDS[0])
        memory = places.add(name or f"pinned {places.number()}", self.ptr, size, kind)
        self._memory = memory
        with tell.call(call, accesses=(memory.write(),), device=runtime.getDevice()):
            pass  # its address is known only by now

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        memory = getattr(self, "_memory", None)
        if memory is None or is_finalizing():
            super().__del__()
            return
        with tell.call(Kind.FREE_HOST, accesses=(memory.write(),)):
            super().__del__()
        places.end(memory)


def pinned_allocator(size: int) -> Any:
    """For `cupy.cuda.set_pinned_memory_allocator`: every block is recorded memory of its own."""
    memory = PinnedMemory(size, runtime.hostAllocPortable)
    return cupy.cuda.PinnedMemoryPointer(memory, 0)


def pinned_empty(
    shape: int | tuple[int, ...],
    dtype: Any = float,
    order: Literal["C", "F"] = "C",
    name: str | None = None,
) -> Any:
    """A new NumPy array in recorded pinned memory, its elements not set (`cupyx.empty_pinned`).

    `name`: what reports call it.
    """
    import numpy

    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    size = math.prod(sizes) * numpy.dtype(dtype).itemsize
    memory = PinnedMemory(size, runtime.hostAllocPortable, name)
    pointer = cupy.cuda.PinnedMemoryPointer(memory, 0)
    array = numpy.ndarray(sizes, dtype=dtype, buffer=pointer, order=order)
    remember(array, memory.ptr)
    return array


class Blocks(cupy.cuda.MemoryHook):
    """Tells the recorder of `synctrace record` which block of CuPy's pool each array has.

    For this thread, inside of `with`. A kernel's pointer may touch its array's block then, and not
    all that the pool took from the device at once. Nothing else is recorded.
    """

    name = "synctrace blocks"

    def malloc_postprocess(self, **told: Any) -> None:
        """The pool gave a block to an array."""
        if told["mem_ptr"] and binding.epoch:
            binding.native["block"](told["mem_ptr"], told["mem_size"])


class Allocator(cupy.cuda.MemoryHook):
    """Records what CuPy's pool of device memory does, for this thread, inside of `with`.

    Memory that the pool takes from the device is alloc_device; its blocks are handed out with
    cache_alloc and given back with cache_free, on the stream that is current then. What the pool
    gives back to the device (`free_all_blocks`) has no hook in CuPy, and is not seen. Without this
    hook arrays are told by the block that they lie in, which a later array may have too.
    """

    name = "synctrace"

    def alloc_postprocess(self, **told: Any) -> None:
        """The pool got memory from the device. mem_ptr 0: it did not."""
        address, size, device = told["mem_ptr"], told["mem_size"], told["device_id"]
        if not address:
            return
        name = f"pool memory {places.number()}"
        memory = places.add(name, address, size, MemoryKind.DEVICE, device)
        with tell.call(Kind.ALLOC_DEVICE, accesses=(memory.write(),), device=device):
            pass  # CuPy says where it lies only when the call has returned

    def malloc_postprocess(self, **told: Any) -> None:
        """The pool gave a block to an array."""
        self._block(Kind.CACHE_ALLOC, told)

    def free_preprocess(self, **told: Any) -> None:
        """An array gives its block back."""
        self._block(Kind.CACHE_FREE, told)

    def _block(self, kind: Kind, told: dict[str, Any]) -> None:
        address, size, device = told["mem_ptr"], told["mem_size"], told["device_id"]
        if not address:
            return
        memory = places.find(address, address + size)
        if kind == Kind.CACHE_ALLOC and binding.epoch:
            binding.native["block"](address, size)
        if memory is None:  # the pool had it before the hook was there
            name = f"pool block {places.number()}"
            memory = places.add(name, address, size, MemoryKind.DEVICE, device)
        access = memory.write(address - memory.base, address + size - memory.base)
        with tell.call(kind, lane_of(), accesses=(access,), device=device):
            pass
