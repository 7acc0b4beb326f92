"""What is recorded of CUDA programs on a real GPU: calls as CUPTI counts them, races found.

    python tests/gpu/cuda_counts.py OUT [NAME ...]

Needs nvcc and CUPTI's header and library (a CUDA toolkit). Builds the programs of tests/gpu/cuda in
a folder of its own, runs each plain, under CUPTI alone and recorded, and prints a row for each:
outputs equal or not, functions and calls, which counts differ, findings of profile cuda-doc and
cuda-13. JAX makes other calls in each run, so CUPTI counts in the recorded run itself. Programs run
side by side, on what cores there are: WORKERS in the environment says how many. Writes
OUT/counts.json, and of each program its trace, OUT/NAME.tar.gz, and report, OUT/NAME.txt.
"""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import synctrace
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Flag, Kind, Level
from synctrace.tracer.reader import open_trace

NATIVE = Path(__file__).parents[2] / "tracer/native"
sys.path.insert(0, str(NATIVE))
import generate_wrappers  # noqa: E402

HERE = Path(__file__).parent / "cuda"
SYNCTRACE = [sys.executable, "-m", "synctrace"]
SCENES = ("whole", "staging", "streams", "graph-input", "pool", "threads", "updates")
TOOLKIT = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
WORKERS = int(os.environ.get("WORKERS", min(8, os.cpu_count() or 1)))
MOST_S = 200  # of one run
QUERIES = ("cuEventQuery", "cuStreamQuery")
# JAX takes three quarters of the GPU's memory, and tries which kernels are fast: not here.
SMALL = {"XLA_CLIENT_MEM_FRACTION": ".05", "XLA_FLAGS": "--xla_gpu_autotune_level=0"}
JAX = {  # of the training step, by what XLA is told
    "jax-graphs": {},
    "jax-kernels": {"XLA_FLAGS": f"{SMALL['XLA_FLAGS']} --xla_gpu_enable_command_buffer="},
    "jax-cuda-async": {"XLA_PYTHON_CLIENT_ALLOCATOR": "cuda_async"},
    "jax-platform": {"XLA_PYTHON_CLIENT_ALLOCATOR": "platform"},
}


@dataclass(frozen=True)
class Program:
    """A command, whether it is a race on purpose, and whether CUPTI counts in the recorded run."""

    name: str
    command: tuple[str, ...]
    race: bool
    environment: Mapping[str, str] = field(default_factory=dict)
    together: bool = False


def tool(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True)


def tools(*commands: tuple[str | Path, ...]) -> None:
    """All at once."""
    started = [subprocess.Popen([str(part) for part in command]) for command in commands]
    for process in started:
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, process.args)


def build_cupti(folder: Path) -> Path:
    """The library that counts."""
    lib = next(p.parent for p in TOOLKIT.rglob("libcupti.so*"))
    include = next(p.parent for p in TOOLKIT.rglob("cupti.h"))
    made = folder / "cupti_counts.so"
    tool("cc", "-shared", "-fPIC", f"-I{include}", f"-I{TOOLKIT}/include", HERE / "cupti_counts.c",
         f"-L{lib}", "-lcupti", f"-Wl,-rpath,{lib}", "-o", made)  # fmt: skip
    return made


def scripts() -> list[Program]:
    """Programs of the libraries that are here."""
    made = []
    for library in ("cupy", "torch"):
        if find_spec(library):
            script = str(HERE / f"{library}_whole.py")
            for how in ("race", "fixed"):
                command = (sys.executable, script, how)
                made.append(Program(f"{library}-{how}", command, how == "race"))
    if find_spec("torch"):
        script = str(HERE / "torch_profiled.py")
        made.append(Program("torch-profiled", (sys.executable, script), False))
    if find_spec("jax"):
        command = (sys.executable, str(HERE / "jax_train.py"))
        for name, more in JAX.items():
            made.append(Program(name, command, False, SMALL | more, together=True))
    if find_spec("jax") and find_spec("cupy"):
        for how in ("race", "fixed", "blocked"):
            command = (sys.executable, str(HERE / "jax_dlpack.py"), how)
            made.append(Program(f"jax-{how}", command, how == "race", SMALL, together=True))
    return made


def build(folder: Path) -> list[Program]:
    """The programs, built; those that take longest come first."""
    nvcc, native = TOOLKIT / "bin/nvcc", "-arch=sm_90"
    tools(
        (nvcc, native, "-cubin", HERE / "kernels.cu", "-o", folder / "kernels.cubin"),
        (nvcc, native, "-Wno-deprecated-gpu-targets", HERE / "scenes.cu", "-o", folder / "static"),
        (nvcc, native, "--cudart", "shared", HERE / "scenes.cu", "-o", folder / "shared"),
        ("cc", f"-I{TOOLKIT}/include", HERE / "driver.c", "-lcuda",
         f"-L{TOOLKIT}/lib64/stubs", "-o", folder / "driver"),
    )  # fmt: skip
    programs = scripts()
    for how in ("race", "fixed"):
        race = how == "race"
        for scene in SCENES:
            if scene != "whole" or not race:
                command = (str(folder / "static"), scene, how)
                programs.append(Program(f"{scene}-{how}", command, race))
        command = (str(folder / "driver"), str(folder / "kernels.cubin"), how)
        programs.append(Program(f"driver-{how}", command, race))
    programs.append(Program("whole-shared", (str(folder / "shared"), "whole", "fixed"), False))
    return programs


def output(command: list[str], **more: str) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, **more}, timeout=MOST_S
        )
    except subprocess.TimeoutExpired:
        return -1, "", f"not done in {MOST_S} s"
    return done.returncode, done.stdout, done.stderr


def counting(program: str, folder: Path) -> dict[str, str]:
    """The environment in which CUPTI counts the calls of a program."""
    return {
        "CUDA_INJECTION64_PATH": str(folder / "cupti_counts.so"),
        "CUPTI_COUNTS": str(folder / f"counts-{program}"),
    }


def cupti(program: str, folder: Path) -> Counter[str]:
    """Calls by function, as CUPTI counted them."""
    found: Counter[str] = Counter()
    for file in folder.glob(f"counts-{program}.*"):
        for line in file.read_text().splitlines():
            name, count = line.split()
            found[name] += int(count)
    return found


def told_by_cupti(counted: Counter[str], told: set[str]) -> Counter[str]:
    """Those of recorded functions; launches of kernels as one."""
    found: Counter[str] = Counter()
    for name, count in counted.items():
        if name in told:
            launch = name.startswith("cuLaunch") and "Host" not in name
            found["launches" if launch else name] += count
    return found


def differing(
    counted: Counter[str], seen: Counter[str], repeated: int
) -> dict[str, tuple[int, int]]:
    """Functions by what CUPTI counted and what was recorded, where that is not the same.

    `repeated` is how many queries in vain the trace says that it left out.
    """
    differ = {
        name: (counted[name], seen[name])
        for name in sorted(counted.keys() | seen.keys())
        if counted[name] != seen[name]
    }
    missing = [counted[name] - seen[name] for name in QUERIES]
    if repeated and min(missing) >= 0 and sum(missing) == repeated:
        return {name: pair for name, pair in differ.items() if name not in QUERIES}
    return differ


def recorded_calls(trace: Path) -> Counter[str]:
    """Calls by function; kernels, which are called by their own names, as `launches`."""
    opened = open_trace(trace)
    names = {row["id"]: row["name"] for row in opened.table("call").to_pylist()}
    found: Counter[str] = Counter()
    for op in opened.table("op").to_pylist():
        if op["level"] == Level.API and not op["flags"] & Flag.BATCHED:
            found["launches" if op["kind"] == Kind.KERNEL else names[op["call"]]] += 1
    return found


def told_functions() -> set[str]:
    """Functions whose calls are ops."""
    api = generate_wrappers.functions((NATIVE / "cuda_api.txt").read_text())
    said = {}
    for file in sorted(NATIVE.glob("cuda_roles*.txt")):
        said |= generate_wrappers.roles(file.read_text())
    said = generate_wrappers.with_per_thread(api, said)
    return {name for name, role in said.items() if role.kind not in "-="}


def findings(trace: Path, profile: str) -> list[str]:
    try:
        return [f"{f.rule} {f.verdict}" for f in synctrace.check(trace, [profile]).findings]
    except SynctraceError as error:  # nothing in it to be judged, say
        return [str(error)]


def judged(program: Program, folder: Path, out: Path) -> dict[str, object]:
    """Run plain, counted and recorded; what came of it. The trace and its report go to `out`."""
    started, environment, told = time.monotonic(), program.environment, told_functions()
    command, trace = list(program.command), folder / f"{program.name}.synctrace"
    counts = environment | counting(program.name, folder)
    record = [*SYNCTRACE, "record", "-q", "-f", "-o", str(trace), "--", *command]
    plain = output(command, **environment)
    if not program.together:
        output(command, **counts)
    recorded = output(record, **(counts if program.together else environment))
    row: dict[str, object] = {
        "equal": plain[:2] == recorded[:2],
        "rc": (plain[0], recorded[0]),
        "stderr": "" if plain[:2] == recorded[:2] else (plain[2] + recorded[2])[-900:],
    }
    counted = cupti(program.name, folder)
    if trace.exists():
        opened, seen = open_trace(trace), recorded_calls(trace)
        coverage = opened.meta.get("coverage", {})
        row |= {
            "functions": len(seen),
            "calls": sum(seen.values()),
            "cupti": sum(counted.values()),
            "differ": differing(
                told_by_cupti(counted, told), seen, coverage.get("repeated_queries", 0)
            ),
            "complete": (opened.complete, list(opened.lost)),
            "coverage": {name: count for name, count in coverage.items() if count},
            "unhooked": {n: c for n, c in counted.items() if n not in told},
            "cuda-doc": findings(trace, "cuda-doc"),
            "cuda-13": findings(trace, "cuda-13"),
        }
        _, report, errors = output([*SYNCTRACE, "check", str(trace)])
        (out / f"{program.name}.txt").write_text(report + errors)
        with tarfile.open(out / f"{program.name}.tar.gz", "w:gz") as tar:
            tar.add(trace, trace.name)
    return row | {"seconds": round(time.monotonic() - started, 1)}


def main(out: Path, names: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    report = {}
    with tempfile.TemporaryDirectory() as place, ProcessPoolExecutor(WORKERS) as pool:
        folder = Path(place)
        build_cupti(folder)
        programs = [
            program
            for program in build(folder)
            if not names or any(program.name.startswith(name) for name in names)
        ]
        rows = pool.map(partial(judged, folder=folder, out=out), programs)
        for program, row in zip(programs, rows, strict=True):
            report[program.name] = row
            shown = {name: what for name, what in row.items() if name != "unhooked"}
            print(f"{program.name}: {json.dumps(shown)}", flush=True)
            (out / "counts.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
