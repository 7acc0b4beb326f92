"""Stands in for amdsmi: what a machine has or lacks is the word in FAKE_AMDSMI.

Its import without a library is that of the package (7.0.2): it prints, then raises KeyError. The
rest has the package's names and the keys of its answers. That a driver fills them in, no test with
it proves.
"""

import os
from enum import IntEnum
from typing import Any

KIND = os.environ.get("FAKE_AMDSMI", "two")

if KIND == "missing":
    raise ModuleNotFoundError("No module named 'amdsmi'")
if KIND == "no library":
    print("Unable to find libamd_smi.so library try installing amd-smi-lib")
    raise KeyError("libamd_smi.so")


class AmdSmiClkType(IntEnum):
    GFX = 1
    MEM = 5


class AmdSmiLinkType(IntEnum):
    AMDSMI_LINK_TYPE_PCIE = 1
    AMDSMI_LINK_TYPE_XGMI = 2


def amdsmi_init() -> None:
    if KIND == "no driver":
        raise OSError("AMDSMI_STATUS_NOT_INIT")


def amdsmi_get_processor_handles() -> list[str]:
    return ["first", "second"]


def amdsmi_get_gpu_driver_info(handle: str) -> dict[str, str]:
    return {"driver_name": "amdgpu", "driver_version": "6.16.1", "driver_date": "N/A"}


def amdsmi_get_rocm_version() -> tuple[bool, str]:
    return True, "7.0.2"


def amdsmi_get_gpu_asic_info(handle: str) -> dict[str, str]:
    return {"market_name": "FAKE Instinct", "target_graphics_version": "gfx942"}


def amdsmi_get_gpu_enumeration_info(handle: str) -> dict[str, Any]:
    return {"hip_id": 1 if handle == "first" else "N/A"}


def amdsmi_get_gpu_device_uuid(handle: str) -> str:
    return f"uuid-{handle}"


def amdsmi_get_gpu_device_bdf(handle: str) -> str:
    return "0000:C1:00.0" if handle == "first" else "0000:C2:00.0"


def amdsmi_get_pcie_info(handle: str) -> dict[str, dict[str, Any]]:
    return {"pcie_static": {"max_pcie_width": 16, "pcie_interface_version": "N/A"}}


def amdsmi_get_gpu_vram_info(handle: str) -> dict[str, Any]:
    return {"vram_size": 196_592}


def amdsmi_topo_get_link_type(one: str, other: str) -> dict[str, int]:
    return {"hops": 1, "type": 2}


def amdsmi_get_clock_info(handle: str, clock: AmdSmiClkType) -> dict[str, Any]:
    return {"clk": 2100 if clock is AmdSmiClkType.GFX else "N/A"}


def amdsmi_get_power_info(handle: str) -> dict[str, Any]:
    return {"current_socket_power": "N/A", "average_socket_power": 140}


def amdsmi_get_gpu_activity(handle: str) -> dict[str, Any]:
    return {"gfx_activity": 88, "umc_activity": "N/A"}


def amdsmi_get_gpu_vram_usage(handle: str) -> dict[str, int]:
    return {"vram_total": 196_592, "vram_used": 300}
