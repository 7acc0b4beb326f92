"""What the recorder writes for each ggml call, on a stand-in ggml of either layout."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.check import check
from synctrace.tracer.kinds import Extent, Flag, Kind, MemoryKind, Mode, Origin, StreamFlag
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace

from .conftest import HERE, NATIVE, Recording, StandIn


@pytest.fixture(params=["new", "old"])
def either(request: pytest.FixtureRequest, fake: StandIn, fake_old: StandIn) -> StandIn:
    return fake if request.param == "new" else fake_old


def kinds(ops: list[dict[str, Any]]) -> list[Kind]:
    return [Kind(op["kind"]) for op in ops]


def test_a_token_is_recorded_call_by_call(recorded: Any, either: StandIn) -> None:
    run = recorded("tokens", 1, either)
    assert run.trace.complete
    first = run.ops("host_inputs")[0]["ticket_c"]
    ops = [op for op in run.rows("op") if op["ticket_c"] >= first and op["kind"] != Kind.MARK]
    assert kinds(ops[:5]) == [
        Kind.HOST_WRITE,
        Kind.STREAM_SYNC,
        Kind.GRAPH_LAUNCH,
        Kind.TENSOR_GET_ASYNC,
        Kind.DEVICE_SYNC,
    ]


def test_tickets_are_dense_and_ops_sorted(recorded: Any, either: StandIn) -> None:
    run = recorded("tokens", 5, either)
    ops = run.rows("op")
    assert [op["ticket_c"] for op in ops] == sorted(op["ticket_c"] for op in ops)
    assert [op["id"] for op in ops] == [op["ticket_c"] for op in ops]
    tickets = sorted(t for op in ops for t in (op["ticket_c"], op["ticket_r"]))
    assert tickets == list(range(1, len(tickets) + 1))
    assert all(op["ticket_c"] < op["ticket_r"] and op["t_c"] <= op["t_r"] for op in ops)


def test_backends_are_actors(recorded: Any, either: StandIn) -> None:
    run = recorded("tokens", 1, either)
    actors = {row["name"]: row for row in run.rows("actor")}
    assert actors["Fake0"]["flags"] == 0
    assert actors["Fake0"]["device"] == 0
    assert actors["CPU"]["flags"] == StreamFlag.SYNCHRONOUS
    assert actors["CPU"]["device"] == -1
    assert actors["scenario"]["handle"] == run.trace.meta["pid"]
    waits = {op["actor"]: op["flags"] for op in run.ops("ggml_backend_synchronize")}
    assert waits == {actors["Fake0"]["id"]: 0, actors["CPU"]["id"]: Flag.NOOP}


def test_a_sched_synchronize_is_the_parent_of_its_waits(recorded: Any) -> None:
    run = recorded("tokens", 1)
    (parent,) = run.ops("ggml_backend_sched_synchronize")
    children = [op for op in run.rows("op") if op["parent"] == parent["id"]]
    assert parent["flags"] == Flag.PARENT
    assert kinds(children) == [Kind.STREAM_SYNC, Kind.STREAM_SYNC]


def test_a_launch_has_the_whole_graphs_ranges(recorded: Any, either: StandIn) -> None:
    run = recorded("tokens", 4, either)
    launches = run.ops("ggml_backend_graph_compute_async")
    assert len(launches) == 4
    assert len({op["access_set"] for op in launches}) == 1, "one walk serves all launches"
    found = {(a["name"], a["mode"]): a for a in run.accesses(launches[0])}
    assert ("weight", Mode.READ) not in found, "weights are never rewritten"
    assert found["input", Mode.READ]["extent"] == Extent.EXACT
    assert found["input copy", Mode.READ]["hi"] - found["input copy", Mode.READ]["lo"] == 256
    rows = found["cache", Mode.WRITE]
    assert rows["extent"] == Extent.UPPER_BOUND
    assert (rows["lo"], rows["hi"]) == (1024, 1024)
    assert (rows["upper_lo"], rows["upper_hi"]) == (1024, 2048)
    assert ("result", Mode.READ) not in found, "written before by the same launch"


def test_a_moved_tensor_is_walked_again(recorded: Any, either: StandIn) -> None:
    run = recorded("resets", 4, either)
    launches = run.ops("ggml_backend_graph_compute_async")
    assert [op["version"] for op in launches] == [0, 1, 0, 1]
    assert len({op["access_set"] for op in launches}) == 2
    assert len({op["graph"] for op in launches}) == 1


def test_ranges_are_offsets_not_addresses(recorded: Any) -> None:
    run = recorded("tokens", 1)
    sizes = {row["id"]: row["size"] for row in run.rows("storage")}
    assert all(a["upper_hi"] <= sizes[a["storage"]] for a in run.rows("access"))
    memory = {row["storage"]: MemoryKind(row["kind"]).name for row in run.rows("memory")}
    names = {row["id"]: row["name"] for row in run.rows("storage")}
    assert {names[s]: kind for s, kind in memory.items()} == {
        "Fake0": "DEVICE",
        "CPU": "HOST",
        "host memory": "HOST",
    }


def test_accepted_and_refused_copies(
    recorded: Any, either: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = recorded("copies", 2, either)
    slots = run.ops("cpy_tensor_async")
    actors = {row["id"]: row["name"] for row in run.rows("actor")}
    assert [op["flags"] for op in slots] == [0, 0]
    assert (actors[slots[0]["actor"]], actors[slots[0]["peer"]]) == ("Fake0", "CPU")
    assert [(a["name"], a["mode"]) for a in run.accesses(slots[0])] == [
        ("side", Mode.READ),
        ("input copy", Mode.WRITE),
    ]
    assert {op["parent"] for op in slots} == {
        op["id"] for op in run.ops("ggml_backend_tensor_copy_async")
    }
    monkeypatch.setenv("FAKE_REFUSE", "1")
    run = recorded("copies", 2, either)
    assert {op["flags"] for op in run.ops("cpy_tensor_async")} == {Flag.REFUSED}
    copy = run.ops("ggml_backend_tensor_copy")[0]
    assert kinds([copy]) == [Kind.TENSOR_COPY]
    parent = run.ops("ggml_backend_tensor_copy_async")[0]
    children = [op for op in run.rows("op") if op["parent"] == parent["id"]]
    assert kinds(children) == [
        Kind.TENSOR_COPY_ASYNC,
        Kind.STREAM_SYNC,
        Kind.STREAM_SYNC,
        Kind.TENSOR_COPY,
    ]


def test_set_async_without_a_slot_is_its_children(recorded: Any) -> None:
    run = recorded("copies", 1)
    asynchronous, fallback = run.ops("ggml_backend_tensor_set_async")
    assert asynchronous["flags"] == 0
    assert fallback["flags"] == Flag.PARENT
    children = [op for op in run.rows("op") if op["parent"] == fallback["id"]]
    assert kinds(children) == [Kind.STREAM_SYNC, Kind.TENSOR_SET]


def test_2d_set_is_one_op_with_its_rows(recorded: Any) -> None:
    run = recorded("rows", 1)
    assert len(run.ops("ggml_backend_tensor_set")) == 0
    (op,) = run.ops("ggml_backend_tensor_set_2d")
    tensor, host = run.accesses(op)
    assert (tensor["pitch"], tensor["width"], tensor["height"]) == (128, 8, 4)
    assert tensor["upper_hi"] - tensor["upper_lo"] == 3 * 128 + 8
    assert (tensor["lo"], tensor["hi"]) == (tensor["upper_lo"], tensor["upper_hi"])
    assert tensor["extent"] == Extent.EXACT
    assert (host["pitch"], host["width"], host["height"]) == (16, 8, 4)


def test_reused_handles_are_new_generations(recorded: Any, either: StandIn) -> None:
    run = recorded("events", 3, either)
    events = run.rows("event")
    assert len(events) == 3
    assert len({op["event"] for op in run.ops("ggml_backend_event_record")}) == 3
    handles = {row["handle"] for row in events}
    if len(handles) == 1:  # the allocator gave the same address each time
        assert [row["generation"] for row in events] == [1, 2, 3]


def test_a_free_writes_the_whole_storage(recorded: Any) -> None:
    run = recorded("buffers", 3)
    frees = run.ops("ggml_backend_buffer_free")
    assert kinds(frees) == [Kind.FREE] * 3
    ranges = [run.accesses(op)[0] for op in frees]
    assert [(a["lo"], a["hi"], a["mode"]) for a in ranges] == [(0, 4096, Mode.WRITE)] * 3
    assert len({a["storage"] for a in ranges}) == 3


def test_a_buffer_over_a_buffer_is_the_same_storage(recorded: Any) -> None:
    run = recorded("aliases", 1)
    first, second = run.ops("ggml_backend_tensor_memset")
    (a,), (b,) = run.accesses(first), run.accesses(second)
    assert (a["name"], b["name"]) == ("a", "b")
    assert (a["storage"], a["lo"], a["hi"]) == (b["storage"], b["lo"], b["hi"])


def test_raw_stores_to_inputs_are_host_writes(recorded: Any) -> None:
    run = recorded("inputs", 3)
    looks = run.ops("host_inputs")
    assert kinds(looks) == [Kind.HOST_WRITE] * 3
    origins = [{a["name"]: Origin(a["origin"]).name for a in run.accesses(op)} for op in looks]
    assert origins == [
        {"input": "SYNTHETIC", "side": "SYNTHETIC"},  # the first look compares with nothing
        {"input": "DIGEST", "side": "SYNTHETIC"},
        {"input": "DIGEST", "side": "SYNTHETIC"},
    ]


def test_a_rewritten_source_of_a_pending_copy_is_a_host_write(recorded: Any) -> None:
    run = recorded("rewrites", 2)
    looks = run.ops("pending_sources")
    assert len(looks) == 2
    waits = run.ops("ggml_backend_synchronize")
    assert looks[0]["ticket_r"] < waits[0]["ticket_c"]
    assert [a["origin"] for a in run.accesses(looks[0])] == [Origin.DIGEST]


def test_untouched_sources_are_silent(recorded: Any) -> None:
    run = recorded("tokens", 3)
    assert run.ops("pending_sources") == []


def test_scopes_nest_and_number(recorded: Any) -> None:
    run = recorded("tokens", 3)
    scopes = {row["id"]: row for row in run.rows("scope")}
    launches = run.ops("ggml_backend_graph_compute_async")
    splits = [scopes[op["scope"]] for op in launches]
    assert [s["name"] for s in splits] == ["Fake0"] * 3
    assert [s["number"] for s in splits] == [0, 0, 0]
    assert [scopes[s["parent"]]["number"] for s in splits] == [0, 1, 2]


def test_sites_are_places_not_calls(recorded: Any) -> None:
    run = recorded("tokens", 6)
    launches = run.ops("ggml_backend_graph_compute_async")
    assert len({op["site"] for op in launches}) == 1
    frames = {row["address"]: row for row in run.rows("frame")}
    stacks = {row["id"]: row["frames"] for row in run.rows("stack")}
    sites = {row["id"]: row for row in run.rows("site")}
    functions = [frames[a]["function"] for a in stacks[sites[launches[0]["site"]]["stack"]]]
    assert functions[:4] == [
        "ggml_backend_sched_graph_compute_async",
        "token",
        "tokens",
        "run_scenario",
    ]
    modules = {row["id"]: row for row in run.rows("module")}
    inner = frames[stacks[sites[launches[0]["site"]]["stack"]][0]]
    assert modules[inner["module"]]["path"].endswith("libggml-base.so")
    assert modules[inner["module"]]["build_id"]


@pytest.mark.parametrize("larger", ["64", "96"])
def test_a_build_for_longer_names_is_read(
    recorded: Any, monkeypatch: pytest.MonkeyPatch, larger: str
) -> None:
    monkeypatch.setenv("FAKE_OTHER_TENSOR", larger)
    run = recorded("tokens", 2)
    assert run.trace.complete, run.trace.lost
    launch = run.ops("ggml_backend_graph_compute_async")[0]
    assert Mode.UNKNOWN not in [a["mode"] for a in run.accesses(launch)]


@pytest.mark.parametrize(("larger", "name"), [("-8", ""), ("64", "1"), ("0", "1")])
def test_an_unknown_tensor_layout_is_never_read(
    recorded: Any, monkeypatch: pytest.MonkeyPatch, larger: str, name: str
) -> None:
    monkeypatch.setenv("FAKE_OTHER_TENSOR", larger)
    if name:
        monkeypatch.setenv("FAKE_OTHER_NAME", name)
    run = recorded("tokens", 2)
    assert not run.trace.complete
    assert any("layout" in text for text in run.trace.lost)
    launch = run.ops("ggml_backend_graph_compute_async")[0]
    assert [a["mode"] for a in run.accesses(launch)] == [Mode.UNKNOWN]


def test_calls_left_by_longjmp_are_told(recorded: Any) -> None:
    run = recorded("abandons", 4)
    later = run.ops("ggml_backend_synchronize") + run.ops("ggml_backend_tensor_copy")
    assert len(later) == 4
    assert all(op["parent"] is None for op in later)
    assert run.trace.lost == ("calls left by longjmp: 4",)


def test_a_call_left_by_an_exception_failed_and_nothing_is_lost(
    fake: StandIn, tmp_path: Path
) -> None:
    program = str(tmp_path / "throws")
    flags = [f"-I{NATIVE}", "-Wall", "-Wextra", "-Wno-pedantic", str(HERE / "throws.cpp")]
    base = [str(fake.folder / "libggml-base.so"), f"-Wl,-rpath,{fake.folder}"]
    subprocess.run(["c++", "-O1", *flags, *base, "-o", program], check=True)
    result = record([program, "4"], str(tmp_path / "t"))
    assert result.exit_code == 0, result.message
    run = Recording(result, open_trace(result.traces[0]))
    assert run.trace.complete, run.trace.lost
    waits = run.ops("ggml_backend_synchronize")
    assert [op["flags"] for op in waits] == [Flag.FAILED, 0] * 4
    assert all(op["parent"] is None for op in waits)


def test_inputs_written_by_recorded_calls_are_no_raw_stores(recorded: Any) -> None:
    run = recorded("written", 6)
    origins = [{a["origin"] for a in run.accesses(op)} for op in run.ops("host_inputs")]
    assert origins == [{Origin.SYNTHETIC}] * 6


def test_memory_that_the_program_lends_is_not_freed(recorded: Any) -> None:
    run = recorded("lent", 100)
    ends = run.ops("ggml_backend_buffer_free")
    assert kinds(ends) == [Kind.HOST_UNREGISTER] * 100
    assert [op["accesses"] for op in ends] == [[]] * 100
    assert check(run.trace, select=["RACE", "LIFE"]).findings == ()
    assert run.trace.complete, run.trace.lost


def test_a_decode_passes_its_batch_on_and_is_a_scope(recorded: Any) -> None:
    run = recorded("decodes", 3)
    assert [op["rc"] for op in run.ops("llama_decode")] == [0, 1, 2], "the tokens of each batch"
    assert [scope["name"] for scope in run.rows("scope")] == ["decode"] * 3
