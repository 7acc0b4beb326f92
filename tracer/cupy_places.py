"""Which recorded memory an array's bytes lie in, and what is touched of it.

Addresses of devices and of the host are of one space (unified addressing), so one table does.
"""

import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from synctrace.tracer import tell
from synctrace.tracer.cupy_import import cupy, runtime
from synctrace.tracer.kinds import Extent, MemoryKind, Mode

# Rows of a strided array that are told one by one; of more, the range from first to last byte.
MAX_SPANS = 64

Arrays = Iterable[Any] | Mapping[str, Any]  # arrays, or each under the name that it has


class Touch(NamedTuple):
    """Bytes [lo, hi) of a memory and what is done to them. `name`: what they hold, if known."""

    memory: tell.Memory
    mode: Mode
    lo: int
    hi: int
    name: str = ""
    extent: Extent = Extent.EXACT


def numbers(touched: Iterable[Touch]) -> tuple[int, ...]:
    """The accesses of `tell`, in the recording that is on."""
    told = {Mode.READ: tell.Memory.read, Mode.WRITE: tell.Memory.write, Mode.MAY: tell.Memory.may}
    return tuple(told[t.mode](t.memory, t.lo, t.hi, t.name, t.extent) for t in touched)


class Places:
    """Known memory by address. None overlaps another: new memory ends what it lies over."""

    def __init__(self) -> None:
        self._change = threading.Lock()
        # Replaced as a whole, never changed: who looks up needs no lock.
        self._known: tuple[list[int], list[tell.Memory]] = ([], [])
        self._numbers = 0

    def add(
        self, name: str, start: int, size: int, kind: MemoryKind, device: int = -1
    ) -> tell.Memory:
        """Memory that came to life at an address. Device -1: the host's."""
        memory = tell.Memory(name, size, kind, device=device, base=start)
        with self._change:
            _, old = self._known
            over = [m for m in old if m.base < start + size and start < m.base + m.size]
            kept = [m for m in old if m not in over]
            self._replace([*kept, memory])
        for each in over:
            each.gone()
        return memory

    def end(self, memory: tell.Memory) -> None:
        """This memory is no more."""
        with self._change:
            self._replace([m for m in self._known[1] if m is not memory])
        memory.gone()

    def find(self, start: int, end: int) -> tell.Memory | None:
        """The memory that holds bytes [start, end) of the address space."""
        starts, known = self._known
        index = bisect_right(starts, start) - 1
        if index >= 0 and end <= starts[index] + known[index].size:
            return known[index]
        return None

    def number(self) -> int:
        """1, 2, … for memory that nobody has named."""
        self._numbers += 1
        return self._numbers

    def _replace(self, known: list[tell.Memory]) -> None:
        known.sort(key=lambda memory: memory.base)
        self._known = ([memory.base for memory in known], known)


places = Places()


def spans(
    start: int, shape: Iterable[int], strides: Iterable[int], item: int
) -> tuple[list[tuple[int, int]], Extent]:
    """Byte ranges of a strided array, lowest first, and how well they are known.

    One covering range, of which only some bytes are touched, if there are more than `MAX_SPANS`.
    """
    steps: list[tuple[int, int]] = []
    for extent, stride in zip(shape, strides, strict=True):
        if not extent:
            return [], Extent.EXACT
        start += min(0, (extent - 1) * stride)
        if extent > 1 and stride:
            steps.append((abs(stride), extent))
    size, rows, count = item, [], 1
    for stride, extent in sorted(steps):
        if not rows and stride <= size:
            size += (extent - 1) * stride
        else:
            rows.append((stride, extent))
            count *= extent
    if count > MAX_SPANS:
        cover = size + sum(stride * (extent - 1) for stride, extent in rows)
        return [(start, start + cover)], Extent.UPPER_BOUND
    offsets = product(*(range(0, stride * extent, stride) for stride, extent in rows))
    firsts = sorted(start + sum(offset) for offset in offsets)
    return [(first, first + size) for first in firsts], Extent.EXACT


def touch(array: Any, mode: Mode, name: str = "") -> Iterator[Touch]:
    """All bytes of a CuPy or NumPy array. `name`: what the program calls it."""
    on_device = isinstance(array, cupy.ndarray)
    start = array.data.ptr if on_device else array.__array_interface__["data"][0]
    if array.flags.c_contiguous:
        ranges, extent = [(start, start + array.nbytes)], Extent.EXACT
    else:
        ranges, extent = spans(start, array.shape, array.strides, array.itemsize)
    if not array.nbytes:
        return
    low, high = ranges[0][0], ranges[-1][1]
    memory = places.find(low, high)
    if memory is None:
        memory = _device_memory(array, low, high) if on_device else _host_memory(array, low, high)
    for lo, hi in ranges:
        yield Touch(memory, mode, lo - memory.base, hi - memory.base, name, extent)


def touches(reads: Arrays = (), writes: Arrays = (), may: Arrays = ()) -> Sequence[Touch]:
    """Arrays by what is done to them. Anything that is no array is passed over."""
    touched: list[Touch] = []
    for mode, arrays in ((Mode.READ, reads), (Mode.WRITE, writes), (Mode.MAY, may)):
        pairs = arrays.items() if isinstance(arrays, Mapping) else (("", a) for a in arrays)
        for name, array in pairs:
            if hasattr(array, "strides"):
                touched += touch(array, mode, name)
    return touched


def _device_memory(array: Any, low: int, high: int) -> tell.Memory:
    """The block that CuPy gave the array, which is all that can be seen of a pool from here."""
    block = array.data.mem
    kinds = {"ManagedMemory": MemoryKind.MANAGED, "SystemMemory": MemoryKind.PAGEABLE}
    kind = kinds.get(type(block).__name__, MemoryKind.DEVICE)
    start, end = min(block.ptr, low), max(block.ptr + block.size, high)
    device = -1 if kind is MemoryKind.PAGEABLE else block.device_id
    return places.add(f"array {places.number()}", start, end - start, kind, device)


def _host_memory(array: Any, low: int, high: int) -> tell.Memory:
    """Host memory that nobody entered: its owner's block if CuPy pinned it, else the array's."""
    owner = array
    while getattr(owner, "base", None) is not None:
        owner = owner.base
    block = getattr(getattr(owner, "obj", owner), "mem", None)  # obj: of a memoryview
    if block is not None and block.ptr <= low and high <= block.ptr + block.size:
        return places.add(f"pinned {places.number()}", block.ptr, block.size, MemoryKind.PINNED)
    name = f"host array {places.number()}"
    return places.add(name, low, high - low, _kind_of_host(low))


def _kind_of_host(address: int) -> MemoryKind:
    try:
        told = runtime.pointerGetMemoryType(address)
    except RuntimeError:  # HIP's answer for memory that it does not know
        return MemoryKind.PAGEABLE
    return MemoryKind.PINNED if told == runtime.memoryTypeHost else MemoryKind.PAGEABLE
