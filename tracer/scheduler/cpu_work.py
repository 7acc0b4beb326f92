"""What the streams of the CPU device are given: copies, fills, kernels, host functions."""

from collections.abc import Sequence

from synctrace.tracer.kinds import Kind, MemoryKind
from synctrace.tracer.scheduler.cpu_memory import is_host, view, views
from synctrace.tracer.scheduler.cpu_pace import Pace
from synctrace.tracer.scheduler.cpu_worker import Work
from synctrace.tracer.scheduler.device import Body, DeviceError, Kernel, Slice
from synctrace.tracer.scheduler.handover import Handover

_COPIES = {  # by whether source and target are host memory
    (True, False): Kind.MEMCPY_ASYNC_H2D,
    (False, True): Kind.MEMCPY_ASYNC_D2H,
    (False, False): Kind.MEMCPY_ASYNC_D2D,
}


def across(to: Slice, source: Slice) -> bool:
    """Whether a copy is between the memories of two devices."""
    devices = {each.memory.device for each in (to, source) if not is_host(each)}
    return len(devices) > 1


def same_size(to: Slice, source: Slice) -> None:
    """Refuse a copy between ranges of two sizes."""
    if to.size != source.size:
        raise DeviceError(
            f"copy of {source.size} bytes of {source.memory.name} to {to.size} bytes of "
            f"{to.memory.name}: both need the same size"
        )


def copy_kind(to: Slice, source: Slice) -> Kind:
    """Kind of an asynchronous copy. NONE: both are host memory."""
    same_size(to, source)
    if across(to, source):
        return Kind.MEMCPY_ASYNC_PEER
    return _COPIES.get((is_host(source), is_host(to)), Kind.NONE)


def is_pageable(each: Slice) -> bool:
    """Whether it is ordinary host memory, which a device does not copy by itself."""
    return each.memory.kind is MemoryKind.PAGEABLE


def copying(to: Slice, source: Slice) -> Work:
    """Move bytes piece by piece, each as it is when its time has come.

    A pageable source is copied now, on its way to a device: CUDA calls it staged.
    """
    target = view(to)
    is_staged = is_pageable(source) and not is_host(to)
    origin = memoryview(bytes(view(source))) if is_staged else view(source)

    def run(pace: Pace) -> None:
        for lo, hi in pace.pieces(len(target)):
            target[lo:hi] = origin[lo:hi]

    return Work("copy", run)


def filling(to: Slice, value: int) -> Work:
    """Set all bytes, piece by piece."""
    if not 0 <= value <= 255:
        raise DeviceError(f"fill of {to.memory.name} with {value}: a byte is 0 to 255")
    target = view(to)

    def run(pace: Pace) -> None:
        for lo, hi in pace.pieces(len(target)):
            target[lo:hi] = bytes([value]) * (hi - lo)

    return Work("fill", run)


def computing(kernel: Kernel, reads: Sequence[Slice], writes: Sequence[Slice]) -> Work:
    """Let the time of a kernel pass, then compute: inputs are read late, outputs written late."""
    inputs, outputs = arguments(reads, writes)

    def run(pace: Pace) -> None:
        pace.kernel()
        kernel.cpu(inputs, outputs)

    return Work(kernel.name, run)


def calling(
    function: Body,
    reads: Sequence[Slice],
    writes: Sequence[Slice],
    signal: Handover | None = None,
) -> Work:
    """A function of the host. The signal is given even if it fails: who waits must go on."""
    inputs, outputs = arguments(reads, writes)

    def run(_pace: Pace) -> None:
        function(inputs, outputs)

    name = getattr(function, "__name__", "host function")
    return Work(name, run, after=signal.give if signal else None)


def arguments(
    reads: Sequence[Slice], writes: Sequence[Slice]
) -> tuple[list[memoryview], list[memoryview]]:
    """The bytes that a kernel or host function gets."""
    return [each.toreadonly() for each in views(reads)], views(writes)


def check_kernel(kernel: str, slices: Sequence[Slice], device: int) -> None:
    """Refuse memory that a kernel of the device cannot use in place."""
    for memory in (each.memory for each in slices):
        if memory.kind is MemoryKind.PAGEABLE:
            raise DeviceError(
                f"{kernel} would use pageable memory {memory.name}: pin it or copy it"
            )
        if memory.kind is MemoryKind.DEVICE and memory.device != device:
            raise DeviceError(
                f"{kernel} on device {device} would use {memory.name} of device {memory.device}: "
                "copy it"
            )


def check_host(slices: Sequence[Slice]) -> None:
    """Refuse memory that the host cannot use in place."""
    for memory in (each.memory for each in slices):
        if memory.kind is MemoryKind.DEVICE:
            raise DeviceError(f"{memory.name} is device memory, out of the host's reach: copy it")
