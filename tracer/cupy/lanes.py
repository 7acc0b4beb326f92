"""The timelines of CuPy streams, the signals of its events, and the calls made on them.

Streams and events of any class can be told: what belongs to one is kept as an attribute of it.
"""

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from synctrace.tracer import binding, tell
from synctrace.tracer.cupy.captures import captures
from synctrace.tracer.cupy.importing import IS_HIP, cupy, runtime
from synctrace.tracer.cupy.places import Arrays, Touch, accesses, numbers, touches
from synctrace.tracer.kinds import Flag, Kind, StreamFlag
from synctrace.tracer.vocabulary import legacy_stream

tell.hide(__file__)

_LEGACY = (0, runtime.streamLegacy)
_PER_THREAD = runtime.streamPerThread
NOTHING: AbstractContextManager[None] = nullcontext()
_shared: dict[tuple[int, int], tell.Timeline] = {}  # by handle, or minus the thread, and device


def lane_of(stream: Any = None) -> tell.Timeline:
    """The timeline of a stream; of the current one if it is left out."""
    if stream is None:
        stream = cupy.cuda.get_current_stream()
    try:
        lane: tell.Timeline = stream._synctrace_lane
    except AttributeError:
        return _first_met(stream)
    return lane


def name_stream(stream: Any, name: str | None) -> None:
    """A stream that was just made: not the one that had its handle before."""
    if stream.ptr not in (*_LEGACY, _PER_THREAD):
        _shared.pop((stream.ptr, stream.device_id), None)
        _enter(stream, name)


def _first_met(stream: Any) -> tell.Timeline:
    handle = stream.ptr
    if handle in _LEGACY:  # one of each device, so not an attribute of the object
        return legacy_lane(runtime.getDevice())
    if handle == _PER_THREAD:
        device, thread = runtime.getDevice(), threading.get_ident()
        name = f"per-thread stream of {threading.current_thread().name}"
        return _of((-thread, device), name, device, StreamFlag.PER_THREAD)
    return _enter(stream, None)


def legacy_lane(device: int) -> tell.Timeline:
    """The legacy default stream of a device."""
    return _of((0, device), legacy_stream(device), device, StreamFlag.LEGACY)


def _of(key: tuple[int, int], name: str, device: int, flags: StreamFlag) -> tell.Timeline:
    if key not in _shared:
        _shared[key] = Lane(name, device, flags, max(key[0], 0))
    return _shared[key]


def _enter(stream: Any, name: str | None) -> tell.Timeline:
    handle = stream.ptr
    device = stream.device_id if stream.device_id >= 0 else runtime.getDevice()
    flags = StreamFlag.NONBLOCKING if stream.is_non_blocking else StreamFlag.BLOCKING
    lane = _of((handle, device), name or f"stream {handle:#x}", device, flags)
    stream._synctrace_lane = lane
    return lane


def signal_of(event: Any) -> tell.Signal:
    """The signal of an event."""
    try:
        signal: tell.Signal = event._synctrace_signal
    except AttributeError:
        signal = tell.Signal(f"event {event.ptr:#x}", device=runtime.getDevice(), handle=event.ptr)
        event._synctrace_signal = signal
    return signal


class Lane(tell.Timeline):
    """A stream. Whose runtime it is of decides by which memory model the trace is judged."""

    __slots__ = ()

    def _tell(self) -> int:
        version = runtime.runtimeGetVersion()
        if IS_HIP:
            tell.runtime("HIP", f"{version // 10_000_000}.{version // 100_000 % 100}")
        else:
            tell.runtime("CUDA", f"{version // 1000}.{version % 1000 // 10}")
        return super()._tell()


def watched() -> bool:
    """Whether anybody wants to know what calls touch: a recording, or a capture for a later one."""
    return binding.epoch != 0 or bool(captures)


def on_stream(
    kind: Kind,
    lane: tell.Timeline,
    touched: Sequence[Touch] = (),
    *,
    peer: tell.Timeline | None = None,
    event: tell.Signal | None = None,
    graph: tell.Plan | None = None,
    flags: int = 0,
    stored: Sequence[Touch] = (),
    name: str | None = None,
) -> AbstractContextManager[None]:
    """The call that is made inside of `with`; stored with its graph if the stream is captured.

    `stored`: what it touches by its own graph, and not by itself unless it is stored in another.
    """
    if captures and (capture := captures.get(lane)) is not None:
        if kind not in (Kind.EVENT_RECORD, Kind.EVENT_WAIT):
            capture.nodes += 1
            capture.operations[name or kind.name.lower()] = None
            capture.touched += (*touched, *stored)
        flags |= Flag.CAPTURED
        return tell.call(kind, lane, peer=peer, event=event, graph=graph, flags=flags, name=name)
    if not binding.epoch:
        return NOTHING
    accesses = numbers(touched) if touched else ()
    return tell.call(
        kind, lane, peer=peer, event=event, graph=graph, accesses=accesses, flags=flags, name=name
    )


def on_arrays(
    kind: Kind,
    lane: tell.Timeline,
    reads: Arrays = (),
    writes: Arrays = (),
    may: Arrays = (),
    name: str | None = None,
) -> AbstractContextManager[None]:
    """As `on_stream`, of a call that touches arrays."""
    if captures and lane in captures:
        return on_stream(kind, lane, touches(reads, writes, may), name=name)
    if not binding.epoch:
        return NOTHING
    return tell.call(kind, lane, accesses=accesses(reads, writes, may), name=name)
