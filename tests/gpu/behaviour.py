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

import pyarrow as pa
from cuda_counts import HERE, TOOLKIT, tool
from keep import keep

import synctrace
from synctrace.tracer.reader import open_trace
from synctrace.tracer.schema import TABLES

SYNCTRACE = [sys.executable, "-m", "synctrace"]
PROFILES = ("cuda-13", "cuda-doc")
ALONE = 3


def measured(command: list[str]) -> dict[str, str]:
    """`hazard` or `ordered` by case."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: exit code {done.returncode}: {done.stderr[-2000:]}")
    return dict(line.split() for line in done.stdout.splitlines())


def keep_by_case(source: Path, copy: Path) -> None:
    """The trace, with call sites of their own for each case, whose label is the case.

    The program's cases share its functions, and findings of one pair of places are one.
    """
    trace = open_trace(source)
    ops, scopes = trace.table("op"), trace.table("scope").to_pylist()
    sites = {site["id"]: site for site in trace.table("site").to_pylist()}
    case = {scope["id"]: scope["name"] for scope in scopes}
    placed = [
        (case.get(op["scope"], ""), op["site"]) for op in ops.select(["scope", "site"]).to_pylist()
    ]
    number = {place: number for number, place in enumerate(dict.fromkeys(placed), 1)}
    rows = [{**sites[site], "id": id_, "label": label} for (label, site), id_ in number.items()]
    moved = pa.array([number[place] for place in placed], pa.uint32())
    changed = {
        "site": pa.Table.from_pylist(rows, TABLES["site"].schema),
        "op": ops.set_column(ops.schema.get_field_index("site"), "site", moved),
    }
    keep(source, copy, changed)


def judged(trace: Path, profile: str) -> dict[str, list[str]]:
    """Rules and verdicts of the findings in each case, by the labels of keep_by_case."""
    found: dict[str, set[str]] = {}
    for finding in synctrace.check(trace, [profile], select=["RACE", "LIFE"]).findings:
        case = " and ".join(sorted({place.label for place in finding.places}))
        found.setdefault(case, set()).add(f"{finding.rule} {finding.verdict}")
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
        kept = out / "h200-cuda-behaviour.synctrace"
        keep_by_case(trace, kept)
        told = {profile: judged(kept, profile) for profile in PROFILES}
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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
