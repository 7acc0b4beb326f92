"""What synctrace knows of a real GPU machine: facts, counters and their cost, doctor. Prints all.

    PYTHONPATH=.typecheck:WHEEL python3 -P tests/gpu/facts.py

Needs no network, and an installed synctrace for doctor and `record --sample` only. WHEEL is
nvidia-ml-py, fetched elsewhere with `pip download --no-deps nvidia-ml-py`: a wheel of one Python
file, imported as it is. Without it, the facts are those of libcuda alone, and there are no
counters. What cupy or torch say, where one is here, is compared; they also give the GPU something
to do while it is sampled.
"""

import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from synctrace.tracer.machine import devices

ROOT = Path(__file__).parents[2]
SECONDS, INTERVAL = 4.0, 0.1
SYNCTRACE = [sys.executable, "-c", "from synctrace.analyzer.cli import main; main()"]


def heading(text: str) -> None:
    print(f"\n== {text}", flush=True)


def ask() -> dict[str, Any]:
    """Facts by a new child, and how long the start and the answer took, three times."""
    for _ in range(3):
        started = time.monotonic()
        probe = devices.Probe()
        running = time.monotonic()
        told = probe.facts()
        done = time.monotonic()
        probe.close()
        print(f"start {1e3 * (running - started):.1f} ms, answer {1e3 * (done - started):.0f} ms")
    print(json.dumps(told, indent=1))
    return told


def hidden() -> None:
    """The same with the first GPU hidden from the program, and with all."""
    for value in ("1", ""):
        os.environ["CUDA_VISIBLE_DEVICES"] = value
        probe = devices.Probe()
        told = probe.facts()
        probe.close()
        numbers = [one["ordinal"] for one in told["devices"]]
        print(f"CUDA_VISIBLE_DEVICES={value!r}: {numbers}, {told['unread']}")
    del os.environ["CUDA_VISIBLE_DEVICES"]


def compare(told: dict[str, Any]) -> None:
    """Attributes by the CUDA runtime, which names them itself."""
    try:
        import cupy

        for one in told["devices"]:
            attributes = cupy.cuda.Device(one["ordinal"]).attributes
            properties = cupy.cuda.runtime.getDeviceProperties(one["ordinal"])
            print("cupy ", one["ordinal"], properties["name"], properties["totalGlobalMem"])
            for name, key in (
                ("Integrated", "integrated"),
                ("PageableMemoryAccess", "pageable_access"),
            ):
                same = bool(attributes[name]) == one[key]
                print(f"  {name} {attributes[name]}: {'as told' if same else 'TOLD OTHERWISE'}")
    except Exception as error:
        print(f"cupy: {type(error).__name__}: {error}")
    try:
        import torch

        for one in told["devices"]:
            seen = torch.cuda.get_device_properties(one["ordinal"])
            print("torch", one["ordinal"], seen.name, seen.total_memory, seen.is_integrated)
    except Exception as error:
        print(f"torch: {type(error).__name__}: {error}")


def load() -> Callable[[], object]:
    """Something for the first GPU to do."""
    with contextlib.suppress(Exception):
        import torch

        one = torch.ones((4096, 4096), device="cuda")

        def multiply() -> None:
            for _ in range(20):
                torch.matmul(one, one)
            torch.cuda.synchronize()

        multiply()
        return multiply
    with contextlib.suppress(Exception):
        import cupy

        large = cupy.ones((1 << 28,), dtype=cupy.float32)

        def add() -> None:
            for _ in range(20):
                cupy.add(large, large, out=large)
            cupy.cuda.Device().synchronize()

        add()
        return add
    return lambda: time.sleep(0.01)


def sample(interval: float) -> None:
    """Counters while the GPU idles for a while and then works; what the child took for it."""
    work = load()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    probe = devices.Probe(interval)
    read: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    started = time.monotonic()
    while time.monotonic() - started < SECONDS:
        if time.monotonic() - started > SECONDS / 2:
            work()
        else:
            time.sleep(0.01)
        for at, _, subject, counter, value in probe.readings():
            read[subject, counter].append((at, value))
    unread = probe.facts()["unread"]
    probe.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"child: {took:.3f} s of CPU in {SECONDS:g} s, unread {unread}")
    for (subject, counter), values in sorted(read.items()):
        gaps = [b[0] - a[0] for a, b in pairwise(values)]
        every = statistics.median(gaps) / 1e6 if gaps else 0
        numbers = [value for _, value in values]
        low, high = min(numbers), max(numbers)
        print(f"  {subject} {counter:18} {len(values):4} every {every:6.1f} ms, {low:g} … {high:g}")


def recorded() -> None:
    """`record --sample` of the stand-in ggml's program, where synctrace is installed."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        print("no C compiler")
        return
    sources, native = ROOT / "tests/ggml", ROOT / "tracer/native"
    with tempfile.TemporaryDirectory() as made:
        base, program, trace = (Path(made) / n for n in ("libggml-base.so", "scenario", "trace"))
        cc = [compiler, "-O1", "-g", f"-I{native}", "-DLAYOUT_2D"]
        fake, scenario = sorted(sources.glob("fake_*.c")), sorted(sources.glob("scenario*.c"))
        subprocess.run([*cc, "-fPIC", "-shared", *fake, "-ldl", "-o", base], check=True)
        link = [base, "-Wl,-rpath,$ORIGIN", "-lpthread", "-ldl", "-o", program]
        subprocess.run([*cc, *scenario, *link], check=True)
        started = ["timeout", "3", program, "forever", "1000"]
        options = ["--sample", "0.05", "-o", trace]
        subprocess.run([*SYNCTRACE, "record", *options, "--", *started], check=False)
        sql = "SELECT source, subject, counter, count(*) AS n, min(value), max(value), "
        sql += "(max(read_ns) - min(read_ns)) / 1e9 AS seconds FROM sample GROUP BY ALL"
        subprocess.run([*SYNCTRACE, "query", trace, sql], check=False)


def own() -> None:
    """What the facts cost a program that records itself, the first time and the second."""
    try:
        import synctrace

        with tempfile.TemporaryDirectory() as folder:
            for n in range(3):
                started = time.monotonic()
                recording = synctrace.record(Path(folder) / f"{n}")
                with recording:
                    begun = time.monotonic()
                    synctrace.mark("here")
                    ending = time.monotonic()
                done = time.monotonic()
                print(f"begin {1e3 * (begun - started):.0f} ms, end {1e3 * (done - ending):.0f} ms")
            print(len(synctrace.open(Path(folder) / "0").meta["devices"]), "devices in meta.json")
    except Exception as error:
        print(f"not installed? {type(error).__name__}: {error}")


def main() -> None:
    print(sys.version, "\nnodes:", devices.vendors())
    heading("facts")
    told = ask()
    heading("hidden devices")
    hidden()
    heading("the runtime's own word")
    compare(told)
    for interval in (INTERVAL, 0.01):
        heading(f"counters every {interval:g} s")
        sample(interval)
    heading("doctor")
    sys.stdout.flush()
    subprocess.run([*SYNCTRACE, "doctor"], check=False)
    heading("a program that records itself")
    own()
    heading("record --sample")
    sys.stdout.flush()
    recorded()


if __name__ == "__main__":
    main()
