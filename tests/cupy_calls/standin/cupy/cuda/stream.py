"""Streams, events and graphs."""

from typing import Any

from cupy.cuda import runtime

_current = []


def get_current_stream(device_id=-1) -> Any:
    return _current[-1] if _current else Stream.null


class Event:
    def __init__(self, block=False, disable_timing=False, interprocess=False) -> None:
        self.ptr = runtime.eventCreateWithFlags(0)

    def record(self, stream=None) -> Any:
        runtime.eventRecord(self.ptr, (stream or get_current_stream()).ptr)

    def synchronize(self) -> Any:
        runtime.eventSynchronize(self.ptr)

    @property
    def done(self) -> Any:
        return runtime.eventQuery(self.ptr) == 0


class _BaseStream:
    def __init__(self, ptr, device_id) -> None:
        self.ptr, self.device_id = ptr, device_id

    def __eq__(self, other) -> Any:
        return isinstance(other, _BaseStream) and self.ptr == other.ptr

    def __hash__(self) -> Any:
        return self.ptr

    def __enter__(self) -> Any:
        _current.append(self)
        return self

    def __exit__(self, *error) -> Any:
        _current.pop()

    @property
    def is_non_blocking(self) -> Any:
        return runtime.streamGetFlags(self.ptr) == runtime.streamNonBlocking

    @property
    def done(self) -> Any:
        return runtime.streamQuery(self.ptr) == 0

    def synchronize(self) -> Any:
        runtime.streamSynchronize(self.ptr)

    def record(self, event=None) -> Any:
        event = event or Event()
        runtime.eventRecord(event.ptr, self.ptr)
        return event

    def wait_event(self, event) -> Any:
        runtime.streamWaitEvent(self.ptr, event.ptr)

    def begin_capture(self, mode=None) -> Any:
        runtime.streamBeginCapture(self.ptr)

    def end_capture(self) -> Any:
        return Graph(runtime.streamEndCapture(self.ptr))

    def launch_host_func(self, callback, arg) -> Any:
        runtime.give(self.ptr, lambda: callback(arg))

    def add_callback(self, callback, arg) -> Any:
        runtime.give(self.ptr, lambda: callback(self, 0, arg))


class Stream(_BaseStream):
    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None) -> None:
        if null or ptds:
            super().__init__(0 if null else runtime.streamPerThread, -1)
        else:
            super().__init__(runtime.streamCreateWithFlags(int(non_blocking)), runtime.getDevice())

    @classmethod
    def from_external(cls, obj) -> Any:
        made = cls.__new__(cls)
        _BaseStream.__init__(made, obj.__cuda_stream__()[1], runtime.getDevice())
        return made


class ExternalStream(_BaseStream):
    def __init__(self, ptr, device_id=-1) -> None:
        super().__init__(ptr, device_id)


Stream.null, Stream.ptds = Stream(null=True), Stream(ptds=True)


class Graph:
    def __init__(self, calls) -> None:
        self._calls = calls

    def launch(self, stream=None) -> Any:
        runtime.graphLaunch(self._calls, (stream or get_current_stream()).ptr)

    def upload(self, stream=None) -> Any:
        runtime.calls.append("graphUpload")
