"""The host as a device: everything is done at return."""

from collections.abc import Callable

import pytest
from cpu_programs import ADD_ONE, AT_ONCE, OLD, SIZE, Gate, device

from synctrace.tracer.kinds import MemoryKind
from synctrace.tracer.scheduler.device import DeviceError, Kernel
from synctrace.tracer.scheduler.handover import Handover
from synctrace.tracer.scheduler.host import HostDevice, host_device

HOST = HostDevice(AT_ONCE)


def test_calls_are_done_at_return() -> None:
    stream, a, b = HOST.stream("main"), HOST.memory("a", SIZE), HOST.pinned("b", SIZE)
    a.store(OLD)
    stream.copy(b.slice(), a.slice())
    stream.launch(ADD_ONE, [b.slice()], [b.slice()])
    stream.fill(b.slice(0, 1), 9)
    assert b.load() == b"\x09" + b"\x02" * (SIZE - 1)
    HOST.copy(a.slice(), b.slice())
    assert a.load() == b.load()
    assert stream.query()
    stream.synchronize()
    HOST.synchronize()


def test_its_memory_is_the_hosts() -> None:
    assert HOST.memory("a", 1).kind is MemoryKind.PAGEABLE
    assert HOST.pageable("a", 1).kind is MemoryKind.PAGEABLE
    assert HOST.pinned("a", 1).kind is MemoryKind.PINNED
    assert (host_device().ordinal, host_device().name, HOST.memory("a", 1).device) == (
        -1,
        "CPU",
        -1,
    )


def test_a_function_is_called_and_the_signal_given() -> None:
    done, data = Handover("done"), HOST.memory("data", 1)
    HOST.stream("main").host_call(
        lambda r, w: w[0].__setitem__(0, 5), writes=[data.slice()], signal=done
    )
    done.wait()
    assert data.load() == b"\x05"


def test_a_wait_is_the_hosts() -> None:
    with device() as gpu:
        stream, event = gpu.stream("main"), gpu.event("event")
        Gate(stream).open()
        stream.record(event)
        HOST.stream("main").wait(event)
        assert stream.query()


def test_a_failed_kernel_is_raised_at_once() -> None:
    def divide(reads: object, writes: object) -> None:
        raise ZeroDivisionError("division by zero")

    with pytest.raises(DeviceError, match=r"^divide on stream main of CPU failed: ZeroDivision"):
        HOST.stream("main").launch(Kernel("divide", divide, ""), [], [])


def test_an_interrupt_is_none() -> None:
    def interrupt(reads: object, writes: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        HOST.stream("main").host_call(interrupt)


def test_device_memory_is_out_of_its_reach() -> None:
    with device() as gpu:
        data, host = gpu.memory("data", 1), HOST.memory("host", 1)
        with pytest.raises(DeviceError, match="data is device memory, out of the host's reach"):
            HOST.copy(host.slice(), data.slice())
        managed = gpu.managed("managed", 1)
        HOST.stream("main").fill(managed.slice(), 3)
        assert managed.load() == b"\x03"


def test_copies_need_one_size() -> None:
    with pytest.raises(DeviceError, match="both need the same size"):
        HOST.copy(HOST.memory("a", 1).slice(), HOST.memory("b", 2).slice())


def test_a_captured_graph_runs_at_each_launch() -> None:
    stream, source, target = HOST.stream("main"), HOST.memory("s", SIZE), HOST.memory("t", SIZE)
    source.store(OLD)
    stream.begin_capture()
    stream.launch(ADD_ONE, [source.slice()], [target.slice()])
    stream.copy(source.slice(), target.slice())
    graph = stream.end_capture("step")
    assert (source.load(), graph.nodes, graph.version) == (OLD, 2, 1)
    for value in (2, 3):
        stream.launch_graph(graph)
        assert source.load() == bytes([value]) * SIZE
    stream.begin_capture()
    again = stream.end_capture("step")
    assert again is graph and graph.version == 2


def test_what_a_capture_forbids() -> None:
    stream = HOST.stream("main")
    with pytest.raises(DeviceError, match="stream main captures nothing: call begin_capture"):
        stream.end_capture("none")
    with device() as gpu:
        event = gpu.event("event")
    stream.begin_capture()
    graph = stream.end_capture("empty")
    stream.begin_capture()
    calls: dict[str, Callable[[], object]] = {
        "begin of another capture": stream.begin_capture,
        "launch of a graph": lambda: stream.launch_graph(graph),
        "wait for an event": lambda: stream.wait(event),
        "synchronize": stream.synchronize,
        "query": stream.query,
        "host function with a signal": lambda: stream.host_call(
            lambda r, w: None, signal=Handover("done")
        ),
    }
    for what, call in calls.items():
        with pytest.raises(DeviceError, match=f"^{what} on stream main, which is captured: end"):
            call()


def test_what_the_host_has_not() -> None:
    stream, data = HOST.stream("main"), HOST.memory("data", 1)
    with device() as gpu:
        event = gpu.event("event")
    calls: dict[Callable[[], object], str] = {
        lambda: HOST.event("e"): "events",
        lambda: stream.record(event): "events",
        lambda: stream.alloc_async("m", 1): "stream-ordered memory",
        lambda: stream.free_async(data): "stream-ordered memory",
    }
    for call, what in calls.items():
        with pytest.raises(DeviceError, match=f"^the host has no {what}: what it is given is done"):
            call()
    with pytest.raises(DeviceError, match="managed memory m belongs to a device: ask that"):
        HOST.managed("m", 1)
