"""What recording a CUDA program costs on a real GPU, paired runs, medians; tools beside it.

    python tests/gpu/cuda_price.py OUT

Runs tests/gpu/cuda/price.cu and torch_price.py plain and in each way of recording, alternating so
that all see the same machine, and prints for each kind of call the median of the paired
differences, with the spread. Beside them, on the same loops: CUPTI callbacks on every driver call
(cupti_counts.c), compute-sanitizer's memcheck and PyTorch's own CUDA sanitizer. PAIRS and OTHERS
in the environment say how many turns ours and these get. Writes OUT/price.json.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cuda_counts import HERE, SYNCTRACE, TOOLKIT, build_cupti, tool

Ways = dict[str, tuple[list[str], dict[str, str]]]  # what comes before the command, environment
PAIRS = int(os.environ.get("PAIRS", "7"))
OTHERS = int(os.environ.get("OTHERS", "2"))  # with other tools, some of which take long
MOST_S = 200  # of one run
RECORD = [*SYNCTRACE, "record", "-q", "-f", "-o", "/tmp/price.synctrace"]
WAYS: Ways = {
    "plain": ([], {}),
    "recorded": ([*RECORD, "--"], {}),
    "no sites": ([*RECORD, "--"], {"SYNCTRACE_STACKS": "0"}),
    "no watch": ([*RECORD, "--watch", "off", "--"], {}),
}


def figures(command: list[str], more: dict[str, str]) -> dict[str, float]:
    environment = {**os.environ, **more}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=MOST_S
        )
    except subprocess.TimeoutExpired:
        print(f"{command}: not done in {MOST_S} s", flush=True)
        return {}
    if done.returncode:
        print(done.stderr[-800:], flush=True)
        return {}
    parts = [line.split() for line in done.stdout.splitlines() if line[:1].isalpha()]
    return {part[0]: float(part[1]) for part in parts if len(part) >= 2}


def paired(command: list[str], ways: Ways) -> dict[str, object]:
    """By kind of call: the plain figure; of each way what it adds.

    That is the median of the pairs, their quartiles, and the least of its runs less the plain
    ones' least: a machine of two speeds spoils the first, not the last.
    """
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
    for turn in range(PAIRS):
        for way, (prefix, more) in ways.items():
            if way in WAYS or turn < OTHERS:
                runs[way].append(figures([*prefix, *command], more))
    report: dict[str, object] = {}
    for name in runs["plain"][0]:
        base = [run.get(name, float("nan")) for run in runs["plain"]]
        row: dict[str, object] = {"plain": round(statistics.median(base), 2)}
        for way in ways:
            pairs = zip(base, runs[way], strict=False)
            added = sorted(run[name] - plain for plain, run in pairs if name in run)
            if way != "plain" and added:
                row[way] = [
                    round(statistics.median(added), 2),
                    round(added[len(added) // 4], 2),
                    round(added[-1 - len(added) // 4], 2),
                    round(min(run[name] for run in runs[way] if name in run) - min(base), 2),
                ]
        report[name] = row
        print(name, json.dumps(row), flush=True)
    return report


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    report: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        library = build_cupti(folder)
        cupti = {"CUDA_INJECTION64_PATH": str(library), "CUPTI_COUNTS": str(folder / "counts")}
        tool(TOOLKIT / "bin/nvcc", "-arch=sm_90", "-O2", HERE / "price.cu", "-o", folder / "price")
        memcheck = ([str(TOOLKIT / "bin/compute-sanitizer"), "--tool", "memcheck"], {})
        others: Ways = {"CUPTI, every call": ([], cupti), "compute-sanitizer": memcheck}
        report["calls, ns"] = paired([str(folder / "price")], {**WAYS, **others})
        if find_spec("torch"):
            script = [sys.executable, str(HERE / "torch_price.py")]
            ways = {name: WAYS[name] for name in ("plain", "recorded", "no watch")}
            report["torch, us"] = paired(
                script,
                {
                    **ways,
                    "CUPTI, every call": ([], cupti),
                    "torch sanitizer": ([], {"TORCH_CUDA_SANITIZER": "1"}),
                },
            )
    (out / "price.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
