"""What the streams of the CPU device are given: copies, fills, kernels, host functions."""

from collections.abc import Sequence

from synctrace.tracer.scheduler.copies import is_host, is_pageable
from synctrace.tracer.scheduler.cpu_memory import view, views
from synctrace.tracer.scheduler.cpu_pace import Pace
from synctrace.tracer.scheduler.cpu_worker import Work
from synctrace.tracer.scheduler.device import Body, Kernel, Slice
from synctrace.tracer.scheduler.handover import Handover
from synctrace.tracer.scheduler.refusals import check_fill


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
    check_fill(to, value)
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
