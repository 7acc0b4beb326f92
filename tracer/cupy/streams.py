"""CuPy's streams, events, graphs and devices, each call of which is told.

Each `told_…` takes CuPy's own method and gives one that does the same and tells it, so that the
classes here and `record_calls`, which puts them into CuPy's own, are made of the same.
"""

from collections.abc import Callable, Sequence
from typing import Any

from synctrace.tracer import binding, tell
from synctrace.tracer.cupy.captures import Capture, begin, captures, end, join, recorded
from synctrace.tracer.cupy.importing import cupy, runtime
from synctrace.tracer.cupy.lanes import (
    lane_of,
    name_stream,
    on_arrays,
    on_stream,
    signal_of,
    watched,
)
from synctrace.tracer.cupy.places import Arrays, Touch, numbers
from synctrace.tracer.kinds import Flag, Kind

tell.hide(__file__)

Method = Callable[..., Any]

# Of the calls that are made most: a name of an Enum takes longer to look up than they have time.
_EVENT_RECORD, _EVENT_WAIT, _GRAPH_LAUNCH = Kind.EVENT_RECORD, Kind.EVENT_WAIT, Kind.GRAPH_LAUNCH
_STREAM_SYNC = Kind.STREAM_SYNC
_DONE, _NOT_READY = Flag(0), Flag.FAILED

# For callers that tell the call themselves.
plain_launch_host_func = cupy.cuda.Stream.launch_host_func
plain_add_callback = cupy.cuda.Stream.add_callback


def told_stream_init(original: Method) -> Method:
    """A new stream, with a `name` for reports."""

    def __init__(
        self: Any,
        null: bool = False,
        non_blocking: bool = False,
        ptds: bool = False,
        priority: int | None = None,
        name: str | None = None,
    ) -> None:
        more = {} if priority is None else {"priority": priority}  # CuPy 13 knows none
        original(self, null, non_blocking, ptds, **more)
        name_stream(self, name)

    return __init__


def told_record(original: Method, new_event: Callable[[], Any]) -> Method:
    """`Stream.record`; `new_event` makes the event if none is given."""

    def record(self: Any, event: Any = None) -> Any:
        if event is None:
            event = new_event()
        if not watched():
            original(self, event)
            return event
        lane = lane_of(self)
        if captures:
            recorded(lane, event)
        with on_stream(_EVENT_RECORD, lane, event=signal_of(event)):
            original(self, event)
        return event

    return record


def told_wait_event(original: Method) -> Method:
    """`Stream.wait_event`."""

    def wait_event(self: Any, event: Any) -> None:
        if not watched():
            original(self, event)
            return
        lane = lane_of(self)
        if captures:
            join(lane, event)
        with on_stream(_EVENT_WAIT, lane, event=signal_of(event)):
            original(self, event)

    return wait_event


def told_stream_synchronize(original: Method) -> Method:
    """`Stream.synchronize`."""

    def synchronize(self: Any) -> None:
        if not binding.epoch:
            original(self)
            return
        with tell.call(_STREAM_SYNC, lane_of(self)):
            original(self)

    return synchronize


def told_stream_done(original: Method) -> Method:
    """ "Not ready" is told as a failed call: it orders nothing."""

    def done(self: Any) -> bool:
        is_done: bool = original(self)
        if not binding.epoch:
            return is_done
        flags = _DONE if is_done else _NOT_READY
        with tell.call(Kind.STREAM_QUERY, lane_of(self), flags=flags):
            return is_done

    return done


def told_begin_capture(original: Method) -> Method:
    """`Stream.begin_capture`."""

    def begin_capture(self: Any, mode: int | None = None) -> None:
        lane = lane_of(self)
        with tell.call(Kind.CAPTURE_BEGIN, lane):
            original(self, mode)
        begin(lane)

    return begin_capture


def told_end_capture(original: Method) -> Method:
    """`plan`: the graph of which this is a new version; one that nobody has seen if left out."""

    def end_capture(self: Any, plan: tell.Plan | None = None) -> "Graph":
        lane, plan = lane_of(self), plan or tell.Plan("graph")
        capture = end(lane) or Capture()  # none: it began unseen
        with tell.call(Kind.CAPTURE_END, lane, graph=plan):
            graph = original(self)
        touched = tuple(dict.fromkeys(capture.touched))
        operations = ", ".join(capture.operations)[:199]
        plan.captured(lambda: numbers(touched), capture.nodes, operations)
        return Graph(graph, plan, touched, capture.nodes)

    return end_capture


def told_host_func(original: Method) -> Method:
    """`reads` and `writes`: arrays of host memory that the function touches."""

    def host_func(
        self: Any, callback: Any, arg: Any, reads: Arrays = (), writes: Arrays = ()
    ) -> None:
        with on_arrays(Kind.HOST_FUNC, lane_of(self), reads, writes):
            original(self, callback, arg)

    return host_func


def told_event_record(original: Method) -> Method:
    """`Event.record`."""

    def record(self: Any, stream: Any = None) -> None:
        lane = lane_of(stream)
        if captures:
            recorded(lane, self)
        with on_stream(_EVENT_RECORD, lane, event=signal_of(self)):
            original(self, stream)

    return record


def told_event_synchronize(original: Method) -> Method:
    """`Event.synchronize`."""

    def synchronize(self: Any) -> None:
        with tell.call(Kind.EVENT_SYNC, event=signal_of(self)):
            original(self)

    return synchronize


def told_event_done(original: Method) -> Method:
    """As `told_stream_done`."""

    def done(self: Any) -> bool:
        is_done: bool = original(self)
        if not binding.epoch:
            return is_done
        flags = _DONE if is_done else _NOT_READY
        with tell.call(Kind.EVENT_QUERY, event=signal_of(self), flags=flags):
            return is_done

    return done


def told_device_synchronize(original: Method) -> Method:
    """`Device.synchronize`."""

    def synchronize(self: Any) -> None:
        with tell.call(Kind.DEVICE_SYNC, device=self.id):
            original(self)

    return synchronize


class Event(cupy.cuda.Event):
    """`cupy.cuda.Event` whose record, synchronize and done are recorded."""

    def __init__(
        self,
        block: bool = False,
        disable_timing: bool = False,
        interprocess: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(block, disable_timing, interprocess)
        if name is not None:
            self._synctrace_signal = tell.Signal(name, device=runtime.getDevice(), handle=self.ptr)

    record = told_event_record(cupy.cuda.Event.record)
    synchronize = told_event_synchronize(cupy.cuda.Event.synchronize)
    done = property(told_event_done(cupy.cuda.Event.done.fget))


class _Told:
    """The calls of a stream, whoever owns it."""

    record = told_record(cupy.cuda.Stream.record, Event)
    wait_event = told_wait_event(cupy.cuda.Stream.wait_event)
    synchronize = told_stream_synchronize(cupy.cuda.Stream.synchronize)
    done = property(told_stream_done(cupy.cuda.Stream.done.fget))
    begin_capture = told_begin_capture(cupy.cuda.Stream.begin_capture)
    end_capture = told_end_capture(cupy.cuda.Stream.end_capture)
    launch_host_func = told_host_func(cupy.cuda.Stream.launch_host_func)
    add_callback = told_host_func(cupy.cuda.Stream.add_callback)


class Stream(_Told, cupy.cuda.Stream):
    """`cupy.cuda.Stream` whose calls are recorded; `name` is what reports call it."""

    __init__ = told_stream_init(cupy.cuda.Stream.__init__)


class ExternalStream(_Told, cupy.cuda.ExternalStream):
    """`cupy.cuda.ExternalStream` whose calls are recorded."""


Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)


class Device(cupy.cuda.Device):
    """`cupy.cuda.Device` whose synchronize is recorded."""

    synchronize = told_device_synchronize(cupy.cuda.Device.synchronize)


class Graph:
    """A captured graph: a `cupy.cuda.Graph`, which cannot be derived from, and what it touches."""

    def __init__(self, graph: Any, plan: tell.Plan, touched: Sequence[Touch], nodes: int) -> None:
        self.nodes = nodes
        self._graph, self._plan, self._touched = graph, plan, touched

    def launch(self, stream: Any = None) -> None:
        """Launch it on a stream, on the current one if that is left out."""
        if not watched():
            self._graph.launch(stream)
            return
        lane = lane_of(stream)
        with on_stream(_GRAPH_LAUNCH, lane, graph=self._plan, stored=self._touched):
            self._graph.launch(stream)

    def __getattr__(self, name: str) -> Any:
        """`upload` and the rest are CuPy's: they order nothing and touch nothing."""
        return getattr(self._graph, name)
