"""A thread that does what it is given, in order, and can be waited for."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import SimpleQueue

from synctrace.tracer.scheduler.busy import Busy
from synctrace.tracer.scheduler.cpu_pace import Pace
from synctrace.tracer.scheduler.device import DeviceError


@dataclass(frozen=True)
class Work:
    """One thing to do. `after` is called when it is done, failed or left out."""

    label: str
    run: Callable[[Pace], None]
    after: Callable[[], None] | None = None


class Health:
    """Of a device: the first thing that failed on it. From then on it works no more."""

    def __init__(self) -> None:
        self.failure: DeviceError | None = None
        self.told = False

    def fail(self, error: DeviceError) -> None:
        self.failure = self.failure or error

    def check(self) -> None:
        """Raise what failed, every time that somebody waits."""
        if self.failure is not None:
            self.told = True
            raise DeviceError(str(self.failure)) from self.failure.__cause__


@dataclass(frozen=True)
class Point:
    """How far a worker had been given work at some time."""

    worker: "Worker"
    position: int

    def reached(self) -> bool:
        """Whether all of that is done."""
        return self.worker.done >= self.position

    def wait(self) -> None:
        """The calling thread waits until it is. What failed is for the caller to look at."""
        with self.worker.moved:
            self.worker.moved.wait_for(self.reached)


def refuse_worker(what: str) -> None:
    """Raise if a kernel or host function asks, which runs on a worker: it would wait for itself."""
    if isinstance(threading.current_thread(), _Thread):
        raise DeviceError(f"a host function called {what}: let it only use the bytes it is given")


def host_wait(points: Iterable[Point]) -> None:
    """A thread of the host waits for all of them, and learns what failed on their devices."""
    refuse_worker("a wait for a device")
    waited = list(points)
    for point in waited:
        point.wait()
    for point in waited:
        point.worker.health.check()


Given = Work | Point | tuple[Work, ...]


class _Thread(threading.Thread):
    """A daemon: a program may end without closing its devices."""

    def __init__(self, worker: "Worker", name: str) -> None:
        super().__init__(target=worker.work, name=name, daemon=True)


class Worker:
    """A queue and its thread. The thread knows of nothing else, so that a lost stream ends it."""

    def __init__(
        self, device: str, stream: str, pace: Pace, health: Health, busy: list[Busy] | None
    ) -> None:
        self.health = health
        self.done = 0
        self.moved = threading.Condition()
        self._who, self._pace, self._busy = (device, stream), pace, busy
        self._given = 0
        self._queue: SimpleQueue[Given | None] = SimpleQueue()
        self._thread = _Thread(self, f"{device} {stream}")
        self._thread.start()

    def give(self, work: Given) -> Point:
        """Put work at the end of the queue; a point is waited for, a tuple done as one."""
        with self.moved:
            self._given += 1
            self._queue.put(work)
            return Point(self, self._given)

    def last(self) -> Point:
        """The end of the queue."""
        return Point(self, self._given)

    def stop(self) -> None:
        """End the thread once all that was given is done."""
        self._queue.put(None)

    def join(self) -> None:
        """Wait until it has ended."""
        self._thread.join()

    def work(self) -> None:
        """What the thread does."""
        while (given := self._queue.get()) is not None:
            if isinstance(given, Point):
                self._wait(given)
            else:
                self._do(given if isinstance(given, tuple) else (given,))
            del given  # its memories may end while the thread waits for more
            with self.moved:
                self.done += 1
                self.moved.notify_all()

    def _wait(self, point: Point) -> None:
        point.wait()
        if point.worker.health.failure:  # what this stream makes of it would be wrong
            self.health.fail(point.worker.health.failure)

    def _do(self, works: tuple[Work, ...]) -> None:
        for work in works:
            if not self.health.failure:
                failure = perform(work, self._pace, self._who, self._busy)
                if failure:
                    self.health.fail(failure)
            if work.after:
                work.after()


def perform(
    work: Work, pace: Pace, who: tuple[str, str], busy: list[Busy] | None
) -> DeviceError | None:
    """Do it, and write down when. `who`: device and stream. Returns what went wrong."""
    device, stream = who
    failure = None
    start_ns = time.perf_counter_ns()
    try:
        work.run(pace)
    except BaseException as error:  # also what would end a thread: the host must hear of it
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        failure = DeviceError(f"{work.label} on stream {stream} of {device} failed: {reason}")
        failure.__cause__ = error
    if busy is not None:
        busy.append(Busy(device, stream, work.label, start_ns, time.perf_counter_ns()))
    return failure
