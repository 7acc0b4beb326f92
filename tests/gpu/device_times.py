"""Device times of CUDA programs on a real GPU: record --device-times, looked at and priced.

    python tests/gpu/device_times.py OUT [NAME ...]

Needs nvcc and CUPTI (a CUDA toolkit). Parts, all of them unless some are named: `cupti` (what the
recorder relies on in CUPTI, tried without it), names of programs as in cuda_counts.py (those that
begin so), `profiler`, `price`, `keep`. What is not asked for is not built. Every part and program
is tried, whatever became of others.

Of a program: outputs equal to those without a recorder or not; what record says; by kind of
operation how many there are and how many have times; times that begin before their call, that end
after a wait for their stream had returned, or that begin before the operation before it on its
stream. Of the profiler: what torch.profiler prints within and without. Of the price: what
recording adds with and without device times (turns.py). Writes OUT/device_times.json and
OUT/h200-times-NAME.tar.gz.
"""

import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import cuda_price
import eager_price
from cuda_counts import HERE, SYNCTRACE, TOOLKIT, Program, build, tool
from keep import keep
from turns import PLAIN, Way, priced, report

from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind, Level
from synctrace.tracer.reader import open_trace

PRICE_S = 40  # for the calls, and for PyTorch
SECONDS = int(os.environ.get("SECONDS", "150"))  # a run of a program
RECORD = [*SYNCTRACE, "record", "-f", "-o"]
KEPT = ("streams-fixed", "updates-fixed", "threads-fixed")
WAITS = {Kind.STREAM_SYNC, Kind.DEVICE_SYNC}
Row = dict[str, object]


def output(command: list[str], **more: str) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, env={**os.environ, **more}
        )
    except subprocess.TimeoutExpired as late:
        said = (late.stderr or b"")[-1500:].decode(errors="replace")
        return 124, "", f"still running after {SECONDS} s: {said}"
    return done.returncode, done.stdout, done.stderr


def started(trace: Path) -> dict[int, tuple[int, int]]:
    """Start and end of the device's work by op.id."""
    found: dict[int, tuple[int, int]] = {}
    for row in open_trace(trace).table("device_work").to_pylist():
        first, last = found.get(row["op"], (row["t_s"], row["t_e"]))
        found[row["op"]] = (min(first, row["t_s"]), max(last, row["t_e"]))
    return found


def timed(trace: Path) -> Row:
    """What the times of a trace are worth."""
    opened, times = open_trace(trace), started(trace)
    names = {row["id"]: row["name"] for row in opened.table("call").to_pylist()}
    kinds: dict[str, list[int]] = {}
    without: Counter[str] = Counter()
    early = out_of_order = after_wait = 0
    last: dict[int, tuple[int, int]] = {}  # of each stream
    ops = sorted(opened.table("op").to_pylist(), key=lambda op: op["ticket_c"])
    for op in ops:
        if op["level"] != Level.API or op["flags"] & (NO_EFFECT | Flag.CAPTURED | Flag.BATCHED):
            continue
        kind = Kind(op["kind"])
        if kind in WAITS:
            waited = [last[op["actor"]]] if op["actor"] in last else []
            waited = list(last.values()) if kind == Kind.DEVICE_SYNC else waited
            after_wait += sum(end > op["t_r"] for _, end in waited)
        gives_work = 40 <= kind <= 50 or kind in (Kind.KERNEL, Kind.GRAPH_LAUNCH, Kind.BATCH)
        if not gives_work:
            continue
        counts = kinds.setdefault(kind.name.lower(), [0, 0])
        counts[0] += 1
        if op["id"] not in times:
            without[names.get(op["call"], "?")] += 1
            continue
        counts[1] += 1
        start, end = times[op["id"]]
        early += start < op["t_c"]
        before = last.get(op["actor"], (start, end))
        out_of_order += start < before[0]
        last[op["actor"]] = (start, max(end, before[1]))
    durations = [end - start for start, end in times.values()]
    return {
        "kinds": kinds,
        "without": dict(without.most_common(8)),
        "before their call": early,
        "before the one before": out_of_order,
        "after a wait for it": after_wait,
        "median ns": statistics.median(durations) if durations else None,
        "coverage": {n: c for n, c in opened.meta["coverage"].items() if c and "device" in n},
        "versions": opened.meta["versions"],
    }


def recorded(program: Program, trace: Path) -> Row:
    """A program with and without a recorder."""
    command = list(program.command)
    plain = output(command)
    done = output([*RECORD, str(trace), "--device-times", "--", *command])
    said = [line for line in done[2].splitlines() if "device times" in line]
    row: Row = {"equal": plain[:2] == done[:2], "rc": done[0], "said": said}
    if done[0]:
        row["stderr"] = done[2][-600:]
    return row | (timed(trace) if trace.exists() else {})


def alone(folder: Path) -> Row:
    """CUPTI without the recorder."""
    lib = next(p.parent for p in TOOLKIT.rglob("libcupti.so*"))
    include = next(p.parent for p in TOOLKIT.rglob("cupti.h"))
    made = folder / "correlation"
    tool("cc", f"-I{include}", f"-I{TOOLKIT}/include", HERE / "correlation.c",
         f"-L{lib}", "-lcupti", f"-Wl,-rpath,{lib}", f"-L{TOOLKIT}/lib64/stubs", "-lcuda",
         "-o", made)  # fmt: skip
    row: Row = {}
    for way in ("external", "listed", "driver"):
        rc, printed, errors = output([str(made), str(folder / "kernels.cubin"), way])
        row[way] = printed.strip() or f"exit code {rc}: {errors[-300:]}"
    return row


def profiler(folder: Path) -> Row:
    """PyTorch's own, without a recorder, recorded with device times, and recorded without."""
    row: Row = {}
    if not find_spec("torch"):
        return row
    for what in ("graph", "eager"):
        command = [sys.executable, str(HERE / "torch_profiled.py"), what]
        record = [*RECORD, str(folder / f"profiled-{what}.synctrace")]
        ways = {
            "with device times": [*record, "--device-times", "--", *command],
            "plain": command,
            "recorded": [*record, "--", *command],
        }
        for way, run in ways.items():
            rc, printed, errors = output(run)
            said = [line for line in errors.splitlines() if "device times" in line]
            row[f"{what}, {way}"] = told = {
                "rc": rc,
                "printed": printed.splitlines(),
                "said": said,
                "stderr": errors[-1500:] if rc else "",
            }
            print(what, way, json.dumps(told), flush=True)
    return row


def of_python() -> list[Program]:
    """Programs that need no compiler."""
    return [
        Program(f"{name}-fixed", (sys.executable, str(HERE / f"{name}_whole.py"), "fixed"), False)
        for name in ("cupy", "torch")
        if find_spec(name)
    ]


def price(folder: Path) -> Row:
    """Calls of CUDA's runtime, ns; steps of PyTorch, us."""
    ways = [Way(PLAIN), Way("recorded", ()), Way("with device times", ("--device-times",))]
    made = priced(cuda_price.build(folder), ways, ("calls",), cuda_price.read, PRICE_S)
    row: Row = {"calls, ns": report(made["calls"])}
    if find_spec("torch"):
        script = [sys.executable, str(HERE / "torch_turns.py")]
        made = priced(script, ways, eager_price.ASKS, eager_price.read, PRICE_S)
        row["torch, us"] = {ask: report(rounds) for ask, rounds in made.items()}
    return row


def keep_traces(folder: Path, out: Path) -> Row:
    """Small ones, for tests/data/h200."""
    row: Row = {}
    for name in KEPT:
        source = folder / f"{name}.synctrace"
        if source.exists():
            copy = folder / f"h200-times-{name}.synctrace"
            keep(source, copy)
            with tarfile.open(out / f"h200-times-{name}.tar.gz", "w:gz") as tar:
                tar.add(copy, copy.name)
            row[name] = sum(path.stat().st_size for path in copy.iterdir())
    return row


def main(out: Path, names: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    report: dict[str, object] = {}

    def part(name: str, made: Callable[[], object]) -> None:
        try:
            report[name] = made()
        except Exception:
            report[name] = traceback.format_exc()[-1500:]
        print(f"{name}: {json.dumps(report[name])}", flush=True)
        (out / "device_times.json").write_text(json.dumps(report, indent=1))

    def wanted(name: str) -> bool:
        return not names or any(name.startswith(asked) for asked in names)

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        programs = of_python()
        if not names or any(not name.startswith(("cupy", "torch", "pr")) for name in names):
            programs = [p for p in build(folder) if not p.race and not p.together]
        if wanted("cupti"):
            part("cupti", lambda: alone(folder))
        for program in programs:
            if wanted(program.name) and program.name != "torch-profiled":
                trace = folder / f"{program.name}.synctrace"
                part(program.name, lambda p=program, t=trace: recorded(p, t))  # type: ignore[misc]
        if wanted("keep"):
            part("keep", lambda: keep_traces(folder, out))
        if wanted("profiler"):
            part("profiler", lambda: profiler(folder))
        if wanted("price"):
            part("price", lambda: price(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
