"""When a GPU's work ran: timing events around each piece of it, which no trace tells of."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from synctrace.tracer import tell
from synctrace.tracer.cupy.importing import cupy, runtime
from synctrace.tracer.scheduler.busy import Busy

tell.hide(__file__)


class Times:
    """Of the streams of one GPU. Make it while that is the current device and has nothing to do."""

    def __init__(self, device: str) -> None:
        self._device, self._gpu = device, cupy.cuda.Device()
        self._events: list[tuple[str, str, int, int]] = []
        self._base = runtime.eventCreateWithFlags(runtime.eventDefault)
        runtime.eventRecord(self._base, cupy.cuda.Stream.null.ptr)
        runtime.eventSynchronize(self._base)
        self._base_ns = time.perf_counter_ns()

    @contextmanager
    def around(self, stream: str, label: str, handle: int) -> Iterator[None]:
        """Time what the stream is given inside of `with`."""
        with self._gpu:  # an event belongs to the device that is current when it is made
            start, end = (runtime.eventCreateWithFlags(runtime.eventDefault) for _ in range(2))
        runtime.eventRecord(start, handle)
        yield
        runtime.eventRecord(end, handle)
        self._events.append((stream, label, start, end))

    def take(self) -> list[Busy]:
        """All since the last call, in the order in which it was given; it must be done."""
        told = []
        for stream, label, start, end in self._events:
            begin_ns, end_ns = (
                self._base_ns + round(runtime.eventElapsedTime(self._base, event) * 1e6)
                for event in (start, end)
            )
            told.append(Busy(self._device, stream, label, begin_ns, end_ns))
            runtime.eventDestroy(start)
            runtime.eventDestroy(end)
        self._events.clear()
        return told
