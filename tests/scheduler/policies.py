"""Simulated devices on which a policy is run, and what its docstring says of it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from synctrace.analyzer.finding import Checked
from synctrace.tracer.scheduler.busy import Busy
from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_pace import Speed
from synctrace.tracer.scheduler.device import Device
from synctrace.tracer.scheduler.history import FIXES
from synctrace.tracer.scheduler.host import HostDevice
from synctrace.tracer.scheduler.policy import RIGHT, OneSlot

PolicyClass = type[OneSlot]
WRONG = tuple(FIXES)
ALL_RIGHT = tuple(dict.fromkeys((*RIGHT, *FIXES.values())))


@contextmanager
def simulated(
    kernel_s: Sequence[float], seed: int = 0, busy: list[Busy] | None = None
) -> Iterator[list[Device]]:
    """A device for each average kernel time, and a host that computes at once."""
    devices: list[Device] = [
        CpuDevice(ordinal, Speed(kernel_s=each, latency_s=20e-6, seed=seed), busy=busy)
        for ordinal, each in enumerate(kernel_s)
    ]
    devices.append(HostDevice(Speed(kernel_s=0, latency_s=0, seed=seed)))
    try:
        yield devices
    finally:
        for device in devices:
            device.close()


def promised(policy: PolicyClass, line: str) -> set[str]:
    """Rule ids in a line of a policy's docstring; none for `silent`."""
    told = re.findall(rf"^ +{line}: (.+)$", policy.__doc__ or "", re.M)
    assert len(told) == 1, f"{policy.__name__} has no line `{line}:`"
    rules = set(told[0].split())
    assert rules == {"silent"} or all(re.fullmatch(r"[A-Z]+\d\d", rule) for rule in rules), told
    return rules - {"silent"}


def rules(checked: Checked, *families: str) -> set[str]:
    """Rules of these families, or of all others with a `!`, that have a warning or an error."""
    return {
        finding.rule
        for finding in checked.findings
        if finding.severity != "note" and finding.family in families
    }
