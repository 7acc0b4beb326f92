"""CuPy's classes around the runtime, as far as synctrace uses them."""

import ctypes
from typing import Any

from cupy.cuda import runtime, stream
from cupy.cuda.stream import Event, ExternalStream, Stream, get_current_stream

__all__ = ["Event", "ExternalStream", "Stream", "get_current_stream", "runtime", "stream"]


class Memory:
    def __init__(self, size) -> None:
        self.size, self.device_id = size, runtime.getDevice()
        self.ptr = runtime.malloc(size)

    def __del__(self) -> Any:
        runtime.free(self.ptr)


class MemoryPointer:
    def __init__(self, mem, offset) -> None:
        self.mem, self.ptr, self.device_id = mem, mem.ptr + offset, mem.device_id

    def memset_async(self, value, size, stream=None) -> Any:
        runtime.memsetAsync(self.ptr, value, size, stream.ptr)


class PinnedMemory:
    def __init__(self, size, flags=0) -> None:
        self.size = size
        self.ptr = runtime.hostAlloc(size, flags) if size else 0

    def __del__(self) -> Any:
        if self.ptr:
            runtime.freeHost(self.ptr)


def PinnedMemoryPointer(mem, offset) -> Any:
    """An object with the buffer protocol, as CuPy's class has it, and the memory behind."""
    kind = type("PinnedMemoryPointer", (ctypes.c_char * (mem.size - offset),), {})
    pointer = kind.from_address(mem.ptr + offset)
    pointer.mem, pointer.ptr = mem, mem.ptr + offset
    return pointer


class MemoryHook:
    name = "MemoryHook"

    def __enter__(self) -> Any:
        hooks.append(self)
        return self

    def __exit__(self, *error) -> Any:
        hooks.remove(self)


hooks = []


class Device:
    def __init__(self, device=None) -> None:
        self.id = runtime.getDevice() if device is None else device

    def __enter__(self) -> Any:
        self._before = runtime.getDevice()
        runtime.setDevice(self.id)
        return self

    def __exit__(self, *error) -> Any:
        runtime.setDevice(self._before)

    def synchronize(self) -> Any:
        runtime.calls.append("deviceSynchronize")
