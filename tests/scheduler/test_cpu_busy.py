"""The log of what devices did, and how much of it was at once."""

import pytest
from cpu_programs import ADD_ONE, SLOW, Gate, device

from synctrace.tracer.scheduler.busy import Busy, overlap
from synctrace.tracer.scheduler.cpu import cpu_devices
from synctrace.tracer.scheduler.host import HostDevice


def at(device: str, start: int, end: int, stream: str = "main") -> Busy:
    return Busy(device, stream, "work", start, end)


@pytest.mark.parametrize(
    "busy, average",
    [
        ([], 0),
        ([at("a", 5, 5)], 0),
        ([at("a", 0, 10)], 1),
        ([at("a", 0, 10), at("b", 10, 20)], 1),
        ([at("a", 0, 10), at("b", 50, 60)], 1),  # nobody is at work in between
        ([at("a", 0, 10), at("b", 0, 10)], 2),
        ([at("a", 0, 10), at("b", 5, 15)], 20 / 15),
        ([at("a", 0, 10, "one"), at("a", 2, 8, "two")], 1),
        ([at("a", 0, 10, "one"), at("a", 5, 15, "two"), at("b", 0, 15)], 2),
        ([at(name, 0, 1) for name in "abcd"], 4),
    ],
)
def test_overlap(busy: list[Busy], average: float) -> None:
    assert overlap(busy) == pytest.approx(average)
    assert overlap(reversed(busy)) == pytest.approx(average)


def test_streams_write_down_what_they_did() -> None:
    busy: list[Busy] = []
    (gpu,) = cpu_devices(1, SLOW, busy)
    stream, data = gpu.stream("main"), gpu.memory("data", 1)
    stream.begin_capture()
    stream.launch(ADD_ONE, [data.slice()], [data.slice()])
    graph = stream.end_capture("step")
    stream.fill(data.slice(), 0)
    stream.copy(data.slice(), data.slice())
    stream.launch_graph(graph)
    gpu.close()
    assert [(each.device, each.stream, each.label) for each in busy] == [
        ("SIM0", "main", label) for label in ("fill", "copy", "add_one")
    ]
    times = [time for each in busy for time in (each.start_ns, each.end_ns)]
    assert times == sorted(times)
    assert all(each.end_ns > each.start_ns for each in busy)


def test_the_host_writes_down_what_it_did() -> None:
    busy: list[Busy] = []
    host = HostDevice(SLOW, busy=busy)
    host.stream("main").fill(host.memory("data", 1).slice(), 0)
    assert [(each.device, each.stream, each.label) for each in busy] == [("CPU", "main", "fill")]


@pytest.mark.parametrize("chained", [True, False])
def test_devices_work_at_once_unless_they_wait(chained: bool) -> None:
    """Four kernels of four devices, each after the other or all let go together."""
    busy: list[Busy] = []
    devices = cpu_devices(4, SLOW, busy)
    with device() as holder:
        held, start, before = holder.stream("held"), holder.event("start"), None
        gate = Gate(held)
        held.record(start)
        for gpu in devices:
            stream, event = gpu.stream("main"), gpu.event("done")
            stream.wait(before or start)
            stream.launch(ADD_ONE, [gpu.memory("a", 1).slice()], [gpu.memory("b", 1).slice()])
            stream.record(event)
            before = event if chained else None
        gate.open()
        for gpu in devices:
            gpu.close()
    assert overlap(busy) == pytest.approx(1) if chained else overlap(busy) > 1.3
