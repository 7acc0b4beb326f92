"""What is recorded of CUDA programs on a real GPU: calls as CUPTI counts them, races found.

    python tests/gpu/cuda_counts.py OUT [NAME ...]

Needs nvcc and CUPTI's header and library (a CUDA toolkit). Builds the programs of tests/gpu/cuda in
a folder of its own, runs each plain, under CUPTI alone and recorded, and prints a row for each:
outputs equal or not, functions and calls, which counts differ, findings of profile cuda-doc and
cuda-13. Writes OUT/counts.json and the traces of the scenes, OUT/NAME.tar.gz.
"""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import synctrace
from synctrace.tracer.kinds import Flag, Kind, Level
from synctrace.tracer.reader import open_trace

NATIVE = Path(__file__).parents[2] / "tracer/native"
sys.path.insert(0, str(NATIVE))
import generate_wrappers  # noqa: E402

HERE = Path(__file__).parent / "cuda"
SYNCTRACE = [sys.executable, "-m", "synctrace"]
SCENES = ("whole", "staging", "streams", "graph-input", "pool", "threads", "updates")
TOOLKIT = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))


@dataclass(frozen=True)
class Program:
    """A command, and whether it is a race on purpose."""

    name: str
    command: tuple[str, ...]
    race: bool


def tool(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True)


def build_cupti(folder: Path) -> Path:
    """The library that counts."""
    lib = next(p.parent for p in TOOLKIT.rglob("libcupti.so*"))
    include = next(p.parent for p in TOOLKIT.rglob("cupti.h"))
    made = folder / "cupti_counts.so"
    tool("cc", "-shared", "-fPIC", f"-I{include}", f"-I{TOOLKIT}/include", HERE / "cupti_counts.c",
         f"-L{lib}", "-lcupti", f"-Wl,-rpath,{lib}", "-o", made)  # fmt: skip
    return made


def build(folder: Path) -> list[Program]:
    """The programs, built."""
    nvcc = TOOLKIT / "bin/nvcc"
    tool(nvcc, "-arch=sm_90", "-cubin", HERE / "kernels.cu", "-o", folder / "kernels.cubin")
    tool(
        nvcc,
        "-arch=sm_90",
        "-Wno-deprecated-gpu-targets",
        HERE / "scenes.cu",
        "-o",
        folder / "static",
    )
    tool(nvcc, "-arch=sm_90", "--cudart", "shared", HERE / "scenes.cu", "-o", folder / "shared")
    tool("cc", f"-I{TOOLKIT}/include", HERE / "driver.c", "-lcuda",
         f"-L{TOOLKIT}/lib64/stubs", "-o", folder / "driver")  # fmt: skip
    programs = []
    for how in ("race", "fixed"):
        for scene in SCENES:
            if scene == "whole" and how == "race":
                continue
            programs.append(
                Program(f"{scene}-{how}", (str(folder / "static"), scene, how), how == "race")
            )
        programs.append(
            Program(
                f"driver-{how}",
                (str(folder / "driver"), str(folder / "kernels.cubin"), how),
                how == "race",
            )
        )
    for library in ("cupy", "torch"):
        if find_spec(library):
            script = str(HERE / f"{library}_whole.py")
            for how in ("race", "fixed"):
                command = (sys.executable, script, how)
                programs.append(Program(f"{library}-{how}", command, how == "race"))
    if find_spec("torch"):
        script = str(HERE / "torch_profiled.py")
        programs.append(Program("torch-profiled", (sys.executable, script), False))
    programs.append(Program("whole-shared", (str(folder / "shared"), "whole", "fixed"), False))
    return programs


def output(command: list[str], **more: str) -> tuple[int, str, str]:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more})
    return done.returncode, done.stdout, done.stderr


def cupti(program: Program, folder: Path) -> Counter[str]:
    """Calls by function, as CUPTI counts them."""
    library = folder / "cupti_counts.so"
    where = folder / f"counts-{program.name}"
    _, _, errors = output(
        list(program.command), CUDA_INJECTION64_PATH=str(library), CUPTI_COUNTS=str(where)
    )
    found: Counter[str] = Counter()
    for file in folder.glob(f"{where.name}.*"):
        for line in file.read_text().splitlines():
            name, count = line.split()
            found[name] += int(count)
    if not found:
        print(f"   CUPTI counted nothing: {errors[-500:]}")
    return found


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
    return [f"{f.rule} {f.verdict}" for f in synctrace.check(trace, [profile]).findings]


def main(out: Path, names: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    report = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        told = told_functions()
        build_cupti(folder)
        for program in build(folder):
            if names and not any(program.name.startswith(name) for name in names):
                continue
            plain = output(list(program.command))
            trace = folder / f"{program.name}.synctrace"
            recorded = output(
                [*SYNCTRACE, "record", "-q", "-f", "-o", str(trace), "--", *program.command]
            )
            seen = recorded_calls(trace) if trace.exists() else Counter()
            counted = cupti(program, folder)
            by_cupti = {n: c for n, c in counted.items() if n in told}
            launches = sum(
                c for n, c in by_cupti.items() if n.startswith("cuLaunch") and "Host" not in n
            )
            by_cupti = {
                n: c for n, c in by_cupti.items() if not n.startswith("cuLaunch") or "Host" in n
            }
            by_cupti |= {"launches": launches} if launches else {}
            differ = {
                name: (by_cupti.get(name, 0), seen[name])
                for name in by_cupti.keys() | seen.keys()
                if by_cupti.get(name, 0) != seen[name]
            }
            row = {
                "equal": plain[:2] == recorded[:2],
                "rc": recorded[0],
                "stderr": recorded[2][-600:] if recorded[0] else "",
                "functions": len(seen),
                "calls": sum(seen.values()),
                "cupti": sum(counted.values()),
                "differ": differ,
                "unhooked": {n: c for n, c in counted.items() if n not in told},
                "cuda-doc": findings(trace, "cuda-doc"),
                "cuda-13": findings(trace, "cuda-13"),
            }
            report[program.name] = row
            print(
                f"{program.name}: {json.dumps({k: v for k, v in row.items() if k != 'unhooked'})}",
                flush=True,
            )
            with tarfile.open(out / f"{program.name}.tar.gz", "w:gz") as tar:
                if trace.exists():
                    tar.add(trace, trace.name)
    (out / "counts.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
