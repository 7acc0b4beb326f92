"""llama.cpp on a CUDA GPU, recorded at API level and at both: calls, races, price.

    python tests/gpu/llama_cuda.py OUT MODEL NAME=LIBDIR ...

NAME names a build (0.3.36, …), LIBDIR has its libraries, MODEL is one of
examples/llama/write_model.py (16 layers, width 1024). Builds examples/llama/driver.c and the
library that counts. For each build and level, side by side: whether outputs are equal to the bit,
functions whose counts differ from CUPTI's, findings by profile; the trace goes to
OUT/llama-NAME-LEVEL.tar.gz, its report to .txt. Then, build by build, what recording adds to the
prompt (128 tokens) and to a token, by processes in turns (turns.py) in SECONDS (40) for each
build. Writes OUT/llama-cuda.json.
"""

import json
import os
import statistics
import sys
import tarfile
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import synctrace

sys.path.insert(0, str(Path(__file__).parent))
from cuda_counts import (
    SYNCTRACE,
    TOOLKIT,
    build_cupti,
    counting,
    cupti,
    differing,
    output,
    recorded_calls,
    told_by_cupti,
    told_functions,
    tool,
)
from turns import AGAIN, PLAIN, Turn, Way, priced, report

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.reader import open_trace

SECONDS = float(os.environ.get("SECONDS", "40"))
GENERATIONS = int(os.environ.get("GENERATIONS", "2"))
DRIVER = Path(__file__).parents[2] / "examples/llama/driver.c"
LEVELS = ("api", "all")
SHORT = ("99", "8", "128", "32")  # layers on the GPU, tokens, prompt, micro-batch
LONG = ("99", "60", "128", "128")
WAYS = [
    Way(PLAIN),
    Way("api", ("--level", "api")),
    Way(AGAIN),
    Way("both", ("--level", "all")),
]


@dataclass(frozen=True)
class Build:
    """A build of llama.cpp, and the start of the command that runs it."""

    name: str
    command: tuple[str, ...]


def cublas() -> str:
    """Folders with cuBLAS: the toolkit's, or that of the wheels that PyTorch and JAX bring."""
    places = [TOOLKIT, *(Path(place) / "nvidia" for place in sys.path if place)]
    found = {file.parent for place in places for file in place.rglob("libcublas.so.1[23]")}
    return ":".join(map(str, sorted(found)))


def found(trace: Path, profiles: list[str]) -> dict[str, int] | str:
    """Findings by rule, verdict and severity."""
    try:
        checked = synctrace.check(trace, profiles)
    except SynctraceError as error:  # one level has no ops that the profile judges
        return str(error)
    return dict(Counter(f"{f.rule} {f.verdict} {f.severity}" for f in checked.findings))


def judged(build: Build, level: str, folder: Path, out: Path) -> dict[str, object]:
    """A short recorded run beside a plain one and one under CUPTI."""
    name, command = f"llama-{build.name}-{level}", [*build.command, *SHORT]
    trace, told = folder / f"{name}.synctrace", told_functions()
    plain = output(command)
    output(command, **counting(name, folder))
    record = [*SYNCTRACE, "record", "-q", "-f", "--level", level, "-o", str(trace), "--", *command]
    recorded = output(record)
    row: dict[str, object] = {
        "equal": plain[:2] == recorded[:2],
        "rc": (plain[0], recorded[0]),
        "said": (plain[2] + recorded[2])[-1500:],
    }
    if not trace.exists():
        return row
    opened = open_trace(trace)
    calls = recorded_calls(trace)
    seen = Counter({call: n for call, n in calls.items() if not call.startswith("ggml")})
    counted = told_by_cupti(cupti(name, folder), told)
    coverage = opened.meta.get("coverage", {})
    row |= {
        "functions": len(seen),
        "calls": sum(seen.values()),
        "differ": differing(counted, seen, coverage.get("repeated_queries", 0)),
        "complete": (opened.complete, list(opened.lost)),
        "coverage": {what: count for what, count in coverage.items() if count},
    }
    for profile in (None, "cuda-doc", "cuda-13"):
        row[profile or "default"] = found(trace, [profile] if profile else [])
    _, told_text, errors = output([*SYNCTRACE, "check", str(trace)])
    (out / f"{name}.txt").write_text(told_text + errors)
    with tarfile.open(out / f"{name}.tar.gz", "w:gz") as tar:
        tar.add(trace, trace.name)
    return row


def read(line: str) -> Turn:
    """Of the driver's turn, us: the prompt, the median of the tokens, and each of these."""
    digest, *times = line.split()
    prompt, *tokens = (int(ns) / 1e3 for ns in times)
    figures = {"prompt us": prompt, "token us": statistics.median(tokens)}
    return Turn(figures, {"token us": tokens}, digest)


def price(build: Build) -> dict[str, object]:
    command = [*build.command, *LONG]
    made = priced(command, WAYS, (build.name,), read, SECONDS, GENERATIONS)[build.name]
    first = {way.name: [round(g[0][way.name].figures["prompt us"]) for g in made] for way in WAYS}
    print(f"{build.name}, first prompt of the process, us: {json.dumps(first)}", flush=True)
    return {"first prompt of the process, us": first, **report(made)}


def main(out: Path, model: str, builds: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        tool("cc", "-O1", "-o", folder / "driver", DRIVER, "-ldl")
        build_cupti(folder)
        os.environ["LD_LIBRARY_PATH"] = f"{cublas()}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        named = dict(one.split("=", 1) for one in builds)
        every = [Build(n, (str(folder / "driver"), where, model)) for n, where in named.items()]
        told: dict[str, object] = {}
        with ProcessPoolExecutor() as pool:
            jobs = [
                (f"{build.name} {level}", pool.submit(judged, build, level, folder, out))
                for build in every
                for level in LEVELS
            ]
            for name, job in jobs:
                told[name] = row = job.result()
                print(f"{name}: {json.dumps(row)}", flush=True)
        os.environ["DRIVER_TURNS"] = "1"  # of the driver
        for build in every:
            told[f"{build.name} price"] = price(build)
            (out / "llama-cuda.json").write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
