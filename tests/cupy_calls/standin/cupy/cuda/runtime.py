"""The CUDA runtime's functions on host memory. `calls` lists the names of those that were made."""

import ctypes
from typing import Any

is_hip = False
hostAllocPortable, hostAllocMapped, hostAllocWriteCombined = 1, 2, 4
memcpyDefault = 4
memoryTypeHost = 1
eventDefault = 0
streamNonBlocking = streamLegacy = 1
streamPerThread = 2

calls = []
memory = {}  # buffers by address
gpus = 1
pending = set()  # events and streams that say "not ready"
_device = 0
_handles = 0x1000
_streams = {}  # flags by handle
_captured = {}  # calls by the handle of a capturing stream
_marks = {}  # the same, by the event recorded in a capture


class Refused(RuntimeError):
    """As CUDARuntimeError."""


def getDevice() -> Any:
    return _device


def setDevice(device) -> Any:
    global _device
    _device = device


def getDeviceCount() -> Any:
    if not gpus:
        raise Refused("cudaErrorNoDevice: no CUDA-capable device is detected")
    return gpus


def deviceCanAccessPeer(device, peer) -> Any:
    return 1


def deviceEnablePeerAccess(peer) -> Any:
    calls.append("deviceEnablePeerAccess")


def deviceSynchronize() -> Any:
    calls.append("deviceSynchronize")


def runtimeGetVersion() -> Any:
    return 13000


_made_on = {}  # device of each stream and event


def _handle() -> Any:
    global _handles
    _handles += 0x100
    return _handles


def _allocate(size) -> Any:
    data = (ctypes.c_char * size)()
    memory[ctypes.addressof(data)] = data
    return ctypes.addressof(data)


def malloc(size) -> Any:
    calls.append("malloc")
    return _allocate(size)


def hostAlloc(size, flags) -> Any:
    calls.append("hostAlloc")
    return _allocate(size)


def mallocManaged(size) -> Any:
    calls.append("mallocManaged")
    return _allocate(size)


def mallocAsync(size, stream) -> Any:
    calls.append("mallocAsync")
    return _allocate(size)


def free(address) -> Any:
    calls.append("free")
    del memory[address]


def freeHost(address) -> Any:
    calls.append("freeHost")
    del memory[address]


def freeAsync(address, stream) -> Any:
    calls.append("freeAsync")
    del memory[address]


def pointerGetMemoryType(address) -> Any:
    return 0


def give(stream, call) -> Any:
    """Run a call of a stream, or store it in what the stream captures."""
    if stream in _captured:
        _captured[stream].append(call)
    else:
        call()


def memcpyAsync(to, source, size, kind, stream) -> Any:
    calls.append("memcpyAsync")
    give(stream, lambda: ctypes.memmove(to, source, size))


def memcpy(to, source, size, kind) -> Any:
    calls.append("memcpy")
    ctypes.memmove(to, source, size)


def memsetAsync(to, value, size, stream) -> Any:
    calls.append("memsetAsync")
    give(stream, lambda: ctypes.memset(to, value, size))


def streamCreateWithFlags(flags) -> Any:
    handle = _handle()
    _made_on[handle] = _device
    _streams[handle] = flags
    return handle


def streamGetFlags(stream) -> Any:
    return _streams.get(stream, 0)


def streamSynchronize(stream) -> Any:
    if stream in _captured:
        raise Refused("cudaErrorStreamCaptureUnsupported")
    calls.append("streamSynchronize")


def streamQuery(stream) -> Any:
    return 600 if stream in pending else 0


def streamWaitEvent(stream, event) -> Any:
    calls.append("streamWaitEvent")
    if event in _marks:
        _captured[stream] = _marks[event]


def streamBeginCapture(stream) -> Any:
    calls.append("streamBeginCapture")
    _captured[stream] = []


def streamEndCapture(stream) -> Any:
    if stream not in _captured:
        raise Refused("cudaErrorIllegalState: nothing is captured")
    calls.append("streamEndCapture")
    captured = _captured[stream]
    for each in [each for each, its in _captured.items() if its is captured]:
        del _captured[each]
    return captured


def graphLaunch(graph, stream) -> Any:
    calls.append("graphLaunch")
    give(stream, lambda: [call() for call in graph])


def eventCreateWithFlags(flags) -> Any:
    handle = _handle()
    _made_on[handle] = _device
    return handle


def eventRecord(event, stream) -> Any:
    calls.append("eventRecord")
    if stream in _made_on and _made_on[stream] != _made_on[event]:
        raise Refused("cudaErrorInvalidResourceHandle: invalid resource handle")
    _marks.pop(event, None)
    if stream in _captured:
        _marks[event] = _captured[stream]


def eventSynchronize(event) -> Any:
    calls.append("eventSynchronize")


def eventQuery(event) -> Any:
    return 600 if event in pending else 0


def eventElapsedTime(start, end) -> Any:
    return 0.001 * (end - start)


def eventDestroy(event) -> Any:
    calls.append("eventDestroy")
