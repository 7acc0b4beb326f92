"""What a recording names: timelines, events, memory, graphs, each told at its first use in it."""

from bisect import bisect_right, insort
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

from synctrace.tracer import binding
from synctrace.tracer.kinds import (
    ActorKind,
    BufferUsage,
    Extent,
    MemoryKind,
    Mode,
    Origin,
    StreamFlag,
)

_READ, _WRITE, _MAY = int(Mode.READ), int(Mode.WRITE), int(Mode.MAY)
_EXACT = int(Extent.EXACT)
MOST_BYTES = 1 << 62
HOST = -1  # the device ordinal of what is on none


class _Told:
    """Something with a number in each recording."""

    __slots__ = ("__weakref__", "_epoch", "_id", "device", "handle", "name")

    def __init__(self, name: str, device: int, handle: int) -> None:
        self.name, self.device, self.handle = name, device, handle
        self._epoch = self._id = 0

    def id(self) -> int:
        """Its number in the recording that is on; 0: there is none."""
        if self._epoch != binding.epoch:
            self._epoch = binding.epoch
            self._id = self._tell() if binding.epoch else 0
        return self._id

    def _tell(self) -> int:
        raise NotImplementedError


class Timeline(_Told):
    """A stream, or what else executes work in order."""

    __slots__ = ("flags", "kind")

    def __init__(
        self,
        name: str,
        device: int,
        flags: StreamFlag = StreamFlag.NONBLOCKING,
        handle: int = 0,
        kind: ActorKind = ActorKind.STREAM,
    ) -> None:
        super().__init__(name, device, handle)
        self.flags, self.kind = flags, kind

    def _tell(self) -> int:
        number: int = binding.native["actor"](
            self.kind, self.name, self.device, self.flags, self.handle
        )
        return number


class Signal(_Told):
    """An event, or what else is recorded and waited for."""

    __slots__ = ()

    def __init__(self, name: str, device: int = HOST, handle: int = 0) -> None:
        super().__init__(name, device, handle)

    def _tell(self) -> int:
        number: int = binding.native["event"](self.name, self.device, self.handle)
        return number


class Memory(_Told):
    """One life of a piece of memory: `size` bytes, at address `base` where that is known (else 0).

    Host memory of known address is found again by `memory_at` until `gone` is called. What lies in
    memory that a GPU API's recorded calls handed out is told as bytes of that. Raises ValueError
    for a size that no memory has; its accesses do for bytes beyond it.
    """

    __slots__ = ("_around", "_ranges", "base", "kind", "size")

    def __init__(
        self,
        name: str,
        size: int,
        kind: MemoryKind,
        device: int = HOST,
        base: int = 0,
        handle: int = 0,
    ) -> None:
        if not 0 <= size < MOST_BYTES:
            raise ValueError(f"{name} of {size} bytes: a memory has 0 to {MOST_BYTES - 1}")
        super().__init__(name, device, handle)
        self.size, self.kind, self.base = size, kind, base
        self._ranges: dict[tuple[int, int, int | None, str, int], int] = {}
        self._around: int | None = None  # its place in the API's memory; None: it is in none
        if base and size:
            _placed(self)

    def read(
        self,
        lo: int = 0,
        hi: int | None = None,
        name: str = "",
        extent: int = _EXACT,
    ) -> int:
        """Number of the access "reads bytes [lo, hi)"; 0 while nothing records.

        `name`: what the user calls these bytes. `extent`: how well the range is known.
        """
        if not (epoch := binding.epoch):
            return 0
        if self._epoch == epoch and (known := self._ranges.get((_READ, lo, hi, name, extent))):
            return known
        return self.access(_READ, lo, hi, name, extent)

    def write(
        self, lo: int = 0, hi: int | None = None, name: str = "", extent: int = _EXACT
    ) -> int:
        """As `read`, for a write."""
        if not (epoch := binding.epoch):
            return 0
        if self._epoch == epoch and (known := self._ranges.get((_WRITE, lo, hi, name, extent))):
            return known
        return self.access(_WRITE, lo, hi, name, extent)

    def may(self, lo: int = 0, hi: int | None = None, name: str = "", extent: int = _EXACT) -> int:
        """As `read`, for what may be a read, a write or nothing."""
        return self.access(_MAY, lo, hi, name, extent)

    def gone(self) -> None:
        """Its address may be another memory's from here on."""
        if self.base and _memory.get(self.base) is self:
            del _memory[self.base]

    def id(self) -> int:
        """As of any object. Its accesses are told anew with it."""
        if self._epoch != binding.epoch:
            self._ranges = {}
        return super().id()

    def _tell(self) -> int:
        around = binding.native["storage_around"](self.base, self.size) if self.base else None
        if around:
            number, self._around = around
            return int(number)
        self._around = None
        return int(
            binding.native["storage"](
                self.name, self.device, self.base, self.size, self.kind, self.handle
            )
        )

    def access(
        self, mode: int, lo: int, hi: int | None, name: str = "", extent: int = _EXACT
    ) -> int:
        """As `read`, for any mode."""
        if self._epoch != binding.epoch:
            self.id()
        key = (mode, lo, hi, name, extent)
        return self._ranges.get(key) or self._new_access(key)

    def _new_access(self, key: tuple[int, int, int | None, str, int]) -> int:
        if not binding.epoch:
            return 0
        mode, lo, hi, name, extent = key
        end = self.size if hi is None else hi
        if not 0 <= lo <= end <= self.size:
            raise ValueError(f"bytes [{lo}, {end}) of {self.name}, which has {self.size}")
        storage = self.id()
        named = (lo, end) if name else (0, self.size)
        at = self._around or 0
        number: int = binding.native["range"](
            *(storage, mode, extent, Origin.ARGUMENT, BufferUsage.ANY),
            *(at + lo, at + end, at + named[0], at + named[1]),
            name or ("" if self._around is None else self.name),
        )
        self._ranges[key] = number
        return number


class Plan(_Told):
    """An executable graph."""

    __slots__ = ("_version", "_walk")

    def __init__(self, name: str) -> None:
        super().__init__(name, HOST, 0)
        self._version: tuple[Callable[[], Sequence[int]], int, str] | None = None
        self._walk = 0

    def captured(self, touches: Callable[[], Sequence[int]], nodes: int, operations: str) -> None:
        """It was made, or made anew: `touches()` gives the accesses of a launch.

        `operations`: what its nodes do, for reports, at most 199 characters.
        """
        self._version = touches, nodes, operations
        self._walk = 0
        if binding.native:
            binding.native["forget_calls"]()

    def walk(self) -> int:
        """Number of the version that a launch runs now; 0: nothing is known of it."""
        number = self.id()
        if number and not self._walk and self._version:
            touches, nodes, operations = self._version
            accesses = tuple(touches())
            self._walk = binding.native["captured"](number, accesses, nodes, operations, self.name)
        return self._walk

    def _tell(self) -> int:
        self._walk = 0
        number: int = binding.native["graph"]()
        return number


_memory: WeakValueDictionary[int, Memory] = WeakValueDictionary()
_bases: list[int] = []


def _placed(memory: Memory) -> None:
    if memory.base not in _memory:
        while len(_bases) > 64 and len(_bases) > 2 * len(_memory):
            _bases[:] = sorted(_memory)
        insort(_bases, memory.base)
    _memory[memory.base] = memory


def memory_at(address: int, size: int) -> Memory | None:
    """The live memory that holds these bytes; None: none that was told."""
    at = bisect_right(_bases, address)
    if not at or not (found := _memory.get(_bases[at - 1])):
        return None
    return found if address + size <= found.base + found.size else None
