"""What the CPU device refuses the CuPy device refuses too, in the same words."""

from collections.abc import Callable, Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.device import DeviceError
from synctrace.tracer.scheduler.handover import Handover
from synctrace.tracer.scheduler.model import mix

KERNEL = mix("mix", 1, 7)


def refusals(first: Any, second: Any) -> Iterator[Callable[[], object]]:
    """Calls of two devices of a kind that each of them is to refuse."""
    stream, other = first.stream("main"), second.stream("other")
    near, far = first.memory("near", 64).slice(), second.memory("far", 64).slice()
    pinned, pageable = first.pinned("pinned", 64).slice(), first.pageable("pageable", 64).slice()
    assert (near.memory.device, far.memory.device, pinned.memory.device) == (0, 1, -1)
    yield lambda: first.memory("none", 0)
    yield lambda: first.pinned("none", 0)
    yield lambda: stream.alloc_async("none", 0)
    yield lambda: near.memory.slice(8, 65)
    yield near.memory.load
    yield lambda: near.memory.store(b"x")
    yield lambda: stream.copy(near, near.memory.slice(0, 8))
    yield lambda: first.copy(near, near.memory.slice(0, 8))
    yield lambda: stream.copy(pinned, pageable)
    yield lambda: stream.fill(near, 256)
    yield lambda: stream.launch(KERNEL, [pageable], [near])
    yield lambda: stream.launch(KERNEL, [far], [near])
    yield lambda: stream.host_call(lambda reads, writes: None, [near])
    yield lambda: stream.record(second.event("far event"))
    yield lambda: stream.free_async(near.memory)
    yield lambda: stream.free_async(pinned.memory)
    yield lambda: stream.end_capture("nothing")
    event = first.event("event")
    stream.begin_capture()
    yield stream.begin_capture
    yield stream.synchronize
    yield stream.query
    yield first.synchronize
    yield lambda: stream.record(event)
    yield lambda: stream.wait(event)
    yield lambda: stream.copy(near, pageable)
    yield lambda: stream.alloc_async("pool", 64)
    yield lambda: stream.free_async(near.memory)
    yield lambda: stream.host_call(lambda reads, writes: None, signal=Handover("given"))
    stream.fill(near, 1)
    graph = stream.end_capture("graph")
    second.close()
    yield lambda: second.stream("late")
    yield other.synchronize
    yield lambda: other.fill(far, 1)
    yield lambda: other.launch_graph(graph)


def sentences(first: Any, second: Any) -> list[str]:
    said = []
    with closing(first), closing(second):
        for call in refusals(first, second):
            with pytest.raises(DeviceError) as refused:
                call()
            said.append(str(refused.value))
    return said


def test_both_devices_refuse_the_same(gpu: SimpleNamespace) -> None:
    from synctrace.tracer.scheduler.cupy_device import CupyDevice

    gpu.runtime.gpus = 2
    simulated = sentences(CpuDevice(0, name="CUDA0"), CpuDevice(1, name="CUDA1"))
    assert sentences(CupyDevice(0), CupyDevice(1)) == simulated
