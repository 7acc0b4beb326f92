"""llama.cpp on a CUDA GPU, recorded at both levels: calls as CUPTI counts them, races, price.

    python tests/gpu/llama_cuda.py NAME LIBDIR MODEL DRIVER OUT

NAME names the build (0.3.36, …), DRIVER is examples/llama/driver.c compiled. Prints, and writes to
OUT/NAME-cuda.json: whether outputs are equal to the bit, functions whose counts differ from
CUPTI's, findings by profile, and what each way of recording adds to a token and to the prompt
(medians of paired runs, with quartiles). Keeps the trace as OUT/NAME-cuda.tar.gz.
"""

import json
import os
import statistics
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

import synctrace

sys.path.insert(0, str(Path(__file__).parent))
from cuda_counts import SYNCTRACE, build_cupti, output, recorded_calls, told_functions
from llama import times

PAIRS, TOKENS = int(os.environ.get("PAIRS", "7")), 300
RECORD = [*SYNCTRACE, "record", "-q", "-f", "-o", "/tmp/llama.synctrace"]
WAYS: dict[str, list[str]] = {
    "plain": [],
    "ggml": [*RECORD, "--level", "ggml", "--"],
    "api": [*RECORD, "--level", "api", "--"],
    "both": [*RECORD, "--"],
}


def counted(driver: list[str], folder: Path) -> Counter[str]:
    """Recorded functions by CUPTI's count; launches as one."""
    where = folder / "counts"
    library = str(build_cupti(folder))
    output(driver, CUDA_INJECTION64_PATH=library, CUPTI_COUNTS=str(where))
    told, found = told_functions(), Counter[str]()
    for file in folder.glob("counts.*"):
        for line in file.read_text().splitlines():
            name, count = line.split()
            if name in told:
                launch = name.startswith("cuLaunch") and "Host" not in name
                found["launches" if launch else name] += int(count)
    return found


def quartiles(shares: list[float]) -> list[float]:
    ordered = sorted(shares)
    return [
        round(100 * at, 2)
        for at in (
            statistics.median(ordered),
            ordered[len(ordered) // 4],
            ordered[-1 - len(ordered) // 4],
        )
    ]


def price(driver: list[str]) -> dict[str, object]:
    """By way: percent that it adds to a token and to the prompt, and whether outputs are equal."""
    told: dict[str, list[tuple[int, int]]] = {way: [] for way in WAYS}
    outputs = set()
    for _ in range(PAIRS):
        for way, prefix in WAYS.items():
            command = [*prefix, *driver, "99", str(TOKENS), "128", "128"]
            _, printed, errors = output(command, DRIVER_TIMES="1")
            told[way].append(times(errors))
            outputs.add(printed)
    report: dict[str, object] = {"outputs equal": len(outputs) == 1}
    for way in WAYS:
        pairs = list(zip(told["plain"], told[way], strict=True))
        report[way] = {
            "prompt ns": statistics.median(p for p, _ in told[way]),
            "token ns": statistics.median(t for _, t in told[way]),
            "prompt +%": quartiles([(b[0] - a[0]) / a[0] for a, b in pairs]),
            "token +%": quartiles([(b[1] - a[1]) / a[1] for a, b in pairs]),
        }
        print(way, json.dumps(report[way]), flush=True)
    return report


def main() -> None:
    name, libraries, model, program, place = sys.argv[1:]
    out, driver = Path(place), [program, libraries, model]
    run = [*driver, "99", "8", "128", "32"]
    trace = Path(f"/tmp/h200-llama-{name}-cuda.synctrace")
    plain = output(run)
    recorded = output([*SYNCTRACE, "record", "-f", "-o", str(trace), "--", *run])
    print(recorded[2][-1500:])
    with tempfile.TemporaryDirectory() as folder:
        by_cupti = counted(run, Path(folder))
    seen = recorded_calls(trace)
    result: dict[str, object] = {
        "outputs equal": plain[:2] == recorded[:2],
        "calls": sum(seen.values()),
        "functions": len(seen),
        "differ": {
            call: (by_cupti[call], seen[call])
            for call in by_cupti.keys() | seen.keys()
            if by_cupti[call] != seen[call]
        },
        "coverage": synctrace.open(trace).meta.get("coverage"),
    }
    for profile in (None, "cuda-doc", "cuda-13"):
        found = Counter(
            f"{f.rule} {f.verdict} {f.severity}"
            for f in synctrace.check(trace, [profile] if profile else []).findings
        )
        result[profile or "default"] = dict(sorted(found.items()))
    print(json.dumps(result, indent=1), flush=True)
    with tarfile.open(out / f"{name}-cuda.tar.gz", "w:gz") as tar:
        tar.add(trace, trace.name)
    result["price"] = price(driver)
    (out / f"{name}-cuda.json").write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
