"""Each call of `synctrace.cupy` makes CuPy's call and is in the trace as what it is."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import synctrace
from cupy_calls.recorded import lines, of, rules
from synctrace.tracer import binding

PLUS = 'extern "C" __global__ void plus(unsigned long long *to, const unsigned long long *from) {\
 to[threadIdx.x] = from[threadIdx.x] + 1; }'


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "run.synctrace"


def test_streams_and_events(gpu: SimpleNamespace, trace: Path) -> None:
    one = gpu.told.Stream(non_blocking=True, name="one")
    two = gpu.told.Stream(name="two")
    ready = gpu.told.Event(name="ready")
    with synctrace.record(trace):
        assert one.record(ready) is ready
        two.wait_event(ready)
        two.synchronize()
        ready.synchronize()
        with two:
            ready.record()
        ready.record(one)
        gpu.told.Device(0).synchronize()
    assert lines(trace) == [
        "event_record | one | ready",
        "event_wait | two | ready",
        "stream_sync | two",
        "event_sync | ready",
        "event_record | two | ready",
        "event_record | one | ready",
        "device_sync",
    ]
    made = ["eventRecord", "streamWaitEvent", "streamSynchronize", "eventSynchronize"]
    assert gpu.runtime.calls == [*made, "eventRecord", "eventRecord", "deviceSynchronize"]


def test_a_query_orders_only_if_it_said_done(gpu: SimpleNamespace, trace: Path) -> None:
    stream, event = gpu.told.Stream(name="s"), gpu.told.Event(name="e")
    with synctrace.record(trace):
        gpu.runtime.pending |= {stream.ptr, event.ptr}
        assert not stream.done and not event.done
        gpu.runtime.pending.clear()
        assert stream.done and event.done
    queries = ["stream_query failed | s", "event_query failed | e"]
    assert lines(trace) == [*queries, "stream_query | s", "event_query | e"]


def test_shared_streams_are_told_by_device_and_thread(gpu: SimpleNamespace, trace: Path) -> None:
    gpu.runtime.gpus = 2
    with synctrace.record(trace):
        gpu.told.Stream.null.synchronize()
        gpu.told.Stream(null=True).synchronize()
        gpu.told.Stream.ptds.synchronize()
        gpu.runtime.setDevice(1)
        gpu.told.Stream.null.synchronize()
    per_thread = "stream_sync | per-thread stream of MainThread"
    null = "stream_sync | LEGACY"
    assert lines(trace) == [null, null, per_thread, "stream_sync | LEGACY1"]


def test_a_stream_of_someone_else_is_the_same_stream(gpu: SimpleNamespace, trace: Path) -> None:
    ours = gpu.told.Stream(name="ours")
    theirs = SimpleNamespace(__cuda_stream__=lambda: (0, ours.ptr))
    with synctrace.record(trace):
        ours.synchronize()
        gpu.told.ExternalStream(ours.ptr, 0).synchronize()
        gpu.told.Stream.from_external(theirs).synchronize()
    assert lines(trace) == ["stream_sync | ours"] * 3


def test_a_new_stream_is_another_than_the_one_whose_handle_it_has(
    gpu: SimpleNamespace, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = gpu.told.Stream(name="old")
    monkeypatch.setattr(gpu.runtime, "streamCreateWithFlags", lambda flags: old.ptr)
    new = gpu.told.Stream(name="new")
    with synctrace.record(trace):
        new.synchronize()
    assert lines(trace) == ["stream_sync | new"]


def test_copies_and_kernels(gpu: SimpleNamespace, trace: Path) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy comes with CuPy, and is not here")
    stream = gpu.told.Stream(non_blocking=True, name="s")
    plus = gpu.cupy.RawKernel(PLUS, "plus")
    with synctrace.record(trace):
        host = gpu.told.pinned_empty(8, "u8", name="host")
        host[:] = 41
        a, b = gpu.cupy.empty(8, "u8"), gpu.cupy.empty(8, "u8")
        gpu.told.copy(a, host, stream)
        gpu.told.launch(stream, plus, (1,), (8,), (b, a), reads={"from": a}, writes=[b])
        gpu.told.copy(host[:4], b.__class__((4,), "u8", b.data), stream)
        stream.synchronize()
        assert isinstance(host, numpy.ndarray) and list(host) == [42] * 4 + [41] * 4
        gpu.told.launch(stream, plus, (1,), (8,), (b, a))
        gpu.told.fill(a, 0, stream)
        with gpu.told.kernel(stream, reads=[a], writes=[b], name="sqrt"):
            pass
    written = of(trace, "memcpy_async_h2d", "kernel")[:2]
    first, second = (line.split("writes ")[1][:-6] for line in written)
    assert lines(trace) == [
        "alloc_pinned | writes host[0,64)",
        f"memcpy_async_h2d | s | reads host[0,64) | writes {first}[0,64)",
        f"kernel | s | reads {first}[0,64) | writes {second}[0,64)",
        f"memcpy_async_d2h | s | reads {second}[0,32) | writes host[0,32)",
        "stream_sync | s",
        f"kernel | s | may touch {second}[0,64) | may touch {first}[0,64)",
        f"memset_async | s | writes {first}[0,64)",
        f"kernel | s | reads {first}[0,64) | writes {second}[0,64)",
    ]
    names = synctrace.open(trace).query("SELECT DISTINCT call FROM op WHERE kind = 'kernel'")
    assert sorted(names.to_pydict()["call"]) == ["plus", "sqrt"]


def test_a_captured_graph_touches_at_its_launch(gpu: SimpleNamespace, trace: Path) -> None:
    """The capture may come before the recording; a side stream takes part by its wait."""
    main, side = gpu.told.Stream(name="main"), gpu.told.Stream(name="side")
    fork = gpu.told.Event(name="fork")
    a, b = gpu.cupy.empty(8, "u8"), gpu.cupy.empty(8, "u8")
    plus = gpu.cupy.RawKernel(PLUS, "plus")

    def capture() -> object:
        main.begin_capture()
        gpu.told.fill(a, 1, main)
        main.record(fork)
        side.wait_event(fork)
        gpu.told.launch(side, plus, (1,), (8,), (b, a), reads=[a], writes=[b])
        return main.end_capture()

    before = capture()
    with synctrace.record(trace):
        before.launch(main)
        with main:
            capture().launch()
        side.synchronize()
    told = lines(trace)
    assert told[1:7] == [
        "capture_begin | main",
        "memset_async captured | main",
        "event_record captured | main | fork",
        "event_wait captured | side | fork",
        "kernel captured | side",
        "capture_end | main",
    ]
    assert told[0] == told[7] == "graph_launch | main"
    assert told[8] == "stream_sync | side"
    touched = synctrace.open(trace).query(
        "SELECT o.id, count(*) AS n FROM op AS o JOIN op_access AS a ON a.op = o.id"
        " WHERE o.kind = 'graph_launch' GROUP BY o.id"
    )
    assert touched.to_pydict()["n"] == [3, 3]


def test_a_child_graph_is_part_of_the_outer_one(gpu: SimpleNamespace, trace: Path) -> None:
    stream = gpu.told.Stream(name="s")
    a = gpu.cupy.empty(8, "u8")
    with synctrace.record(trace):
        stream.begin_capture()
        gpu.told.fill(a, 1, stream)
        inner = stream.end_capture()
        stream.begin_capture()
        inner.launch(stream)
        outer = stream.end_capture()
        outer.launch(stream)
    assert lines(trace)[4] == "graph_launch captured | s"
    touched = synctrace.open(trace).query(
        "SELECT count(*) AS n FROM op_access AS a JOIN op AS o ON o.id = a.op"
        " WHERE a.mode = 'write' AND o.kind = 'graph_launch' AND o.graph IS NOT NULL GROUP BY o.id"
    )
    assert touched.to_pydict()["n"] == [1, 1]  # the captured one, which runs nothing, and the other


def test_a_host_function(gpu: SimpleNamespace, trace: Path) -> None:
    pytest.importorskip("numpy", reason="NumPy comes with CuPy, and is not here")
    stream = gpu.told.Stream(name="s")
    given = []
    with synctrace.record(trace):
        host = gpu.told.pinned_empty(4, "u1", name="host")
        stream.launch_host_func(given.append, 1, writes=[host])
        stream.add_callback(lambda *told: given.append(told[2]), 2)
    assert given == [1, 2]
    assert of(trace, "host_func") == ["host_func | s | writes host[0,4)", "host_func | s"]


def test_the_pool(gpu: SimpleNamespace, trace: Path) -> None:
    """What CuPy's hooks say: memory of the device, then blocks of it, on the current stream."""
    stream = gpu.told.Stream(name="s")
    block = {"device_id": 0, "mem_size": 512, "mem_ptr": 0x7000_0200, "pmem_id": 1}
    with synctrace.record(trace), gpu.told.Allocator() as hook, stream:
        hook.alloc_postprocess(device_id=0, mem_size=2048, mem_ptr=0x7000_0000)
        hook.malloc_postprocess(**block, size=8)
        hook.free_preprocess(**block)
        hook.malloc_postprocess(**{**block, "mem_ptr": 0}, size=8)  # it failed
    told = lines(trace)
    name = told[0].split("writes ")[1].split("[")[0]
    assert told == [
        f"alloc_device | writes {name}[0,2048)",
        f"cache_alloc | s | writes {name}[512,1024)",
        f"cache_free | s | writes {name}[512,1024)",
    ]


def test_pinned_memory_ends_with_its_last_reference(gpu: SimpleNamespace, trace: Path) -> None:
    with synctrace.record(trace):
        memory = gpu.told.PinnedMemory(64, name="block")
        del memory
    assert lines(trace) == ["alloc_pinned | writes block[0,64)", "free_host | writes block[0,64)"]
    assert gpu.runtime.calls == ["hostAlloc", "freeHost"]


@pytest.mark.parametrize("waits", [True, False])
def test_a_race_is_found_and_its_fix_is_silent(
    gpu: SimpleNamespace, trace: Path, waits: bool
) -> None:
    pytest.importorskip("numpy", reason="NumPy comes with CuPy, and is not here")
    one, two = (gpu.told.Stream(non_blocking=True, name=name) for name in ("one", "two"))
    ready = gpu.told.Event(name="ready")
    with synctrace.record(trace):
        host = gpu.told.pinned_empty(64, "u1", name="host")
        a = gpu.cupy.empty(64)
        gpu.told.copy(a, host, one)
        one.record(ready)
        if waits:
            two.wait_event(ready)
        gpu.told.copy(host, a, two)
        two.synchronize()
    assert rules(trace) == (set() if waits else {"RACE01", "RACE02"})
    assert synctrace.open(trace).meta["versions"]["CUDA"] == "13.0"


def test_nothing_is_told_while_nothing_records(gpu: SimpleNamespace) -> None:
    """The calls are made all the same."""
    assert not binding.epoch
    stream, event = gpu.told.Stream(name="s"), gpu.told.Event()
    stream.record(event)
    stream.wait_event(event)
    event.synchronize()
    a = gpu.cupy.empty(8, "u8")
    gpu.told.fill(a, 7, stream)
    with gpu.told.kernel(stream, reads=[a]):
        pass
    calls = ["eventRecord", "streamWaitEvent", "eventSynchronize", "malloc", "memsetAsync"]
    assert gpu.runtime.calls == calls


def test_a_call_that_fails_is_told_as_failed(gpu: SimpleNamespace, trace: Path) -> None:
    stream = gpu.told.Stream(name="s")
    with synctrace.record(trace):
        with pytest.raises(RuntimeError, match="nothing is captured"):
            stream.end_capture()
        stream.begin_capture()
        with pytest.raises(RuntimeError, match="Capture"):
            stream.synchronize()
        stream.end_capture()
    assert lines(trace)[0::2] == ["capture_end failed | s", "stream_sync failed | s"]


def test_what_cannot_be_copied_is_refused(gpu: SimpleNamespace) -> None:
    a, b = gpu.cupy.empty(8), gpu.cupy.empty(4)
    rows = gpu.cupy.ndarray((2, 4), "u1", a.data, (8, 1))
    with pytest.raises(ValueError, match="8 bytes into 4"):
        gpu.told.copy(b, a)
    with pytest.raises(ValueError, match="gaps"):
        gpu.told.copy(a, rows)
    with pytest.raises(ValueError, match="gaps"):
        gpu.told.fill(rows, 0)
