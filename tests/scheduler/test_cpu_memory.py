"""Memory of the CPU device: who may touch it, and what is left of it when it is freed."""

import pytest
from cpu_programs import COPY, NEW, OLD, SIZE, Gate, device

from synctrace.tracer.kinds import MemoryKind
from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_cache import CachingAllocator
from synctrace.tracer.scheduler.cpu_memory import POISON
from synctrace.tracer.scheduler.device import DeviceError

POISONED = bytes([POISON]) * SIZE


def test_the_kinds_and_where_they_are() -> None:
    with device(ordinal=2) as gpu:
        made = [gpu.memory("d", 1), gpu.managed("m", 1), gpu.pinned("p", 1), gpu.pageable("h", 1)]
    assert [(each.kind, each.device) for each in made] == [
        (MemoryKind.DEVICE, 2),
        (MemoryKind.MANAGED, 2),
        (MemoryKind.PINNED, -1),
        (MemoryKind.PAGEABLE, -1),
    ]


@pytest.mark.parametrize("kind", ["pinned", "pageable", "managed"])
def test_the_host_stores_and_loads(kind: str) -> None:
    with device() as gpu:
        memory = getattr(gpu, kind)("m", SIZE)
        assert memory.load() == POISONED  # nobody has written it
        memory.store(b"abc", 1)
        assert memory.load(0, 5) == bytes([POISON]) + b"abc" + bytes([POISON])


def test_device_memory_is_out_of_the_hosts_reach() -> None:
    with device() as gpu:
        data = gpu.memory("weights", SIZE)
        with pytest.raises(DeviceError, match="weights is device memory, read by the host: copy"):
            data.load()
        with pytest.raises(DeviceError, match="weights is device memory, written by the host"):
            data.store(OLD)
        with pytest.raises(DeviceError, match="weights is device memory, out of the host's reach"):
            gpu.stream("main").host_call(lambda r, w: None, reads=[data.slice()])


@pytest.mark.parametrize("lo, hi", [(-1, 2), (3, 2), (0, SIZE + 1)])
def test_a_range_lies_within_its_memory(lo: int, hi: int) -> None:
    with device() as gpu, pytest.raises(DeviceError, match=r"is outside of m, which has 256 bytes"):
        gpu.pinned("m", SIZE).slice(lo, hi)


def test_a_store_lies_within_its_memory() -> None:
    with device() as gpu, pytest.raises(DeviceError, match="outside of m"):
        gpu.pinned("m", 2).store(b"abc")


@pytest.mark.parametrize("size", [0, -1])
def test_memory_has_bytes(size: int) -> None:
    with device() as gpu, pytest.raises(DeviceError, match=f"m would have {size} bytes: give it"):
        gpu.memory("m", size)


def test_freed_memory_is_poison() -> None:
    with device() as gpu:
        host = gpu.pinned("host", SIZE)
        host.store(OLD)
        host.free()
        assert host.load() == POISONED
        with pytest.raises(DeviceError, match="host was freed before: free it once"):
            host.free()


def test_a_free_waits_for_no_copy() -> None:
    """A copy that still has to run reads poison."""
    with device() as gpu:
        stream, host, data = gpu.stream("main"), gpu.pinned("host", SIZE), gpu.managed("d", SIZE)
        host.store(OLD)
        gate = Gate(stream)
        stream.copy(data.slice(), host.slice())
        host.free()
        gate.open()
        stream.synchronize()
        assert data.load() == POISONED


def test_the_pool_hands_the_same_bytes_out_again() -> None:
    with device() as gpu:
        stream, host = gpu.stream("main"), gpu.pinned("host", SIZE)
        first = stream.alloc_async("first", SIZE)
        stream.fill(first.slice(), 7)
        stream.free_async(first)
        second = stream.alloc_async("second", SIZE)
        assert second.data is first.data
        other = stream.alloc_async("other", SIZE)
        assert other.data is not first.data
        stream.copy(host.slice(), second.slice())
        stream.synchronize()
        assert host.load() == POISONED  # what the first held is gone


def test_the_pool_orders_the_next_owner_after_the_free() -> None:
    """On another stream too: that is the pool's own business."""
    with device() as gpu:
        one, two, host = gpu.stream("one"), gpu.stream("two"), gpu.pinned("host", SIZE)
        block = one.alloc_async("block", SIZE)
        gate = Gate(one)
        one.fill(block.slice(), 7)
        one.free_async(block)
        again = two.alloc_async("again", SIZE)
        assert again.data is block.data
        two.fill(again.slice(), 9)
        two.copy(host.slice(), again.slice())
        assert not two.query()
        gate.open()
        two.synchronize()
        assert host.load() == b"\x09" * SIZE


def test_pool_memory_goes_back_to_its_pool() -> None:
    with device() as gpu, device(ordinal=1) as other:
        stream = gpu.stream("main")
        block, plain = stream.alloc_async("block", SIZE), gpu.memory("plain", SIZE)
        with pytest.raises(DeviceError, match="block is memory of a pool: give it back there"):
            block.free()
        with pytest.raises(DeviceError, match="plain is not of the pool of SIM0: free it"):
            stream.free_async(plain)
        with pytest.raises(DeviceError, match="block is not of the pool of SIM1"):
            other.stream("main").free_async(block)
        stream.free_async(block)
        with pytest.raises(DeviceError, match="block was freed before"):
            stream.free_async(block)


def test_a_cached_block_is_for_one_stream() -> None:
    with device() as gpu:
        one, two = gpu.stream("one"), gpu.stream("two")
        cache = CachingAllocator(gpu)
        block = cache.alloc("block", SIZE, one)
        cache.free(block)
        assert cache.alloc("elsewhere", SIZE, two).data is not block.data
        assert cache.alloc("larger", SIZE + 1, one).data is not block.data
        assert cache.alloc("again", SIZE, one).data is block.data
        assert cache.alloc("more", SIZE, one).data is not block.data


def test_a_recorded_stream_keeps_the_block() -> None:
    with device() as gpu:
        owner, user = gpu.stream("owner"), gpu.stream("user")
        cache = CachingAllocator(gpu)
        block = cache.alloc("block", SIZE, owner)
        gate = Gate(user)
        cache.record_stream(block, user)
        cache.free(block)
        assert cache.alloc("meanwhile", SIZE, owner).data is not block.data
        gate.open()
        user.synchronize()
        assert cache.alloc("again", SIZE, owner).data is block.data


def test_a_cached_block_goes_back_to_its_cache() -> None:
    with device() as gpu:
        stream, cache = gpu.stream("main"), CachingAllocator(gpu)
        block = cache.alloc("block", SIZE, stream)
        with pytest.raises(DeviceError, match="block is memory of a pool"):
            block.free()
        cache.free(block)
        with pytest.raises(DeviceError, match="block was freed before"):
            cache.free(block)
        with pytest.raises(DeviceError, match="plain is not of a caching allocator"):
            cache.free(gpu.memory("plain", SIZE))


def test_kernels_use_what_their_device_reaches() -> None:
    with device() as gpu, device(ordinal=1) as other:
        stream, own = gpu.stream("main"), gpu.memory("own", SIZE)
        pinned, managed = gpu.pinned("pinned", SIZE), other.managed("managed", SIZE)
        pinned.store(NEW)
        stream.launch(COPY, [pinned.slice()], [own.slice()])
        stream.launch(COPY, [own.slice()], [managed.slice()])
        stream.synchronize()
        assert managed.load() == NEW
        with pytest.raises(DeviceError, match="copied would use pageable memory plain: pin it"):
            stream.launch(COPY, [gpu.pageable("plain", SIZE).slice()], [own.slice()])
        with pytest.raises(DeviceError, match="on device 0 would use far of device 1: copy it"):
            stream.launch(COPY, [other.memory("far", SIZE).slice()], [own.slice()])


def test_streams_copy_no_host_memory_to_host_memory() -> None:
    with device() as gpu:
        a, b = gpu.pinned("a", SIZE), gpu.pageable("b", SIZE)
        with pytest.raises(DeviceError, match="copy between host memories a and b on a stream"):
            gpu.stream("main").copy(b.slice(), a.slice())
        a.store(OLD)
        gpu.copy(b.slice(), a.slice())
        assert b.load() == OLD


def test_memory_of_something_else_is_refused() -> None:
    class Strange:
        name, size, kind, device = "strange", SIZE, MemoryKind.DEVICE, 0

    from synctrace.tracer.scheduler.device import Slice

    with device() as gpu, pytest.raises(DeviceError, match="strange is not memory of the CPU"):
        gpu.stream("main").fill(Slice(Strange(), 0, SIZE), 0)  # type: ignore[arg-type]


def test_a_filled_byte_is_a_byte() -> None:
    with device() as gpu, pytest.raises(DeviceError, match="fill of m with 256: a byte is 0 to"):
        gpu.stream("main").fill(gpu.memory("m", 1).slice(), 256)


def test_a_closed_device_gives_no_memory() -> None:
    gpu = CpuDevice()
    gpu.close()
    with pytest.raises(DeviceError, match="SIM0 is closed: make a new device"):
        gpu.pinned("late", 1)
