"""Events of the CPU device: a point of a stream, as CUDA has them."""

from synctrace.tracer import tell
from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.scheduler.cpu_worker import Point, host_wait
from synctrace.tracer.scheduler.device import DeviceError, Event

tell.hide(__file__)


class CpuEvent:
    """Stands for what its stream had been given at the latest record; for nothing before one."""

    def __init__(self, name: str, device: int) -> None:
        self.name, self.device = name, device
        self.told = tell.Signal(name, device=device)
        self.latest: Point | None = None

    def synchronize(self) -> None:
        """The host waits for what it stands for at this call."""
        with tell.call(Kind.EVENT_SYNC, event=self.told):
            latest = self.latest
            host_wait([latest] if latest else [])

    def query(self) -> bool:
        """Whether that is done. "Not ready" is told as a failed call: it orders nothing."""
        latest = self.latest
        done = latest is None or latest.reached()
        with tell.call(Kind.EVENT_QUERY, event=self.told, flags=Flag(0) if done else Flag.FAILED):
            if latest:
                latest.worker.health.check()
            return done


def event_of(event: Event) -> CpuEvent:
    """The event, which must be the CPU device's."""
    if not isinstance(event, CpuEvent):
        raise DeviceError(f"{event.name} is not an event of the CPU device: make it there")
    return event
