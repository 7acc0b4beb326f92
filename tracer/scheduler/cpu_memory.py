"""The memories of the CPU device: bytes that everybody can spoil, and that say so when freed."""

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from synctrace.tracer import tell
from synctrace.tracer.kinds import Kind, MemoryKind
from synctrace.tracer.scheduler.copies import ON_A_DEVICE
from synctrace.tracer.scheduler.cpu_worker import refuse_worker
from synctrace.tracer.scheduler.device import DeviceError, Memory, Slice, slice_of
from synctrace.tracer.scheduler.refusals import check_size

tell.hide(__file__)

POISON = 0xDB  # every byte of memory that nobody has written, or that was freed
_ALLOC = {
    MemoryKind.DEVICE: Kind.ALLOC_DEVICE,
    MemoryKind.PINNED: Kind.ALLOC_PINNED,
    MemoryKind.PAGEABLE: Kind.ALLOC_PAGEABLE,
    MemoryKind.MANAGED: Kind.ALLOC_MANAGED,
}


@dataclass(frozen=True)
class Home:
    """Where a memory is: ordinal and legacy default stream of its device."""

    ordinal: int
    legacy: tell.Timeline | None


HOST = Home(-1, None)


def new_bytes(name: str, size: int) -> bytearray:
    """Bytes that nobody has written."""
    check_size(name, size)
    return bytearray([POISON]) * size


def address(data: bytearray) -> int:
    """Where the bytes lie."""
    return ctypes.addressof(ctypes.c_char.from_buffer(data))


class CpuMemory:
    """A named piece of memory.

    `told` is its storage in a trace, which the owners of a caching allocator's block share.
    """

    def __init__(
        self, name: str, data: bytearray, kind: MemoryKind, home: Home, told: tell.Memory
    ) -> None:
        self.name, self.kind = name, kind
        self.size = len(data)
        self.data, self.home, self.told = data, home, told
        self.device = home.ordinal
        self.owner: object = None  # the pool that it must be given back to
        self.freed = False

    def slice(self, lo: int = 0, hi: int | None = None, name: str | None = None) -> Slice:
        """Bytes [lo, hi), to the end if `hi` is left out."""
        return slice_of(self, lo, hi, name)

    def free(self) -> None:
        """End its life. Waits for no stream: work that still uses it finds poison."""
        if self.owner is not None:
            raise DeviceError(f"{self.name} is memory of a pool: give it back there")
        self.end()
        kind = Kind.FREE if self.kind in ON_A_DEVICE else Kind.FREE_HOST
        with tell.call(kind, accesses=(self.told.write(),), device=self.device):
            self.poison()

    def end(self) -> None:
        """Mark it as freed, which happens once."""
        if self.freed:
            raise DeviceError(f"{self.name} was freed before: free it once")
        self.freed = True
        self.told.gone()

    def poison(self) -> None:
        self.data[:] = bytes([POISON]) * self.size

    def store(self, data: bytes, lo: int = 0, name: str | None = None) -> None:
        """The host writes."""
        target = self._by_host("written").slice(lo, lo + len(data), name)
        with tell.call(Kind.HOST_WRITE, accesses=accesses((), (target,))):
            view(target)[:] = data

    def load(self, lo: int = 0, hi: int | None = None, name: str | None = None) -> bytes:
        """The host reads."""
        source = self._by_host("read").slice(lo, hi, name)
        with tell.call(Kind.HOST_READ, accesses=accesses((source,), ())):
            return bytes(view(source))

    def _by_host(self, done: str) -> "CpuMemory":
        refuse_worker(f"{self.name}, a memory")
        if self.kind is MemoryKind.DEVICE:
            raise DeviceError(f"{self.name} is device memory, {done} by the host: copy it")
        return self


def allocate(name: str, size: int, kind: MemoryKind, home: Home = HOST) -> CpuMemory:
    """Memory with a storage of its own, and the call that made it."""
    data = new_bytes(name, size)
    home = home if kind in ON_A_DEVICE else HOST
    told = tell.Memory(name, size, kind, device=home.ordinal, base=address(data))
    with tell.call(_ALLOC[kind], device=home.ordinal):
        return CpuMemory(name, data, kind, home, told)


def cpu_memory(memory: Memory) -> CpuMemory:
    """The memory, which must be the CPU device's."""
    if not isinstance(memory, CpuMemory):
        raise DeviceError(f"{memory.name} is not memory of the CPU device: copy it there")
    return memory


def view(each: Slice) -> memoryview:
    """The bytes themselves: what is stored there is seen at once."""
    return memoryview(cpu_memory(each.memory).data)[each.lo : each.hi]


def views(slices: Iterable[Slice]) -> list[memoryview]:
    """The bytes of each."""
    return [view(each) for each in slices]


def accesses(reads: Sequence[Slice], writes: Sequence[Slice]) -> tuple[int, ...]:
    """How a trace tells that these bytes are read and written."""
    read = [_told(each).read(each.lo, each.hi, _called(each)) for each in reads if each.size]
    written = [_told(each).write(each.lo, each.hi, _called(each)) for each in writes if each.size]
    return (*read, *written)


def _told(each: Slice) -> tell.Memory:
    return cpu_memory(each.memory).told


def _called(each: Slice) -> str:
    """Name of the bytes, if the storage's own does not say it."""
    owner = each.memory.name
    return each.name or (owner if owner != _told(each).name else "")
