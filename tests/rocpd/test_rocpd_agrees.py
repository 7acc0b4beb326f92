"""A program told as a scenario and as a rocprofv3 database has the same conflicts.

The programs are those of the ordering reference that a database can hold (as_hip.py).
"""

import json
from pathlib import Path

import pytest
from as_hip import Told, Writer, told
from hip_runs import Run

from synctrace.analyzer.order import run as judge
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.rocpd.rows import Rows
from synctrace.tracer.scenario import import_cases

DATA = Path(__file__).parents[1] / "data"
PROFILES = ("hip-doc", "hip-6.3", "hip-7")


def cases() -> dict[str, Told]:
    lines = (DATA / "order.jsonl").read_text("utf-8").splitlines()
    found = {case["id"]: told(case) for case in map(json.loads, lines)}
    return {name: one for name, one in found.items() if one}


CASES = cases()


def conflicts(trace: Trace) -> set[tuple[str, str, int, int]]:
    found = judge(trace, PROFILES).conflicts.to_pylist()
    return {(c["profile"], c["verdict"], c["first_op"], c["second_op"]) for c in found}


def test_there_is_something_to_compare() -> None:
    assert len(CASES) >= 100


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenarios")
    file = folder / "cases.jsonl"
    file.write_text("".join(json.dumps(one.case) + "\n" for one in CASES.values()))
    import_cases(file, folder / "traces")
    return folder / "traces"


@pytest.mark.parametrize("name", CASES)
def test_the_same_program_has_the_same_conflicts(
    scenarios: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    one = CASES[name]
    expected = {
        (profile, verdict, one.ids[first], one.ids[second])
        for profile, verdict, first, second in conflicts(open_trace(scenarios / name))
    }
    # As in a scenario each call is a place of its own, so that no pairs are counted as one.
    monkeypatch.setattr(Rows, "_site", lambda rows, function, actor: rows._ops)
    made = Run(tmp_path)
    Writer(made.hip, one.case["ops"]).write()
    trace = made.trace()
    assert trace.table("op").num_rows == len(one.ids)
    assert conflicts(trace) == expected
