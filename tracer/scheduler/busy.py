"""When devices were at work, and how many of them at once."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Busy:
    """One piece of work of a stream: from when it ran to when it was done, perf_counter_ns."""

    device: str
    stream: str
    label: str
    start_ns: int
    end_ns: int


def overlap(busy: Iterable[Busy]) -> float:
    """Average number of devices at work at once, over the time that any is; 0: none ever was.

    A device whose streams work at the same time counts once.
    """
    changes = sorted(
        change
        for each in busy
        for change in ((each.start_ns, 1, each.device), (each.end_ns, -1, each.device))
    )
    running: dict[str, int] = {}
    device_ns = any_ns = last_ns = 0
    for now_ns, step, device in changes:
        at_once = sum(count > 0 for count in running.values())
        device_ns += at_once * (now_ns - last_ns)
        any_ns += (at_once > 0) * (now_ns - last_ns)
        running[device] = running.get(device, 0) + step
        last_ns = now_ns
    return device_ns / any_ns if any_ns else 0.0
