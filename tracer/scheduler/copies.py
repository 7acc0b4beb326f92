"""Kinds of copies, by the memories of both sides, in the words of CUDA and HIP."""

from synctrace.tracer.kinds import Kind, MemoryKind
from synctrace.tracer.scheduler.device import Slice

ON_A_DEVICE = (MemoryKind.DEVICE, MemoryKind.MANAGED)
SYNCHRONOUS = {  # the copy of the synchronous name; NONE: both are host memory
    Kind.MEMCPY_ASYNC_H2D: Kind.MEMCPY_H2D,
    Kind.MEMCPY_ASYNC_D2H: Kind.MEMCPY_D2H,
    Kind.MEMCPY_ASYNC_D2D: Kind.MEMCPY_D2D,
    Kind.MEMCPY_ASYNC_PEER: Kind.MEMCPY_D2D,
    Kind.NONE: Kind.MEMCPY_H2H,
}
_ASYNCHRONOUS = {  # by whether source and target are host memory
    (True, False): Kind.MEMCPY_ASYNC_H2D,
    (False, True): Kind.MEMCPY_ASYNC_D2H,
    (False, False): Kind.MEMCPY_ASYNC_D2D,
}


def is_host(each: Slice) -> bool:
    """Whether it is host memory: that of no device."""
    return each.memory.kind not in ON_A_DEVICE


def is_pageable(each: Slice) -> bool:
    """Whether it is ordinary host memory, which a device does not copy by itself."""
    return each.memory.kind is MemoryKind.PAGEABLE


def copy_kind(to: Slice, source: Slice, is_across: bool) -> Kind:
    """Kind of an asynchronous copy, if need be across two devices. NONE: both are host memory."""
    if is_across:
        return Kind.MEMCPY_ASYNC_PEER
    return _ASYNCHRONOUS.get((is_host(source), is_host(to)), Kind.NONE)
