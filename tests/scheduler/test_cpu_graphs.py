"""Captured graphs of the CPU device: stored at the capture, run at each launch."""

from collections.abc import Callable

import pytest
from cpu_programs import ADD_ONE, COPY, NEW, OLD, SIZE, Gate, device

from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_graph import CpuGraph
from synctrace.tracer.scheduler.cpu_memory import POISON, CpuMemory
from synctrace.tracer.scheduler.cpu_stream import CpuStream
from synctrace.tracer.scheduler.device import DeviceError, Kernel
from synctrace.tracer.scheduler.handover import Handover

PLUS_ONE = bytes(byte + 1 for byte in OLD)


def captured(
    stream: CpuStream, source: CpuMemory, target: CpuMemory, kernel: Kernel = ADD_ONE
) -> CpuGraph:
    stream.begin_capture()
    stream.launch(kernel, [source.slice()], [target.slice()])
    return stream.end_capture("step")


def test_a_capture_runs_nothing() -> None:
    with device() as gpu:
        stream, source, target = gpu.stream("main"), gpu.pinned("s", 1), gpu.pinned("t", 1)
        graph = captured(stream, source, target)
        stream.synchronize()
        assert target.load() == bytes([POISON])
        assert (graph.name, graph.version, graph.nodes) == ("step", 1, 1)


def test_a_launch_reads_what_the_inputs_hold_by_then() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        source, target = gpu.pinned("source", SIZE), gpu.pinned("target", SIZE)
        source.store(NEW)
        graph = captured(stream, source, target)
        for value in (OLD, NEW):
            source.store(value)
            stream.launch_graph(graph)
            stream.synchronize()
            assert target.load() == bytes(byte + 1 for byte in value)


def test_a_launch_runs_all_nodes_in_order() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        host, data = gpu.pinned("host", SIZE), gpu.memory("data", SIZE)
        seen = []
        stream.begin_capture()
        stream.copy(data.slice(), host.slice())
        for _ in range(3):
            stream.launch(ADD_ONE, [data.slice()], [data.slice()])
        stream.fill(data.slice(0, 1), 0)
        stream.copy(host.slice(), data.slice())
        stream.host_call(lambda r, w: seen.append(bytes(r[0])), [host.slice()])
        graph = stream.end_capture("step")
        assert graph.nodes == 7
        host.store(OLD)
        stream.launch_graph(graph)
        stream.synchronize()
        assert seen == [b"\x00" + b"\x04" * (SIZE - 1)]


def test_captured_again_it_is_a_new_version() -> None:
    """Launches that were made before keep their nodes."""
    with device() as gpu:
        stream = gpu.stream("main")
        source, target = gpu.pinned("source", SIZE), gpu.pinned("target", SIZE)
        other, last = gpu.pinned("other", SIZE), gpu.stream("last")
        source.store(OLD)
        first = captured(stream, source, target)
        gate = Gate(stream)
        stream.launch_graph(first)
        again = captured(last, source, other, COPY)
        assert again is first and again.version == 2
        gate.open()
        stream.synchronize()
        assert (target.load(), other.load()) == (PLUS_ONE, bytes([POISON]) * SIZE)
        target.store(NEW)
        stream.launch_graph(first)
        stream.synchronize()
        assert (target.load(), other.load()) == (NEW, OLD)


def test_graphs_of_two_names_are_two() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        stream.begin_capture()
        one = stream.end_capture("one")
        stream.begin_capture()
        assert stream.end_capture("two") is not one
        assert one.version == 1


def test_launches_of_one_graph_are_in_order_on_any_streams() -> None:
    with device() as gpu:
        one, two = gpu.stream("one"), gpu.stream("two")
        source, target = gpu.pinned("source", SIZE), gpu.pinned("target", SIZE)
        source.store(OLD)
        graph = captured(one, source, target)
        gate = Gate(one)
        one.launch_graph(graph)
        two.launch_graph(graph)
        assert not two.query()
        gate.open()
        two.synchronize()
        assert target.load() == PLUS_ONE


def test_other_streams_are_not_captured() -> None:
    with device() as gpu:
        one, two, host = gpu.stream("one"), gpu.stream("two"), gpu.pinned("host", 1)
        one.begin_capture()
        two.fill(host.slice(), 7)
        two.synchronize()
        assert host.load() == b"\x07"
        assert one.end_capture("empty").nodes == 0


def _in_capture(gpu: CpuDevice, stream: CpuStream) -> dict[str, Callable[[], object]]:
    event, graph = gpu.event("event"), gpu.stream("other")
    graph.begin_capture()
    empty = graph.end_capture("empty")
    block = stream.alloc_async("block", 1)
    plain, data = gpu.pageable("plain", 1), gpu.memory("data", 1)
    stream.begin_capture()
    return {
        "synchronize on stream main": stream.synchronize,
        "query on stream main": stream.query,
        "record of an event on stream main": lambda: stream.record(event),
        "wait for an event on stream main": lambda: stream.wait(event),
        "begin of another capture on stream main": stream.begin_capture,
        "launch of a graph on stream main": lambda: stream.launch_graph(empty),
        "allocation on stream main": lambda: stream.alloc_async("more", 1),
        "free on stream main": lambda: stream.free_async(block),
        "host function with a signal on stream main": lambda: stream.host_call(
            lambda r, w: None, signal=Handover("done")
        ),
        "copy of pageable memory plain in a capture: pin": lambda: stream.copy(
            data.slice(), plain.slice()
        ),
        "copy of pageable memory plain in a capture": lambda: stream.copy(
            plain.slice(), data.slice()
        ),
        "synchronize of SIM0 while main is captured": gpu.synchronize,
    }


def test_what_a_capture_forbids() -> None:
    """Each call is refused, and the capture goes on."""
    with device() as gpu:
        stream = gpu.stream("main")
        for sentence, call in _in_capture(gpu, stream).items():
            with pytest.raises(DeviceError, match=sentence):
                call()
        stream.fill(gpu.memory("data", 1).slice(), 0)
        assert stream.end_capture("rest").nodes == 1
        stream.synchronize()


def test_an_end_needs_a_begin() -> None:
    with device() as gpu, pytest.raises(DeviceError, match="stream main captures nothing: call"):
        gpu.stream("main").end_capture("none")


def test_a_closed_device_in_a_capture() -> None:
    gpu = CpuDevice()
    gpu.stream("main").begin_capture()
    gpu.close()
