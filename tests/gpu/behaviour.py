"""Profile cuda-13 against a real GPU: what waits for what, measured and judged case by case.

    python tests/gpu/behaviour.py OUT

Needs nvcc. Builds tests/gpu/cuda/behaviour.cu, runs it three times alone and once recorded: each
must give the same answer in every case, `hazard` or `ordered`. Then the trace is judged; a profile
is right where it has a certain finding in the cases that are hazards and in no others. Writes
OUT/behaviour.json (case -> measured, verdicts by profile) and the trace, kept as by keep.py.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import synctrace
from cuda_counts import HERE, TOOLKIT, tool
from keep import keep

SYNCTRACE = [sys.executable, "-m", "synctrace"]
PROFILES = ("cuda-13", "cuda-doc")
ALONE = 3


def measured(command: list[str]) -> dict[str, str]:
    """`hazard` or `ordered` by case."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: exit code {done.returncode}: {done.stderr[-2000:]}")
    return dict(line.split() for line in done.stdout.splitlines())


def judged(trace: Path, profile: str) -> dict[str, list[str]]:
    """Rules and verdicts of the findings in each case: it is their outermost scope."""
    found: dict[str, set[str]] = {}
    for finding in synctrace.check(trace, [profile], select=["RACE", "LIFE"]).findings:
        cases = {touch.op.scopes[0] for touch in finding.touches if touch.op.scopes}
        found.setdefault(" and ".join(sorted(cases)), set()).add(
            f"{finding.rule} {finding.verdict}"
        )
    return {case: sorted(told) for case, told in found.items()}


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        program, trace = Path(place) / "behaviour", Path(place) / "behaviour.synctrace"
        native = Path(__file__).parents[2] / "tracer/native"
        tool(TOOLKIT / "bin/nvcc", "-arch=sm_90", f"-I{native}", HERE / "behaviour.cu",
             "-o", program)  # fmt: skip
        runs = [measured([str(program)]) for _ in range(ALONE)]
        recorded = measured([*SYNCTRACE, "record", "-q", "-o", str(trace), "--", str(program)])
        told = {profile: judged(trace, profile) for profile in PROFILES}
        report = {}
        for case, answer in runs[0].items():
            answers = {run[case] for run in [*runs, recorded]}
            verdicts = {profile: told[profile].get(case, []) for profile in PROFILES}
            certain = any(verdict.endswith("certain") for verdict in verdicts["cuda-13"])
            right = answers == {"hazard" if certain else "ordered"}
            report[case] = {"measured": answer, **verdicts}
            print(f"{'' if right else 'WRONG '}{case}: {sorted(answers)} {verdicts}", flush=True)
        for profile in PROFILES:
            if beside := sorted(told[profile].keys() - report.keys()):
                print(f"WRONG {profile}: found between cases: {beside}")
        (out / "behaviour.json").write_text(json.dumps(report, indent=1) + "\n")
        keep(trace, out / "h200-cuda-behaviour.synctrace")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
