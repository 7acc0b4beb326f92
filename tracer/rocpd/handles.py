"""Streams, events and graphs of a process, one number a life of each handle.

Handles come to light where they are used: what hipStreamCreate and the like hand out is not in the
database. A destroyed one begins another life at its next use.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from synctrace.tracer.kinds import StreamFlag
from synctrace.tracer.rocpd.rows import Rows

NULL, LEGACY, PER_THREAD = 0, 1, 2  # handles that are always there


@dataclass(slots=True)
class Stream:
    """One life of a stream. `busy_until`: end of the work given to it so far, ns; 0: not known."""

    actor: int
    device: int
    busy_until: int = 0
    capture: int = 0  # graph.id that what it is given goes to


@dataclass(slots=True)
class Event:
    """One life of an event. `capture`: graph.id in which it was recorded."""

    number: int
    is_recorded: bool = False
    busy_until: int = 0  # of what it stands for
    capture: int = 0


class Streams:
    """The streams that calls name, named as the recorder of HIP names them."""

    def __init__(self, rows: Rows, flags: StreamFlag, devices: Mapping[int, int]) -> None:
        """`flags`: of those that were created; `devices`: of those that ran kernels, by handle."""
        self._rows, self._flags, self._devices = rows, flags, devices
        self._created: dict[int, Stream] = {}
        self._legacy: dict[int, Stream] = {}  # by device
        self._of_threads: dict[tuple[int, int], Stream] = {}  # by thread and device
        self._numbers: dict[int, int] = {}  # of streams, by device

    @property
    def count(self) -> int:
        """How many that were created came to light."""
        return sum(self._numbers.values())

    @property
    def has_legacy(self) -> bool:
        """Whether any call named a null stream."""
        return bool(self._legacy)

    def of(self, handle: int, thread: int, device: int, ticket: int) -> Stream:
        """The stream of this handle. `thread`: actor.id of the caller; `device`: its current."""
        if handle in (NULL, LEGACY):
            return self.legacy(device, ticket)
        if handle == PER_THREAD:
            return self._of_thread(thread, device, ticket)
        found = self._created.get(handle)
        if found is None:
            device = self._devices.get(handle, device)
            number = self._numbers[device] = self._numbers.get(device, 0) + 1
            name = f"HIP{device} stream {number}"
            actor = self._rows.stream(name, handle, device, self._flags, ticket)
            found = self._created[handle] = Stream(actor, device)
        return found

    def legacy(self, device: int, ticket: int) -> Stream:
        """The null stream of a device."""
        found = self._legacy.get(device)
        if found is None:
            name = f"HIP{device} null stream"
            actor = self._rows.stream(name, NULL, device, StreamFlag.LEGACY, ticket)
            found = self._legacy[device] = Stream(actor, device)
        return found

    def destroy(self, handle: int) -> None:
        """The handle's next use is another stream."""
        self._created.pop(handle, None)

    def all(self) -> list[Stream]:
        """Those that live."""
        return [*self._created.values(), *self._legacy.values(), *self._of_threads.values()]

    def _of_thread(self, thread: int, device: int, ticket: int) -> Stream:
        found = self._of_threads.get((thread, device))
        if found is None:
            name = f"HIP{device} stream of thread {len(self._of_threads) + 1}"
            flags = StreamFlag.PER_THREAD | StreamFlag.BLOCKING
            stream = self._rows.stream(name, PER_THREAD, device, flags, ticket)
            found = self._of_threads[thread, device] = Stream(stream, device)
        return found


class Events:
    """The events that calls name."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._live: dict[int, Event] = {}
        self.count = 0

    def of(self, handle: int, ticket: int) -> Event:
        """The event of this handle."""
        found = self._live.get(handle)
        if found is None:
            self.count += 1
            found = self._live[handle] = Event(self._rows.event(handle, ticket))
        return found

    def destroy(self, handle: int) -> None:
        """The handle's next use is another event."""
        self._live.pop(handle, None)


class Graphs:
    """Executable graphs that calls name, and captures: which of them came of which is not known."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._live: dict[int, int] = {}
        self.captures = 0

    def of(self, handle: int) -> int:
        """graph.id of the executable graph of this handle."""
        found = self._live.get(handle)
        if found is None:
            found = self._live[handle] = self._rows.graph("graph", handle)
        return found

    def destroy(self, handle: int) -> None:
        """The handle's next use is another graph."""
        self._live.pop(handle, None)

    def captured(self) -> int:
        """graph.id of a graph that a capture fills."""
        self.captures += 1
        return self._rows.graph("captured graph", 0)
