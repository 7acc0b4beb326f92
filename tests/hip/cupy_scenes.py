"""CuPy programs, each with and without the wait that it needs.

python cupy_scenes.py SCENE[,SCENE...] {race|fixed} CODE

CODE is a code object with the kernels that a scene launches. What a scene prints as `fixed` is the
same each time.
"""

import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack

import cupy
import cupyx
import numpy

N, TURNS = 1 << 14, 3
FIXED, CODE = sys.argv[2] == "fixed", sys.argv[3]


def stream() -> cupy.cuda.Stream:
    return cupy.cuda.Stream(non_blocking=True)


def kernel(name: str) -> Callable[..., None]:
    """A kernel of the code object, for one block."""
    function = cupy.RawModule(path=CODE).get_function(name)
    return lambda on, *arguments: function((1,), (64,), arguments, stream=on)


def zeros() -> cupy.ndarray:
    """Set on the null stream, for which the streams below do not wait."""
    made = cupy.zeros(N, "f4")
    cupy.cuda.Device().synchronize()
    return made


def right(device: cupy.ndarray, value: float) -> bool:
    return not FIXED or bool((device.get() == value).all())


def pinned() -> None:
    """A staging buffer in pinned memory is filled again while its copy may still read it."""
    staging, device = cupyx.empty_pinned(N, "f4"), zeros()
    copies, arrived = stream(), cupy.cuda.Event(disable_timing=True)
    for turn in range(TURNS):
        if turn and FIXED:
            arrived.synchronize()
        staging[:] = turn + 1
        device.set(staging, stream=copies)
        arrived.record(copies)
    copies.synchronize()
    print(right(device, TURNS))


def pool() -> None:
    """CuPy's pool of pinned memory hands out at once what was given back under a copy."""
    device, copies = zeros(), stream()
    first = cupyx.empty_pinned(N, "f4")
    first[:] = 1
    device.set(first, stream=copies)
    if FIXED:
        copies.synchronize()
    del first
    second = cupyx.empty_pinned(N, "f4")
    second[:] = 2
    copies.synchronize()
    print(right(device, 1))


def kernels() -> None:
    """A kernel's result is copied on another stream, which must wait for it."""
    x, y, out = zeros(), zeros(), cupyx.zeros_pinned(N, "f4")
    compute, copies, done = stream(), stream(), cupy.cuda.Event(disable_timing=True)
    kernel("scale")(compute, x, y, N)
    done.record(compute)
    if FIXED:
        copies.wait_event(done)
    y.get(out=out, stream=copies)
    copies.synchronize()
    compute.synchronize()
    print(out[0])


def elementwise() -> None:
    """A ufunc's kernel takes its arrays as structs, in which pointers are guessed."""
    x, copies, compute = zeros(), stream(), stream()
    staging = cupyx.empty_pinned(N, "f4")
    staging[:] = 3
    with compute:
        y = x + x
    if FIXED:
        compute.synchronize()
    x.set(staging, stream=copies)
    copies.synchronize()
    compute.synchronize()
    print(y.shape)


def graph() -> None:
    """A graph's copy reads pinned memory at each launch; it is filled anew between launches."""
    staging, device, work = cupyx.empty_pinned(N, "f4"), zeros(), stream()
    scale, y = kernel("scale"), zeros()
    work.begin_capture()
    device.data.copy_from_host_async(staging.ctypes.data, staging.nbytes, work)
    scale(work, device, y, N)
    captured = work.end_capture()
    for turn in range(TURNS):
        if turn and FIXED:
            work.synchronize()
        staging[:] = turn + 1
        captured.launch(work)
    work.synchronize()
    print(right(device, TURNS))


def devices() -> None:
    """An array goes round all devices; each one's copy must wait for the one before."""
    count = cupy.cuda.runtime.getDeviceCount()
    arrays, streams, events = [], [], []
    for i in range(count):
        with cupy.cuda.Device(i):
            arrays.append(zeros())
            streams.append(stream())
            events.append(cupy.cuda.Event(disable_timing=True))
    source = cupyx.empty_pinned(N, "f4")
    source[:] = 7
    with cupy.cuda.Device(0):
        arrays[0].set(source, stream=streams[0])
        events[0].record(streams[0])
    for i in range(1, count):
        with cupy.cuda.Device(i):
            if FIXED:
                streams[i].wait_event(events[i - 1])
            arrays[i].data.copy_from_device_async(arrays[i - 1].data, arrays[i].nbytes, streams[i])
            events[i].record(streams[i])
    for one in streams:
        one.synchronize()
    with cupy.cuda.Device(count - 1):
        print(right(arrays[-1], 7))


def threads() -> None:
    """One thread uploads on its stream, another computes on its own, after a signal of the host."""
    staging, x, y = cupyx.empty_pinned(N, "f4"), zeros(), zeros()
    staging[:] = 5
    uploaded, launched = threading.Event(), threading.Event()
    arrived = cupy.cuda.Event(disable_timing=True)
    scale = kernel("scale")

    def upload() -> None:
        copies = stream()
        x.set(staging, stream=copies)
        arrived.record(copies)
        uploaded.set()
        launched.wait()
        copies.synchronize()

    def compute() -> None:
        uploaded.wait()
        work = stream()
        if FIXED:
            work.wait_event(arrived)
        scale(work, x, y, N)
        launched.set()
        work.synchronize()

    both = [threading.Thread(target=one) for one in (upload, compute)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    cupy.cuda.Device().synchronize()
    print(right(x, 5))


def neighbours() -> None:
    """Two arrays of one chunk of the pool, each written on a stream of its own: no race.

    Unless the blocks are told, a kernel's pointer may lead to all of the chunk.
    """
    from synctrace import cupy as own

    chunk = cupy.empty(3 * N, "f4")
    del chunk
    with own.Blocks() if FIXED else ExitStack():
        x, y, z = (cupy.empty(N, "f4") for _ in range(3))
    assert y.data.ptr - x.data.ptr == z.data.ptr - y.data.ptr == x.nbytes
    one, two, scale = stream(), stream(), kernel("scale")
    scale(one, x, y, N)
    scale(two, x, z, N)
    one.synchronize()
    two.synchronize()
    del y
    with own.Blocks() if FIXED else ExitStack():
        y = cupy.empty(N // 2, "f4")  # in the place of the other, smaller
    scale(one, x, y, N // 2)
    one.synchronize()
    print(y.data.ptr - x.data.ptr)


def told() -> None:
    """The classes of synctrace.cupy, which tell their calls; CuPy makes HIP's within."""
    from synctrace import cupy as own

    staging = own.pinned_empty(N, "f4", name="staging")
    x, y = zeros(), zeros()
    copies, compute = (own.Stream(non_blocking=True, name=name) for name in ("copies", "compute"))
    arrived = own.Event(disable_timing=True, name="arrived")
    staging[:] = 4
    own.copy(x, staging, copies)
    copies.record(arrived)
    if FIXED:
        compute.wait_event(arrived)
    scale = cupy.RawModule(path=CODE).get_function("scale")
    own.launch(compute, scale, (1,), (64,), (x, y, N), reads={"x": x}, writes={"y": y})
    compute.synchronize()
    copies.synchronize()
    print(right(x, 4))


def stored() -> None:
    """The program tells what it stores to pinned memory, and it is what is there already."""
    import synctrace

    staging, device, copies = cupyx.zeros_pinned(N, "f4"), zeros(), stream()
    device.set(staging, stream=copies)
    if FIXED:
        copies.synchronize()
    synctrace.host_write(staging)
    copies.synchronize()
    print(right(device, 0))


def unchanged() -> None:
    """The same with CuPy's own classes, which tell their calls while `record_calls` is on."""
    from synctrace import cupy as own

    staging, x, y = cupyx.empty_pinned(N, "f4"), zeros(), zeros()
    with own.record_calls():
        copies, compute, arrived = stream(), stream(), cupy.cuda.Event(disable_timing=True)
        staging[:] = 4
        x.set(staging, stream=copies)
        arrived.record(copies)
        if FIXED:
            compute.wait_event(arrived)
        kernel("scale")(compute, x, y, N)
        out = y.get(stream=compute)
        compute.synchronize()
        copies.synchronize()
    print(right(x, 4), out[0])


def tour() -> None:
    """What CuPy is used for, on the null stream and on others, all in order."""
    host = numpy.arange(N, dtype="f4")
    x = cupy.asarray(host)
    y = cupy.zeros_like(x)
    cupy.copyto(y, x)
    print(cupy.asnumpy(y)[:3], (y.reshape(64, -1) @ x.reshape(-1, 64)).shape)
    print(cupy.sort(x + y).shape, cupy.sum(x).shape, x[::2].copy().shape, cupy.random.rand(8).shape)
    with ExitStack() as inside:
        inside.enter_context(stream() if FIXED else cupy.cuda.Stream())
        z = cupy.asarray(host)
        z += 1
        print(z.get().shape)
    managed = cupy.cuda.malloc_managed(4096)
    managed.memset(0, 4096)
    work = cupy.cuda.Stream.ptds
    y.set(host, stream=work)
    work.launch_host_func(lambda _: None, None)
    work.synchronize()
    print(y.get()[-1], bool(work.done))
    cupy.get_default_memory_pool().free_all_blocks()
    cupy.get_default_pinned_memory_pool().free_all_blocks()


for scene in sys.argv[1].split(","):
    globals()[scene]()
