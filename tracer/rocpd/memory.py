"""Addresses of a program as ranges of storages.

Memory whose allocation is in the database is a storage of its own while it lives. All other is one
storage by address for the host and one for the devices. Of the latter no life is known: each free
of some of it ends the lives of all of it, so that nothing is compared across a free.
"""

from bisect import bisect_right, insort
from dataclasses import dataclass

from synctrace.tracer.kinds import Extent, MemoryKind, Mode
from synctrace.tracer.rocpd.rows import Access, Rows

ADDRESSES = 1 << 48  # of a process
MOST_LIVES = 1 << 14  # of the devices' other memory: all of it side by side is below 2^64
MOST_ROWS = 1 << 20  # of a strided range, each looked at by itself
_HOST = -1
_NAMES = {
    MemoryKind.DEVICE: "device memory",
    MemoryKind.PINNED: "pinned memory",
    MemoryKind.MAPPED: "mapped memory",
    MemoryKind.WRITE_COMBINED: "write-combined memory",
    MemoryKind.MANAGED: "managed memory",
}


@dataclass(frozen=True)
class Memory:
    """One allocation that lives. `device`: where it lies, or for host memory who allocated it."""

    base: int
    size: int
    storage: int
    kind: MemoryKind
    device: int
    pool: bool = False

    @property
    def is_host(self) -> bool:
        """Whether hipHostFree frees it."""
        return self.kind not in (MemoryKind.DEVICE, MemoryKind.MANAGED)

    @property
    def is_device(self) -> bool | None:
        """Whether it is a device's; None: managed memory is anybody's."""
        return None if self.kind is MemoryKind.MANAGED else self.kind is MemoryKind.DEVICE


@dataclass(frozen=True)
class Bytes:
    """What a call touches: `size` bytes, or `height` rows of `width` bytes, `pitch` bytes apart."""

    address: int
    size: int
    pitch: int = 0
    width: int = 0
    height: int = 0


def in_rows(address: int, pitch: int, width: int, height: int) -> Bytes:
    """Rows of bytes; rows that lie side by side are one range."""
    if not width or not height:
        return Bytes(address, 0)
    size = pitch * (height - 1) + width
    if height == 1 or pitch <= width:
        return Bytes(address, size)
    return Bytes(address, size, pitch, width, height)


class Memories:
    """What lives when, as the calls are taken in their order."""

    def __init__(self, rows: Rows, tells_host_memory: bool) -> None:
        """`tells_host_memory`: what HIP allocated of it is known, so that the rest is pageable."""
        self._rows = rows
        self._bases: list[int] = []
        self._live: dict[int, Memory] = {}
        self._other = MemoryKind.PAGEABLE if tells_host_memory else MemoryKind.HOST
        self._host = 0  # storage
        self._devices = 0  # storage; 0: to be made
        self._lives = 0

    def allocate(
        self, base: int, size: int, kind: MemoryKind, device: int, ticket: int, pool: bool = False
    ) -> Memory | None:
        """The memory begins to live. What lay there before is over; None: it is nowhere."""
        if not size or base + size > ADDRESSES:
            return None
        for old in self._within(base, base + size):
            self._end(old)
        lies_on = device if kind in (MemoryKind.DEVICE, MemoryKind.MANAGED) else _HOST
        name = "pool memory" if pool else _NAMES[kind]
        storage = self._rows.storage(name, lies_on, base, size, kind, ticket)
        found = Memory(base, size, storage, kind, device, pool)
        insort(self._bases, base)
        self._live[base] = found
        return found

    def free(self, address: int) -> Memory | None:
        """The memory that ends, if its allocation is known."""
        found = self._live.get(address)
        if found:
            self._end(found)
        else:
            self._devices = 0
        return found

    def at(self, address: int, size: int = 1) -> Memory | None:
        """The allocation that holds all of these bytes."""
        place = bisect_right(self._bases, address)
        if not place:
            return None
        found = self._live[self._bases[place - 1]]
        return found if address + size <= found.base + found.size else None

    def whole(self, memory: Memory) -> int:
        """access.id of a write of all of it."""
        return self._rows.access(Access(memory.storage, 0, memory.size, Mode.WRITE))

    def access(self, touched: Bytes, mode: Mode, is_device: bool, ticket: int) -> int:
        """access.id of these bytes; `is_device`: whose they are if nothing is known of them."""
        memory = self.at(touched.address, touched.size)
        if memory:
            return self._access(memory.storage, touched.address - memory.base, touched, mode)
        if touched.address + touched.size > ADDRESSES:
            return self._rows.unknown()
        storage = self._of_devices(ticket) if is_device else self.of_host()
        if not storage:
            return self._rows.unknown()
        return self._access(storage, touched.address, touched, mode)

    def of_host(self) -> int:
        """storage.id of all host memory whose allocation is not known, by address."""
        if not self._host:
            self._host = self._rows.storage("host memory", _HOST, 0, ADDRESSES, self._other, 0)
        return self._host

    def register(self, address: int, size: int, ticket: int) -> None:
        """The host memory is registered from this ticket on."""
        self._becomes(address, size, MemoryKind.REGISTERED, ticket)

    def unregister(self, address: int, size: int, ticket: int) -> None:
        """It is what it was before."""
        self._becomes(address, size, self._other, ticket)

    def _becomes(self, address: int, size: int, kind: MemoryKind, ticket: int) -> None:
        if address + size <= ADDRESSES:
            self._rows.memory(self.of_host(), address, address + size, kind, ticket)

    def _of_devices(self, ticket: int) -> int:
        if not self._devices and self._lives < MOST_LIVES:
            self._lives += 1
            self._devices = self._rows.storage(
                "other device memory", 0, 0, ADDRESSES, MemoryKind.DEVICE, ticket
            )
        return self._devices

    def _access(self, storage: int, lo: int, touched: Bytes, mode: Mode) -> int:
        hi = lo + touched.size
        if not touched.pitch:
            return self._rows.access(Access(storage, lo, hi, mode))
        if touched.height > MOST_ROWS:
            return self._rows.access(Access(storage, lo, hi, mode, Extent.UPPER_BOUND))
        shape = (touched.pitch, touched.width, touched.height)
        return self._rows.access(Access(storage, lo, hi, mode, Extent.EXACT, *shape))

    def _within(self, lo: int, hi: int) -> list[Memory]:
        first = max(bisect_right(self._bases, lo) - 1, 0)
        last = bisect_right(self._bases, hi - 1)
        near = [self._live[base] for base in self._bases[first:last]]
        return [each for each in near if each.base < hi and lo < each.base + each.size]

    def _end(self, memory: Memory) -> None:
        del self._live[memory.base]
        self._bases.pop(bisect_right(self._bases, memory.base) - 1)
