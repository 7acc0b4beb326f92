"""Which recorded memory an array's bytes lie in, and what is touched of it.

Addresses of devices and of the host are of one space (unified addressing), so one table does.
"""

import threading
import weakref
from bisect import bisect_right
from collections.abc import Iterable
from itertools import product
from typing import Any

from synctrace.tracer import binding, tell
from synctrace.tracer.cupy.importing import IS_HIP, cupy, runtime
from synctrace.tracer.kinds import Extent, MemoryKind, Mode

# Rows of a strided array that are told one by one; of more, the range from first to last byte.
MAX_SPANS = 64
_READ, _WRITE, _MAY = Mode.READ, Mode.WRITE, Mode.MAY

Arrays = Iterable[Any] | dict[str, Any]  # arrays, or each under the name that it has


# Bytes [lo, hi) of a memory, what is done to them, what they hold if that is known, and how well
# the range is known. A plain tuple: two of them are made for every copy that is recorded.
Touch = tuple[tell.Memory, Mode, int, int, str, Extent]


def numbers(touched: Iterable[Touch]) -> tuple[int, ...]:
    """The accesses of `tell`, in the recording that is on."""
    return tuple(
        [
            memory.access(mode, lo, hi, name, extent)
            for memory, mode, lo, hi, name, extent in touched
        ]
    )


class Places:
    """Known memory by address. None overlaps another: new memory ends what it lies over."""

    def __init__(self) -> None:
        self._change = threading.Lock()
        # Replaced as a whole, never changed: who looks up needs no lock.
        self._all: tuple[list[int], list[tell.Memory]] = ([], [])
        self._numbers = 0

    def add(
        self, name: str, start: int, size: int, kind: MemoryKind, device: int = -1
    ) -> tell.Memory:
        """Memory that came to life at an address. Device -1: the host's."""
        memory = tell.Memory(name, size, kind, device=device, base=start)
        with self._change:
            _, old = self._all
            over = [m for m in old if m.base < start + size and start < m.base + m.size]
            kept = [m for m in old if m not in over]
            self._replace([*kept, memory])
        for each in over:
            each.gone()
        return memory

    def end(self, memory: tell.Memory) -> None:
        """This memory is no more."""
        with self._change:
            self._replace([m for m in self._all[1] if m is not memory])
        memory.gone()

    def find(self, start: int, end: int) -> tell.Memory | None:
        """The memory that holds bytes [start, end) of the address space."""
        starts, known = self._all
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
        self._all = ([memory.base for memory in known], known)
        _known.clear()


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
    size, count = item, 1
    rows: list[tuple[int, int]] = []
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


_pinned: dict[int, int] = {}  # address of each array of `pinned_empty`, by its id


def remember(array: Any, address: int) -> None:
    """NumPy takes longer to say where an array lies than everything else here takes together."""
    _pinned[id(array)] = address
    weakref.finalize(array, _pinned.pop, id(array)).atexit = False


def address_of(array: Any) -> int:
    """Where the first element of a CuPy or NumPy array lies."""
    if isinstance(array, cupy.ndarray):
        return int(array.data.ptr)
    return _pinned.get(id(array)) or int(array.__array_interface__["data"][0])


def touch(array: Any, mode: Mode, name: str = "") -> list[Touch]:
    """All bytes of a CuPy or NumPy array. `name`: what the program calls it."""
    start, size = address_of(array), array.nbytes
    if not size:
        return []
    if array.flags.c_contiguous:
        memory = places.find(start, start + size) or _new_memory(array, start, start + size)
        base = memory.base
        return [(memory, mode, start - base, start + size - base, name, Extent.EXACT)]
    ranges, extent = spans(start, array.shape, array.strides, array.itemsize)
    low, high = ranges[0][0], ranges[-1][1]
    memory = places.find(low, high) or _new_memory(array, low, high)
    base = memory.base
    return [(memory, mode, lo - base, hi - base, name, extent) for lo, hi in ranges]


# What an array was told as: by its id, with proof that it is still that array. Holds in one
# recording and as long as no memory came or went: who uses the same arrays again and again has them
# looked up once.
_known: dict[tuple[int, Mode], tuple[weakref.ref[Any], tuple[int, ...]]] = {}
_known_in = 0  # the recording
_MOST_KNOWN = 1 << 14


def access_to(array: Any, mode: Mode) -> tuple[int, ...]:
    """The accesses of `tell` to all bytes of an array, () for what is no array."""
    global _known_in
    if _known_in != binding.epoch:
        _known.clear()
        _known_in = binding.epoch
    known = _known.get((id(array), mode))
    if known is not None and known[0]() is array:
        return known[1]
    if not hasattr(array, "strides"):
        return ()
    told = numbers(touch(array, mode))
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[id(array), mode] = (weakref.ref(array), told)
    return told


def accesses(reads: Arrays = (), writes: Arrays = (), may: Arrays = ()) -> tuple[int, ...]:
    """Those of `touches`, as numbers of `tell` in the recording that is on."""
    told: tuple[int, ...] = ()
    for mode, arrays in ((_READ, reads), (_WRITE, writes), (_MAY, may)):
        if isinstance(arrays, dict):
            for name, array in arrays.items():
                told += numbers(touch(array, mode, name))
            continue
        plain: Iterable[Any] = arrays
        for array in plain:
            told += access_to(array, mode)
    return told


def touches(reads: Arrays = (), writes: Arrays = (), may: Arrays = ()) -> list[Touch]:
    """Arrays by what is done to them. Anything that is no array is passed over."""
    touched: list[Touch] = []
    for mode, arrays in ((_READ, reads), (_WRITE, writes), (_MAY, may)):
        if isinstance(arrays, dict):
            for name, array in arrays.items():
                touched += touch(array, mode, name)
        else:
            for array in arrays:
                if hasattr(array, "strides"):
                    touched += touch(array, mode)
    return touched


def _new_memory(array: Any, low: int, high: int) -> tell.Memory:
    """Memory that nobody entered."""
    if isinstance(array, cupy.ndarray):
        return _device_memory(array, low, high)
    return _host_memory(array, low, high)


def _device_memory(array: Any, low: int, high: int) -> tell.Memory:
    """The block that CuPy gave the array, which is all that can be seen of a pool from here."""
    block = array.data.mem
    kinds = {"ManagedMemory": MemoryKind.MANAGED, "SystemMemory": MemoryKind.PAGEABLE}
    kind = kinds.get(type(block).__name__, MemoryKind.DEVICE)
    start, end = min(block.ptr, low), max(block.ptr + block.size, high)
    device = -1 if kind is MemoryKind.PAGEABLE else block.device_id
    return places.add(f"array {places.number()}", start, end - start, kind, device)


def _host_memory(array: Any, low: int, high: int) -> tell.Memory:
    """Its owner's block if CuPy pinned it, else the array's own bytes."""
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
        if IS_HIP:  # whose numbers of types changed, and CuPy takes them for the older ones
            pinned = bool(runtime.pointerGetAttributes(address).hostPointer)
        else:
            pinned = runtime.pointerGetMemoryType(address) == runtime.memoryTypeHost
    except RuntimeError:  # an older HIP's answer for memory that it does not know
        return MemoryKind.PAGEABLE
    return MemoryKind.PINNED if pinned else MemoryKind.PAGEABLE
