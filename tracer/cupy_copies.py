"""Copies and fills of CuPy arrays and NumPy arrays, recorded."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from synctrace.tracer import tell
from synctrace.tracer.cupy_import import cupy, runtime
from synctrace.tracer.cupy_lanes import lane_of, legacy_lane, on_stream, watched
from synctrace.tracer.cupy_places import numbers, touches
from synctrace.tracer.kinds import Flag, Kind

tell.hide(__file__)

Method = Callable[..., Any]

# CuPy's own functions, whatever `record_calls` puts in their place.
_memcpy_async = runtime.memcpyAsync
_synchronize = cupy.cuda.Stream.synchronize
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
    addresses = [_address(array) for array in (to, source)]
    with _told_copy(to, source, lane_of(stream)):
        _memcpy_async(*addresses, to.nbytes, runtime.memcpyDefault, stream.ptr)


def fill(to: Any, value: int, stream: Any = None) -> None:
    """Set every byte of a contiguous CuPy array to `value`, 0 to 255 (cudaMemsetAsync)."""
    if not _in_a_row(to):
        raise ValueError("cannot fill an array with gaps: make it contiguous first")
    if stream is None:
        stream = cupy.cuda.get_current_stream()
    touched = touches(writes=(to,)) if watched() else ()
    with on_stream(Kind.MEMSET_ASYNC, lane_of(stream), touched):
        to.data.memset_async(value, to.nbytes, stream)


def _in_a_row(array: Any) -> bool:
    return bool(array.flags.c_contiguous or array.flags.f_contiguous)


def _address(array: Any) -> int:
    if isinstance(array, cupy.ndarray):
        return int(array.data.ptr)
    return int(array.__array_interface__["data"][0])


def _told_copy(to: Any, source: Any, lane: tell.Timeline) -> AbstractContextManager[None]:
    """The call that copies from one array to another, by where they lie."""
    touched = touches((source,), (to,)) if watched() else ()
    target, origin = _device_of(to), _device_of(source)
    if target is None:
        return on_stream(Kind.MEMCPY_ASYNC_D2H, lane, touched, peer=_peer(lane, origin))
    if origin is None:
        return on_stream(Kind.MEMCPY_ASYNC_H2D, lane, touched, peer=_peer(lane, target))
    if target == origin:
        return on_stream(Kind.MEMCPY_ASYNC_D2D, lane, touched, peer=_peer(lane, target))
    peer = _peer(lane, origin) or _peer(lane, target)
    return on_stream(Kind.MEMCPY_ASYNC_PEER, lane, touched, peer=peer, flags=Flag.ACROSS)


def _peer(lane: tell.Timeline, device: int | None) -> tell.Timeline | None:
    """The legacy stream of the device whose memory is touched from another device's stream."""
    return None if device in (None, lane.device) else legacy_lane(device)


def told_set(original: Method) -> Method:
    """`ndarray.set`: from pageable memory it has read the source when it returns."""

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
        if not watched() or not self.nbytes or _SHARED_MEMORY:
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
            with tell.call(Kind.HOST_READ, accesses=numbers(touches((out,)))):
                pass
        return out

    return get


def _host_array(array: Any, order: str) -> Any:
    """Where `get` copies to if nobody says: its address has to be known before."""
    import numpy

    if order.upper() == "A":
        order = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    return numpy.empty(array.shape, array.dtype, order=order)


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
            told = on_stream(Kind.KERNEL, lane, touches((src, where), (dst,)), name="copyto")
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
            with tell.call(Kind.HOST_READ, accesses=numbers(touches((obj,)))):
                pass  # the new array's address is known only by now
            with on_stream(Kind.MEMCPY_ASYNC_H2D, lane_of(), touches(writes=(made,))):
                pass
        return made

    return array
