"""Two layers recorded together: each thing is told once, and counted once.

The traces are made by hand, so they say nothing of what a recorder makes of real calls.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from layer_cases import layered

from synctrace.analyzer.check import check, default_profiles
from synctrace.analyzer.finding import Finding
from synctrace.analyzer.query import Questions
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Level
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.writer import TraceWriter

BOTH = ("hip-doc", "ggml-contract")
MEMORY = {"h": "pinned", "d": "device", "e": "device"}
Op = dict[str, Any]


def op(kind: str, **more: Any) -> Op:
    return {"thread": "T0", "op": kind, **more}


def trace_of(path: Path, *ops: Op) -> Trace:
    return layered({"memory": MEMORY, "ops": ops}).written(path / "t")


def found(trace: Trace, *profiles: str, **how: Any) -> Sequence[Finding]:
    return [f for f in check(trace, profiles or BOTH, **how).findings if f.family != "trace"]


def told(findings: Sequence[Finding]) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(f.level, f.profile, f.ops) for f in findings]


SET = op("tensor_set_async", backend="A", reads=["h"], writes=["d"], lowered=True)
UPLOAD = op("memcpy_async_h2d", stream="S", reads=["h"], writes=["d"], parent=0)
REFILL = op("host_write", writes=["h"])


def test_a_race_that_both_layers_show_is_one_finding(tmp_path: Path) -> None:
    trace = trace_of(tmp_path, SET, UPLOAD, REFILL)
    assert told(found(trace, "hip-doc")) == [("api", "hip-doc", (1, 2))]
    assert told(found(trace, "ggml-contract")) == [("ggml", "ggml-contract", (0, 2))]
    [one] = found(trace)
    assert told([one]) == [("api", "hip-doc,ggml-contract", (1, 2))]
    assert (one.rule, one.verdict, one.count) == ("RACE04", "certain", 1)


def test_another_race_at_another_place_is_another_finding(tmp_path: Path) -> None:
    more = [{**SET, "site": "elsewhere"}, {**UPLOAD, "parent": 3}, REFILL]
    findings = found(trace_of(tmp_path, SET, UPLOAD, REFILL, *more))
    places = {(f.touches[0].op.place.label, f.touches[1].op.place.label) for f in findings}
    assert all(f.profile == "hip-doc,ggml-contract" for f in findings)
    assert len(places) == len(findings) > 1


def test_what_one_layer_alone_shows_stays(tmp_path: Path) -> None:
    """The API waits for another stream than the copy's; ggml's promise is kept by nobody."""
    wait = op("stream_sync", backend="A", lowered=True)
    other = op("stream_sync", stream="P", parent=2)
    findings = found(trace_of(tmp_path, SET, UPLOAD, wait, other, REFILL))
    assert told([f for f in findings if f.family == "race"]) == [("api", "hip-doc", (1, 4))]


def test_the_surer_verdict_leads(tmp_path: Path) -> None:
    """A free may wait for the device: latent for the API, which ggml's header does not promise."""
    launch = op("graph_launch", backend="A", reads=["d"], lowered=True)
    kernel = op("graph_launch", stream="S", reads=["d"], parent=0)
    free = op("free", writes=["d"], parent=2, level="api")
    freed = op("free", writes=["d"], lowered=True)
    trace = trace_of(tmp_path, launch, kernel, freed, free)
    [one] = [f for f in found(trace) if f.family in ("race", "life")]
    assert (one.level, one.verdict, one.profile) == ("ggml", "certain", "hip-doc,ggml-contract")
    [alone] = [f for f in found(trace, "hip-doc") if f.family in ("race", "life")]
    assert (alone.level, alone.verdict) == ("api", "latent")


WAIT, CALL = op("stream_sync", backend="A", lowered=True), op("stream_sync", stream="S", parent=0)
# A wait that nothing needs, and behind it one that a refill needs.
NEEDLESS = (WAIT, CALL, {**SET, "site": "set"}, {**UPLOAD, "parent": 2})
NEEDED = ({**WAIT, "site": "wait"}, {**CALL, "parent": 4}, REFILL)


def test_a_needless_wait_is_told_as_the_call_that_makes_it(tmp_path: Path) -> None:
    trace = trace_of(tmp_path, *NEEDLESS, *NEEDED)
    syncs = [f for f in found(trace) if f.family == "sync"]
    assert [(f.rule, f.level, f.ops) for f in syncs] == [("SYNC01", "ggml", (0,))]
    [api] = [f for f in found(trace, "hip-doc") if f.family == "sync"]
    assert (api.level, api.ops) == ("api", (1,))
    rows = Questions(trace, BOTH).ask("SELECT site, level FROM needless").rows
    assert list(rows) == [(1, "ggml")]


def test_a_wait_that_one_layer_needs_is_not_needless(tmp_path: Path) -> None:
    """The copy is on a stream that the first of the wait's two calls covers: the other one is told
    by neither layer, since the wait that makes both is needed."""
    elsewhere = {**UPLOAD, "stream": "P", "parent": 2}
    covers = op("stream_sync", stream="P", parent=4)
    beside = {**CALL, "parent": 4, "site": "too much"}
    trace = trace_of(
        tmp_path, *NEEDLESS[:3], elsewhere, {**WAIT, "site": "wait"}, covers, beside, REFILL,
        op("kernel", stream="S"), op("stream_sync", stream="S"),
    )  # fmt: skip
    [alone] = [f for f in found(trace, "hip-doc") if f.ops == (6,)]
    assert alone.rule == "SYNC01"
    assert [(f.level, f.ops) for f in found(trace) if f.family == "sync"] == [("ggml", (0,))]


def test_advice_is_told_of_the_outer_calls(tmp_path: Path) -> None:
    again = [{**WAIT, "site": "again"}, {**CALL, "site": "call again"}]
    ops = [WAIT, CALL]
    for n in range(3):
        ops += [again[0], {**again[1], "parent": 2 + 2 * n}]
    trace = trace_of(tmp_path, *ops)
    advice = [f for f in found(trace, select=["SYNC04"]) if f.rule == "SYNC04"]
    assert [(f.level, f.ops) for f in advice] == [("ggml", (2, 4, 6))]


def test_each_call_is_counted_once(tmp_path: Path) -> None:
    graph = op("graph_launch", backend="A", reads=["d"], writes=["e"], lowered=True)
    kernels = [op("kernel", stream="S", parent=2) for _ in range(2)]
    whole = op("graph_launch", stream="S", reads=["d"], writes=["e"], parent=2)
    wait = {**WAIT, "site": "wait"}
    trace = trace_of(tmp_path, SET, UPLOAD, graph, *kernels, whole, wait, {**CALL, "parent": 6})
    checked = check(trace, BOTH, share=True)
    assert (checked.census.copies, checked.census.syncs) == (1, 1)
    assert checked.share is not None
    assert (checked.share.known, checked.share.accesses) == (4, 4)
    asked = Questions(trace, BOTH)
    letters = asked.ask("SELECT string_agg(letter, '' ORDER BY op) FROM letter").rows
    assert list(letters) == [("ig[]s",)]
    spent = "SELECT measure, sum(amount) FROM spending WHERE measure NOT LIKE 'host%' GROUP BY ALL"
    assert dict(asked.ask(spent).rows) == {
        "h2d_copies": 1,
        "launches": 3,
        "syncs_per_iteration": 1,
    }
    assert list(asked.ask("SELECT count(*) FROM op").rows) == [(8,)]


def test_a_late_use_is_told_once(tmp_path: Path) -> None:
    freed = op("free", writes=["d"], lowered=True)
    free = op("free", writes=["d"], parent=0, level="api")
    late = [{**SET, "site": "late"}, {**UPLOAD, "parent": 2}]
    findings = [f for f in found(trace_of(tmp_path, freed, free, *late)) if f.family == "life"]
    assert [(f.rule, f.level, f.ops) for f in findings] == [("LIFE05", "api", (1, 3))]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ({Level.GGML: 5, Level.API: 7}, BOTH),
        ({Level.GGML: 5}, ("ggml-contract",)),
        ({Level.API: 7}, ("hip-doc",)),
        ({Level.APP: 1, Level.API: 7}, BOTH),  # both judge calls of the program
        ({}, BOTH),
    ],
)
def test_of_the_trace_s_own_profiles_those_that_judge_something(
    tmp_path: Path, levels: dict[int, int], expected: tuple[str, ...]
) -> None:
    TraceWriter(tmp_path / "t", {"profile": "hip-doc,ggml-contract"}).close()
    assert default_profiles(open_trace(tmp_path / "t"), levels) == expected


def test_a_trace_that_names_a_profile_that_is_none(tmp_path: Path) -> None:
    TraceWriter(tmp_path / "t", {"profile": "hip-doc,./mine.toml"}).close()
    with pytest.raises(SynctraceError, match=r"names \./mine\.toml for its profile"):
        default_profiles(open_trace(tmp_path / "t"), {Level.API: 1})


def test_a_check_without_profiles_runs_both(tmp_path: Path) -> None:
    rows = layered({"memory": MEMORY, "ops": [SET, UPLOAD, REFILL]}).rows
    with TraceWriter(tmp_path / "t", {"profile": "hip-doc,ggml-contract"}) as writer:
        for table, many in rows.items():
            for row in many:
                writer.append(table, {name: [value] for name, value in row.items()})
    checked = check(open_trace(tmp_path / "t"))
    assert checked.profiles == BOTH
    assert checked.asked == ()
    assert check(open_trace(tmp_path / "t"), BOTH).asked == ()
    assert check(open_trace(tmp_path / "t"), ["hip-7"]).asked == ("--profile", "hip-7")
