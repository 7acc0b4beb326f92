"""`record_calls`: a CuPy program that knows nothing of synctrace."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import synctrace
from cupy_calls.recorded import lines, rules


def test_cupys_own_classes_are_told_and_given_back(gpu: SimpleNamespace, tmp_path: Path) -> None:
    cuda, trace = gpu.cupy.cuda, tmp_path / "run.synctrace"
    before = {
        owner: dict(vars(owner))
        for owner in (cuda.stream._BaseStream, cuda.Stream, cuda.Event, gpu.cupy.ndarray, gpu.cupy)
    }
    deeper = (cuda.Device, gpu.runtime.deviceSynchronize)
    with synctrace.record(trace), gpu.told.record_calls():
        stream, event = cuda.Stream(non_blocking=True), cuda.Event()
        with stream:
            event.record()
            made = stream.record()
        cuda.Stream.null.wait_event(event)
        made.synchronize()
        assert stream.done and event.done
        x, y = gpu.cupy.empty(8), gpu.cupy.empty(8)
        with stream:
            gpu.cupy.copyto(y, x)
        stream.synchronize()
        cuda.Device().synchronize()
        gpu.runtime.deviceSynchronize()
    kinds = [line.split(" |")[0] for line in lines(trace)]
    assert kinds == [
        *("event_record", "event_record", "event_wait", "event_sync"),
        *("stream_query", "event_query", "memcpy_async_d2d", "stream_sync"),
        *("device_sync", "device_sync"),
    ]
    assert {owner: dict(vars(owner)) for owner in before} == before
    assert deeper == (cuda.Device, gpu.runtime.deviceSynchronize)
    gpu.runtime.calls.clear()
    cuda.Stream().record()
    assert gpu.runtime.calls == ["eventRecord"]


def test_instrumented_classes_are_told_once(gpu: SimpleNamespace, tmp_path: Path) -> None:
    trace = tmp_path / "run.synctrace"
    with synctrace.record(trace), gpu.told.record_calls():
        stream = gpu.told.Stream(name="s")
        stream.record(gpu.told.Event(name="e"))
        gpu.told.Device(0).synchronize()
    assert lines(trace) == ["event_record | s | e", "device_sync"]


@pytest.mark.parametrize("waits", [True, False])
def test_arrays_of_the_host(gpu: SimpleNamespace, tmp_path: Path, waits: bool) -> None:
    """An array made on one stream and read on another, the race of many CuPy programs."""
    numpy = pytest.importorskip("numpy", reason="NumPy comes with CuPy, and is not here")
    trace = tmp_path / "run.synctrace"
    one, two = (gpu.cupy.cuda.Stream(non_blocking=True) for _ in range(2))
    with synctrace.record(trace), gpu.told.record_calls():
        with one:
            x = gpu.cupy.asarray(numpy.full(8, 7, "u1"))
            if waits:
                two.wait_event(one.record())
        with two:
            assert list(x.get()) == [7] * 8
    kinds = [line.split(" |")[0] for line in lines(trace)]
    middle = ["event_record", "event_wait"] if waits else []
    end = ["memcpy_async_d2h", "stream_sync", "host_read"]
    assert kinds == ["host_read", "memcpy_async_h2d", *middle, *end]
    assert rules(trace) == (set() if waits else {"RACE01"})


def test_set_from_pageable_memory(gpu: SimpleNamespace, tmp_path: Path) -> None:
    """Read at return by CUDA's habit, of which its documentation promises nothing."""
    numpy = pytest.importorskip("numpy", reason="NumPy comes with CuPy, and is not here")
    trace = tmp_path / "run.synctrace"
    stream = gpu.cupy.cuda.Stream(non_blocking=True)
    with synctrace.record(trace), gpu.told.record_calls():
        host, x = numpy.zeros(8, "u1"), gpu.cupy.empty(8)
        x.set(host, stream)
        synctrace.host_write(host)
        x.get(stream, out=host, blocking=False)
    assert rules(trace, "catalogue") == set()
    assert rules(trace, "cuda-13") == {"RACE04"}


def test_it_is_given_back_after_an_error(gpu: SimpleNamespace) -> None:
    before = gpu.cupy.cuda.Event.record
    with pytest.raises(ZeroDivisionError), gpu.told.record_calls():
        assert gpu.cupy.cuda.Event.record is not before
        raise ZeroDivisionError
    assert gpu.cupy.cuda.Event.record is before
    assert gpu.cupy.cuda.hooks == []
