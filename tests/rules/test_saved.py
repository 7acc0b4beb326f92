"""What the saved queries say of a scenario and of a recorded llama.cpp."""

import json
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.explain import explain
from synctrace.analyzer.query import Questions
from synctrace.analyzer.saved_query import saved, saved_columns
from synctrace.tracer.kinds import Kind, Mode
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.writer import TraceWriter

DATA = Path(__file__).parents[1] / "data"
Rows = list[dict[str, Any]]

# A graph of two nodes that is launched twice, and a kernel of its own.
OPS = [
    {"op": "capture_begin", "stream": "S1", "attrs": {"graph": "G"}},
    {"op": "kernel", "stream": "S1", "writes": [["x", 0, 64]], "attrs": {"captured_in": "G"}},
    {"op": "memset_async", "stream": "S1", "writes": [["y", 0, 64]], "attrs": {"captured_in": "G"}},
    {"op": "capture_end", "stream": "S1", "attrs": {"graph": "G"}},
    {"op": "graph_launch", "stream": "S1", "attrs": {"graph": "G"}},
    {"op": "graph_launch", "stream": "S1", "attrs": {"graph": "G"}},
    {"op": "kernel", "stream": "S2", "reads": [["z", 0, 32]], "writes": [["z", 32, 32]]},
    {"op": "stream_sync", "stream": "S1"},
    {"op": "stream_sync", "stream": "S2"},
]


def asked(questions: Questions, name: str) -> Rows:
    answer = questions.ask(saved()[name])
    return [dict(zip(answer.names, row, strict=True)) for row in answer.rows]


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Questions:
    folder = tmp_path_factory.mktemp("saved")
    case = {"id": "c", "ops": [{"thread": "T0", **op} for op in OPS]}
    (folder / "c.jsonl").write_text(json.dumps(case))
    return Questions(open_trace(import_cases(folder / "c.jsonl", folder / "t", "c")[0]))


@pytest.fixture(scope="module")
def real() -> Questions:
    return Questions(open_trace(DATA / "h200/h200-llama-0.3.32-decode.synctrace"))


def test_summary_of_a_scenario_is_one_iteration(scenario: Questions) -> None:
    first, *ops = asked(scenario, "summary")
    assert (first["part"], first["what"], first["count"]) == ("trace", "g[S1]g[S1]kss", 1)
    assert {row["part"] for row in ops} == {"op"}
    assert sum(row["count"] for row in ops) == len(OPS)


def test_summary_of_a_recording(real: Questions) -> None:
    first, *ops = asked(real, "summary")
    assert first == {
        "part": "sched",
        "what": "g[CPU]saaaaaasg[CUDA0]",
        "timeline": None,
        "count": 9,
        "host_ns": 63891,
        "longest_ns": 14008,
    }
    assert sum(row["count"] for row in ops) == 417
    assert [row["host_ns"] for row in ops] == sorted((r["host_ns"] for r in ops), reverse=True)


def test_kernels_of_a_scenario(scenario: Questions) -> None:
    """A captured kernel ran as often as its graph; a launch touches what its nodes do."""
    told = {
        (row["kind"], row["name"], row["timeline"]): (row["launches"], row["ranges"], row["exact"])
        for row in asked(scenario, "kernels")
    }
    assert told == {
        ("graph_launch", "G", "S1"): (2, 2, 2),
        ("node: kernel", "kernel", "S1"): (2, 1, 1),
        ("node: memset_async", "memset_async", "S1"): (2, 1, 1),
        ("kernel", "kernel", "S2"): (1, 2, 2),
    }


def test_kernels_of_a_recording(real: Questions) -> None:
    gpu, cpu = asked(real, "kernels")
    known = ("name", "timeline", "launches", "ranges", "exact", "upper_bound", "unknown")
    assert [gpu[key] for key in known] == ["581 nodes", "CUDA0", 9, 123, 59, 64, 0]
    assert [cpu[key] for key in known] == ["GET_ROWS", "CPU", 9, 4, 4, 0, 0]
    assert gpu["modes_known"] == 123
    assert gpu["host_ns"] == 33242370
    assert gpu["device_ns"] is None


def test_coverage_of_a_scenario_is_empty(scenario: Questions) -> None:
    assert asked(scenario, "coverage") == []


def test_coverage_of_a_recording(real: Questions) -> None:
    assert [list(row.values()) for row in asked(real, "coverage")] == [
        ["unwatched_host_bytes", None, 16384, None, None],
        ["upper_bound_ranges", "graph_launch", 64, 127, 0.5039],
    ]


def test_coverage_by_kind(tmp_path: Path) -> None:
    """Two kernels: one touches nothing that is known, one unknown memory in an unknown way."""
    modes = [int(Mode.UNKNOWN), int(Mode.READ)]
    kinds = [int(Kind.KERNEL), int(Kind.KERNEL), int(Kind.MEMCPY_H2D)]
    access = {"id": [1, 2], "storage": [0, 0], "hi": [8, 8], "upper_hi": [8, 8], "mode": modes}
    with TraceWriter(tmp_path / "t", {"coverage": {"launches_without_host_stores": 2}}) as writer:
        writer.append("access", access)
        writer.append("op", {"id": [1, 2, 3], "kind": kinds, "accesses": [[1], [], [2]]})
    with_loss = json.loads((tmp_path / "t/meta.json").read_text())
    with_loss |= {"complete": False, "lost": ["3 records dropped"]}
    (tmp_path / "t/meta.json").write_text(json.dumps(with_loss))
    rows = asked(Questions(open_trace(tmp_path / "t")), "coverage")
    assert [list(row.values()) for row in rows] == [
        ["3 records dropped", None, None, None, None],
        ["launches_without_host_stores", None, 2, 2, 1.0],
        ["unknown_memory_ranges", "kernel", 1, 1, 1.0],
        ["unknown_memory_ranges", "memcpy_h2d", 1, 1, 1.0],
        ["unknown_mode_ranges", "kernel", 1, 1, 1.0],
        ["ops_without_ranges", "kernel", 1, 2, 0.5],
    ]


@pytest.mark.parametrize("where", ["scenario", "real"])
@pytest.mark.parametrize("name", ["syncs", "copies"])
def test_every_sync_and_copy_is_counted_once(
    where: str, name: str, request: pytest.FixtureRequest
) -> None:
    questions: Questions = request.getfixturevalue(where)
    view = name.removesuffix("s").replace("copie", "copy")
    [(number,)] = questions.ask(f"SELECT count(*) FROM {view}").rows
    assert sum(row[name] for row in asked(questions, name)) == number


@pytest.mark.parametrize("name", saved())
def test_explain_tells_of_each(name: str) -> None:
    told = explain(name)
    assert f"saved query {name}: " in told
    assert all(sentence in told for sentence in saved_columns(name).values())
    assert told.endswith(f"next: synctrace query TRACE --saved {name}\n")
