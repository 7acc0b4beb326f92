"""What the scheduler asks of a device: streams, events, memory, copies, captured graphs.

The words are CUDA's and HIP's, and so are the promises: a stream runs what it is given in order,
and nothing else is ordered. `cpu` has devices whose streams are worker threads, `cupy_device` real
GPUs. Every call records itself (`tracer.tell`) while a recording is on. Sizes and offsets: bytes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import MemoryKind
from synctrace.tracer.scheduler.handover import Handover

# Gets the bytes of each slice it reads and of each it writes.
Body = Callable[[Sequence[memoryview], Sequence[memoryview]], None]


class DeviceError(SynctraceError):
    """A call that the device refuses, or work on it that failed. One sentence."""


@dataclass(frozen=True)
class Kernel:
    """The same integer arithmetic twice, so that outputs are equal bit for bit.

    `cuda` is the body of a CUDA or HIP kernel for one 64-bit word of each slice: `reads0[i]`,
    `reads1[i]`, …, then `writes0[i]`, …, all unsigned long long, `i` the number of the word.
    """

    name: str
    cpu: Body
    cuda: str


class Memory(Protocol):
    """Bytes that live from the call that made them to `free`."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def kind(self) -> MemoryKind: ...
    @property
    def device(self) -> int:
        """Ordinal of the device whose memory it is; -1: the host's."""
        ...

    def slice(self, lo: int = 0, hi: int | None = None, name: str | None = None) -> "Slice":
        """Bytes [lo, hi), to the end if `hi` is left out. `name`: what they hold, a tensor."""
        ...

    def free(self) -> None:
        """End its life now, whatever may still be using it."""
        ...

    def store(self, data: bytes, lo: int = 0, name: str | None = None) -> None:
        """The host writes; not device memory. Recorded as host_write."""
        ...

    def load(self, lo: int = 0, hi: int | None = None, name: str | None = None) -> bytes:
        """The host reads; not device memory. Recorded as host_read."""
        ...


@dataclass(frozen=True)
class Slice:
    """Bytes [lo, hi) of a memory, and what the program calls them."""

    memory: Memory
    lo: int
    hi: int
    name: str | None = None

    @property
    def size(self) -> int:
        return self.hi - self.lo


def slice_of(memory: Memory, lo: int, hi: int | None, name: str | None) -> Slice:
    """Bytes [lo, hi), to the end if `hi` is left out. Raises DeviceError outside of the memory."""
    hi = memory.size if hi is None else hi
    if not 0 <= lo <= hi <= memory.size:
        raise DeviceError(
            f"[{lo}, {hi}) is outside of {memory.name}, which has {memory.size} bytes"
        )
    return Slice(memory, lo, hi, name)


class Event(Protocol):
    """A point of a stream. All calls go by the latest record; one never recorded is done."""

    @property
    def name(self) -> str: ...

    def synchronize(self) -> None:
        """The host waits until the stream has come to the record."""
        ...

    def query(self) -> bool:
        """Whether it has."""
        ...


class Graph(Protocol):
    """Captured calls that are launched as one. Launches read what its inputs hold by then."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int:
        """1, and one more each time that calls are captured under its name again."""
        ...

    @property
    def nodes(self) -> int: ...


class Stream(Protocol):
    """Runs its calls in order, and in no order with other streams, legacy streams included.

    Calls return before their work is done, except where they say "waits".
    """

    @property
    def name(self) -> str: ...
    @property
    def device(self) -> int: ...

    def copy(self, to: Slice, source: Slice) -> None:
        """Copy as many bytes as both have: by its memories h2d, d2h, d2d or between devices.

        Host memory that is pageable is copied within the call on its way to the device; on its way
        to pageable memory the call waits.
        """
        ...

    def fill(self, to: Slice, value: int) -> None:
        """Set all bytes to `value`, 0 to 255."""
        ...

    def launch(self, kernel: Kernel, reads: Sequence[Slice], writes: Sequence[Slice]) -> None: ...

    def record(self, event: Event) -> None: ...

    def wait(self, event: Event) -> None:
        """What this stream is given from now on comes after the event's latest record."""
        ...

    def synchronize(self) -> None:
        """The host waits for all that the stream was given."""
        ...

    def query(self) -> bool:
        """Whether all of it is done."""
        ...

    def begin_capture(self) -> None:
        """From now on calls are stored, not run. Those which wait are refused."""
        ...

    def end_capture(self, name: str) -> Graph:
        """The calls since `begin_capture` as one graph.

        Under the name of an earlier graph of the device it is that graph, in a new version:
        launches made before keep theirs.
        """
        ...

    def launch_graph(self, graph: Graph) -> None: ...

    def host_call(
        self,
        function: Body,
        reads: Sequence[Slice] = (),
        writes: Sequence[Slice] = (),
        signal: Handover | None = None,
    ) -> None:
        """Run a function of the host in the stream's order; then give the signal, if there is one.

        It gets the bytes of slices of host memory and must make no call: not to a device, nor to
        `load` and `store`.
        """
        ...

    def alloc_async(self, name: str, size: int) -> Memory:
        """Memory of the device's pool, from this point of the stream on."""
        ...

    def free_async(self, memory: Memory) -> None:
        """Give memory back to the pool, at this point of the stream."""
        ...


class Device(Protocol):
    """A device, and the host memory that it can reach."""

    @property
    def ordinal(self) -> int:
        """0, 1, …; -1: the host itself."""
        ...

    @property
    def name(self) -> str: ...

    def stream(self, name: str) -> Stream: ...
    def event(self, name: str) -> Event: ...

    def memory(self, name: str, size: int) -> Memory: ...
    def pinned(self, name: str, size: int) -> Memory: ...
    def pageable(self, name: str, size: int) -> Memory: ...
    def managed(self, name: str, size: int) -> Memory: ...

    def copy(self, to: Slice, source: Slice) -> None:
        """The copy of the synchronous name, on the legacy default stream: waits for no other.

        The host waits for it, except within a device and between devices.
        """
        ...

    def synchronize(self) -> None:
        """The host waits for all streams of the device."""
        ...

    def close(self) -> None:
        """Wait for the streams and give everything back. The device takes no call after that."""
        ...
