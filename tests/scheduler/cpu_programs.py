"""Small programs for the CPU device, each once as a race and once with the order that it lacks.

Each returns whether its bytes came out right. Sizes and speeds are such that the race is wide open.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_cache import CachingAllocator
from synctrace.tracer.scheduler.cpu_pace import Speed
from synctrace.tracer.scheduler.cpu_stream import CpuStream
from synctrace.tracer.scheduler.device import Kernel
from synctrace.tracer.scheduler.handover import Handover

SIZE = 256
OLD, NEW = b"\x01" * SIZE, b"\x11" * SIZE
AT_ONCE = Speed(latency_s=0, bytes_per_s=float("inf"), kernel_s=0)
SLOW = Speed(latency_s=0.01, bytes_per_s=1e9, kernel_s=0.01)


def speed(seed: int) -> Speed:
    return Speed(latency_s=2e-4, bytes_per_s=1e6, kernel_s=3e-4, seed=seed)


def _add_one(reads: Sequence[memoryview], writes: Sequence[memoryview]) -> None:
    writes[0][:] = bytes((byte + 1) & 255 for byte in reads[0])


def _copied(reads: Sequence[memoryview], writes: Sequence[memoryview]) -> None:
    writes[0][:] = reads[0]


ADD_ONE = Kernel("add_one", _add_one, "writes0[i] = reads0[i] + 1;")
COPY = Kernel("copied", _copied, "writes0[i] = reads0[i];")


@contextlib.contextmanager
def device(given: Speed = AT_ONCE, ordinal: int = 0) -> Iterator[CpuDevice]:
    """A device that is closed behind the test, failed or not."""
    with contextlib.closing(CpuDevice(ordinal, given)) as made:
        yield made


class Gate:
    """Holds a stream up until it is opened, so that no test goes by time."""

    def __init__(self, stream: CpuStream) -> None:
        self._open = threading.Event()
        stream.host_call(lambda reads, writes: self._wait())

    def _wait(self) -> None:
        assert self._open.wait(30)

    def open(self) -> None:
        self._open.set()


def pending_source(seed: int, right: bool) -> bool:
    """The host refills a pinned source that a copy may still read."""
    with device(speed(seed)) as gpu:
        stream, copied = gpu.stream("main"), gpu.event("copied")
        source, target = gpu.pinned("source", SIZE), gpu.memory("target", SIZE)
        result = gpu.pinned("result", SIZE)
        source.store(OLD)
        stream.copy(target.slice(), source.slice())
        stream.record(copied)
        if right:
            copied.synchronize()
        source.store(NEW)
        stream.copy(result.slice(), target.slice())
        stream.synchronize()
        return result.load() == OLD


def graph_input(seed: int, right: bool) -> bool:
    """The host rewrites the input of a graph that was launched and may still run."""
    with device(speed(seed)) as gpu:
        stream = gpu.stream("main")
        tokens, hidden = gpu.pinned("tokens", SIZE), gpu.memory("hidden", SIZE)
        logits = gpu.pinned("logits", SIZE)
        stream.begin_capture()
        stream.copy(hidden.slice(), tokens.slice())
        stream.launch(ADD_ONE, [hidden.slice()], [hidden.slice()])
        graph = stream.end_capture("step")
        tokens.store(OLD)
        stream.launch_graph(graph)
        if right:
            stream.synchronize()
        tokens.store(NEW)
        stream.copy(logits.slice(), hidden.slice())
        stream.synchronize()
        return logits.load() == bytes(byte + 1 for byte in OLD)


def missing_event(seed: int, right: bool) -> bool:
    """One stream reads what another stream writes."""
    with device(speed(seed)) as gpu:
        first, second, written = gpu.stream("first"), gpu.stream("second"), gpu.event("written")
        data, result = gpu.memory("data", SIZE), gpu.pinned("result", SIZE)
        first.fill(data.slice(), 7)
        first.record(written)
        if right:
            second.wait(written)
        second.copy(result.slice(), data.slice())
        second.synchronize()
        return result.load() == b"\x07" * SIZE


def own_event(seed: int, right: bool) -> bool:
    """A peer copy overwrites a slot that the other device still reads: who waits for whose event?

    The wait on the reader's own stream orders nothing for the copy, which runs on its source's.
    """
    with device(speed(seed)) as near, device(speed(seed), ordinal=1) as far:
        source, reader, read = near.stream("source"), far.stream("reader"), far.event("read")
        data, slot = near.memory("data", SIZE), far.memory("slot", SIZE)
        result = far.pinned("result", SIZE)
        reader.fill(slot.slice(), 1)
        source.fill(data.slice(), 2)
        reader.copy(result.slice(), slot.slice())
        reader.record(read)
        (source if right else reader).wait(read)
        source.copy(slot.slice(), data.slice())
        reader.synchronize()
        return result.load() == b"\x01" * SIZE


def read_too_early(seed: int, right: bool) -> bool:
    """The host reads what a copy has not written yet."""
    with device(speed(seed)) as gpu:
        stream, other = gpu.stream("main"), gpu.stream("other")
        data, result = gpu.memory("data", SIZE), gpu.pinned("result", SIZE)
        stream.fill(data.slice(), 7)
        stream.copy(result.slice(), data.slice())
        (stream if right else other).synchronize()
        return result.load() == b"\x07" * SIZE


def pool_block(seed: int, right: bool) -> bool:
    """Memory goes back to the pool while another stream still reads it."""
    with device(speed(seed)) as gpu:
        owner, reader, read = gpu.stream("owner"), gpu.stream("reader"), gpu.event("read")
        made, result = gpu.event("made"), gpu.pinned("result", SIZE)
        block = owner.alloc_async("block", SIZE)
        owner.fill(block.slice(), 7)
        owner.record(made)
        reader.wait(made)
        reader.copy(result.slice(), block.slice())
        reader.record(read)
        if right:
            owner.wait(read)
        owner.free_async(block)
        reader.synchronize()
        return result.load() == b"\x07" * SIZE


def cached_block(seed: int, right: bool) -> bool:
    """A caching allocator hands a block on that a stream still reads which nobody recorded."""
    with device(speed(seed)) as gpu:
        owner, reader, made = gpu.stream("owner"), gpu.stream("reader"), gpu.event("made")
        cache, result = CachingAllocator(gpu), gpu.pinned("result", SIZE)
        block = cache.alloc("activations", SIZE, owner)
        owner.fill(block.slice(), 7)
        owner.record(made)
        reader.wait(made)
        reader.copy(result.slice(), block.slice())
        if right:
            cache.record_stream(block, reader)
        cache.free(block)
        following = cache.alloc("gradients", SIZE, owner)
        owner.fill(following.slice(), 9)
        reader.synchronize()
        return result.load() == b"\x07" * SIZE


def callback(seed: int, right: bool) -> bool:
    """The host reads what a host function on a stream announces."""
    with device(speed(seed)) as gpu:
        stream, announced = gpu.stream("main"), Handover("announced")
        data, result = gpu.memory("data", SIZE), gpu.pinned("result", SIZE)
        stream.fill(data.slice(), 7)
        if right:
            stream.copy(result.slice(), data.slice())
        stream.host_call(lambda reads, writes: None, signal=announced)
        if not right:
            stream.copy(result.slice(), data.slice())
        announced.wait()
        return result.load() == b"\x07" * SIZE


def unified(seed: int, right: bool) -> bool:
    """The host reads managed memory that a kernel still writes."""
    with device(speed(seed)) as gpu:
        stream, done = gpu.stream("main"), gpu.event("done")
        data = gpu.managed("data", SIZE)
        data.store(OLD)
        stream.launch(ADD_ONE, [data.slice()], [data.slice()])
        stream.record(done)
        if right:
            done.synchronize()
        return data.load() == bytes(byte + 1 for byte in OLD)


def freed_source(seed: int, right: bool) -> bool:
    """A pinned source is freed under its copy."""
    with device(speed(seed)) as gpu:
        stream, result = gpu.stream("main"), gpu.pinned("result", SIZE)
        source, target = gpu.pinned("source", SIZE), gpu.memory("target", SIZE)
        source.store(OLD)
        stream.copy(target.slice(), source.slice())
        stream.copy(result.slice(), target.slice())
        if right:
            stream.synchronize()
        source.free()
        if not right:
            stream.synchronize()
        return result.load() == OLD


Program = Callable[[int, bool], bool]
PROGRAMS: tuple[Program, ...] = (
    *(pending_source, graph_input, missing_event, own_event),
    *(read_too_early, pool_block, cached_block, callback),
    *(unified, freed_source),
)
