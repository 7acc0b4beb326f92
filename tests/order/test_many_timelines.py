"""Among thousands of timelines: the same is said as among few, in little memory."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer import effort
from synctrace.analyzer.order import run
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.vocabulary import MAX_ROWS

Op = dict[str, Any]
CASES = Path(__file__).parents[1] / "data/cases.jsonl"
IDLE = 1_500  # so that streams of the case are numbered behind those that a clock holds ready


def said(path: Path, ops: list[Op], profile: str) -> tuple[list[Any], list[Any]]:
    """Racy pairs, and what holds of each judged sync."""
    file = path / "c.jsonl"
    file.write_text(json.dumps({"id": "c", "ops": ops}))
    [folder] = import_cases(file, path / "t", "c", overwrite=True)
    found = run(open_trace(folder), [profile])
    pairs = [(r["first_op"], r["second_op"], r["verdict"]) for r in found.conflicts.to_pylist()]
    syncs = [(r["first_op"], r["implied"], r["needed"]) for r in found.needs.to_pylist()]
    return sorted(pairs), sorted(syncs)


@pytest.mark.parametrize(
    "case",
    ["ggml-ubatch-input-war", "hip-kv-staging-refill", "thrust-double-sync", "disjoint-slices"],
)
@pytest.mark.parametrize("profile", ["catalogue", "cuda-13"])
def test_the_same_is_said(tmp_path: Path, case: str, profile: str) -> None:
    cases = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    ops = next(each["ops"] for each in cases if each["id"] == case)
    create = {"thread": "T0", "op": "stream_create", "attrs": {"flags": "nonblocking"}}
    idle = [{**create, "stream": f"idle {i}"} for i in range(IDLE)]
    pairs, syncs = said(tmp_path, ops, profile)
    far = said(tmp_path, idle + ops, profile)
    assert [(a - IDLE, b - IDLE, verdict) for a, b, verdict in far[0]] == pairs
    assert [(op - IDLE, implied, needed) for op, implied, needed in far[1]] == syncs


def test_streams_that_know_nothing_of_each_other_are_small(tmp_path: Path) -> None:
    """Clocks of all components would take 1 GB.

    The peak is VmHWM: what getrusage says begins with the peak of the process that started it.
    """
    ops = [
        {"thread": "T0", "op": "kernel", "stream": f"S{i}", "writes": [[f"b{i}", 0, 8]]}
        for i in range(8_000)
    ]
    file = tmp_path / "c.jsonl"
    file.write_text(json.dumps({"id": "c", "ops": ops}))
    [folder] = import_cases(file, tmp_path / "t", "c")
    asked = (
        "import sys; from pathlib import Path; from synctrace.analyzer.order import run; "
        "from synctrace.tracer.reader import open_trace; "
        "run(open_trace(Path(sys.argv[1])), ['catalogue']); "
        "print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])"
    )
    command = [sys.executable, "-c", asked, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) // 1000 < 600


def strided(rows: int) -> Op:
    return {"op": "kernel", "stream": "S", "writes": [["m", 0, 1, rows, 2]]}


def threads(count: int) -> list[Op]:
    return [{"thread": f"T{i}", "op": "device_sync"} for i in range(count)]


@pytest.mark.parametrize(
    ("ops", "told"),
    [
        (threads(effort.THREADS), []),
        (threads(effort.THREADS + 1), ["has 2,001 threads"]),
        ([strided(MAX_ROWS)], []),
        (
            [{**strided(MAX_ROWS), "writes": [["m", i, 1, MAX_ROWS, 2 + i]]} for i in range(4)],
            ["has strided ranges of 4,194,304 rows"],
        ),
    ],
    ids=["threads", "many threads", "rows", "many rows"],
)
def test_what_takes_much_is_told_beforehand(tmp_path: Path, ops: list[Op], told: list[str]) -> None:
    file = tmp_path / "c.jsonl"
    file.write_text(json.dumps({"id": "c", "ops": [{"thread": "T0", **op} for op in ops]}))
    [folder] = import_cases(file, tmp_path / "t", "c")
    warnings = effort.warnings(open_trace(folder))
    assert len(warnings) == len(told)
    assert all(words in warning for words, warning in zip(told, warnings, strict=True))
