"""The CPU device: asynchronous for real, on worker threads, so that a race corrupts real bytes.

It behaves as CUDA documents and leaves out what implementations add: a free waits for nothing, the
pool hands out again at once, no two streams are ordered but by events and waits.
"""

from synctrace.tracer import tell
from synctrace.tracer.kinds import Kind, MemoryKind, StreamFlag
from synctrace.tracer.scheduler.busy import Busy
from synctrace.tracer.scheduler.copies import SYNCHRONOUS, copy_kind, is_pageable
from synctrace.tracer.scheduler.cpu_event import CpuEvent
from synctrace.tracer.scheduler.cpu_memory import CpuMemory, Home, allocate
from synctrace.tracer.scheduler.cpu_pace import DEFAULT_SPEED, Speed
from synctrace.tracer.scheduler.cpu_stream import CpuStream, Shared, across
from synctrace.tracer.scheduler.cpu_worker import host_wait, refuse_worker
from synctrace.tracer.scheduler.device import Device, Slice
from synctrace.tracer.scheduler.refusals import check_none_captured

tell.hide(__file__)


class CpuDevice:
    """One of any number of devices. `busy`: a list that its streams write what they did to."""

    def __init__(
        self,
        ordinal: int = 0,
        speed: Speed = DEFAULT_SPEED,
        *,
        name: str | None = None,
        busy: list[Busy] | None = None,
    ) -> None:
        self.ordinal = ordinal
        self.name = name or f"SIM{ordinal}"
        # The name by which scenarios call it.
        legacy = f"LEGACY{ordinal}" if ordinal else "LEGACY"
        self._told = tell.Timeline(legacy, device=ordinal, flags=StreamFlag.LEGACY)
        self.home = Home(ordinal, self._told)
        self._shared = Shared(self.name, self.home, speed, busy)
        self._legacy: CpuStream | None = None

    def stream(self, name: str) -> CpuStream:
        """A stream that is in no order with the legacy default stream."""
        self._shared.check_open()
        told = tell.Timeline(name, device=self.ordinal, flags=StreamFlag.NONBLOCKING)
        with tell.call(Kind.STREAM_CREATE, told):
            return CpuStream(self._shared, name, told)

    def event(self, name: str) -> CpuEvent:
        """An event, which any device's streams may wait for."""
        event = CpuEvent(name, self.ordinal)
        with tell.call(Kind.EVENT_CREATE, event=event.told):
            return event

    def memory(self, name: str, size: int) -> CpuMemory:
        """Memory of the device, out of the host's reach."""
        return self._allocate(name, size, MemoryKind.DEVICE)

    def pinned(self, name: str, size: int) -> CpuMemory:
        """Host memory that copies read and write when they run."""
        return self._allocate(name, size, MemoryKind.PINNED)

    def pageable(self, name: str, size: int) -> CpuMemory:
        """Host memory that a copy to the device takes within the call."""
        return self._allocate(name, size, MemoryKind.PAGEABLE)

    def managed(self, name: str, size: int) -> CpuMemory:
        """Memory that the host and every device use in place."""
        return self._allocate(name, size, MemoryKind.MANAGED)

    def _allocate(self, name: str, size: int, kind: MemoryKind) -> CpuMemory:
        self._shared.check_open()
        return allocate(name, size, kind, self.home)

    def copy(self, to: Slice, source: Slice) -> None:
        """On the legacy default stream. The host waits if it reads the target or wrote the source.

        From pageable memory it does not: the source is free at return, the target is not there yet.
        """
        self._shared.check_open()
        kind = SYNCHRONOUS[copy_kind(to, source, across(to, source))]
        if self._legacy is None:
            self._legacy = CpuStream(self._shared, self._told.name, self._told)
        waits = kind is not Kind.MEMCPY_D2D and not (
            kind is Kind.MEMCPY_H2D and is_pageable(source)
        )
        self._legacy.copy_as(kind, to, source, waits=waits)

    def synchronize(self) -> None:
        """The host waits for everything that the streams were given until now."""
        self._shared.check_open()
        check_none_captured(self.name, self._shared.capturing)
        with tell.call(Kind.DEVICE_SYNC, device=self.ordinal):
            host_wait(worker.last() for worker in self._shared.workers)

    def close(self) -> None:
        """End the streams' threads when all is done, and raise what failed unless that was told.

        It is no sync that a trace knows of: as in CUDA, results are read after one of those.
        """
        refuse_worker(self.name)
        if self._shared.closed:
            return
        self._shared.closed = True
        for worker in self._shared.workers:
            worker.stop()
        for worker in self._shared.workers:
            worker.join()
        if not self._shared.health.told:
            self._shared.health.check()


def cpu_devices(
    count: int, speed: Speed = DEFAULT_SPEED, busy: list[Busy] | None = None
) -> list[Device]:
    """Devices 0 to `count` - 1, all of one speed."""
    return [CpuDevice(ordinal, speed, busy=busy) for ordinal in range(count)]
