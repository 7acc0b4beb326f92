"""Streams of the CPU device: each a worker thread with a queue."""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field

from synctrace.tracer import tell
from synctrace.tracer.kinds import Flag, Kind, MemoryKind
from synctrace.tracer.scheduler import cpu_work, refusals
from synctrace.tracer.scheduler.busy import Busy
from synctrace.tracer.scheduler.copies import copy_kind, is_host, is_pageable
from synctrace.tracer.scheduler.cpu_event import event_of
from synctrace.tracer.scheduler.cpu_graph import Capture, CpuGraph, graph_of
from synctrace.tracer.scheduler.cpu_memory import (
    CpuMemory,
    Home,
    accesses,
    address,
    cpu_memory,
)
from synctrace.tracer.scheduler.cpu_pace import Pace, Speed
from synctrace.tracer.scheduler.cpu_pool import Pool
from synctrace.tracer.scheduler.cpu_worker import Health, Work, Worker, host_wait, refuse_worker
from synctrace.tracer.scheduler.device import Body, DeviceError, Event, Graph, Kernel, Memory, Slice
from synctrace.tracer.scheduler.handover import Handover

tell.hide(__file__)

NO_FLAG = Flag(0)


@dataclass
class Shared:
    """What the streams of one device have in common."""

    name: str
    home: Home
    speed: Speed
    busy: list[Busy] | None
    health: Health = field(default_factory=Health)
    pool: Pool = field(default_factory=Pool)
    graphs: dict[str, CpuGraph] = field(default_factory=dict)
    workers: list[Worker] = field(default_factory=list)
    capturing: set[tuple[str, int]] = field(default_factory=set)  # name of a stream, its own key
    closed: bool = False

    def check_open(self) -> None:
        """A host function makes no calls: nobody could tell what these are ordered after."""
        refuse_worker(self.name)
        refusals.check_open(self.name, self.closed)


class CpuStream:
    """Does what it is given in order, in no order with other streams."""

    def __init__(self, shared: Shared, name: str, told: tell.Timeline) -> None:
        self.name, self.device, self.told = name, shared.home.ordinal, told
        self._shared = shared
        self._capture: Capture | None = None
        pace = Pace(shared.speed, f"{shared.name} {name}")
        self.worker = Worker(shared.name, name, pace, shared.health, shared.busy)
        shared.workers.append(self.worker)
        self._key = (name, id(self.worker))
        weakref.finalize(self, self.worker.stop).atexit = False
        # A capture that nobody can end any more keeps nobody waiting.
        weakref.finalize(self, shared.capturing.discard, self._key).atexit = False

    # Work

    def copy(self, to: Slice, source: Slice) -> None:
        """Move bytes in the stream's order; from pageable memory they are taken in the call."""
        kind = copy_kind(to, source, across(to, source))
        refusals.check_stream_copy(kind, to, source, self._capture is not None)
        self.copy_as(kind, to, source, waits=is_pageable(to))

    def copy_as(self, kind: Kind, to: Slice, source: Slice, *, waits: bool) -> None:
        """A copy that is told as `kind`. `waits`: the host does, until it is done."""
        refusals.check_same_size(to, source)
        flags = Flag.ACROSS if across(to, source) else NO_FLAG
        work = cpu_work.copying(to, source)
        self._do(
            kind, work, (source,), (to,), flags=flags, peer=self._peer(source, to), waits=waits
        )

    def fill(self, to: Slice, value: int) -> None:
        """Set all bytes."""
        self._do(Kind.MEMSET_ASYNC, cpu_work.filling(to, value), (), (to,))

    def launch(self, kernel: Kernel, reads: Sequence[Slice], writes: Sequence[Slice]) -> None:
        """Run a kernel: the time of one passes, then it computes."""
        refusals.check_kernel(kernel.name, (*reads, *writes), self.device)
        work = cpu_work.computing(kernel, reads, writes)
        self._do(Kind.KERNEL, work, reads, writes, name=kernel.name)

    def host_call(
        self,
        function: Body,
        reads: Sequence[Slice] = (),
        writes: Sequence[Slice] = (),
        signal: Handover | None = None,
    ) -> None:
        """Run a function of the host on the worker, then give the signal."""
        if signal:  # a trace could not tell which launch gave it
            self._refuse_capture("host function with a signal")
        refusals.check_host((*reads, *writes))
        work = cpu_work.calling(function, reads, writes, signal)
        self._do(Kind.HOST_FUNC, work, reads, writes, event=signal.told if signal else None)

    # Order

    def record(self, event: Event) -> None:
        """The event stands for everything given until now."""
        self._refuse_capture("record of an event")
        known = event_of(event)
        refusals.check_recorded_here(known.name, known.device, self.device)
        with tell.call(Kind.EVENT_RECORD, self.told, event=known.told):
            known.latest = self.worker.last()

    def wait(self, event: Event) -> None:
        """What is given from now on comes after what the event stands for now."""
        self._refuse_capture("wait for an event")
        known = event_of(event)
        with tell.call(Kind.EVENT_WAIT, self.told, event=known.told):
            latest = known.latest
            if latest and latest.worker is not self.worker:
                self.worker.give(latest)

    def synchronize(self) -> None:
        """The host waits for everything given until now."""
        self._refuse_capture("synchronize")
        with tell.call(Kind.STREAM_SYNC, self.told):
            host_wait([self.worker.last()])

    def query(self) -> bool:
        """Whether all is done. "Not ready" is told as a failed call: it orders nothing."""
        self._refuse_capture("query")
        done = self.worker.last().reached()
        with tell.call(Kind.STREAM_QUERY, self.told, flags=NO_FLAG if done else Flag.FAILED):
            self._shared.health.check()
            return done

    # Graphs

    def begin_capture(self) -> None:
        """Store calls from now on."""
        self._refuse_capture("begin of another capture")
        with tell.call(Kind.CAPTURE_BEGIN, self.told):
            self._capture = Capture()
            self._shared.capturing.add(self._key)

    def end_capture(self, name: str) -> CpuGraph:
        """The stored calls as a graph, or as a new version of the one of that name."""
        if self._capture is None:
            raise refusals.nothing_captured(self.name)
        captured, self._capture = self._capture, None
        self._shared.capturing.discard(self._key)
        graph = self._shared.graphs.setdefault(name, CpuGraph(name))
        graph.become(captured)
        with tell.call(Kind.CAPTURE_END, self.told, graph=graph.plan):
            return graph

    def launch_graph(self, graph: Graph) -> None:
        """Run all nodes of the graph's version of now, with what their inputs hold by then."""
        self._refuse_capture("launch of a graph")
        known = graph_of(graph)
        with tell.call(Kind.GRAPH_LAUNCH, self.told, graph=known.plan):
            known.launch(self.worker)

    # Memory in the stream's order

    def alloc_async(self, name: str, size: int) -> CpuMemory:
        """Memory of the pool. What another stream gave back comes with a wait for that."""
        self._refuse_capture("allocation")
        data, freed = self._shared.pool.take(name, size)
        told = tell.Memory(name, size, MemoryKind.DEVICE, device=self.device, base=address(data))
        with tell.call(Kind.ALLOC_ASYNC, self.told, accesses=(told.write(),)):
            if freed and freed.worker is not self.worker:
                self.worker.give(freed)
        memory = CpuMemory(name, data, MemoryKind.DEVICE, self._shared.home, told)
        memory.owner = self._shared.pool
        return memory

    def free_async(self, memory: Memory) -> None:
        """Give memory back at this point of the stream, where it is spoiled."""
        self._refuse_capture("free")
        known = cpu_memory(memory)
        if known.owner is not self._shared.pool:
            raise DeviceError(f"{memory.name} is not of the pool of {self._shared.name}: free it")
        known.end()
        with tell.call(Kind.FREE_ASYNC, self.told, accesses=(known.told.write(),)):
            point = self.worker.give(Work("free", lambda _pace: known.poison()))
            self._shared.pool.give(known.data, point)

    def _do(
        self,
        kind: Kind,
        work: Work,
        reads: Sequence[Slice],
        writes: Sequence[Slice],
        *,
        flags: Flag = NO_FLAG,
        peer: tell.Timeline | None = None,
        event: tell.Signal | None = None,
        name: str | None = None,
        waits: bool = False,
    ) -> None:
        """Tell of the call, and store the work or give it to the worker."""
        self._shared.check_open()
        if self._capture is not None:
            with tell.call(
                kind, self.told, peer=peer, event=event, flags=flags | Flag.CAPTURED, name=name
            ):
                self._capture.add(work, reads, writes)
            return
        touched = accesses(reads, writes)
        with tell.call(
            kind, self.told, peer=peer, event=event, accesses=touched, flags=flags, name=name
        ):
            point = self.worker.give(work)
            if waits:
                host_wait([point])

    def _peer(self, *slices: Slice) -> tell.Timeline | None:
        """Legacy stream of the other device whose memory is touched."""
        homes = [cpu_memory(each.memory).home for each in slices if not is_host(each)]
        return next((home.legacy for home in homes if home.ordinal != self.device), None)

    def _refuse_capture(self, what: str) -> None:
        self._shared.check_open()
        refusals.check_not_captured(what, self.name, self._capture is not None)


def across(to: Slice, source: Slice) -> bool:
    """Whether a copy is between the memories of two devices."""
    devices = {each.memory.device for each in (to, source) if not is_host(each)}
    return len(devices) > 1
