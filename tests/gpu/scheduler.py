"""Every policy of the scheduler on real GPUs: its verdict, what it costs, traces to keep.

    python tests/gpu/scheduler.py OUT [DEVICES]

DEVICES (4) are spread over the GPUs that are here, and share them if there are fewer. Writes
OUT/scheduler.json and OUT/scheduler-POLICY.tar.gz (16 tokens, also recorded). Every step stands
alone: one that fails prints its traceback, and the rest go on.

For 10 inputs a token, of each policy: what `check` says under its docstring's promise and under
every profile; outputs that were wrong; tokens/s, host time in waits and CPU time a token, plain and
recorded in turn, with kernels that take no time (all is host time then) and with kernels of about
a third of a millisecond (then devices can overlap, or not).
"""

import json
import re
import statistics
import sys
import tarfile
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cupy
from keep import keep

import synctrace
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scheduler.busy import overlap
from synctrace.tracer.scheduler.cpu_pace import Speed
from synctrace.tracer.scheduler.cupy_device import CupyDevice, cupy_devices
from synctrace.tracer.scheduler.history import POLICIES
from synctrace.tracer.scheduler.host import HostDevice
from synctrace.tracer.scheduler.model import Model, build
from synctrace.tracer.scheduler.policy import OneSlot
from synctrace.tracer.scheduler.scheduler import Scheduler
from synctrace.tracer.scheduler.token_loop import Stats, run, tokens

INPUTS, LAYERS, TOKENS, KEPT, PAIRS = 10, 6, 96, 16, 5
CYCLES = {"host-bound": 0, "device-bound": 700_000}
PROFILES = ("cuda-13", "cuda-doc", "catalogue", "hip-7")
SCRATCH = Path("/tmp/scheduler-price.synctrace")


@contextmanager
def gpus(count: int, cycles: int, timed: bool = False) -> Iterator[list[CupyDevice]]:
    """Devices that are given back whatever happens."""
    devices = cupy_devices(count, cycles, timed)
    try:
        yield devices
    finally:
        for device in devices:
            device.close()


def host() -> HostDevice:
    """The host, which computes at once."""
    return HostDevice(Speed(kernel_s=0, latency_s=0))


@contextmanager
def scheduler(
    policy: type[OneSlot], model: Model, devices: list[CupyDevice], rows: int
) -> Iterator[Scheduler]:
    """A scheduler whose memory is given back."""
    sched = Scheduler([*devices, host()], model.graph, model.placement, policy(), rows=rows)
    try:
        yield sched
    finally:
        sched.close()


def promised(policy: type[OneSlot], line: str) -> list[str]:
    """Rules in a line of the policy's docstring."""
    told = re.search(rf"^ +{line}: (.+)$", policy.__doc__ or "", re.M)
    return [] if told is None or told[1] == "silent" else sorted(told[1].split())


def verdict(path: Path, profiles: tuple[str, ...]) -> dict[str, list[str]]:
    """Rules that have a warning or an error, races and the rest apart."""
    checked = synctrace.check(path, profiles)
    told: dict[str, set[str]] = {"Verdict": set(), "Syncs": set(), "other": set()}
    for finding in checked.findings:
        if finding.severity != "note":
            line = {"race": "Verdict", "life": "Verdict", "sync": "Syncs"}.get(finding.family)
            told[line or "other"].add(finding.rule)
    return {line: sorted(rules) for line, rules in told.items()}


def kept(policy: type[OneSlot], model: Model, count: int, out: Path) -> dict[str, object]:
    """A small trace from the first allocation to the last free, and what is said of it."""
    path = Path(f"/tmp/scheduler-{policy.__name__}.synctrace")
    with gpus(count, 50_000) as devices, synctrace.record(path, overwrite=True):
        tokens(policy(), [*devices, host()], KEPT, model)
    name = f"h200-scheduler-{policy.__name__}.synctrace"
    packed = out / f"scheduler-{policy.__name__}.tar.gz"
    with tempfile.TemporaryDirectory() as folder, tarfile.open(packed, "w:gz") as tar:
        keep(path, Path(folder) / name)
        tar.add(Path(folder) / name, name)
    trace = open_trace(path)
    told: dict[str, object] = {
        "ops": trace.table("op").num_rows,
        "complete": trace.complete,
        "lost": list(trace.lost),
        "coverage": trace.meta.get("coverage"),
        "promised": {line: promised(policy, line) for line in ("Verdict", "Syncs")},
    }
    for profiles in ((), *((name,) for name in PROFILES)):
        try:
            told[f"check {profiles[0] if profiles else 'as recorded'}"] = verdict(path, profiles)
        except Exception:
            traceback.print_exc(file=sys.stdout)
    return told


def figures(stats: list[Stats]) -> dict[str, float]:
    """Medians of the runs."""
    return {
        "tokens/s": statistics.median(s.tokens_per_second for s in stats),
        "host waits a token": statistics.median(s.syncs_per_token for s in stats),
        "us in waits a token": statistics.median(s.sync_us_per_token for s in stats),
        "CPU us a token": statistics.median(s.cpu_us_per_token for s in stats),
    }


def cost(policy: type[OneSlot], model: Model, count: int, cycles: int) -> dict[str, object]:
    """Plain and recorded runs in turn with one scheduler, and tokens that came out wrong."""
    expected = [model.expected(token) for token in range(TOKENS)]
    plain: list[Stats] = []
    recorded: list[Stats] = []
    wrong = {"plain": 0, "recorded": 0}
    lost: set[str] = set()
    ops = 0
    with gpus(count, cycles) as devices, scheduler(policy, model, devices, TOKENS) as sched:
        run(sched, model, range(TOKENS))  # warm: modules are loaded by first launches
        for _ in range(PAIRS):
            outputs, stats = run(sched, model, range(TOKENS))
            plain.append(stats)
            wrong["plain"] += sum(a != b for a, b in zip(outputs, expected, strict=True))
            with synctrace.record(SCRATCH, overwrite=True):
                outputs, stats = run(sched, model, range(TOKENS))
            recorded.append(stats)
            wrong["recorded"] += sum(a != b for a, b in zip(outputs, expected, strict=True))
            trace = open_trace(SCRATCH)
            lost |= set(trace.lost)
            ops = trace.table("op").num_rows
    added = statistics.median(
        b.cpu_us_per_token - a.cpu_us_per_token for a, b in zip(plain, recorded, strict=True)
    )
    shares = sorted(b.seconds / a.seconds - 1 for a, b in zip(plain, recorded, strict=True))
    return {
        "tokens": TOKENS * PAIRS,
        "wrong tokens": wrong,
        "plain": figures(plain),
        "recorded": figures(recorded),
        "ops a token": ops / TOKENS,
        "added CPU ns an op": added * 1000 / (ops / TOKENS) if ops else None,
        "added share of the time": [shares[0], statistics.median(shares), shares[-1]],
        "lost": sorted(lost),
    }


def timeline(policy: type[OneSlot], model: Model, count: int, out: Path) -> dict[str, object]:
    """When each stream was at work, by timing events: for the plot, and how many at once."""
    with (
        gpus(count, CYCLES["device-bound"], timed=True) as devices,
        scheduler(policy, model, devices, 32) as sched,
    ):
        run(sched, model, range(8))
        for device in devices:
            device.busy()
        run(sched, model, range(32))
        busy = [each for device in devices for each in device.busy()]
    graphs = [each for each in busy if each.label.startswith("split")]
    first = min(each.start_ns for each in busy)
    rows = [
        [
            b.device,
            b.label,
            round((b.start_ns - first) / 1e3, 1),
            round((b.end_ns - first) / 1e3, 1),
        ]
        for b in busy
    ]
    (out / f"timeline-{policy.__name__}.json").write_text(json.dumps(rows) + "\n")
    return {"devices at work at once": overlap(graphs), "pieces of work": len(busy)}


def machine(count: int) -> dict[str, object]:
    runtime = cupy.cuda.runtime
    return {
        "gpus": [
            runtime.getDeviceProperties(gpu)["name"].decode()
            for gpu in range(runtime.getDeviceCount())
        ],
        "devices": count,
        "runtime": runtime.runtimeGetVersion(),
        "driver": runtime.driverGetVersion(),
        "cupy": cupy.__version__,
        "python": sys.version.split()[0],
        "inputs a token": INPUTS,
        "cycles a kernel": CYCLES,
    }


def main() -> None:
    out, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4
    out.mkdir(parents=True, exist_ok=True)
    model = build(count, layers=LAYERS * count, inputs=INPUTS)
    result: dict[str, object] = {"machine": machine(count)}
    failed = []
    for policy in POLICIES:
        told: dict[str, object] = {}
        steps = {
            "trace": lambda p=policy: kept(p, model, count, out),
            "host-bound": lambda p=policy: cost(p, model, count, CYCLES["host-bound"]),
            "device-bound": lambda p=policy: cost(p, model, count, CYCLES["device-bound"]),
            "timeline": lambda p=policy: timeline(p, model, count, out),
        }
        for name, step in steps.items():
            print(f"== {policy.__name__}: {name}", flush=True)
            try:
                told[name] = step()
                print(json.dumps(told[name], indent=1)[:3000], flush=True)
            except Exception:
                failed.append(f"{policy.__name__}: {name}")
                traceback.print_exc(file=sys.stdout)
                with suppress(Exception):  # what is left of it must not run into the next step
                    cupy.cuda.runtime.deviceSynchronize()
        result[policy.__name__] = told
        (out / "scheduler.json").write_text(json.dumps(result, indent=1) + "\n")
    print("failed:", "; ".join(failed) or "nothing")


if __name__ == "__main__":
    main()
