"""NVIDIA's GPUs by NVML, package nvidia-ml-py (module pynvml). Asks, and changes no setting."""

from collections import Counter as Tally
from collections.abc import Callable
from importlib import import_module
from itertools import combinations
from typing import Any

from synctrace.tracer.machine.facts import (
    Counter,
    Device,
    Driver,
    Facts,
    Link,
    Part,
    number,
    text,
    tried,
)

# Of nvml.h; not every version of the package has all the names.
CLOCK_SM, CLOCK_MEMORY = 1, 2
SWITCH = 2  # NVML_NVLINK_DEVICE_TYPE_SWITCH
MOST_LINKS = 36  # NVML_NVLINK_MAX_LINKS; a card says "invalid argument" at the first it lacks
P2P_NVLINK, P2P_OK = 2, 0
BETWEEN = {
    0: "on one board",
    10: "one PCIe switch",
    20: "several PCIe switches",
    30: "host bridge",
    40: "within a NUMA node",
    50: "between NUMA nodes",
}


class Nvidia:
    """The library, initialised. Raises what the package raises where there is no driver."""

    def __init__(self) -> None:
        self._nvml: Any = import_module("pynvml")
        self._nvml.nvmlInit()
        count = range(self._nvml.nvmlDeviceGetCount())
        # One that has fallen off the bus leaves the others to be asked.
        found = {index: self._ask("nvmlDeviceGetHandleByIndex", index) for index in count}
        self._handles = {index: handle for index, handle in found.items() if handle is not None}
        self._lost = [index for index in count if index not in self._handles]

    def facts(self) -> Facts:
        """GPUs, links and driver."""
        lost = tuple(f"nvidia {index}: the driver does not answer for it" for index in self._lost)
        devices = tuple(self._device(index, handle) for index, handle in self._handles.items())
        return Facts(devices, tuple(self._links(devices)), (self._driver(),), lost)

    def counters(self) -> list[Counter]:
        """Clocks, power, how busy, memory."""
        return [one for i, handle in self._handles.items() for one in self._counters(i, handle)]

    def _ask(self, function: str, *arguments: object) -> Any:
        """What the function answers; None for a card, driver or package that has no answer."""
        return tried(lambda: getattr(self._nvml, function)(*arguments))

    def _driver(self) -> Driver:
        cuda = number(self._ask("nvmlSystemGetCudaDriverVersion"))
        return Driver("nvidia", text(self._ask("nvmlSystemGetDriverVersion")), cuda_version(cuda))

    def _device(self, index: int, handle: Any) -> Device:
        ask = self._ask
        capability = ask("nvmlDeviceGetCudaComputeCapability", handle)
        mode = ask("nvmlDeviceGetMigMode", handle)
        mig = None if mode is None else mode[0] == 1
        return Device(
            vendor="nvidia",
            index=index,
            ordinal=index,
            numbered_by="nvml",
            name=text(ask("nvmlDeviceGetName", handle)),
            uuid=text(ask("nvmlDeviceGetUUID", handle)),
            pci=bus_id(_bus(ask("nvmlDeviceGetPciInfo", handle))),
            architecture=f"{capability[0]}.{capability[1]}" if capability else "",
            memory_bytes=_total(ask("nvmlDeviceGetMemoryInfo", handle)),
            pcie_generation=number(ask("nvmlDeviceGetMaxPcieLinkGeneration", handle)),
            pcie_width=number(ask("nvmlDeviceGetMaxPcieLinkWidth", handle)),
            mig=mig,
            parts=self._parts(handle) if mig else (),
        )

    def _parts(self, handle: Any) -> tuple[Part, ...]:
        ask, parts = self._ask, []
        for place in range(number(ask("nvmlDeviceGetMaxMigDeviceCount", handle)) or 0):
            part = ask("nvmlDeviceGetMigDeviceHandleByIndex", handle, place)
            if part is None:
                continue  # places need not be filled in order
            name, uuid = ask("nvmlDeviceGetName", part), ask("nvmlDeviceGetUUID", part)
            memory = _total(ask("nvmlDeviceGetMemoryInfo", part))
            parts.append(Part(text(uuid), text(name), memory))
        return tuple(parts)

    def _links(self, devices: tuple[Device, ...]) -> list[Link]:
        """Between every two. Lanes to a switch reach every GPU that is behind one."""
        lanes = [self._lanes(self._handles[device.index]) for device in devices]
        found = []
        for first, second in combinations(range(len(devices)), 2):
            pair = [self._handles[devices[place].index] for place in (first, second)]
            direct = lanes[first][devices[second].pci] if devices[second].pci else 0
            switched = min(lanes[first]["switch"], lanes[second]["switch"])
            if direct:
                found.append(Link(first, second, "nvlink", "direct", direct))
            elif switched and self._reaches(*pair):
                found.append(Link(first, second, "nvlink", "nvswitch", switched))
            else:
                level = self._ask("nvmlDeviceGetTopologyCommonAncestor", *pair)
                if level is not None:
                    found.append(Link(first, second, "pcie", BETWEEN.get(level, "")))
        return found

    def _reaches(self, one: Any, other: Any) -> bool:
        """Whether peers go by NVLink. A driver that cannot be asked is taken to mean yes."""
        status = self._ask("nvmlDeviceGetP2PStatus", one, other, P2P_NVLINK)
        return status is None or number(status) == P2P_OK

    def _lanes(self, handle: Any) -> Tally[str]:
        """Links that are up, by the bus id at their other end, or "switch"."""
        up = Tally[str]()
        for link in range(MOST_LINKS):
            state = self._ask("nvmlDeviceGetNvLinkState", handle, link)
            if state is None:
                break
            if state != 1:
                continue
            end = self._ask("nvmlDeviceGetNvLinkRemoteDeviceType", handle, link)
            bus = _bus(self._ask("nvmlDeviceGetNvLinkRemotePciInfo", handle, link))
            up["switch" if end == SWITCH else bus_id(bus)] += 1
        return up

    def _counters(self, index: int, handle: Any) -> list[Counter]:
        nvml = self._nvml
        reads: dict[str, Callable[[], float]] = {
            "core_clock_mhz": lambda: nvml.nvmlDeviceGetClockInfo(handle, CLOCK_SM),
            "memory_clock_mhz": lambda: nvml.nvmlDeviceGetClockInfo(handle, CLOCK_MEMORY),
            "power_watts": lambda: nvml.nvmlDeviceGetPowerUsage(handle) / 1000,
            "busy_percent": lambda: nvml.nvmlDeviceGetUtilizationRates(handle).gpu,
            "memory_used_bytes": lambda: nvml.nvmlDeviceGetMemoryInfo(handle).used,
        }
        return [Counter("nvidia", index, name, read) for name, read in reads.items()]


def _total(memory: Any) -> int | None:
    return number(getattr(memory, "total", None))


def _bus(pci: Any) -> str:
    return text(getattr(pci, "busId", ""))


def bus_id(pci: str) -> str:
    """A bus id as Linux writes it: NVML's has a domain of eight digits, in capitals."""
    domain, colon, rest = pci.lower().partition(":")
    return f"{domain[-4:]}:{rest}" if colon else ""


def cuda_version(number_: int | None) -> str:
    """13000 is CUDA 13.0."""
    return f"CUDA {number_ // 1000}.{number_ % 1000 // 10}" if number_ else ""
