"""The machine: system, Python and its packages, GPUs and their drivers."""

import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from synctrace.analyzer.checkup import Check
from synctrace.tracer.machine.devices import vendors

REQUIRED = ("synctrace", "click", "duckdb", "pyarrow")
MACHINES = ("x86_64", "aarch64")
TRACKS_WRITES = (6, 7)  # kernel with PAGEMAP_SCAN and asynchronous write protection
PCI = Path("/sys/bus/pci/devices")
PCI_VENDORS = {"0x10de": "nvidia", "0x1002": "amd"}
DISPLAY = "0x03"  # class of PCI devices: display controllers, GPUs among them
DRIVERS = {
    "nvidia": "install NVIDIA's driver; in a container, start it with --gpus all",
    "amd": "install ROCm's driver; in a container, start it with --device /dev/kfd and /dev/dri",
}
ASK_AGAIN = {
    "nvidia": "see what nvidia-smi says, and try again",
    "amd": "install amd-smi-lib of ROCm, see what amd-smi says, and try again",
}


def checks() -> Iterator[Check]:
    """System and Python."""
    machine = platform.uname()
    libc = " ".join(platform.libc_ver()) or "a C library that is not glibc"
    told = f"{machine.system} {machine.release}, {machine.machine}, {libc}, {os.cpu_count()} cores"
    if machine.system == "Linux" and machine.machine in MACHINES:
        yield Check("machine", "system", "ok", told)
    else:
        what = "programs are recorded on Linux on x86-64 and aarch64; traces are judged here too"
        yield Check("machine", "system", "gap", told, what)
    yield Check("machine", "Python", "ok", f"{platform.python_version()}, {sys.executable}")
    yield _packages()
    yield _write_tracking(machine.release)


def _packages() -> Check:
    told, missing = [], []
    for package in REQUIRED:
        try:
            told.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        remedy = f"pip install {' '.join(missing)}"
        return Check("machine", "packages", "gap", f"{', '.join(missing)} not installed", remedy)
    return Check("machine", "packages", "ok", ", ".join(told))


def _write_tracking(release: str) -> Check:
    """For host stores into large buffers, which are no calls."""
    numbers = re.match(r"(\d+)\.(\d+)", release)
    if numbers is not None and tuple(map(int, numbers.groups())) >= TRACKS_WRITES:
        return Check("machine", "writes", "ok", "the kernel can track writes: record --watch track")
    told = "Linux 6.7 is needed to track writes: record --watch track compares bytes as digest does"
    return Check("machine", "writes", "later", told)


def gpus(facts: dict[str, Any]) -> Iterator[Check]:
    """GPUs, how they are connected, their drivers, and what could not be known of them."""
    for device in facts["devices"]:
        yield Check("machine", _numbered(device), "ok", _told(device))
    for link in facts["links"]:
        yield Check("machine", "link", "ok", _linked(link, facts["devices"]))
    for driver in facts["drivers"]:
        runtime = f", serves up to {driver['runtime']}" if driver["runtime"] else ""
        told = f"{driver['vendor']} {driver['version'] or 'of unknown version'}{runtime}"
        yield Check("machine", "driver", "ok", told)
    for sentence in facts["unread"]:
        told, found, package = sentence.partition(": pip install ")
        remedy = f"pip install {package}" if found else ASK_AGAIN.get(sentence.split(":")[0], "")
        yield Check("machine", "GPUs", "gap", told, remedy)
    known = {device["vendor"] for device in facts["devices"]}
    loaded = set(vendors())
    undriven = sorted(on_the_bus() - known - loaded)
    for vendor in undriven:
        what = f"one of {vendor} is on the PCI bus, but no driver of it is loaded"
        yield Check("machine", "GPUs", "gap", what, DRIVERS[vendor])
    if not (known or loaded or undriven):
        yield Check("machine", "GPUs", "ok", "none of NVIDIA or AMD")


def on_the_bus() -> set[str]:
    """Vendors whose GPUs the kernel sees, with or without a driver."""
    found = set()
    for device in PCI.glob("*"):
        try:
            vendor = (device / "vendor").read_text().strip()
            kind = (device / "class").read_text().strip()
        except OSError:
            continue
        if vendor in PCI_VENDORS and kind.startswith(DISPLAY):
            found.add(PCI_VENDORS[vendor])
    return found


def _numbered(device: dict[str, Any]) -> str:
    return "GPU hidden" if device["ordinal"] is None else f"GPU {device['ordinal']}"


def _told(device: dict[str, Any]) -> str:
    generation, width = device["pcie_generation"], device["pcie_width"]
    memory, unified = device["memory_bytes"], device["pageable_access"]
    parts = [
        device["name"] or device["vendor"],
        f"{memory / (1 << 30):.0f} GiB" if memory else "",
        device["architecture"],
        device["pci"],
        f"PCIe {generation} x{width}" if generation and width else "",
        "shares the host's memory" if device["integrated"] else "",
        "reads pageable memory by itself" if unified else "",
        f"MIG in {len(device['parts'])} parts" if device["mig"] else "",
        "not visible to programs started here" if device["ordinal"] is None else "",
    ]
    return ", ".join(part for part in parts if part)


def _linked(link: dict[str, Any], devices: list[dict[str, Any]]) -> str:
    ends = " and ".join(_numbered(devices[link[end]]) for end in ("first", "second"))
    lanes = f", {link['count']} lanes" if link["count"] else ""
    return f"{ends}: {link['kind']}{lanes}" + (f", {link['path']}" if link["path"] else "")
