"""`make bench`: what the order engine and `check` cost, on this machine, each beside its floor.

Every timed run is a process of its own; figures are medians of RUNS. Traces of 1e7 ops are made
once and kept in .cache/bench. Nothing is asserted: docs/performance.md keeps the figures.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from shapes import Shape, write

OPS, RUNS = 10_000_000, 3
ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache/bench"
SHAPES = (Shape("eager", graph=False), Shape("graph", graph=True))
COLUMNS = (
    *("id", "ticket_c", "ticket_r", "kind", "level", "flags", "thread", "actor", "peer"),
    *("event", "graph", "accesses", "access_set", "site", "device"),
)
PROFILE = "cuda-13"
IMPORTS = "import click, pyarrow, duckdb; duckdb.connect().execute('SELECT 1').fetchall()"


def anonymous_mb() -> float:
    """Anonymous memory of this process now, MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1000
    return 0.0


class Peak:
    """The most anonymous memory seen while it runs, MB."""

    def __init__(self) -> None:
        self.mb = 0.0
        self._on = True
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._on = False
        self._thread.join()

    def _watch(self) -> None:
        while self._on:
            self.mb = max(self.mb, anonymous_mb())
            time.sleep(0.01)


def one(what: str, path: Path) -> dict[str, float]:
    """One timed run in this process: `order`, or `decode` of the columns that it reads."""
    from synctrace.analyzer import order
    from synctrace.tracer.reader import open_trace

    with Peak() as peak:
        start = time.perf_counter()
        trace = open_trace(path)
        if what == "order":
            ops = order.run(trace, ["catalogue"]).ops
        else:
            ops = sum(batch.num_rows for batch in trace.batches("op", COLUMNS))
        seconds = time.perf_counter() - start
    return {"ops": ops, "seconds": seconds, "mb": peak.mb}


def one_pass(name: str, path: Path) -> dict[str, float]:
    """A pass of profile PROFILE by name, or all of them, in this process."""
    from synctrace.analyzer import passes, stream
    from synctrace.analyzer.profile import load
    from synctrace.tracer.reader import open_trace

    start = time.perf_counter()
    trace, model = open_trace(path), load(PROFILE)
    world = stream.read_world(trace, [model])
    plan = passes.plan(model, world.seen, "observed")
    if name != "names":
        wanted = [each for each in plan if name in (each.name, "all")]
        with stream.judged(world, model, wanted):
            pass
    return {"seconds": time.perf_counter() - start} | {each.name: 1 for each in plan}


def measured(what: str, path: Path) -> dict[str, Any]:
    """Median of RUNS fresh processes."""
    runs = []
    for _ in range(RUNS):
        command = [sys.executable, __file__, what, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    runs.sort(key=lambda run: run["seconds"])
    return runs[RUNS // 2]


def seconds_of(command: list[str]) -> float:
    """Median wall time of a command, s, once its bytecode is there."""
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True, env=environment)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def bench_order() -> None:
    print(f"\norder from file, {OPS:.0e} ops, catalogue profile, end to end")
    print("shape    Mop/s   s      decode s  x decode  anonymous MB")
    for shape in SHAPES:
        path = CACHE / f"{shape.name}.synctrace"
        if not (path / "meta.json").exists():
            print(f"(writing {path.relative_to(ROOT)} …)", file=sys.stderr)
            write(shape, OPS, path)
        run, floor = measured("order", path), measured("decode", path)
        speed = run["ops"] / run["seconds"] / 1e6
        ratio = run["seconds"] / floor["seconds"]
        print(
            f"{shape.name:7} {speed:6.1f} {run['seconds']:6.2f} {floor['seconds']:8.2f}"
            f" {ratio:8.1f} {run['mb']:11.0f}"
        )


def bench_passes() -> None:
    """Each pass that a profile of many habits asks for, alone, and the default set together."""
    print(f"\npasses of {PROFILE}, from file, s")
    for shape in SHAPES:
        path = CACHE / f"{shape.name}.synctrace"
        names = [name for name in one_pass("names", path) if name != "seconds"]
        took = {name: measured(f"pass:{name}", path)["seconds"] for name in [*names, "all"]}
        each = ", ".join(f"{name} {took[name]:.2f}" for name in names)
        times = took["all"] / took[names[0]]
        print(f"{shape.name:7} {each}; together {took['all']:.2f}: x {times:.1f}")


def bench_check() -> None:
    case = CACHE / "case.synctrace"
    synctrace = [sys.executable, "-m", "synctrace"]
    cases = str(ROOT / "tests/data/cases.jsonl")
    name = ["--case", "disjoint-slices"]
    subprocess.run([*synctrace, "import", "-f", cases, *name, "-o", str(case)], check=True,
                   capture_output=True)  # fmt: skip
    check = seconds_of([*synctrace, "check", str(case)])
    imports = seconds_of([sys.executable, "-c", IMPORTS])
    print("\ncheck of a small trace, whole process")
    print(f"check {check:.2f} s, imports and connect {imports:.2f} s: x {check / imports:.2f}")


def bench_peer() -> None:
    """PyTorch's sanitizer on the first 1e5 ops; torch is no dependency and may be missing."""
    print("\nPyTorch's CUDA sanitizer, event handler alone, first 1e5 device ops")
    for shape in SHAPES:
        peer = [sys.executable, str(Path(__file__).with_name("peer.py"))]
        done = subprocess.run([*peer, str(CACHE / f"{shape.name}.synctrace"), "100000"],
                              capture_output=True, text=True, check=False)  # fmt: skip
        if "No module named 'torch'" in done.stderr:
            print("torch is not installed here: .venv/bin/pip install torch, then again")
            return
        run = json.loads(done.stdout)
        print(f"{shape.name:7} {run['ops'] / run['seconds'] / 1e6:.3f} Mop/s")


def main() -> None:
    if len(sys.argv) == 3:
        what, _, name = sys.argv[1].partition(":")
        path = Path(sys.argv[2])
        print(json.dumps(one_pass(name, path) if name else one(what, path)))
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    bench_order()
    bench_passes()
    bench_check()
    bench_peer()


if __name__ == "__main__":
    main()
