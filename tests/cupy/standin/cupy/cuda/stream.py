"""Streams, events and graphs."""

from cupy.cuda import runtime

_current = []


def get_current_stream(device_id=-1):
    return _current[-1] if _current else Stream.null


class Event:
    def __init__(self, block=False, disable_timing=False, interprocess=False):
        self.ptr = runtime.eventCreateWithFlags(0)

    def record(self, stream=None):
        runtime.eventRecord(self.ptr, (stream or get_current_stream()).ptr)

    def synchronize(self):
        runtime.eventSynchronize(self.ptr)

    @property
    def done(self):
        return runtime.eventQuery(self.ptr) == 0


class _BaseStream:
    def __init__(self, ptr, device_id):
        self.ptr, self.device_id = ptr, device_id

    def __eq__(self, other):
        return isinstance(other, _BaseStream) and self.ptr == other.ptr

    def __hash__(self):
        return self.ptr

    def __enter__(self):
        _current.append(self)
        return self

    def __exit__(self, *error):
        _current.pop()

    @property
    def is_non_blocking(self):
        return runtime.streamGetFlags(self.ptr) == runtime.streamNonBlocking

    @property
    def done(self):
        return runtime.streamQuery(self.ptr) == 0

    def synchronize(self):
        runtime.streamSynchronize(self.ptr)

    def record(self, event=None):
        event = event or Event()
        runtime.eventRecord(event.ptr, self.ptr)
        return event

    def wait_event(self, event):
        runtime.streamWaitEvent(self.ptr, event.ptr)

    def begin_capture(self, mode=None):
        runtime.streamBeginCapture(self.ptr)

    def end_capture(self):
        return Graph(runtime.streamEndCapture(self.ptr))

    def launch_host_func(self, callback, arg):
        runtime.give(self.ptr, lambda: callback(arg))

    def add_callback(self, callback, arg):
        runtime.give(self.ptr, lambda: callback(self, 0, arg))


class Stream(_BaseStream):
    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        if null or ptds:
            super().__init__(0 if null else runtime.streamPerThread, -1)
        else:
            super().__init__(runtime.streamCreateWithFlags(int(non_blocking)), runtime.getDevice())

    @classmethod
    def from_external(cls, obj):
        made = cls.__new__(cls)
        _BaseStream.__init__(made, obj.__cuda_stream__()[1], runtime.getDevice())
        return made


class ExternalStream(_BaseStream):
    def __init__(self, ptr, device_id=-1):
        super().__init__(ptr, device_id)


Stream.null, Stream.ptds = Stream(null=True), Stream(ptds=True)


class Graph:
    def __init__(self, calls):
        self._calls = calls

    def launch(self, stream=None):
        runtime.graphLaunch(self._calls, (stream or get_current_stream()).ptr)

    def upload(self, stream=None):
        runtime.calls.append("graphUpload")
