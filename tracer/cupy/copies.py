"""Copies and fills of CuPy arrays and NumPy arrays, recorded."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from synctrace.tracer import tell
from synctrace.tracer.cupy.captures import captures
from synctrace.tracer.cupy.importing import cupy, runtime
from synctrace.tracer.cupy.lanes import (
    NOTHING,
    lane_of,
    legacy_lane,
    on_arrays,
    on_stream,
    watched,
)
from synctrace.tracer.cupy.places import access_to, accesses, address_of, touch
from synctrace.tracer.kinds import Flag, Kind, Mode

tell.hide(__file__)

Method = Callable[..., Any]

# CuPy's own functions, whatever `record_calls` puts in their place.
_memcpy_async, _ANY_WAY = runtime.memcpyAsync, runtime.memcpyDefault
# A name of an Enum takes longer to look up than a recorded copy has time.
_READ, _WRITE = Mode.READ, Mode.WRITE
_H2D, _D2H = Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2H
_D2D, _PEER = Kind.MEMCPY_ASYNC_D2D, Kind.MEMCPY_ASYNC_PEER
_NO_FLAG, _ACROSS = Flag(0), Flag.ACROSS
_synchronize = cupy.cuda.Stream.synchronize
_ORDERS = ("C", "F", "A", "c", "f", "a")
# With this the host reads device memory in place, and `get` copies nothing.
_SHARED_MEMORY = os.environ.get("CUPY_ENABLE_UMP", "0") != "0"


def _device_of(array: Any) -> int | None:
    """Ordinal of the device that an array lies on; None: in host memory."""
    return array.data.device_id if isinstance(array, cupy.ndarray) else None


def copy(to: Any, source: Any, stream: Any = None) -> None:
    """Copy an array's bytes to another on a stream, asynchronously (cudaMemcpyAsync).

    CuPy arrays and NumPy arrays of one size, each with its bytes one behind the other, at least
    one of them CuPy's; between devices too. `stream`: the current one if left out. Who keeps the
    arrays alive until it is done is the caller. Raises ValueError for other arrays.
    """
    if to.nbytes != source.nbytes:
        raise ValueError(f"cannot copy {source.nbytes} bytes into {to.nbytes}: make them equal")
    if not (_in_a_row(to) and _in_a_row(source)):
        raise ValueError("cannot copy an array with gaps: make it contiguous first")
    if _device_of(to) is None and _device_of(source) is None:
        raise ValueError("neither array is on a device: numpy.copyto copies within the host")
    if stream is None:
        stream = cupy.cuda.get_current_stream()
    target, origin = address_of(to), address_of(source)
    with _told_copy(to, source, lane_of(stream)):
        _memcpy_async(target, origin, to.nbytes, _ANY_WAY, stream.ptr)


def fill(to: Any, value: int, stream: Any = None) -> None:
    """Set every byte of a contiguous CuPy array to `value`, 0 to 255 (cudaMemsetAsync)."""
    if not _in_a_row(to):
        raise ValueError("cannot fill an array with gaps: make it contiguous first")
    if stream is None:
        stream = cupy.cuda.get_current_stream()
    with on_arrays(Kind.MEMSET_ASYNC, lane_of(stream), writes=(to,)):
        to.data.memset_async(value, to.nbytes, stream)


def _in_a_row(array: Any) -> bool:
    return bool(array.flags.c_contiguous or array.flags.f_contiguous)


def _told_copy(to: Any, source: Any, lane: tell.Timeline) -> AbstractContextManager[None]:
    """The call that copies all of an array to another, by where they lie."""
    if not watched():
        return NOTHING
    there, here = _device_of(to), _device_of(source)
    if here is None:
        kind = _H2D
    elif there is None:
        kind = _D2H
    else:
        kind = _D2D if there == here else _PEER
    peer = _peer(lane, here) or _peer(lane, there)
    flags = _ACROSS if kind is _PEER else _NO_FLAG
    if captures:
        touched = [*touch(source, _READ), *touch(to, _WRITE)]
        return on_stream(kind, lane, touched, peer=peer, flags=flags)
    accesses = access_to(source, _READ) + access_to(to, _WRITE)
    return tell.call(kind, lane, peer=peer, accesses=accesses, flags=flags)


def _peer(lane: tell.Timeline, device: int | None) -> tell.Timeline | None:
    """The legacy stream of the device whose memory is touched from another device's stream."""
    return None if device in (None, lane.device) else legacy_lane(device)


def told_set(original: Method) -> Method:
    """`ndarray.set`: a copy, asynchronous as far as the memory of the source allows."""

    def set(self: Any, arr: Any, stream: Any = None) -> None:
        if not watched() or not hasattr(arr, "__array_interface__"):
            original(self, arr, stream)
            return
        with _told_copy(self, arr, lane_of(stream)):
            original(self, arr, stream)

    return set


def told_get(original: Method) -> Method:
    """`ndarray.get`: a copy; unless `blocking` is False a wait for its stream, and the host reads.

    Who reads later what was copied without waiting is not seen (`synctrace.host_read` tells it).
    """

    def get(
        self: Any, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True
    ) -> Any:
        if not watched() or not self.nbytes or _SHARED_MEMORY or order not in _ORDERS:
            return original(self, stream, order, out, blocking)
        if stream is None:
            stream = cupy.cuda.get_current_stream()
        lane = lane_of(stream)
        if out is None:
            out = _host_array(self, order)
        with _told_copy(out, self, lane):
            original(self, stream, order, out, False)
        if blocking:
            with tell.call(Kind.STREAM_SYNC, lane):
                _synchronize(stream)
            with tell.call(Kind.HOST_READ, accesses=accesses((out,))):
                pass
        return out

    return get


def _host_array(array: Any, order: str) -> Any:
    """Where `get` copies to if nobody says: its address has to be known before."""
    import numpy

    columns = order in "Ff" or (order in "Aa" and not array.flags.c_contiguous)
    return numpy.empty(array.shape, array.dtype, order="F" if columns else "C")


def told_copyto(original: Method) -> Method:
    """`cupy.copyto`: a copy between equal arrays, else a kernel."""

    def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
        if not watched() or not isinstance(dst, cupy.ndarray):
            original(dst, src, casting, where)
            return
        lane = lane_of()
        if where is None and _is_plain_copy(dst, src):
            told = _told_copy(dst, src, lane)
        else:
            told = on_arrays(Kind.KERNEL, lane, (src, where), (dst,), name="copyto")
        with told:
            original(dst, src, casting, where)

    return copyto


def _is_plain_copy(to: Any, source: Any) -> bool:
    return bool(
        isinstance(source, cupy.ndarray)
        and (to.dtype, to.shape) == (source.dtype, source.shape)
        and to.flags.c_contiguous
        and source.flags.c_contiguous
    )


def told_array(original: Method) -> Method:
    """`cupy.array`, `cupy.asarray` of a host array: the new array is written on the current stream.

    The source has been read when the call returns: CuPy copies it to a buffer of its own.
    """

    def array(obj: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(obj, *args, **kwargs)
        if watched() and hasattr(obj, "__array_interface__") and isinstance(made, cupy.ndarray):
            with tell.call(Kind.HOST_READ, accesses=accesses((obj,))):
                pass  # the new array's address is known only by now
            with on_arrays(_H2D, lane_of(), writes=(made,)):
                pass
        return made

    return array
