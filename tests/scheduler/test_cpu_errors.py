"""What fails on a worker is raised where the host waits next: never lost, never a hang."""

import gc
from collections.abc import Callable

import pytest
from cpu_programs import AT_ONCE, COPY, OLD, SIZE, Gate, device

from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_event import CpuEvent
from synctrace.tracer.scheduler.cpu_pace import Speed
from synctrace.tracer.scheduler.cpu_stream import CpuStream
from synctrace.tracer.scheduler.device import DeviceError, Kernel
from synctrace.tracer.scheduler.handover import Handover

FAILED = r"^divide on stream main of SIM0 failed: ZeroDivisionError: division by zero$"


def divide(reads: object, writes: object) -> None:
    raise ZeroDivisionError("division by zero")


def leave(reads: object, writes: object) -> None:
    raise SystemExit


DIVIDE = Kernel("divide", divide, "")

WAITS: dict[str, Callable[[CpuDevice, CpuStream, CpuEvent], object]] = {
    "stream": lambda gpu, stream, event: stream.synchronize(),
    "event": lambda gpu, stream, event: event.synchronize(),
    "device": lambda gpu, stream, event: gpu.synchronize(),
    "pageable": lambda gpu, stream, event: stream.copy(
        gpu.pageable("p", 1).slice(), gpu.memory("d", 1).slice()
    ),
    "blocking": lambda gpu, stream, event: (
        event.latest and event.latest.wait(),
        gpu.copy(gpu.pinned("p", 1).slice(), gpu.memory("d", 1).slice()),
    ),
    "queries": lambda gpu, stream, event: [event.query() for _ in iter(stream.query, True)],
    "close": lambda gpu, stream, event: gpu.close(),
}


@pytest.mark.parametrize("wait", WAITS)
def test_a_failed_kernel_is_raised_where_the_host_waits(wait: str) -> None:
    gpu = CpuDevice(0, AT_ONCE)
    stream, event = gpu.stream("main"), gpu.event("event")
    stream.launch(DIVIDE, [], [])
    stream.record(event)
    with pytest.raises(DeviceError, match=FAILED) as caught:
        WAITS[wait](gpu, stream, event)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    gpu.close()  # told once is enough


def test_a_host_function_fails_like_a_kernel() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        stream.host_call(divide)
        with pytest.raises(DeviceError, match=FAILED):
            stream.synchronize()


def test_a_node_of_a_graph_fails_like_a_kernel() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        stream.begin_capture()
        stream.launch(DIVIDE, [], [])
        graph = stream.end_capture("step")
        stream.synchronize()
        stream.launch_graph(graph)
        with pytest.raises(DeviceError, match=FAILED):
            stream.synchronize()


def test_an_exit_ends_no_worker() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        stream.host_call(leave)
        with pytest.raises(DeviceError, match=r"leave on stream main of SIM0 failed: SystemExit$"):
            stream.synchronize()


def test_a_failed_device_works_no_more_and_says_so_each_time() -> None:
    with device() as gpu:
        stream, host = gpu.stream("main"), gpu.pinned("host", SIZE)
        host.store(OLD)
        stream.launch(DIVIDE, [], [])
        stream.fill(host.slice(), 7)
        for wait in (stream.synchronize, gpu.synchronize, gpu.stream("other").synchronize):
            with pytest.raises(DeviceError, match=FAILED):
                wait()
        assert host.load() == OLD


def test_the_first_failure_is_told() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        stream.launch(DIVIDE, [], [])
        stream.host_call(leave)
        with pytest.raises(DeviceError, match=FAILED):
            stream.synchronize()


def test_a_device_that_waits_for_a_failed_one_fails() -> None:
    """What it would compute from that is wrong; a device that does not wait goes on."""
    with device() as gpu, device(ordinal=1) as after, device(ordinal=2) as apart:
        stream, later, event = gpu.stream("main"), after.stream("later"), gpu.event("event")
        stream.launch(DIVIDE, [], [])
        stream.record(event)
        later.wait(event)
        with pytest.raises(DeviceError, match=FAILED):
            later.synchronize()
        apart.stream("apart").synchronize()
        with pytest.raises(DeviceError, match=FAILED):
            stream.synchronize()


def test_a_signal_is_given_whatever_happens() -> None:
    """The thread that waits for it would hang: it learns of the failure at its next wait."""
    with device() as gpu:
        stream, failed, skipped = gpu.stream("main"), Handover("failed"), Handover("skipped")
        stream.host_call(divide, signal=failed)
        stream.host_call(lambda r, w: None, signal=skipped)
        failed.wait()
        skipped.wait()
        with pytest.raises(DeviceError, match=FAILED):
            stream.synchronize()


@pytest.mark.parametrize("what", ["stream", "event", "memory", "device", "close"])
def test_a_host_function_makes_no_calls(what: str) -> None:
    """It would wait for itself, and its accesses would be told as those of an unknown thread."""
    with device() as gpu:
        stream, event, host = gpu.stream("main"), gpu.event("event"), gpu.pinned("host", 1)
        calls: dict[str, tuple[str, Callable[[], object]]] = {
            "stream": ("SIM0", stream.synchronize),
            "event": ("a wait for a device", event.synchronize),
            "memory": ("host, a memory", host.load),
            "device": ("SIM0", lambda: gpu.pinned("more", 1)),
            "close": ("SIM0", gpu.close),
        }
        named, call = calls[what]
        stream.host_call(lambda reads, writes: call())
        stream.record(event)
        with pytest.raises(DeviceError, match=f"a host function called {named}: let it only use"):
            stream.synchronize()


def test_a_capture_is_its_stream_s_and_ends_with_it() -> None:
    with device() as gpu:
        one, other = gpu.stream("main"), gpu.stream("main")
        one.begin_capture()
        other.begin_capture()
        other.end_capture("other")
        with pytest.raises(DeviceError, match="synchronize of SIM0 while main is captured"):
            gpu.synchronize()
        del one
        gc.collect()
        gpu.synchronize()


@pytest.mark.parametrize(
    "wrong", [{"latency_s": -1}, {"kernel_s": float("nan")}, {"bytes_per_s": 0}], ids=str
)
def test_a_speed_is_possible(wrong: dict[str, float]) -> None:
    with pytest.raises(DeviceError, match="a time or rate that nothing takes"):
        Speed(**wrong)  # type: ignore[arg-type]


def test_a_failure_behind_a_close_is_told_by_it() -> None:
    gpu = CpuDevice(0, AT_ONCE)
    stream = gpu.stream("main")
    gate = Gate(stream)
    stream.launch(DIVIDE, [], [])
    gate.open()
    with pytest.raises(DeviceError, match=FAILED):
        gpu.close()
    gpu.close()


@pytest.mark.parametrize("what", ["fill", "record", "wait", "synchronize", "query", "capture"])
def test_a_closed_device_takes_no_call(what: str) -> None:
    gpu = CpuDevice(0, AT_ONCE)
    stream, event, data = gpu.stream("main"), gpu.event("event"), gpu.memory("data", 1).slice()
    gpu.close()
    calls: dict[str, Callable[[], object]] = {
        "fill": lambda: stream.fill(data, 0),
        "record": lambda: stream.record(event),
        "wait": lambda: stream.wait(event),
        "synchronize": stream.synchronize,
        "query": stream.query,
        "capture": stream.begin_capture,
    }
    with pytest.raises(DeviceError, match="SIM0 is closed: make a new device"):
        calls[what]()
    event.synchronize()


def test_things_of_another_kind_of_device_are_refused() -> None:
    class Strange:
        name = "strange"

    with device() as gpu:
        stream = gpu.stream("main")
        with pytest.raises(DeviceError, match="strange is not an event of the CPU device"):
            stream.record(Strange())  # type: ignore[arg-type]
        with pytest.raises(DeviceError, match="strange is not a graph of the CPU device"):
            stream.launch_graph(Strange())  # type: ignore[arg-type]


def test_an_event_is_recorded_on_its_device() -> None:
    with device() as gpu, device(ordinal=1) as other:
        event = other.event("event")
        with pytest.raises(
            DeviceError, match="event event of device 1 on a stream of device 0: an"
        ):
            gpu.stream("main").record(event)


def test_a_kernel_that_writes_too_much_fails() -> None:
    with device() as gpu:
        stream, a, b = gpu.stream("main"), gpu.memory("a", 2), gpu.memory("b", 1)
        stream.launch(COPY, [a.slice()], [b.slice()])
        with pytest.raises(DeviceError, match="copied on stream main of SIM0 failed: ValueError"):
            stream.synchronize()


def test_a_kernel_writes_none_of_what_it_reads() -> None:
    with device() as gpu:
        stream, a = gpu.stream("main"), gpu.memory("a", 1)
        stream.launch(Kernel("spoil", lambda r, w: r[0].__setitem__(0, 1), ""), [a.slice()], [])
        with pytest.raises(DeviceError, match="spoil on stream main of SIM0 failed: TypeError"):
            stream.synchronize()
