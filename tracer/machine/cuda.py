"""What libcuda alone knows: the program's own numbers of devices, and unified memory.

It is asked in a process with the program's environment, so that CUDA_VISIBLE_DEVICES and
CUDA_DEVICE_ORDER hold. No context is made: nothing is taken on the device.
"""

import ctypes
from dataclasses import dataclass, replace

from synctrace.tracer.machine.facts import Device, Driver, Facts
from synctrace.tracer.machine.nvidia import bus_id, cuda_version

LIBRARY = "libcuda.so.1"
NO_DEVICE = 100  # CUDA_ERROR_NO_DEVICE
# enum CUdevice_attribute of cuda.h
INTEGRATED, CAPABILITY_MAJOR, CAPABILITY_MINOR, PAGEABLE_ACCESS = 18, 75, 76, 88


@dataclass(frozen=True)
class _Seen:
    """A device as the program will see it."""

    ordinal: int
    name: str
    uuid: str  # of the GPU, or of its MIG part
    pci: str
    architecture: str
    memory_bytes: int | None
    integrated: bool | None
    pageable_access: bool | None


def as_the_program_sees(known: Facts) -> Facts:
    """The facts of NVML (or none) with what the driver adds. Without it, as they are and why."""
    try:
        cuda = ctypes.CDLL(LIBRARY)
        version, count = ctypes.c_int(), ctypes.c_int()
        _check(cuda.cuDriverGetVersion(ctypes.byref(version)), "cuDriverGetVersion")
        status = cuda.cuInit(0)
        if status != NO_DEVICE:  # all are hidden from the program
            _check(status, "cuInit")
            _check(cuda.cuDeviceGetCount(ctypes.byref(count)), "cuDeviceGetCount")
        seen = [_seen(cuda, ordinal) for ordinal in range(count.value)]
    except (OSError, AttributeError) as error:
        what = f"nvidia: the program's own numbers of devices are not known ({error})"
        return replace(known, unread=(*known.unread, what))
    devices = tuple(_merged(device, seen) for device in known.devices)
    if not devices:
        devices = tuple(_alone(one) for one in seen)
    drivers = known.drivers or (Driver("nvidia", "", cuda_version(version.value)),)
    return replace(known, devices=devices, drivers=drivers)


def _merged(device: Device, seen: list[_Seen]) -> Device:
    """By the bus, which also a MIG part has; a bus without a visible device is hidden."""
    for one in seen:
        if (one.uuid and device.uuid == one.uuid) or (one.pci and device.pci == one.pci):
            return replace(
                device,
                ordinal=one.ordinal,
                numbered_by="cuda",
                integrated=one.integrated,
                pageable_access=one.pageable_access,
            )
    return replace(device, ordinal=None, numbered_by="cuda")


def _alone(one: _Seen) -> Device:
    return Device(
        vendor="nvidia",
        index=one.ordinal,
        ordinal=one.ordinal,
        numbered_by="cuda",
        name=one.name,
        uuid=one.uuid,
        pci=one.pci,
        architecture=one.architecture,
        memory_bytes=one.memory_bytes,
        integrated=one.integrated,
        pageable_access=one.pageable_access,
    )


def _seen(cuda: ctypes.CDLL, ordinal: int) -> _Seen:
    device = ctypes.c_int()
    _check(cuda.cuDeviceGet(ctypes.byref(device), ordinal), "cuDeviceGet")
    name, pci = ctypes.create_string_buffer(256), ctypes.create_string_buffer(32)
    _check(cuda.cuDeviceGetName(name, len(name), device), "cuDeviceGetName")
    on_bus = cuda.cuDeviceGetPCIBusId(pci, len(pci), device) == 0
    memory = ctypes.c_size_t()
    has_size = cuda.cuDeviceTotalMem_v2(ctypes.byref(memory), device) == 0
    integrated, pageable = (_attribute(cuda, device, a) for a in (INTEGRATED, PAGEABLE_ACCESS))
    major, minor = (_attribute(cuda, device, a) for a in (CAPABILITY_MAJOR, CAPABILITY_MINOR))
    return _Seen(
        ordinal=ordinal,
        name=name.value.decode(errors="replace"),
        uuid=_uuid(cuda, device),
        pci=bus_id(pci.value.decode(errors="replace")) if on_bus else "",
        architecture=f"{major}.{minor}" if major else "",
        memory_bytes=memory.value if has_size else None,
        integrated=None if integrated is None else bool(integrated),
        pageable_access=None if pageable is None else bool(pageable),
    )


def _attribute(cuda: ctypes.CDLL, device: ctypes.c_int, attribute: int) -> int | None:
    value = ctypes.c_int()
    failed = cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, device)
    return None if failed else value.value


def _uuid(cuda: ctypes.CDLL, device: ctypes.c_int) -> str:
    """As NVML writes it; a MIG part's is its own where the driver has the newer call."""
    raw = (ctypes.c_ubyte * 16)()
    ask = getattr(cuda, "cuDeviceGetUuid_v2", None) or getattr(cuda, "cuDeviceGetUuid", None)
    if ask is None or ask(raw, device):
        return ""
    digits = bytes(raw).hex()
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return f"GPU-{'-'.join(parts)}"


def _check(status: int, call: str) -> None:
    if status:
        raise OSError(f"{call} returned {status}")
