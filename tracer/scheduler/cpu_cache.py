"""A caching allocator over the CPU device, as PyTorch has one: blocks that are handed on unasked.

Its calls are the host's: a block is handed out and taken back at once, whatever is pending. The
next owner is safe on the stream that the block is for, and after the streams that were recorded for
it. Work of any other stream that still uses the block is spoiled.
"""

import threading
from dataclasses import dataclass, field

from synctrace.tracer import tell
from synctrace.tracer.kinds import Kind, MemoryKind
from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_memory import CpuMemory, address, new_bytes
from synctrace.tracer.scheduler.cpu_stream import CpuStream
from synctrace.tracer.scheduler.cpu_worker import Point, Worker
from synctrace.tracer.scheduler.device import DeviceError

tell.hide(__file__)


@dataclass
class _Block:
    """Bytes for one stream. `told` is one storage for all its owners."""

    data: bytearray
    told: tell.Memory
    stream: CpuStream
    used_on: set[Worker] = field(default_factory=set)  # recorded for its owner of now
    pending: list[Point] = field(default_factory=list)  # of its owners before

    def is_ready(self) -> bool:
        return all(point.reached() for point in self.pending)


class CachingAllocator:
    """Device memory of one device. Asks the device only for what no free block has the size of."""

    def __init__(self, device: CpuDevice) -> None:
        self._device = device
        self._free: list[_Block] = []
        self._made = 0
        self._lock = threading.Lock()

    def alloc(self, name: str, size: int, stream: CpuStream) -> CpuMemory:
        """Memory for this stream: its block of that size that was freed last, or a new one."""
        block = self._take(size, stream)
        with tell.call(Kind.CACHE_ALLOC, stream.told, accesses=(block.told.read(),)):
            memory = CpuMemory(name, block.data, MemoryKind.DEVICE, self._device.home, block.told)
            memory.owner = block
            return memory

    def free(self, memory: CpuMemory) -> None:
        """Give it back at once. Nothing spoils it before its next owner does."""
        block = self._block_of(memory)
        memory.end()
        with tell.call(Kind.CACHE_FREE, block.stream.told, accesses=(block.told.read(),)):
            block.pending = [worker.last() for worker in block.used_on]
            block.used_on = set()
            with self._lock:
                self._free.append(block)

    def record_stream(self, memory: CpuMemory, stream: CpuStream) -> None:
        """Its next owner waits for what this stream has been given when it is freed."""
        block = self._block_of(memory)
        with tell.call(Kind.RECORD_STREAM, stream.told, accesses=(block.told.read(),)):
            block.used_on.add(stream.worker)

    def _take(self, size: int, stream: CpuStream) -> _Block:
        with self._lock:
            for block in reversed(self._free):
                if len(block.data) == size and block.stream is stream and block.is_ready():
                    self._free.remove(block)
                    return block
            self._made += 1
            name = f"block {self._made}"
        data = new_bytes(name, size)
        ordinal = self._device.ordinal
        told = tell.Memory(name, size, MemoryKind.DEVICE, device=ordinal, base=address(data))
        return _Block(data, told, stream)

    def _block_of(self, memory: CpuMemory) -> _Block:
        if not isinstance(memory.owner, _Block):
            raise DeviceError(
                f"{memory.name} is not of a caching allocator: free it where it is of"
            )
        return memory.owner
