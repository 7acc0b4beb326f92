"""GPUs of a machine, in words that hold for every vendor: what meta.json says of them."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Part:
    """A slice of a GPU that programs see as a device of its own (MIG)."""

    uuid: str
    name: str
    memory_bytes: int | None


@dataclass(frozen=True)
class Device:
    """One GPU. None: not known. PCIe: the most that card and slot can do, whatever is used now."""

    vendor: str  # nvidia, amd
    index: int  # number by which the vendor's management library knows it
    ordinal: int | None  # number by which the program knows it; None: hidden from the program
    numbered_by: str  # who told `ordinal`: cuda, nvml or amdsmi (these do not know what is hidden)
    name: str
    uuid: str = ""
    pci: str = ""  # domain:bus:device.function
    architecture: str = ""  # 9.0, gfx942
    memory_bytes: int | None = None
    pcie_generation: int | None = None
    pcie_width: int | None = None
    integrated: bool | None = None  # shares the host's memory
    pageable_access: bool | None = None  # reads and writes pageable host memory by itself
    mig: bool | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Link:
    """How two devices, named by their places in `Facts.devices`, are connected."""

    first: int
    second: int
    kind: str  # nvlink, xgmi, pcie
    path: str = ""  # what lies between them: nvswitch, one PCIe switch, host bridge, …
    count: int | None = None  # number of lanes of this kind that are up


@dataclass(frozen=True)
class Driver:
    """One vendor's driver, and the newest version of its runtime that it serves."""

    vendor: str
    version: str
    runtime: str  # CUDA 13.0, ROCm 7.0.2; empty: not known


@dataclass(frozen=True)
class Facts:
    """What is known of the GPUs, and in `unread`, in words, what could not be read and why."""

    devices: tuple[Device, ...] = ()
    links: tuple[Link, ...] = ()
    drivers: tuple[Driver, ...] = ()
    unread: tuple[str, ...] = ()

    def meta(self) -> dict[str, Any]:
        """The same as keys of meta.json, a list each."""
        return {key: list(value) for key, value in asdict(self).items()}

    def __add__(self, other: "Facts") -> "Facts":
        """Both vendors' GPUs. The places that links name are those of the sum."""
        moved = len(self.devices)
        links = tuple(
            Link(one.first + moved, one.second + moved, one.kind, one.path, one.count)
            for one in other.links
        )
        return Facts(
            self.devices + other.devices,
            self.links + links,
            self.drivers + other.drivers,
            self.unread + other.unread,
        )


@dataclass(frozen=True)
class Counter:
    """Something of a device that can be read again and again. `read` raises what it likes."""

    vendor: str
    index: int
    name: str  # unit in the name
    read: Callable[[], float] = field(compare=False)


class Vendor(Protocol):
    """A vendor's management library, ready to be asked."""

    def facts(self) -> Facts:
        """GPUs, links, driver. A fact that cannot be read is None or empty, not an error."""

    def counters(self) -> list[Counter]:
        """What can be sampled, whether or not each card has it."""


def tried(read: Callable[[], Any]) -> Any:
    """What `read` returns; None for a card, driver or package that does not know it."""
    try:
        return read()
    except Exception:  # these libraries raise KeyError, OSError, TypeError and their own
        return None


def text(value: object) -> str:
    """A name as the library gave it: some versions give bytes, some have no value."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, str) and value != "N/A" else ""


def number(value: object) -> int | None:
    """A number as the library gave it, which may be words that there is none."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
