"""Every scenario of examples/scenarios gets the verdict and the pairs that its file tells."""

import json
from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

FILES = sorted((Path(__file__).parents[2] / "examples/scenarios").glob("*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(tmp_path: Path, file: Path) -> None:
    (case,) = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    [folder] = import_cases(file, tmp_path / "t", case["id"])
    found = check(open_trace(folder)).findings
    told = [[*f.ops[:2], m.name, m.lo, m.hi] for f in found if (m := f.memory)]
    assert len(told) == len(found)
    assert told == case["pairs"]
    assert bool(told) == (case["expected"] == "race")
    assert {f.verdict for f in found} <= {"certain"}
