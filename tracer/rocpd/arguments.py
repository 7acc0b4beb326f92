"""Arguments of HIP calls as rocprofv3 writes them: text by the parameter's name.

A pointer is its address, of an out-parameter that of the variable and not what the call put there.
An enumerator is its name without the enumeration's (`HostToDevice`).
"""

from collections.abc import Mapping
from enum import Enum

from synctrace.tracer.kinds import MemoryKind

Arguments = Mapping[str, str]

_NULL = {"", "(null)", "(nil)", "null", "nullptr", "none"}
_MOST = 1 << 64


class Direction(Enum):
    """From which kind of memory to which a copy goes."""

    H2H = "HostToHost"
    H2D = "HostToDevice"
    D2H = "DeviceToHost"
    D2D = "DeviceToDevice"

    @property
    def ends(self) -> tuple[bool, bool]:
        """Whether the source and the target are memory of a device."""
        return self in (Direction.D2H, Direction.D2D), self in (Direction.H2D, Direction.D2D)

    @staticmethod
    def between(from_device: bool, to_device: bool) -> "Direction":
        """The direction of a copy between such memories."""
        return next(each for each in Direction if each.ends == (from_device, to_device))


_NUMBERED = (Direction.H2H, Direction.H2D, Direction.D2H, Direction.D2D)
# Names of parameters by what they are; releases of HIP and rocprofv3 differ in some.
STREAM = ("stream", "hStream")
EVENT = ("event",)
TARGET = ("dst", "dest", "dstDevice", "dstHost")
SOURCE = ("src", "srcHost", "srcDevice")
BYTES = ("sizeBytes", "size", "count", "ByteCount")
POINTER = ("ptr", "dev_ptr", "devPtr", "hostPtr", "hptr", "dptr")
EXECUTABLE = ("graphExec", "hGraphExec")
# All that is asked for: the rest of the arguments is not read.
NAMES = (
    *(*STREAM, *EVENT, *TARGET, *SOURCE, *BYTES, *POINTER, *EXECUTABLE),
    *("kind", "width", "height", "pitch", "dpitch", "spitch", "dstPitch", "widthInBytes"),
    *("flags", "deviceId", "dstDeviceId", "srcDeviceId", "startEvent", "stopEvent", "value"),
)


def number(arguments: Arguments, *names: str) -> int | None:
    """The number or address in the first of these parameters that there is, modulo 2^64."""
    for name in names:
        if name in arguments:
            return parsed(arguments[name])
    return None


def parsed(text: str) -> int | None:
    """The number that the text stands for; None: for none."""
    text = text.strip()
    if text.lower() in _NULL:
        return 0
    try:
        value = int(text, 16) if text[:2].lower() == "0x" else int(text)
    except ValueError:
        return None
    return value % _MOST if -_MOST < value < _MOST else None


def direction(arguments: Arguments) -> Direction | None:
    """What parameter `kind` of a copy says; None: nothing (hipMemcpyDefault)."""
    text = arguments.get("kind", "").strip().removeprefix("hipMemcpy")
    for each in Direction:
        if text.startswith(each.value):  # DeviceToDeviceNoCU too
            return each
    place = parsed(text) if text else None
    return _NUMBERED[place] if place is not None and place < len(_NUMBERED) else None


def direction_by_name(text: str) -> Direction | None:
    """What the name of a copy's record says (MEMORY_COPY_HOST_TO_DEVICE)."""
    words = text.upper().replace("_", "")
    return next((each for each in Direction if each.value.upper() in words), None)


def host_memory_kind(flags: int) -> MemoryKind:
    """Kind of the memory that hipHostMalloc hands out with these flags."""
    if flags & 0x4:
        return MemoryKind.WRITE_COMBINED
    return MemoryKind.MAPPED if flags & 0x2 else MemoryKind.PINNED
