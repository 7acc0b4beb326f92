"""What all devices refuse, in the same words: a DeviceError, one sentence."""

from collections.abc import Sequence

from synctrace.tracer.kinds import Kind, MemoryKind
from synctrace.tracer.scheduler.copies import is_pageable
from synctrace.tracer.scheduler.device import DeviceError, Slice


def check_size(name: str, size: int) -> None:
    """Refuse memory without bytes."""
    if size < 1:
        raise DeviceError(f"{name} would have {size} bytes: give it at least one")


def check_same_size(to: Slice, source: Slice) -> None:
    """Refuse a copy between ranges of two sizes."""
    if to.size != source.size:
        raise DeviceError(
            f"copy of {source.size} bytes of {source.memory.name} to {to.size} bytes of "
            f"{to.memory.name}: both need the same size"
        )


def check_stream_copy(kind: Kind, to: Slice, source: Slice, is_captured: bool) -> None:
    """Refuse what a stream cannot copy: within the host; pageable memory in a capture."""
    if kind is Kind.NONE:
        raise DeviceError(
            f"copy between host memories {source.memory.name} and {to.memory.name} on a "
            "stream: use the device's copy"
        )
    pageable = [each.memory.name for each in (to, source) if is_pageable(each)]
    if pageable and is_captured:
        raise DeviceError(f"copy of pageable memory {pageable[0]} in a capture: pin it")


def check_fill(to: Slice, value: int) -> None:
    """Refuse to fill with what is no byte."""
    if not 0 <= value <= 255:
        raise DeviceError(f"fill of {to.memory.name} with {value}: a byte is 0 to 255")


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


def check_recorded_here(event: str, event_device: int, device: int) -> None:
    """Refuse to record another device's event."""
    if event_device != device:
        raise DeviceError(
            f"event {event} of device {event_device} on a stream of device {device}: an event is "
            "recorded on the device that made it"
        )


def check_not_captured(what: str, stream: str, is_captured: bool) -> None:
    """Refuse what cannot be part of a capture."""
    if is_captured:
        raise DeviceError(f"{what} on stream {stream}, which is captured: end that first")


def nothing_captured(stream: str) -> DeviceError:
    """The end of a capture that never began."""
    return DeviceError(f"stream {stream} captures nothing: call begin_capture first")


def check_none_captured(device: str, capturing: set[str]) -> None:
    """Refuse to wait for a device of which streams are captured."""
    if capturing:
        raise DeviceError(
            f"synchronize of {device} while {min(capturing)} is captured: end that first"
        )


def check_open(device: str, is_closed: bool) -> None:
    """Refuse calls of a device that was closed."""
    if is_closed:
        raise DeviceError(f"{device} is closed: make a new device")
