"""AMD's GPUs by amdsmi. Asks, and changes no setting.

Its import prints to stdout and raises KeyError where its library is missing, so that it is only
done in the child (tracer/machine/child.py), whose stdout leads nowhere.
"""

from importlib import import_module
from itertools import combinations
from typing import Any

from synctrace.tracer.machine.facts import Counter, Device, Driver, Facts, Link, number, text, tried

MIB = 1 << 20


class Amd:
    """The library, initialised. Raises what the package raises where there is no driver."""

    def __init__(self) -> None:
        self._smi: Any = import_module("amdsmi")
        self._smi.amdsmi_init()
        self._handles: list[Any] = list(self._smi.amdsmi_get_processor_handles())

    def facts(self) -> Facts:
        """GPUs, links and driver."""
        devices = tuple(self._device(*one) for one in enumerate(self._handles))
        drivers = (self._driver(),) if devices else ()
        return Facts(devices, tuple(self._links()), drivers)

    def counters(self) -> list[Counter]:
        """Clocks, power, how busy, memory."""
        return [one for i, handle in enumerate(self._handles) for one in self._counters(i, handle)]

    def _ask(self, function: str, *arguments: object) -> Any:
        """What the function answers; None for a card, driver or package that has no answer."""
        return tried(lambda: getattr(self._smi, function)(*arguments))

    def _driver(self) -> Driver:
        told = self._ask("amdsmi_get_gpu_driver_info", self._handles[0]) or {}
        found, rocm = self._ask("amdsmi_get_rocm_version") or (False, "")
        return Driver("amd", text(told.get("driver_version")), f"ROCm {rocm}" if found else "")

    def _device(self, index: int, handle: Any) -> Device:
        chip = self._ask("amdsmi_get_gpu_asic_info", handle) or {}
        numbers = self._ask("amdsmi_get_gpu_enumeration_info", handle) or {}
        slot = (self._ask("amdsmi_get_pcie_info", handle) or {}).get("pcie_static", {})
        vram = (self._ask("amdsmi_get_gpu_vram_info", handle) or {}).get("vram_size")
        hip, size = number(numbers.get("hip_id")), number(vram)
        return Device(
            vendor="amd",
            index=index,
            ordinal=index if hip is None else hip,
            numbered_by="amdsmi",
            name=text(chip.get("market_name")),
            uuid=text(self._ask("amdsmi_get_gpu_device_uuid", handle)),
            pci=text(self._ask("amdsmi_get_gpu_device_bdf", handle)).lower(),
            architecture=text(chip.get("target_graphics_version")),
            memory_bytes=None if size is None else size * MIB,
            pcie_generation=number(slot.get("pcie_interface_version")),
            pcie_width=number(slot.get("max_pcie_width")),
        )

    def _links(self) -> list[Link]:
        found = []
        for first, second in combinations(range(len(self._handles)), 2):
            pair = self._handles[first], self._handles[second]
            told = self._ask("amdsmi_topo_get_link_type", *pair) or {}
            # The numbers of types differ between versions of the package; their names do not.
            name = getattr(self._ask("AmdSmiLinkType", told.get("type")), "name", "")
            kind = next((k for k in ("xgmi", "pcie") if name.endswith(k.upper())), "")
            if kind:
                hops = number(told.get("hops"))
                path = f"{hops} hop{'s' * (hops != 1)}" if hops is not None else ""
                found.append(Link(first, second, kind, path))
        return found

    def _counters(self, index: int, handle: Any) -> list[Counter]:
        smi = self._smi
        reads = {
            "core_clock_mhz": lambda: _clock(smi, handle, "GFX"),
            "memory_clock_mhz": lambda: _clock(smi, handle, "MEM"),
            "power_watts": lambda: _power(smi.amdsmi_get_power_info(handle)),
            "busy_percent": lambda: float(smi.amdsmi_get_gpu_activity(handle)["gfx_activity"]),
            "memory_used_bytes": lambda: float(
                smi.amdsmi_get_gpu_vram_usage(handle)["vram_used"] * MIB
            ),
        }
        return [Counter("amd", index, name, read) for name, read in reads.items()]


def _clock(smi: Any, handle: Any, name: str) -> float:
    return float(smi.amdsmi_get_clock_info(handle, getattr(smi.AmdSmiClkType, name))["clk"])


def _power(told: dict[str, Any]) -> float:
    """Watts. Which of the three a card fills in depends on its generation."""
    for key in ("current_socket_power", "socket_power", "average_socket_power"):
        watts = number(told.get(key))
        if watts:
            return float(watts)
    raise ValueError("no power is told")
