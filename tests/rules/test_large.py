"""A trace too large to hold is streamed: the same findings, op by op."""

import json
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from synctrace.analyzer import connect
from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.query import Questions
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
CHOSEN = [
    "ggml-cpu-input-overwrite",
    "kokkos-free-no-sync",
    "ort-captured-staging",
    "lead-vllm-29623",
    "tk-consecutive-syncs",
    "lead-vllm-39568",
    "disjoint-slices",
    "unrecorded-event-first-lap",
]


def checked(path: Path) -> Checked:
    return replace(check(open_trace(path)), seconds=0.0)


@pytest.mark.parametrize("case", CHOSEN)
def test_streamed_and_held_agree(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [path] = import_cases(CASES, tmp_path / "t", case)
    held = checked(path)
    monkeypatch.setattr(connect, "IN_MEMORY_BYTES", 0)
    assert checked(path) == held


def test_a_large_trace_can_be_asked_many_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "IN_MEMORY_BYTES", 0)
    [path] = import_cases(CASES, tmp_path / "t", CHOSEN[0])
    asked = Questions(open_trace(path))
    for _ in range(3):
        assert asked.ask("SELECT count(*) FROM op WHERE kind = 'kernel'").rows == [(2,)]
    assert asked.ask("SELECT ops FROM finding").rows == [([4, 7],)]


def test_ops_of_a_place_are_all_told(tmp_path: Path) -> None:
    """Two hundred needless syncs on one line are two hundred ids, whatever the report shows."""
    ops: list[dict[str, object]] = []
    for _ in range(200):
        ops.append({"op": "kernel", "stream": "S1", "writes": [["x", 0, 64]]})
        ops.append({"op": "stream_sync", "stream": "S1"})
    ops.append({"op": "kernel", "stream": "S1", "reads": [["x", 0, 64]]})
    ops.append({"op": "stream_sync", "stream": "S1"})
    case = {"id": "many", "ops": [{"thread": "T0", **op} for op in ops]}
    (tmp_path / "many.jsonl").write_text(json.dumps(case))
    [path] = import_cases(tmp_path / "many.jsonl", tmp_path / "many", "many")
    [finding] = checked(path).findings
    assert finding.ops == tuple(range(1, 400, 2))
    assert finding.count == 200


@pytest.mark.parametrize("held", [True, False])
def test_a_scan_that_fails_leaves_nothing_behind(
    held: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "IN_MEMORY_BYTES", 1 << 30 if held else 0)
    [path] = import_cases(CASES, tmp_path / "t", CHOSEN[0])
    session = connect.Session(open_trace(path))
    with pytest.raises(duckdb.Error, match="nonsense"):
        session.scan("op", ["id"], "SELECT nonsense FROM _scan")
    with pytest.raises(duckdb.Error, match="_scan does not exist"):
        session.rows("FROM _scan")
    found = session.scan("op", ["id"], "SELECT '_scan', count(*) FROM _scan")
    assert found == [("_scan", 11)]
