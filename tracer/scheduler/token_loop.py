"""Decode tokens under a policy and say what it cost the host."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from synctrace.tracer.scheduler.device import Device
from synctrace.tracer.scheduler.model import Model, build
from synctrace.tracer.scheduler.scheduler import Policy, Scheduler


@dataclass(frozen=True)
class Stats:
    """Of the tokens of one call, from the first input set to the last output read."""

    tokens: int
    seconds: float
    syncs: int  # host waits, those of blocking copies too
    sync_seconds: float  # host time within them
    cpu_seconds: float  # CPU time of the thread that issues everything

    @property
    def tokens_per_second(self) -> float:
        return self.tokens / self.seconds

    @property
    def syncs_per_token(self) -> float:
        return self.syncs / self.tokens

    @property
    def sync_us_per_token(self) -> float:
        return self.sync_seconds * 1e6 / self.tokens

    @property
    def cpu_us_per_token(self) -> float:
        return self.cpu_seconds * 1e6 / self.tokens


def tokens(
    policy: Policy, devices: Sequence[Device], n: int, model: Model | None = None
) -> tuple[list[dict[str, bytes]], Stats]:
    """Outputs of tokens 0 to n-1 of a model by name, and what they cost.

    `devices`: those that compute, then the host. `model`: a layer a device if left out.
    """
    model = model or build(len(devices) - 1)
    sched = Scheduler(devices, model.graph, model.placement, policy, rows=n)
    try:
        return run(sched, model, range(n))
    finally:
        sched.close()


def run(
    sched: Scheduler, model: Model, numbers: Sequence[int]
) -> tuple[list[dict[str, bytes]], Stats]:
    """The same for the tokens of these numbers, with a scheduler that is there and stays."""
    values = [model.values(number) for number in numbers]
    syncs, sync_ns = sched.syncs, sched.sync_ns
    since, cpu = time.perf_counter_ns(), time.thread_time_ns()
    for each in values:
        sched.decode(each)
    outputs = sched.outputs()
    return outputs, Stats(
        tokens=len(numbers),
        seconds=(time.perf_counter_ns() - since) / 1e9,
        syncs=sched.syncs - syncs,
        sync_seconds=(sched.sync_ns - sync_ns) / 1e9,
        cpu_seconds=(time.thread_time_ns() - cpu) / 1e9,
    )
