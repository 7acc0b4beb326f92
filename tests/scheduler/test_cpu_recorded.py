"""What the CPU device tells the recorder, and what `check` makes of it."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from cpu_programs import ADD_ONE, AT_ONCE, NEW, OLD, PROGRAMS, SIZE, Gate, Program, device
from recorded_rows import rows

import synctrace
from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_cache import CachingAllocator
from synctrace.tracer.scheduler.device import DeviceError, Kernel
from synctrace.tracer.scheduler.handover import Handover
from synctrace.tracer.scheduler.host import HostDevice

# As the CPU device behaves under all of them: it leaves out what implementations add.
PROFILES = ("catalogue", "cuda-13", "hip-6.3")
# Which rule tells of the race, and that its fix is told nothing at all.
RULES = {
    "pending_source": "RACE04",
    "graph_input": "RACE05",
    "missing_event": "RACE01",
    "own_event": "RACE02",
    "read_too_early": "RACE04",
    "pool_block": "LIFE01",
    "cached_block": "LIFE03",
    "callback": "RACE04",
    "unified": "RACE04",
    "freed_source": "LIFE01",
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_check_finds_the_race_and_is_silent_on_its_fix(program: Program, tmp_path: Path) -> None:
    found = {}
    for right in (False, True):
        path = tmp_path / f"{right}.synctrace"
        with synctrace.record(path, profile="catalogue"):
            program(0, right)
        found[right] = [each.rule for each in synctrace.check(path, PROFILES).findings]
    assert RULES[program.__name__] in found[False]
    assert found[True] == []


def pool_reuse(gpu: CpuDevice) -> None:
    """The pool hands a block on to another stream, and orders that itself."""
    one, two, host = gpu.stream("one"), gpu.stream("two"), gpu.pinned("host", SIZE)
    block = one.alloc_async("block", SIZE)
    one.fill(block.slice(), 1)
    one.free_async(block)
    again = two.alloc_async("again", SIZE)
    two.fill(again.slice(), 2)
    two.copy(host.slice(), again.slice())
    two.synchronize()
    host.load()


def pageable_refill(gpu: CpuDevice) -> None:
    """A pageable source is the host's again when the call returns: what CUDA does, not promises."""
    stream, source, target = gpu.stream("main"), gpu.pageable("s", SIZE), gpu.memory("t", SIZE)
    back = gpu.pageable("back", SIZE)
    for byte in (OLD, NEW):
        source.store(byte)
        stream.copy(target.slice(), source.slice())
    stream.copy(back.slice(), target.slice())
    back.load()


def one_address(gpu: CpuDevice) -> None:
    """Memory that takes the place of memory that was freed is another one."""
    stream, target = gpu.stream("main"), gpu.memory("target", SIZE)
    for _ in range(5):
        source = gpu.pinned("source", SIZE)
        source.store(OLD)
        stream.copy(target.slice(), source.slice())
        stream.synchronize()
        source.free()
        del source


def two_slices(gpu: CpuDevice) -> None:
    """Two streams share a memory and no byte of it."""
    one, two, both = gpu.stream("one"), gpu.stream("two"), gpu.managed("both", SIZE)
    one.fill(both.slice(0, SIZE // 2), 1)
    two.fill(both.slice(SIZE // 2), 2)
    gpu.synchronize()
    both.load()


def two_threads(gpu: CpuDevice) -> None:
    """What two threads give to one stream is in order if the second knows of the first."""
    stream, given = gpu.stream("main"), Handover("given")
    data, host = gpu.memory("data", SIZE), gpu.pinned("host", SIZE)

    def fill() -> None:
        stream.fill(data.slice(), 1)
        given.signal()

    thread = threading.Thread(target=fill)
    thread.start()
    given.wait()
    stream.copy(host.slice(), data.slice())
    stream.synchronize()
    host.load()
    thread.join()


@pytest.mark.parametrize(
    "program", [pool_reuse, pageable_refill, one_address, two_slices, two_threads]
)
def test_what_is_in_order_is_told_nothing(
    program: Callable[[CpuDevice], None], tmp_path: Path
) -> None:
    with device() as gpu, synctrace.record(tmp_path / "run.synctrace"):
        program(gpu)
    assert synctrace.check(tmp_path / "run.synctrace").findings == ()


def test_a_graph_captured_again_is_told_anew(tmp_path: Path) -> None:
    """Each launch touches what its version touches."""
    with device() as gpu, synctrace.record(tmp_path / "run.synctrace") as recording:
        stream, memories = gpu.stream("main"), [gpu.memory(name, 8) for name in "ab"]
        for memory in memories:
            stream.begin_capture()
            stream.fill(memory.slice(), 1)
            stream.launch_graph(stream.end_capture("step"))
    launches = [row for row in rows(recording.path) if row["kind"] == "graph_launch"]
    assert [row["bytes"] for row in launches] == [[[name, "0", "8", "write"]] for name in "ab"]
    versions = rows(recording.path, "SELECT name, version FROM graph ORDER BY version")
    assert versions == [{"name": "step", "version": number} for number in (0, 1)]


def test_a_caching_allocator_names_its_blocks(tmp_path: Path) -> None:
    """Blocks are storages, their owners names of bytes; nothing is read or written by them."""
    with device() as gpu, synctrace.record(tmp_path / "run.synctrace") as recording:
        stream, other, cache = gpu.stream("main"), gpu.stream("other"), CachingAllocator(gpu)
        for name in ("hidden", "logits"):
            tensor = cache.alloc(name, 8, stream)
            stream.fill(tensor.slice(), 1)
            cache.free(tensor)
        tensor = cache.alloc("kept", 8, stream)
        cache.record_stream(tensor, other)
    told = [row for row in rows(recording.path) if row["kind"] != "stream_create"]
    whole = [["block 1", "0", "8", "read"]]
    written = [["block 1", "0", "8", "write"]]
    assert [(row["kind"], row["stream"], row["bytes"]) for row in told] == [
        ("cache_alloc", "main", whole),
        ("memset_async", "main", written),
        ("cache_free", "main", whole),
        ("cache_alloc", "main", whole),
        ("memset_async", "main", written),
        ("cache_free", "main", whole),
        ("cache_alloc", "main", whole),
        ("record_stream", "other", whole),
    ]
    names = rows(recording.path, "SELECT DISTINCT name FROM buffer WHERE usage = 'any'")
    assert {"hidden", "logits"} <= {row["name"] for row in names}
    assert synctrace.check(tmp_path / "run.synctrace", ("catalogue",)).findings == ()


def test_what_is_not_done_and_what_fails_is_told_as_failed(tmp_path: Path) -> None:
    def divide(reads: object, writes: object) -> None:
        raise ZeroDivisionError

    with device() as gpu:
        stream, event = gpu.stream("main"), gpu.event("event")
        with synctrace.record(tmp_path / "run.synctrace") as recording:
            gate = Gate(stream)
            stream.record(event)
            assert not event.query() and not stream.query()
            gate.open()
            stream.synchronize()
            assert event.query() and stream.query()
            stream.launch(Kernel("divide", divide, ""), [], [])
            with pytest.raises(DeviceError):
                stream.synchronize()
    assert [(row["kind"], row["flags"]) for row in rows(recording.path)] == [
        ("host_func", ""),
        ("event_record", ""),
        *[("event_query", "failed"), ("stream_query", "failed"), ("stream_sync", "")],
        *[("event_query", ""), ("stream_query", ""), ("kernel", ""), ("stream_sync", "failed")],
    ]


def test_a_graph_captured_before_the_recording_is_told_in_it(tmp_path: Path) -> None:
    """And so is everything else that is older than it; each recording has its own."""
    with device() as gpu:
        stream, host, data = gpu.stream("main"), gpu.pinned("h", 8), gpu.memory("d", 8)
        stream.begin_capture()
        stream.copy(data.slice(name="inp_tokens"), host.slice())
        graph = stream.end_capture("step")
        for number in (1, 2):
            with synctrace.record(tmp_path / f"{number}.synctrace") as recording:
                stream.launch_graph(graph)
                stream.synchronize()
            launch, sync = rows(recording.path)
            assert (launch["kind"], sync["kind"]) == ("graph_launch", "stream_sync")
            assert launch["bytes"] == [["d", "0", "8", "write"], ["h", "0", "8", "read"]]
            (told,) = rows(recording.path, "SELECT name, version, nodes, operations FROM graph")
            assert told == {"name": "step", "version": 0, "nodes": 1, "operations": "copy"}
            names = rows(recording.path, "SELECT name FROM buffer WHERE name = 'inp_tokens'")
            assert len(names) == 1


def test_the_call_site_is_the_callers(tmp_path: Path) -> None:
    """No frame of the device is in it."""
    with device() as gpu, synctrace.record(tmp_path / "run.synctrace") as recording:
        stream, data = gpu.stream("main"), gpu.memory("d", 8)
        stream.launch(ADD_ONE, [data.slice()], [data.slice()])
        gpu.copy(data.slice(), data.slice())
        HostDevice(AT_ONCE).memory("x", 1).store(b"1")
    found = rows(recording.path, "SELECT s.* FROM op o JOIN site s ON s.id = o.site")
    assert len(found) == 6
    for frame in found:
        assert Path(frame["file"]).name == Path(__file__).name
        assert frame["function"] == "test_the_call_site_is_the_callers"


def test_the_host_is_told_as_accesses_of_its_thread(tmp_path: Path) -> None:
    """A graph, which has a name, as a launch on a timeline where everything is done at return."""
    host = HostDevice(AT_ONCE)
    with synctrace.record(tmp_path / "run.synctrace", profile="catalogue") as recording:
        stream, a, b = host.stream("CPU"), host.memory("a", 8), host.pinned("b", 8)
        a.store(bytes(8))
        stream.copy(b.slice(), a.slice())
        stream.host_call(lambda reads, writes: None, [b.slice()])
        stream.begin_capture()
        stream.launch(ADD_ONE, [a.slice()], [b.slice()])
        stream.launch_graph(stream.end_capture("split"))
        b.load()
    assert recording.path and synctrace.check(recording.path).findings == ()
    told = [(row["kind"], row["stream"], row["bytes"]) for row in rows(recording.path)]
    both = [["a", "0", "8", "read"], ["b", "0", "8", "write"]]
    assert told == [
        *[("alloc_pageable", None, None), ("alloc_pinned", None, None)],
        ("host_write", None, [["a", "0", "8", "write"]]),
        ("host_write", None, both),
        ("host_read", None, [["b", "0", "8", "read"]]),
        ("graph_launch", "CPU", both),
        ("host_read", None, [["b", "0", "8", "read"]]),
    ]


@pytest.mark.parametrize("right", [False, True])
def test_two_threads_on_two_streams(right: bool, tmp_path: Path) -> None:
    """One fills, the other reads: the signal between them is seen, and so is its lack."""
    with (
        device() as gpu,
        synctrace.record(tmp_path / "run.synctrace", profile="catalogue") as recording,
    ):
        one, two, event = gpu.stream("one"), gpu.stream("two"), gpu.event("written")
        data, filled = gpu.memory("data", SIZE), Handover("filled")
        result = gpu.pinned("result", SIZE)

        def fill() -> None:
            one.fill(data.slice(), 1)
            one.record(event)
            filled.signal()

        thread = threading.Thread(target=fill)
        thread.start()
        filled.wait()
        if right:
            two.wait(event)
        two.copy(result.slice(), data.slice())
        two.synchronize()
        thread.join()
    assert recording.path
    found = [each.rule for each in synctrace.check(recording.path).findings]
    assert found == ([] if right else ["RACE01"])
