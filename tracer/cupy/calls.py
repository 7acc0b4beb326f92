"""Record a CuPy program that was not written for it: its calls are replaced while this is on."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from synctrace.tracer import tell
from synctrace.tracer.cupy import streams as told
from synctrace.tracer.cupy.copies import told_array, told_copyto, told_get, told_set
from synctrace.tracer.cupy.importing import cupy, runtime
from synctrace.tracer.cupy.kernels import RawKernel
from synctrace.tracer.cupy.memory import Allocator
from synctrace.tracer.kinds import Kind

tell.hide(__file__)

_NOT_ITS_OWN = object()  # an attribute that a class has from its base


def _told_device_synchronize(original: Any) -> Any:
    def deviceSynchronize() -> None:
        with tell.call(Kind.DEVICE_SYNC, device=runtime.getDevice()):
            original()

    return deviceSynchronize


def _replacements() -> Iterator[tuple[Any, str, Any]]:
    """Owner, attribute and what takes its place. Made of what CuPy itself has there."""
    stream, event = cupy.cuda.stream._BaseStream, cupy.cuda.Event
    yield cupy.cuda.Stream, "__init__", told.told_stream_init(cupy.cuda.Stream.__init__)
    yield stream, "record", told.told_record(stream.record, event)
    yield stream, "wait_event", told.told_wait_event(stream.wait_event)
    yield stream, "synchronize", told.told_stream_synchronize(stream.synchronize)
    yield stream, "done", property(told.told_stream_done(stream.done.fget))
    yield stream, "begin_capture", told.told_begin_capture(stream.begin_capture)
    yield stream, "end_capture", told.told_end_capture(stream.end_capture)
    yield stream, "launch_host_func", told.told_host_func(stream.launch_host_func)
    yield stream, "add_callback", told.told_host_func(stream.add_callback)
    yield event, "record", told.told_event_record(event.record)
    yield event, "synchronize", told.told_event_synchronize(event.synchronize)
    yield event, "done", property(told.told_event_done(event.done.fget))
    yield cupy.ndarray, "get", told_get(cupy.ndarray.get)
    yield cupy.ndarray, "set", told_set(cupy.ndarray.set)
    yield cupy, "copyto", told_copyto(cupy.copyto)
    yield cupy, "array", told_array(cupy.array)
    yield cupy, "asarray", told_array(cupy.asarray)
    yield cupy, "RawKernel", RawKernel
    yield cupy.cuda, "Device", told.Device
    yield runtime, "deviceSynchronize", _told_device_synchronize(runtime.deviceSynchronize)


@contextmanager
def record_calls() -> Iterator[None]:
    """Inside of `with` CuPy's own streams, events, copies and memory are recorded.

        with synctrace.record("run.synctrace"), synctrace.cupy.record_calls():
            main()

    Seen: every call of `cupy.cuda.Stream` and `Event` of this process; `get`, `set`, `asnumpy`,
    `copyto`, and `array` and `asarray` of host arrays; `synchronize` of a `cupy.cuda.Device` that
    was made inside (of `array.device` it is not); `cupy.RawKernel`s that were made inside, each of
    whose array arguments may be touched; CuPy's pool, for the calling thread. Not seen: ufuncs,
    reductions, indexing, ElementwiseKernel, cuBLAS and whatever else CuPy's compiled parts launch
    (put `synctrace.cupy.kernel` around it, or record the program with `synctrace record`): a trace
    without them says nothing of their races, and a wait that only they need looks needless.
    """
    with ExitStack() as undo:
        for owner, name, replacement in list(_replacements()):
            undo.callback(_put_back, owner, name, vars(owner).get(name, _NOT_ITS_OWN))
            setattr(owner, name, replacement)
        undo.enter_context(Allocator())
        yield


def _put_back(owner: Any, name: str, was: Any) -> None:
    if was is _NOT_ITS_OWN:
        delattr(owner, name)
    else:
        setattr(owner, name, was)
