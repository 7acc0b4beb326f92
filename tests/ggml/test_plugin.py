"""A ggml whose calls no name reaches is recorded by the slots of its objects, with the same ops."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from routes import FREES, NO_SLOT, told, with_slots, without_frees, without_looks

from synctrace.analyzer.check import check
from synctrace.tracer.faults import Faults
from synctrace.tracer.kinds import Flag, Kind, Mode, Origin
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace
from synctrace.tracer.route import Via

from .conftest import Recording, StandIn, build, build_within

HOST_WAITS = (Kind.STREAM_SYNC, Kind.EVENT_SYNC)


@pytest.fixture(params=["new", "old"])
def both(
    request: pytest.FixtureRequest,
    fake: StandIn,
    fake_old: StandIn,
    fake_within: StandIn,
    fake_within_old: StandIn,
) -> tuple[StandIn, StandIn]:
    """A layout, as a shared library and within the program."""
    return (fake, fake_within) if request.param == "new" else (fake_old, fake_within_old)


SCENARIOS = ["tokens", "inputs", "resets", "copies", "events", "rewrites", "buffers"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_same_ops_as_by_name(
    recorded: Any,
    both: tuple[StandIn, StandIn],
    scenario: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FAKE_FAMILY", "Vulkan")  # whose free slot may be ours
    by_name, by_slot = (recorded(scenario, 3, stand_in) for stand_in in both)
    assert (by_name.trace.meta["via"], by_slot.trace.meta["via"]) == ("preload", "plugin")
    assert by_name.trace.complete and by_slot.trace.complete
    assert told(by_slot.trace) == with_slots(told(by_name.trace))


def test_the_same_ops_where_copies_are_refused(
    recorded: Any, both: tuple[StandIn, StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_REFUSE", "1")
    by_name, by_slot = (recorded("copies", 2, stand_in) for stand_in in both)
    assert Flag.REFUSED in {op.flags for op in told(by_slot.trace)}
    assert told(by_slot.trace) == with_slots(told(by_name.trace))


def test_2d_rows_are_one_op(recorded: Any, fake: StandIn, fake_within: StandIn) -> None:
    by_name, by_slot = (recorded("rows", 2, stand_in) for stand_in in (fake, fake_within))
    assert told(by_slot.trace) == with_slots(told(by_name.trace))
    (tensor, _) = by_slot.accesses(by_slot.ops("ggml_backend_tensor_set_2d")[0])
    assert (tensor["pitch"], tensor["width"], tensor["height"]) == (128, 8, 4)


def test_a_buffer_that_a_function_without_a_slot_made(
    recorded: Any, both: tuple[StandIn, StandIn]
) -> None:
    """It is met in a graph at the earliest: what is done to it before is not seen."""
    by_name, by_slot = (recorded("aliases", 2, stand_in) for stand_in in both)
    assert [op.touched[0].name for op in told(by_name.trace) if op.touched] == list("abab")
    assert [op.touched[0].name for op in told(by_slot.trace) if op.touched] == list("aa")


def test_places_are_those_of_the_names(recorded: Any, fake: StandIn, fake_within: StandIn) -> None:
    """The function of ggml that found the slot is no place; two callers of it are two."""
    runs = [recorded("tokens", 6, stand_in) for stand_in in (fake, fake_within)]
    assert functions(runs[0]) == functions(runs[1])
    assert len(functions(runs[1])["ggml_backend_synchronize"]) == 2


def functions(run: Recording) -> dict[str, set[tuple[str, ...]]]:
    """Call chains of each function that has a slot and is called by the program or a scheduler."""
    frames = {row["address"]: row["function"] for row in run.rows("frame")}
    stacks = {row["id"]: row["frames"] for row in run.rows("stack")}
    sites = {row["id"]: row["stack"] for row in run.rows("site")}
    actors = {row["id"]: row["name"] for row in run.rows("actor")}
    found: dict[str, set[tuple[str, ...]]] = {}
    for call in ("ggml_backend_synchronize", "ggml_backend_graph_compute_async"):
        for op in run.ops(call):
            if actors[op["actor"]] == "Fake0":
                chain = [frames[a] for a in stacks[sites[op["site"]]]]
                found.setdefault(call, set()).add(tuple(chain[: chain.index("main")]))
    return found


@pytest.mark.parametrize("via", ["preload", "auto"])
def test_by_name_where_that_works(recorded: Any, fake: StandIn, via: str) -> None:
    """The plug-in is loaded, and leaves every slot but the one without a function alone."""
    run = recorded("copies", 2, fake, via)
    assert run.trace.meta["via"] == "preload"
    assert Counter(run.trace.meta["coverage"].values()) == Counter({0: 5})
    assert told(run.trace) == told(recorded("copies", 2, fake, "preload").trace)


@pytest.mark.parametrize("scenario", ["tokens", "copies"])
def test_a_shared_ggml_by_its_slots(recorded: Any, fake: StandIn, scenario: str) -> None:
    by_name, by_slot = recorded(scenario, 2, fake), recorded(scenario, 2, fake, "plugin")
    assert by_slot.trace.meta["via"] == "plugin"
    expected = with_slots(told(by_name.trace))
    assert told(by_slot.trace) == [op for op in expected if op.kind != Kind.FREE]


@pytest.mark.parametrize("mode", ["RTLD_LOCAL", "RTLD_GLOBAL"])
@pytest.mark.parametrize(("via", "way"), [("plugin", "plugin"), ("auto", "preload")])
def test_python_host(fake: StandIn, tmp_path: Path, mode: str, via: Via, way: str) -> None:
    """A shared ggml that only its users see, or everybody."""
    code = (
        f"import ctypes, os, sys; lib = ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW | os.{mode});"
        "sys.exit(lib.run_scenario(b'tokens', 3))"
    )
    command = [sys.executable, "-c", code, fake.library]
    result = record(command, str(tmp_path / "t.synctrace"), via=via)
    assert result.exit_code == 0, result.message
    done = Recording(result, open_trace(result.traces[0]))
    assert done.trace.meta["via"] == way
    assert len(done.ops("ggml_backend_graph_compute_async")) == 3


@pytest.mark.parametrize("scenario", ["tokens", "copies"])
def test_calls_bound_within_the_library(
    recorded: Any, fake: StandIn, tmp_path: Path, scenario: str
) -> None:
    """Names catch the program's calls, slots those of the library too: each once."""
    bound = build(tmp_path, "-DLAYOUT_2D", "-Wl,-Bsymbolic")
    by_name, by_slot = recorded(scenario, 2, fake), recorded(scenario, 2, bound)
    assert by_slot.trace.meta["via"] == "plugin"
    by_both = told(by_slot.trace)
    assert Counter(without_frees(with_slots(by_both))) == Counter(
        without_frees(with_slots(told(by_name.trace)))
    )
    frees = [op for op in by_both if op.kind in FREES]
    assert frees == [op for op in told(by_name.trace) if op.kind in FREES]
    assert {op.call for op in by_both} & set(NO_SLOT), "and what has only a name"


def test_what_it_does_not_see_is_told(recorded: Any, fake_within: StandIn) -> None:
    run = recorded("tokens", 4, fake_within)
    coverage = run.trace.meta["coverage"]
    assert coverage["launches_without_host_stores"] == 4
    assert coverage["buffers_without_free"] == 2, "a family whose free slot may be a mark"
    assert "interface for backends" in run.result.message
    assert [op.kind for op in told(run.trace) if op.kind in FREES] == [Kind.FREE_HOST]


def test_after_a_wait_the_host_may_have_stored_anything(
    recorded: Any, fake_within: StandIn
) -> None:
    run = recorded("tokens", 3, fake_within)
    ops = run.rows("op")
    waits = [i for i, op in enumerate(ops) if op["kind"] in HOST_WAITS]
    assert [Kind(ops[i + 1]["kind"]) for i in waits[:-1]] == [Kind.HOST_WRITE] * (len(waits) - 1)
    (unseen,) = {tuple(op["accesses"]) for op in run.ops("unseen_stores")}
    access = run.trace.table("access").to_pylist()[unseen[0] - 1]
    assert (access["storage"], access["origin"]) == (0, Origin.SYNTHETIC)
    checked = check(run.trace)
    assert {f.why for f in checked.findings if f.family == "sync"} <= {"implied"}
    assert [f for f in checked.findings if f.family in ("race", "life")] == []


def test_a_backend_still_knows_its_buffers(recorded: Any, fake_within: StandIn) -> None:
    """By the address in their free slot, which is not ours then."""
    run = recorded("moves", 3, fake_within)
    copies = run.ops("ggml_backend_tensor_copy")
    assert [Kind(op["kind"]) for op in copies] == [Kind.TENSOR_COPY] * 3
    assert [(a["name"], a["mode"]) for a in run.accesses(copies[0])] == [
        ("input copy", Mode.READ),
        ("result", Mode.WRITE),
    ]
    assert run.ops("ggml_backend_tensor_get") == []


def test_a_buffer_at_the_address_of_another_is_another(recorded: Any, fake_within: StandIn) -> None:
    run = recorded("buffers", 4, fake_within)
    storages = [run.accesses(op)[0]["storage"] for op in run.ops("ggml_backend_buffer_clear")]
    assert len(set(storages)) == 4
    assert run.ops("ggml_backend_buffer_free") == [], "of this family no free is seen"


def test_threads_and_forks(fake_within: StandIn, recorded: Any, tmp_path: Path) -> None:
    run = recorded("threads", 4, fake_within)
    assert run.trace.complete
    assert len(run.ops("ggml_backend_graph_compute_async")) == 3 * 8 * 4
    result = record([fake_within.program, "forks", "2"], str(tmp_path / "t.synctrace"))
    runs = [Recording(result, open_trace(path)) for path in result.traces]
    launches = [len(run.ops("ggml_backend_graph_compute_async")) for run in runs]
    assert sorted(launches) == [3, 4]
    assert {run.trace.meta["via"] for run in runs} == {"plugin"}


@pytest.mark.parametrize("scenario", ["tokens", "copies", "events", "moves"])
def test_on_aarch64(
    recorded: Any, fake_within: StandIn, fake_within_aarch64: StandIn, scenario: str
) -> None:
    """What an emulated program shows: tests/machines.py."""
    native, emulated = (recorded(scenario, 2, one) for one in (fake_within, fake_within_aarch64))
    assert emulated.trace.meta["via"] == "plugin"
    assert without_looks(told(emulated.trace)) == without_looks(told(native.trace))


def test_a_sync_can_be_left_out(recorded: Any, fake_within: StandIn, tmp_path: Path) -> None:
    run = recorded("rewrites", 2, fake_within)
    sites = {row["id"]: row["key"] for row in run.rows("site")}
    key = sites[run.ops("ggml_backend_synchronize")[0]["site"]]
    out = str(tmp_path / "skipped.synctrace")
    result = record([fake_within.program, "rewrites", "2"], out, faults=Faults((key,)))
    assert result.exit_code == 0, result.message
    skipped = Recording(result, open_trace(result.traces[0]))
    assert {op["flags"] for op in skipped.ops("ggml_backend_synchronize")} == {Flag.SKIPPED}


def test_ggml_that_is_not_exported(tmp_path: Path) -> None:
    hidden = build_within(tmp_path, "-DLAYOUT_2D")
    result = record([hidden.program, "tokens", "1"], str(tmp_path / "t.synctrace"))
    assert result.exit_code == 125
    assert "-rdynamic" in result.message
