"""Every recorded CuPy call once on a real GPU, and what the trace holds of it.

    python tests/gpu/cupy_probe.py [TRACE]

Each step stands alone: one that fails prints its traceback, and the rest go on. Needs CuPy and a
GPU of CUDA or ROCm; exits with 1 if a step failed.
"""

import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cupy
import numpy

import synctrace
from synctrace.tracer.cupy import api as told
from synctrace.tracer.kinds import Flag, Kind, Mode
from synctrace.tracer.reader import open_trace

STEPS: list[Callable[[], None]] = []
SPIN = cupy.RawKernel(
    'extern "C" __global__ void spin(long long cycles, unsigned long long *to, '
    "const unsigned long long *from) { for (long long s = clock64(); clock64() - s < cycles;) {} "
    "to[threadIdx.x] = from[threadIdx.x] + 1; }",
    "spin",
)


def step(function: Callable[[], None]) -> Callable[[], None]:
    STEPS.append(function)
    return function


@step
def streams_and_events() -> None:
    one = told.Stream(non_blocking=True, name="one")
    two = told.Stream(non_blocking=True, name="two")
    ready = told.Event(disable_timing=True, name="ready")
    with one:
        a = cupy.zeros(64, "u8")
        b = cupy.empty_like(a)
        told.launch(one, SPIN, (1,), (64,), (10_000_000, b, a), reads={"a": a}, writes={"b": b})
    one.record(ready)
    assert not ready.done, "10 million clocks were over at once"
    two.wait_event(ready)
    told.launch(two, SPIN, (1,), (64,), (0, a, b), reads={"b": b}, writes={"a": a})
    two.synchronize()
    assert one.done and two.done and ready.done
    ready.synchronize()
    ready.record(one)
    told.Device(0).synchronize()
    assert int(a[0]) == 2, a[:4]
    assert isinstance(one, cupy.cuda.Stream) and one.is_non_blocking
    made = one.record()
    made.synchronize()


@step
def null_and_per_thread_streams() -> None:
    for stream in (
        told.Stream.null,
        told.Stream.ptds,
        told.Stream(null=True),
        cupy.cuda.Stream.null,
    ):
        x = cupy.ones(16, "f4")
        with told.kernel(stream, reads=[x], writes=[x], name="double"), stream:
            x *= 2
        stream.synchronize()
    external = cupy.cuda.Stream(non_blocking=True)
    wrapped = told.Stream.from_external(external)
    wrapped.synchronize()
    told.ExternalStream(external.ptr, 0).synchronize()


@step
def pinned_copies() -> None:
    stream = told.Stream(non_blocking=True, name="copies")
    source = told.pinned_empty(1024, "u4", name="source")
    back = told.pinned_empty((32, 32), numpy.uint32, name="back")
    source[:] = numpy.arange(1024, dtype="u4")
    device = cupy.empty(1024, "u4")
    told.copy(device, source, stream)
    other = cupy.empty_like(device)
    told.copy(other, device, stream)
    told.copy(back, other, stream)
    stream.synchronize()
    assert (back.ravel() == source).all()
    told.fill(device, 255, stream)
    device.get(stream=stream)
    columns = cupy.empty((8, 64), "u4")[:, :16]
    told.launch(stream, SPIN, (1,), (1,), (0, device, other))  # told as `may`
    with told.kernel(stream, writes={"columns": columns}), stream:
        columns[:] = 3
    stream.synchronize()
    for wrong in (lambda: told.copy(back, source, stream), lambda: told.copy(columns, columns)):
        try:
            wrong()
        except ValueError as error:
            print("  refused:", error)
        else:
            raise AssertionError("copy took arrays that it cannot copy")


@step
def graphs() -> None:
    stream = told.Stream(non_blocking=True, name="captured")
    side = told.Stream(non_blocking=True, name="side")
    a = cupy.zeros(64, "u8")
    b = cupy.zeros(64, "u8")
    host = told.pinned_empty(64, "u8", name="graph input")
    host[:] = 5
    fork, join = told.Event(disable_timing=True), told.Event(disable_timing=True)
    stream.begin_capture()
    told.copy(a, host, stream)
    stream.record(fork)
    side.wait_event(fork)
    told.launch(side, SPIN, (1,), (64,), (0, b, a), reads=[a], writes=[b])
    side.record(join)
    stream.wait_event(join)
    graph = stream.end_capture()
    graph.upload(stream)
    graph.launch(stream)
    with stream:
        graph.launch()
    stream.synchronize()
    assert int(b[0]) == 6, b[:4]
    outer = told.Stream(non_blocking=True, name="parent")
    outer.begin_capture()
    told.fill(a, 0, outer)
    outer_graph = outer.end_capture()
    outer_graph.launch(outer)
    outer.synchronize()


@step
def host_functions() -> None:
    stream = told.Stream(non_blocking=True, name="callbacks")
    host = told.pinned_empty(4, "u8", name="counted")
    host[:] = 0
    done = threading.Event()

    def count(step: int) -> None:
        host[0] += step
        done.set()

    stream.launch_host_func(count, 2, writes=[host])
    stream.add_callback(lambda _stream, _status, step: count(step), 3, writes=[host])
    stream.synchronize()
    assert done.wait(10) and host[0] == 5, host


@step
def pool() -> None:
    cupy.get_default_memory_pool().free_all_blocks()
    with told.Allocator():
        stream = told.Stream(non_blocking=True, name="pool")
        with stream:
            for _ in range(3):
                x = cupy.empty(1 << 16, "u1")
                told.fill(x, 1, stream)
                del x
        big = cupy.empty(1 << 26, "u1")
        del big


@step
def unchanged_program() -> None:
    with told.record_calls():
        stream = cupy.cuda.Stream(non_blocking=True)
        event = cupy.cuda.Event()
        with stream:
            x = cupy.asarray(numpy.arange(256, dtype="f4"))
            y = cupy.empty_like(x)
            cupy.copyto(y, x)
            cupy.copyto(y, 1.0)
            kernel = cupy.RawKernel(
                'extern "C" __global__ void plus(float *x) { x[threadIdx.x] += 1; }', "plus"
            )
            kernel((1,), (256,), (y,))
            event.record()
            assert cupy.asnumpy(y)[0] == 2
        event.synchronize()
        y.set(numpy.zeros(256, "f4"), stream)
        y.get(stream=stream, blocking=False)
        stream.synchronize()
        cupy.cuda.Device().synchronize()
        cupy.cuda.runtime.deviceSynchronize()
        assert cupy.cuda.Stream.null.done in (True, False)
    assert cupy.cuda.Stream.record.__name__ == "record" and "get" not in vars(cupy.ndarray)


@step
def nothing_is_kept_from_failing() -> None:
    stream = told.Stream(non_blocking=True, name="failing")
    try:
        stream.end_capture()
    except Exception as error:  # whatever CuPy says
        print("  CuPy said:", type(error).__name__, error)
    else:
        raise AssertionError("end_capture without a capture was taken")
    stream.synchronize()


@step
def scheduler_device() -> None:
    from synctrace.tracer.scheduler.cupy_device import cupy_devices
    from synctrace.tracer.scheduler.handover import Handover
    from synctrace.tracer.scheduler.model import mix

    first, second = cupy_devices(2)
    stream, other = first.stream("first"), second.stream("second")
    event, host, back = first.event("ready"), first.pinned("host", 512), first.pinned("back", 512)
    a, b, c = first.memory("a", 512), first.memory("b", 512), second.memory("c", 512)
    kernel = mix("probe", 1, 7)
    host.store(bytes(range(256)) * 2)
    stream.begin_capture()
    stream.launch(kernel, [a.slice()], [b.slice()])
    graph = stream.end_capture("split")
    assert (graph.version, graph.nodes) == (1, 1), (graph.version, graph.nodes)
    stream.copy(a.slice(), host.slice())
    stream.launch_graph(graph)
    stream.record(event)
    other.wait(event)
    other.copy(c.slice(), b.slice())
    other.copy(back.slice(), c.slice())
    other.synchronize()
    expected = bytearray(512)
    kernel.cpu([memoryview(bytes(range(256)) * 2)], [memoryview(expected)])
    assert back.load() == bytes(expected), "GPU and CPU do not agree bit by bit"
    second.copy(c.slice(0, 64), host.slice(0, 64))
    first.copy(back.slice(), a.slice())
    stream.fill(a.slice(), 1)
    given = Handover("given")
    stream.host_call(lambda _reads, _writes: None, reads=[host.slice()], signal=given)
    given.wait()
    pool = stream.alloc_async("pool", 4096)
    stream.fill(pool.slice(), 0)
    stream.free_async(pool)
    managed = first.managed("managed", 4096)
    managed.store(b"x" * 4096)
    stream.launch(kernel, [managed.slice()], [managed.slice()])
    stream.synchronize()
    managed.load(0, 8)
    pageable = first.pageable("pageable", 512)
    pageable.store(b"y" * 512)
    stream.copy(a.slice(), pageable.slice())
    stream.copy(pageable.slice(), a.slice())
    assert pageable.load() == b"y" * 512
    assert stream.query() in (True, False) and event.query()
    a.free()
    first.close()
    second.close()


def shown(path: Path) -> None:
    """Every op of the trace, one a line."""
    trace = open_trace(path)
    print("complete", trace.complete, "lost", list(trace.lost), trace.meta.get("coverage"))
    print("versions", trace.meta.get("versions"))
    actors = {a["id"]: a["name"] for a in trace.table("actor").to_pylist()}
    events = {e["id"]: e["name"] for e in trace.table("event").to_pylist()}
    calls = {c["id"]: c["name"] for c in trace.table("call").to_pylist()}
    storages = {s["id"]: s["name"] for s in trace.table("storage").to_pylist()}
    accesses = {a["id"]: a for a in trace.table("access").to_pylist()}
    for op in trace.table("op").to_pylist():
        touched = []
        for number in op["accesses"] or ():
            access = accesses[number]
            where = f"{storages.get(access['storage'])}[{access['lo']},{access['upper_hi']})"
            touched.append(f"{Mode(access['mode']).name.lower()} {where}")
        print(
            f"{op['id']:4} {Kind(op['kind']).name.lower():18} {calls.get(op['call'], ''):18}"
            f" {actors.get(op['actor'], ''):14} {actors.get(op['peer'], ''):8}"
            f" {events.get(op['event'], ''):10} graph {op['graph']}"
            f" {Flag(op['flags']).name or '':18} {' '.join(touched)}"
        )


def judged(path: Path) -> None:
    """Findings by rule and verdict, under what was recorded and under the notation's rules."""
    for profiles in ((), ("catalogue",)):
        found = Counter((f.rule, f.verdict) for f in synctrace.check(path, profiles).findings)
        print("check", *profiles, *(f"{' '.join(key)} {n}x," for key, n in found.items()))


def taken() -> list[str]:
    """Take every step. Names of those that failed."""
    failed = []
    for each in STEPS:
        print(f"== {each.__name__}", flush=True)
        try:
            each()
        except Exception:
            failed.append(each.__name__)
            traceback.print_exc(file=sys.stdout)
    return failed


def main() -> None:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "cupy-probe.synctrace")
    print("-- nothing records")
    failed = taken()
    print("-- recorded")
    with synctrace.record(path, overwrite=True):
        failed += taken()
    for work in (lambda: shown(path), lambda: judged(path)):
        try:
            work()
        except Exception:
            failed.append("reading the trace")
            traceback.print_exc(file=sys.stdout)
    print("failed:", ", ".join(failed) or "nothing")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
