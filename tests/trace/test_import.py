"""Imported cases say in the trace what the case says."""

import json
from pathlib import Path
from typing import Any

import pytest
from imported import accesses, by_id, rows, trace_of

from synctrace.tracer.kinds import ActorKind, Flag, Kind, Level, MemoryKind, Mode, Origin
from synctrace.tracer.reader import find_traces, open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.schema import TABLES

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "tests/data/cases.jsonl"
SCENARIOS = sorted((ROOT / "examples/scenarios").glob("*.jsonl"))
CASES = {case["id"]: case for case in map(json.loads, CATALOGUE.read_text().splitlines())}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with every case of the catalogue."""
    folder = tmp_path_factory.mktemp("cases")
    import_cases(CATALOGUE, folder)
    return folder


def test_all_cases_are_there(imported: Path) -> None:
    assert [path.name for path in find_traces(imported)] == sorted(CASES)
    assert len(CASES) == 66


@pytest.mark.parametrize("name", CASES)
def test_a_case_of_the_catalogue(imported: Path, name: str) -> None:
    trace = open_trace(imported / name)
    ops, told = rows(trace, "op"), CASES[name]["ops"]
    actors, events, calls = (by_id(trace, table) for table in ("actor", "event", "call"))
    assert trace.complete
    assert trace.meta["profile"] == "catalogue"
    assert [op["id"] for op in ops] == list(range(len(told)))
    for index, (op, tell) in enumerate(zip(ops, told, strict=True)):
        assert Kind(op["kind"]).name.lower() == calls[op["call"]]["name"] == tell["op"]
        assert (op["ticket_c"], op["ticket_r"]) == (2 * index, 2 * index + 1)
        assert (op["t_c"], op["t_r"]) == (2000 * index, 2000 * index + 1000)
        assert (op["level"], op["site"]) == (Level.API, index + 1)
        assert actors[op["thread"]]["name"] == tell["thread"]
        assert (actors[op["actor"]]["name"] if op["actor"] else None) == tell["stream"]
        assert (events[op["event"]]["name"] if op["event"] else None) == tell["event"]
        failed = tell.get("attrs", {}).get("failed", False)
        assert bool(op["flags"] & Flag.FAILED) == failed


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name]["pairs"]])
def test_the_pairs_of_a_race_are_accesses_of_its_trace(imported: Path, name: str) -> None:
    trace = open_trace(imported / name)
    for first, second, *place in CASES[name]["pairs"]:
        if first == second:  # a captured-lifetime error has no bytes
            continue
        buffer, lo, hi = place
        touching = [
            {mode for where, start, end, mode, _ in accesses(trace, op)
             if where == buffer and start < hi and lo < end}
            for op in (first, second)
        ]  # fmt: skip
        assert all(touching)
        assert Mode.WRITE in set.union(*touching)


@pytest.mark.parametrize("name", CASES)
def test_ids_are_dense_and_point_at_rows(imported: Path, name: str) -> None:
    trace = open_trace(imported / name)
    ids = {}
    for table in TABLES:
        if table != "op" and "id" in TABLES[table].schema.names:
            ids[table] = set(trace.table(table).column("id").to_pylist())
            assert ids[table] == set(range(1, len(ids[table]) + 1)), table
    for op in rows(trace, "op"):
        for column, table in (("thread", "actor"), ("site", "site"), ("call", "call")):
            assert op[column] in ids[table]
        for column, table in (("actor", "actor"), ("event", "event"), ("graph", "graph")):
            assert op[column] in ids[table] | {0}
        assert set(op["accesses"]) <= ids["access"]
    for access in rows(trace, "access"):
        assert access["storage"] in ids["storage"]
        assert access["buffer"] in ids["buffer"]
        assert access["lo"] < access["hi"]


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_scenario_of_the_demo(tmp_path: Path, file: Path) -> None:
    (case,) = [json.loads(line) for line in file.read_text().splitlines()]
    assert case["id"] == file.stem
    (folder,) = import_cases(file, tmp_path / "t", file.stem)
    assert len(rows(open_trace(folder), "op")) == len(case["ops"])


def test_a_scenario_of_the_demo_is_a_race_or_its_fix() -> None:
    ends = [file.stem.rsplit("-", 1) for file in SCENARIOS]
    names = {name for name, _ in ends}
    assert sorted(ends) == sorted([name, end] for name in names for end in ("race", "fix"))
    assert {"graph-input", "pending-copy"} < names


def test_sites_name_thread_op_stream_and_place(tmp_path: Path) -> None:
    write = {"op": "host_write", "writes": [["h", 0, 8]]}
    wait = {"op": "event_wait", "stream": "S2", "event": "e"}
    trace = trace_of(tmp_path, write, wait)
    assert [site["label"] for site in rows(trace, "site")] == [
        "T0 host_write",
        "T0 event_wait S2 e",
    ]
    frames = [(f["file"], f["line"], f["function"]) for f in rows(trace, "frame")]
    assert frames == [("case.jsonl", 1, "host_write"), ("case.jsonl", 1, "event_wait")]


def test_allocation_is_no_access_but_gives_the_memory_its_kind(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        {"op": "alloc_pinned", "writes": [["pinned", 0, 8]]},
        {"op": "alloc_pageable", "writes": [["pageable", 0, 8]]},
        {"op": "alloc_device", "writes": [["device", 0, 8]]},
        {"op": "cache_alloc", "writes": [["block", 0, 8]], "stream": "S1"},
        {"op": "cache_alloc", "writes": [["host block", 0, 8]], "attrs": {"mem": "pinned"}},
        {"op": "alloc_async", "writes": [["pool", 0, 8]], "stream": "S1"},
        {"op": "host_write", "writes": [["stack", 0, 8]]},
    )
    storage = by_id(trace, "storage")
    kinds = {storage[m["storage"]]["name"]: MemoryKind(m["kind"]) for m in rows(trace, "memory")}
    assert kinds == {
        "pinned": MemoryKind.PINNED,
        "pageable": MemoryKind.PAGEABLE,
        "device": MemoryKind.DEVICE,
        "block": MemoryKind.DEVICE,
        "host block": MemoryKind.PINNED,
        "pool": MemoryKind.DEVICE,
        "stack": MemoryKind.UNKNOWN,
    }
    assert [accesses(trace, op) for op in range(3)] == [[], [], []]
    assert {s["name"] for s in storage.values() if s["device"] == 0} == {"device", "block", "pool"}


def test_life_touches_the_whole_buffer(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        {"op": "alloc_async", "writes": [["b", 0, 100]], "stream": "S1"},
        {"op": "kernel", "writes": [["b", 96, 4]], "stream": "S1"},
        {"op": "free_async", "writes": [["b", 0, 8]], "stream": "S1"},
        {"op": "free", "writes": [["b", 0, 8]], "attrs": {"implicit_sync": True}, "thread": "T1"},
    )
    whole = [("b", 0, 100, Mode.WRITE, Origin.ARGUMENT)]
    assert accesses(trace, 0) == accesses(trace, 2) == accesses(trace, 3) == whole
    assert accesses(trace, 1) == [("b", 96, 100, Mode.WRITE, Origin.ARGUMENT)]
    assert rows(trace, "op")[3]["flags"] == Flag.IMPLICIT_SYNC | Flag.POOL
    assert rows(trace, "buffer")[0]["hi"] == 100


def test_the_caching_allocator_names_its_block_and_proves_nothing(tmp_path: Path) -> None:
    block = [["b", 0, 8]]
    trace = trace_of(
        tmp_path,
        {"op": "cache_alloc", "writes": block, "stream": "S1"},
        {"op": "record_stream", "writes": block, "stream": "S2"},
        {"op": "cache_free", "writes": block},
    )
    assert {a for op in range(3) for a in accesses(trace, op)} == {
        ("b", 0, 8, Mode.READ, Origin.SYNTHETIC)
    }


def test_attributes_become_flags_and_graphs(tmp_path: Path) -> None:
    work = {"op": "kernel", "stream": "S1", "reads": [["b", 0, 8]]}
    graph = {"graph": "G"}
    trace = trace_of(
        tmp_path,
        {"op": "capture_begin", "stream": "S1", "attrs": graph},
        {**work, "attrs": {"captured_in": "G"}},
        {"op": "capture_end", "stream": "S1", "attrs": graph},
        {"op": "graph_launch", "stream": "S1", "reads": [["b", 0, 8]], "attrs": graph},
        {**work, "attrs": {"pdl": True}},
        {**work, "attrs": {"pdl": False, "failed": True}},
    )
    ops = rows(trace, "op")
    flags = [0, Flag.CAPTURED, 0, 0, Flag.PDL, Flag.FAILED]
    assert [op["flags"] for op in ops] == flags
    assert [op["graph"] for op in ops] == [1, 1, 1, 1, 0, 0]
    assert [op["rc"] for op in ops] == [0, 0, 0, 0, 0, 1]
    (row,) = rows(trace, "graph")
    assert (row["name"], row["nodes"]) == ("G", 1)


def test_an_unstaged_copy(tmp_path: Path) -> None:
    copy = {"op": "memcpy_async_h2d", "stream": "S1"}
    copy |= {"reads": [["h", 0, 8]], "writes": [["d", 0, 8]]}
    trace = trace_of(tmp_path, copy, {**copy, "attrs": {"staged": False}})
    assert [op["flags"] for op in rows(trace, "op")] == [0, Flag.UNSTAGED]
    assert len(rows(trace, "access")) == 2


def test_streams(tmp_path: Path) -> None:
    create = {"op": "stream_create"}
    copy = {"op": "memcpy_h2d", "reads": [["h", 0, 8]], "writes": [["d", 0, 8]]}
    trace = trace_of(
        tmp_path,
        {**create, "stream": "A", "attrs": {"flags": "blocking"}},
        {**create, "stream": "B", "attrs": {"flags": "nonblocking"}},
        {"op": "stream_sync", "stream": "C"},
        copy,
    )
    actors = {a["name"]: (ActorKind(a["kind"]).name, a["flags"]) for a in rows(trace, "actor")}
    assert actors == {
        "T0": ("THREAD", 0),
        "A": ("STREAM", 1),
        "B": ("STREAM", 2),
        "C": ("STREAM", 2),
        "LEGACY": ("STREAM", 4),
    }


def test_signals_and_events_share_one_table(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        {"op": "event_record", "stream": "S1", "event": "x"},
        {"op": "thread_signal", "event": "y"},
        {"op": "thread_wait", "event": "y", "thread": "T1"},
    )
    assert [row["name"] for row in rows(trace, "event")] == ["x", "y"]
    assert [op["event"] for op in rows(trace, "op")] == [1, 2, 2]


def test_existing_traces_are_kept_unless_asked(tmp_path: Path, refuses: Any) -> None:
    import_cases(CATALOGUE, tmp_path / "t", "csan-basic")
    refuses("-f", import_cases, CATALOGUE, tmp_path / "t", "disjoint-slices")
    import_cases(CATALOGUE, tmp_path / "t", "disjoint-slices", overwrite=True)
    assert open_trace(tmp_path / "t").meta["program"] == "disjoint-slices"
