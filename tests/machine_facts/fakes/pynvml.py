"""Stands in for nvidia-ml-py: what a machine has or lacks is the word in FAKE_NVML.

It has the package's names, and of its behaviour only what its sources say: which function returns
what, and that errors are NVMLError. That a driver answers so, no test with it proves.
"""

import os
import time
from types import SimpleNamespace

KIND = os.environ.get("FAKE_NVML", "two")
GIB = 1 << 30

if KIND == "missing":
    raise ModuleNotFoundError("No module named 'pynvml'")
if KIND == "prints":
    os.write(1, b"from C\n")
    print("a banner on stdout")
if KIND == "no such name":
    raise KeyError("libnvidia-ml.so")


class NVMLError(Exception):
    """Raised for every code but success."""


def refuse(*_: object) -> None:
    raise NVMLError("Not Supported")


def nvmlInit() -> None:
    if KIND == "no driver":
        raise NVMLError("NVML Shared Library Not Found")
    if KIND == "hangs":
        time.sleep(60)
    if KIND == "crashes":
        os.abort()


def nvmlDeviceGetCount() -> int:
    return 3 if KIND == "lost" else 2


def nvmlDeviceGetHandleByIndex(index: int) -> int:
    if KIND == "lost" and index == 1:
        raise NVMLError("GPU is lost")
    return index


def nvmlSystemGetDriverVersion() -> str:
    return "580.1"


def nvmlSystemGetCudaDriverVersion() -> int:
    return 13000


def nvmlDeviceGetName(handle: object) -> object:
    if isinstance(handle, str):
        return f"FAKE 80GB MIG {handle}"
    return b"FAKE 80GB" if KIND == "bytes" else "FAKE 80GB"


def nvmlDeviceGetUUID(handle: object) -> str:
    return f"MIG-{handle}" if isinstance(handle, str) else f"GPU-0000000{handle}"


def nvmlDeviceGetPciInfo(handle: int) -> SimpleNamespace:
    return SimpleNamespace(busId=f"00000000:{0x1A + handle:02X}:00.0")


def nvmlDeviceGetCudaComputeCapability(handle: int) -> tuple[int, int]:
    return (9, 0)


def nvmlDeviceGetMemoryInfo(handle: object) -> SimpleNamespace:
    size = 10 if isinstance(handle, str) else 80
    return SimpleNamespace(total=size * GIB, used=3 * GIB)


def nvmlDeviceGetMaxPcieLinkGeneration(handle: int) -> int:
    return 5


def nvmlDeviceGetMaxPcieLinkWidth(handle: int) -> int:
    return 16


def nvmlDeviceGetMigMode(handle: int) -> list[int]:
    if KIND != "mig":
        raise NVMLError("Not Supported")
    return [int(handle == 0), 0]


def nvmlDeviceGetMaxMigDeviceCount(handle: int) -> int:
    return 7


def nvmlDeviceGetMigDeviceHandleByIndex(handle: int, place: int) -> str:
    if place not in (0, 2):
        raise NVMLError("Not Found")
    return f"{handle}.{place}"


def nvmlDeviceGetNvLinkState(handle: int, link: int) -> int:
    if KIND == "pcie" or link >= 18:
        raise NVMLError("Invalid Argument")
    return int(link != 17)


def nvmlDeviceGetNvLinkRemoteDeviceType(handle: int, link: int) -> int:
    return 0 if KIND == "direct" else 2


def nvmlDeviceGetNvLinkRemotePciInfo(handle: int, link: int) -> SimpleNamespace:
    if KIND == "direct":
        return nvmlDeviceGetPciInfo(1 - handle)
    return SimpleNamespace(busId="00000000:C1:00.0")


def nvmlDeviceGetP2PStatus(one: int, other: int, capability: int) -> int:
    return 0 if KIND != "apart" else 5


def nvmlDeviceGetTopologyCommonAncestor(one: int, other: int) -> int:
    return 10


def nvmlDeviceGetClockInfo(handle: int, clock: int) -> int:
    return {1: 1980, 2: 3201}[clock]


def nvmlDeviceGetPowerUsage(handle: int) -> int:
    return 121_500


def nvmlDeviceGetUtilizationRates(handle: int) -> SimpleNamespace:
    if KIND == "hangs later":
        time.sleep(60)
    if KIND == "crashes later":
        os.abort()
    return SimpleNamespace(gpu=37 + handle, memory=5)


if KIND in ("unsupported", "mig"):
    nvmlDeviceGetUtilizationRates = refuse  # type: ignore[assignment]
if KIND == "bare":  # an older or a newer package, with other names
    for _name in [name for name in globals() if name.startswith("nvml")]:
        if _name not in ("nvmlInit", "nvmlDeviceGetCount", "nvmlDeviceGetHandleByIndex"):
            del globals()[_name]
