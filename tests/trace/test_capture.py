"""Captured calls as graphs: nodes, edges, versions, and what a launch touches."""

from pathlib import Path
from typing import Any

import pytest
from imported import accesses, by_id, rows, trace_of

from synctrace.tracer.kinds import Extent, Flag, Kind, Mode
from synctrace.tracer.reader import Trace


def begin(graph: str = "G", stream: str = "S1") -> dict[str, Any]:
    return {"op": "capture_begin", "stream": stream, "attrs": {"graph": graph}}


def end(graph: str = "G", stream: str = "S1") -> dict[str, Any]:
    return {"op": "capture_end", "stream": stream, "attrs": {"graph": graph}}


def kernel(stream: str, *, reads: str = "", writes: str = "", graph: str | None = "G") -> Any:
    """Buffers are letters; each has 8 bytes."""
    op: dict[str, Any] = {"op": "kernel", "stream": stream}
    op |= {"reads": [[b, 0, 8] for b in reads], "writes": [[b, 0, 8] for b in writes]}
    return op | ({"attrs": {"captured_in": graph}} if graph else {})


def record(stream: str, event: str, graph: str = "G") -> dict[str, Any]:
    attrs = {"captured_in": graph}
    return {"op": "event_record", "stream": stream, "event": event, "attrs": attrs}


def wait(stream: str, event: str, graph: str = "G") -> dict[str, Any]:
    return {**record(stream, event, graph), "op": "event_wait"}


def launch(graph: str = "G", stream: str = "S1", **attrs: Any) -> dict[str, Any]:
    return {"op": "graph_launch", "stream": stream, "attrs": {"graph": graph, **attrs}}


def update(*, reads: str = "", writes: str = "", graph: str = "G") -> dict[str, Any]:
    ranges = {"reads": [[b, 0, 8] for b in reads], "writes": [[b, 0, 8] for b in writes]}
    return {"op": "graph_update", **ranges, "attrs": {"graph": graph}}


def edges(trace: Trace, graph: int = 1, version: int = 0) -> set[tuple[int, int]]:
    return {
        (row["first"], row["second"])
        for row in rows(trace, "node_edge")
        if (row["graph"], row["version"]) == (graph, version)
    }


def touched(trace: Trace, op: int) -> set[tuple[str, Mode]]:
    """What an op touches, by itself and by its set."""
    row, access = rows(trace, "op")[op], by_id(trace, "access")
    buffers, sets = by_id(trace, "buffer"), by_id(trace, "access_set")
    ids = row["accesses"] + (sets[row["access_set"]]["accesses"] if row["access_set"] else [])
    return {(buffers[access[i]["buffer"]]["name"], Mode(access[i]["mode"])) for i in ids}


def versions(trace: Trace) -> list[int]:
    return [row["version"] for row in rows(trace, "op")]


READ, WRITE, MAY = Mode.READ, Mode.WRITE, Mode.MAY


def test_one_stream_is_a_chain(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path, begin(), kernel("S1", reads="a", writes="b"), kernel("S1", reads="b"), end()
    )
    nodes = rows(trace, "node")
    assert [(n["graph"], n["version"], n["node"], n["name"]) for n in nodes] == [
        (1, 0, 0, "kernel"),
        (1, 0, 1, "kernel"),
    ]
    assert [n["kind"] for n in nodes] == [Kind.KERNEL, Kind.KERNEL]
    assert [n["accesses"] for n in nodes] == [row["accesses"] for row in rows(trace, "op")[1:3]]
    assert edges(trace) == {(0, 1)}
    assert [row["flags"] for row in rows(trace, "op")] == [0, Flag.CAPTURED, Flag.CAPTURED, 0]


def test_a_fork_and_its_join(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        begin(),
        kernel("S1", writes="a"),  # node 0
        record("S1", "fork"),
        wait("S2", "fork"),
        kernel("S2", reads="a", writes="b"),  # node 1
        kernel("S1", reads="a", writes="c"),  # node 2
        record("S2", "join"),
        wait("S1", "join"),
        kernel("S1", reads="bc"),  # node 3
        end(),
    )
    assert edges(trace) == {(0, 1), (0, 2), (1, 3), (2, 3)}
    (graph,) = rows(trace, "graph")
    assert (graph["nodes"], graph["operations"]) == (4, "kernel")
    members = by_id(trace, "access_set")[graph["access_set"]]["accesses"]
    assert len(members) == len(set(members)) == 6


def test_streams_that_nothing_joins_have_no_edge(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        begin(), wait("S2", "e"), kernel("S1", writes="a"), kernel("S2", reads="a"), end(),
    )  # fmt: skip
    assert edges(trace) == set()


def test_an_event_stands_for_the_nodes_at_its_record(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        begin(),
        kernel("S1"),
        record("S1", "e"),
        kernel("S1"),
        wait("S2", "e"),
        kernel("S2"),  # after node 0, not node 1
        record("S1", "e"),
        wait("S3", "e"),
        kernel("S3"),  # after node 1
        end(),
    )
    assert edges(trace) == {(0, 1), (0, 2), (1, 3)}


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"op": "event_record", "stream": "S4", "event": "e"},  # not captured
        record("S5", "e", "H"),  # another graph's
        record("S1", "f"),  # another event
        {**record("S1", "e"), "attrs": {"captured_in": "G", "failed": True}},
    ],
)
def test_a_wait_for_what_this_capture_did_not_record(
    tmp_path: Path, elsewhere: dict[str, Any]
) -> None:
    trace = trace_of(
        tmp_path,
        begin(), begin("H", "S5"), kernel("S1"), elsewhere, wait("S2", "e"), kernel("S2"), end(),
        end("H", "S5"),
    )  # fmt: skip
    assert edges(trace) == set()


def test_a_failed_call_is_no_node(tmp_path: Path) -> None:
    failed = kernel("S1", writes="x")
    failed["attrs"] = {"captured_in": "G", "failed": True}
    trace = trace_of(tmp_path, begin(), kernel("S1", writes="a"), failed, end(), launch())
    assert rows(trace, "graph")[0]["nodes"] == 1
    assert touched(trace, 4) == {("a", WRITE)}


def test_a_launch_touches_what_the_nodes_touch(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path, begin(), kernel("S1", reads="a"), kernel("S1", writes="b"), end(), launch()
    )
    assert touched(trace, 4) == {("a", READ), ("b", WRITE)}
    assert rows(trace, "op")[4]["accesses"] == []
    assert rows(trace, "op")[4]["access_set"] == rows(trace, "graph")[0]["access_set"] != 0


def test_a_launch_with_ranges_of_its_own_touches_those(tmp_path: Path) -> None:
    own = {**launch(), "writes": [["c", 0, 8]]}
    trace = trace_of(tmp_path, begin(), kernel("S1", reads="a"), end(), own)
    assert touched(trace, 3) == {("c", WRITE)}
    assert rows(trace, "op")[3]["access_set"] == 0


def test_an_update_leaves_earlier_launches_alone(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        begin(), kernel("S1", reads="a"), end(), launch(),
        update(reads="b"), launch(), update(), launch(),
    )  # fmt: skip
    assert [touched(trace, op) for op in (3, 5, 7)] == [{("a", READ)}, {("b", READ)}, set()]
    assert touched(trace, 4) == set()  # the update itself touches nothing
    assert versions(trace) == [0, 0, 0, 0, 1, 1, 2, 2]
    told = [(g["id"], g["version"], g["nodes"]) for g in rows(trace, "graph")]
    assert told == [(1, 0, 1), (1, 1, 0), (1, 2, 0)]


def test_nodes_of_an_earlier_version_are_in_no_edge(tmp_path: Path) -> None:
    captured = [begin(), kernel("S1"), kernel("S1"), end()]
    trace = trace_of(tmp_path, *captured, *captured)
    assert (edges(trace), edges(trace, version=1)) == ({(0, 1)}, {(0, 1)})


def test_a_failed_update_changes_nothing(tmp_path: Path) -> None:
    failed = update(reads="b")
    failed["attrs"] |= {"failed": True}
    trace = trace_of(tmp_path, begin(), kernel("S1", reads="a"), end(), failed, launch())
    assert touched(trace, 4) == {("a", READ)}
    assert versions(trace) == [0] * 5


def test_captured_again(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        begin(), kernel("S1", reads="a"), record("S1", "e"), end(), launch(),
        begin(), wait("S2", "e"), kernel("S2", reads="b"), end(), launch(),
    )  # fmt: skip
    assert touched(trace, 4) == {("a", READ)}
    assert touched(trace, 9) == {("b", READ)}
    assert edges(trace, version=1) == set()  # the event is of the first capture
    assert versions(trace) == [0] * 5 + [1] * 5


def test_a_child_graph_is_a_node_with_its_own_ranges(tmp_path: Path) -> None:
    child = launch("G", captured_in="H")
    trace = trace_of(
        tmp_path,
        begin(), kernel("S1", reads="a"), end(),
        begin("H"), kernel("S1", writes="b", graph="H"), child, end("H"),
        launch("H"), update(reads="c"), launch("H"),
    )  # fmt: skip
    for op in (7, 9):  # an update of the inner graph comes too late
        assert touched(trace, op) == {("a", READ), ("b", WRITE)}
    ids = {row["name"]: row["id"] for row in rows(trace, "graph")}
    assert rows(trace, "op")[5]["graph"] == ids["H"]
    assert accesses(trace, 5) == accesses(trace, 1)
    assert edges(trace, graph=ids["H"]) == {(0, 1)}


def test_a_conditional_launch_may_touch(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        begin(), kernel("S1", reads="a", writes="b"), end(), launch(conditional=True), launch(),
    )  # fmt: skip
    assert touched(trace, 3) == {("a", READ), ("b", MAY)}
    assert touched(trace, 4) == {("a", READ), ("b", WRITE)}
    sets, access = by_id(trace, "access_set"), by_id(trace, "access")
    unsure = sets[rows(trace, "op")[3]["access_set"]]["accesses"]
    assert [Extent(access[i]["extent"]) for i in unsure] == [Extent.UPPER_BOUND, Extent.EXACT]


def test_launches_of_one_version_share_a_set(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path, begin(), kernel("S1", reads="a"), end(), *[launch() for _ in range(20)]
    )
    assert len(rows(trace, "access_set")) == 1
    assert {row["access_set"] for row in rows(trace, "op")[3:]} == {1}
