"""The scheduler on the CuPy device. GPUs are the stand-in's: what is shown is order and arithmetic.

That a wrong policy spoils bytes on a GPU, and what any costs there, tests/gpu/scheduler.py shows.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import synctrace
from cupy_calls.recorded import lines
from synctrace.tracer.scheduler.cpu_pace import Speed
from synctrace.tracer.scheduler.device import DeviceError
from synctrace.tracer.scheduler.handover import Handover
from synctrace.tracer.scheduler.history import POLICIES, WaitOnOwnEvent
from synctrace.tracer.scheduler.host import HostDevice
from synctrace.tracer.scheduler.model import build, mix
from synctrace.tracer.scheduler.policy import EventPipelined, OneSlot
from synctrace.tracer.scheduler.token_loop import tokens


@contextmanager
def devices(count: int) -> Iterator[list[Any]]:
    from synctrace.tracer.scheduler.cupy_device import cupy_devices

    made = cupy_devices(count)
    try:
        yield made
    finally:
        for device in made:
            device.close()


@pytest.mark.parametrize(
    ("policy", "gpus"),
    [*((policy, 3) for policy in POLICIES), (EventPipelined, 1), (WaitOnOwnEvent, 1)],
)
def test_verdicts_are_those_of_the_docstrings(
    gpu: SimpleNamespace, policy: type[OneSlot], gpus: int, tmp_path: Path
) -> None:
    """Three devices, each a GPU or all on one."""
    gpu.runtime.gpus = gpus
    model, host = build(3), HostDevice(Speed(kernel_s=0, latency_s=0))
    with devices(3) as made:
        recording = synctrace.record(tmp_path / "run", profile="catalogue")
        with recording:
            outputs, _ = tokens(policy(), [*made, host], 6, model)
    assert recording.path
    assert outputs == [model.expected(token) for token in range(6)]
    found = synctrace.check(recording.path).findings
    for line, families in (("Verdict", ("race", "life")), ("Syncs", ("sync", "copy"))):
        told = re.search(rf"^ +{line}: (.+)$", policy.__doc__ or "", re.M)
        assert told
        rules = {f.rule for f in found if f.severity != "note" and f.family in families}
        assert rules == set(told[1].split()) - {"silent"}


@pytest.mark.parametrize("gpus", [1, 2])
def test_every_call_of_the_device(gpu: SimpleNamespace, tmp_path: Path, gpus: int) -> None:
    gpu.runtime.gpus = gpus
    trace = tmp_path / "run"
    given = Handover("given")
    with synctrace.record(trace), devices(2) as (first, second):
        stream, other = first.stream("one"), second.stream("two")
        event, host = first.event("ready"), first.pinned("host", 64)
        a, b, c = first.memory("a", 64), first.memory("b", 64), second.memory("c", 64)
        kernel = mix("mix", 1, 7)
        host.store(bytes(range(64)))
        stream.begin_capture()
        stream.launch(kernel, [a.slice()], [b.slice()])
        graph = stream.end_capture("split")
        assert (graph.version, graph.nodes) == (1, 1)
        stream.copy(a.slice(), host.slice())
        stream.launch_graph(graph)
        stream.record(event)
        other.wait(event)
        other.copy(c.slice(), b.slice())
        other.copy(host.slice(), c.slice())
        other.synchronize()
        expected = bytearray(64)
        kernel.cpu([memoryview(bytes(range(64)))], [memoryview(expected)])
        assert host.load() == bytes(expected)
        stream.fill(a.slice(8, 16), 3)
        stream.host_call(lambda _reads, writes: None, writes=[host.slice()], signal=given)
        given.wait()
        pool = stream.alloc_async("pool", 32)
        stream.free_async(pool)
        first.copy(a.slice(0, 8), host.slice(0, 8))
        assert stream.query() and event.query()
        a.free()
    told = lines(trace)
    peer = "memcpy_async_peer across" if gpus > 1 else "memcpy_async_d2d"
    assert told[told.index("capture_begin | one") :][:20] == [
        "capture_begin | one",
        "kernel captured | one",
        "capture_end | one",
        "memcpy_async_h2d | one | reads host[0,64) | writes a[0,64)",
        "graph_launch | one",
        "event_record | one | ready",
        "event_wait | two | ready",
        f"{peer} | two | reads b[0,64) | writes c[0,64)",
        "memcpy_async_d2h | two | reads c[0,64) | writes host[0,64)",
        "stream_sync | two",
        "host_read | reads host[0,64)",
        "memset_async | one | writes a[8,16)",
        "host_func | one | given | writes host[0,64)",
        "thread_wait | given",
        "alloc_async | one | writes pool[0,32)",
        "free_async | one | writes pool[0,32)",
        "memcpy_h2d | LEGACY | reads host[0,8) | writes a[0,8)",
        "stream_query | one",
        "event_query | ready",
        "free implicit_sync | writes a[0,64)",
    ]
    assert not gpu.runtime.memory.keys() & {b.address, c.address, host.told.base}


def test_a_new_capture_is_a_new_version(gpu: SimpleNamespace) -> None:
    with devices(1) as (device,):
        stream, a = device.stream("s"), device.memory("a", 8)
        graphs = []
        for value in (1, 2):
            stream.begin_capture()
            stream.fill(a.slice(), value)
            graphs.append(stream.end_capture("g"))
        assert graphs[0] is graphs[1] and graphs[0].version == 2


def test_rocm_makes_the_calls_of_a_graph_anew(
    gpu: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CuPy on ROCm captures none, and has no stream-ordered and no managed memory."""
    from synctrace.tracer.scheduler import cupy_memory, cupy_stream

    monkeypatch.setattr(cupy_stream, "IS_HIP", True)
    monkeypatch.setattr(cupy_memory, "IS_HIP", True)
    with synctrace.record(tmp_path / "run"), devices(1) as (device,):
        stream, a, host = device.stream("s"), device.memory("a", 8), device.pinned("host", 8)
        stream.begin_capture()
        stream.fill(a.slice(), 7)
        stream.copy(host.slice(), a.slice())
        graph = stream.end_capture("g")
        assert (graph.version, graph.nodes) == (1, 2)
        stream.launch_graph(graph)
        stream.host_call(lambda reads, _writes: None, [host.slice()])
        assert host.load() == bytes([7]) * 8
        with pytest.raises(DeviceError, match="on ROCm"):
            stream.alloc_async("pool", 8)
        with pytest.raises(DeviceError, match="on ROCm"):
            device.managed("managed", 8)
    work = [line for line in lines(tmp_path / "run") if " s |" in line]
    assert [line.split(" |")[0] for line in work] == [
        "memset_async",
        "memcpy_async_d2h",
        "host_func",
    ]
    assert "streamBeginCapture" not in gpu.runtime.calls


def test_when_it_worked(gpu: SimpleNamespace) -> None:
    from synctrace.tracer.scheduler.cupy_device import CupyDevice

    device = CupyDevice(timed=True)
    stream, a = device.stream("s"), device.memory("a", 8)
    stream.fill(a.slice(), 1)
    [busy] = device.busy()
    assert (busy.device, busy.stream, busy.label) == ("CUDA0", "s", "fill")
    assert busy.start_ns < busy.end_ns and device.busy() == []
    device.close()


def test_it_is_timed_while_another_gpu_is_current(gpu: SimpleNamespace) -> None:
    """CUDA refuses to record an event on a stream of a device that did not make it."""
    from synctrace.tracer.scheduler.cupy_device import cupy_devices

    gpu.runtime.gpus = 2
    first, second = cupy_devices(2, timed=True)
    stream, a = first.stream("s"), first.memory("a", 8)
    second.memory("b", 8)
    stream.fill(a.slice(), 1)
    assert [busy.device for busy in first.busy()] == ["CUDA0"]
    first.close()
    second.close()


def test_what_cannot_be_done_is_refused(gpu: SimpleNamespace) -> None:
    from synctrace.tracer.scheduler.cpu import CpuDevice
    from synctrace.tracer.scheduler.cupy_device import CupyDevice, gpu_count

    with devices(1) as (device,), pytest.raises(DeviceError) as refused:
        stream, a, host = device.stream("s"), device.memory("a", 8), device.pageable("host", 8)
        simulated = CpuDevice()
        tries = [
            (lambda: a.load(), "device memory, read by the host"),
            (lambda: a.store(b"x"), "device memory, written by the host"),
            (lambda: a.slice(0, 9), r"\[0, 9\) is outside of a, which has 8 bytes"),
            (lambda: stream.copy(host.slice(), host.slice()), "between host memories"),
            (lambda: stream.copy(a.slice(0, 4), host.slice()), "both need the same size"),
            (lambda: stream.fill(a.slice(), 256), "a byte is 0 to 255"),
            (
                lambda: stream.launch(mix("m", 1, 1), [host.slice()], [a.slice()]),
                "pageable memory host: pin it",
            ),
            (lambda: stream.end_capture("g"), "captures nothing"),
            (lambda: stream.wait(simulated.event("e")), "not an event of the CuPy device"),
            (
                lambda: stream.copy(a.slice(), simulated.memory("m", 8).slice()),
                "not memory of a GPU",
            ),
            (lambda: device.memory("none", 0), "at least one"),
            (lambda: CupyDevice(1), "there is no GPU 1, only 1"),
        ]
        for make, sentence in tries:
            with pytest.raises(DeviceError, match=sentence):
                make()
        simulated.close()
        a.free()
        with pytest.raises(DeviceError, match="freed before"):
            a.free()
        gpu.runtime.gpus = 0
        gpu_count()
    assert "finds no GPU (cudaErrorNoDevice" in str(refused.value)
    with pytest.raises(DeviceError, match="CUDA0 is closed"):
        device.stream("late")
