"""Captures, graphs and executables of HIP as rows of a trace, and what a check says of them.

On the stand-in runtime: the calls, their arguments and the handles are HIP's, so that what is
recorded of nodes, edges and versions is right if the stand-in accepts what HIP accepts. That a real
runtime numbers captured nodes in the order of their calls (by which they are found again) is an
assumption; where it does not, the ranges of the graph count as not known.
"""

from pathlib import Path

import pytest

from hip import told
from hip.programs.build import Programs
from hip.rows import Version, launches, ops, versions
from hip.runs import CALLS, races, recorded
from synctrace.tracer.kinds import Kind, Mode
from synctrace.tracer.reader import open_trace

ALL = "[0,4096)"


def plain(path: Path) -> dict[str, int]:
    """Counters of what was not known."""
    coverage = open_trace(path).meta["coverage"]
    assert isinstance(coverage, dict)
    return {name: coverage.get(name, 0) for name in ("unread_nodes", "launches_without_ranges")}


FORK = (
    f"memcpy_async_h2d hipMemcpyAsync: read pinned memory 1{ALL}, write device memory 2{ALL}",
    f"kernel fill: write device memory 4{ALL}",
    f"kernel pass: read device memory 2{ALL}, write device memory 3{ALL}",
    f"kernel pass: read device memory 3{ALL}, write device memory 4{ALL}",
)


def test_a_fork_is_joined_by_its_event(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "fork", "fixed")
    edges = ((0, 1), (0, 2), (1, 3), (2, 3))
    assert versions(path) == {"graph 1": [Version(FORK, edges)]}
    assert races(path) == []
    captured = [op for op in ops(path) if "(captured)" in op]
    assert len(captured) == 8
    assert not any(":" in op for op in captured)  # the nodes have the ranges
    assert launches(path) == [("graph 1", 0)]
    assert plain(path) == {"unread_nodes": 0, "launches_without_ranges": 0}


def test_a_branch_that_is_joined_too_late(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "fork", "race")
    assert versions(path) == {"graph 1": [Version(FORK, ((0, 1), (0, 2), (2, 3)))]}
    assert races(path) == ["RACE06 certain hipGraphLaunch#1"]


def test_pageable_memory_is_read_at_each_launch(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "pageable", "fixed")
    [copy] = ops(path, Kind.MEMCPY_ASYNC_H2D)
    assert copy == "memcpy_async_h2d hipMemcpyAsync on HIP0 stream 1 (captured|unstaged)"
    [version] = versions(path)["graph 1"]
    assert version.nodes[0].startswith("memcpy_async_h2d hipMemcpyAsync: read host memory[")
    assert races(path) == []


def test_pageable_memory_rewritten_in_flight(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "pageable", "race")
    [line] = races(path)
    assert line.startswith("RACE05 certain hipGraphLaunch#")


def test_dependencies_of_a_capture_are_edited(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "edited", "fixed")
    [version] = versions(path)["graph 1"]
    assert [node.split(":")[0] for node in version.nodes] == [
        *("kernel fill", "kernel fill", "kernel fill"),
        *("memset_async hipGraphAddMemsetNode", "kernel pass"),
    ]
    assert version.edges == ((0, 1), (0, 2), (1, 3), (2, 4), (3, 4))


def test_a_capture_continues_a_graph(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "continued", "fixed")
    [version] = versions(path)["graph 1"]
    assert version.nodes == (
        f"memset_async hipGraphAddMemsetNode: write device memory 1{ALL}",
        f"kernel pass: read device memory 1{ALL}, write device memory 2{ALL}",
    )
    assert version.edges == ((0, 1),)


def test_a_capture_that_fails_leaves_no_graph(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "failed", "fixed")
    fills = ops(path, Kind.KERNEL)
    ran = [f"kernel fill on HIP0 stream {n}: write device memory 1{ALL}" for n in (1, 2)]
    stored = [f"kernel fill on HIP0 stream {n} (captured)" for n in (1, 2, 1)]
    assert fills == [*stored, *ran]
    assert versions(path) == {}


def test_threads_capture_at_once(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "threads", "fixed")
    found = versions(path)
    assert len(found) == 4
    for [version] in found.values():
        touched = {node.split(": ")[1] for node in version.nodes}
        assert (len(version.nodes), len(touched)) == (50, 1)  # of its own thread
        assert version.edges == tuple((i, i + 1) for i in range(49))


def test_events_of_a_graph_act_at_each_launch(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "external", "fixed")
    assert races(path) == []
    implied = [op for op in ops(path) if "(implied)" in op]
    assert implied == [
        "event_record hipGraphLaunch on HIP0 stream 1 (implied)",
        "event_wait hipGraphLaunch on HIP0 stream 2 (implied)",
    ]
    order = [op.split(" hip")[0] for op in ops(path, Kind.GRAPH_LAUNCH, Kind.EVENT_WAIT)]
    assert order == ["event_wait", "graph_launch", "event_wait", "graph_launch"]  # first: captured


def test_without_the_wait_node_launches_race(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "captures", "external", "race")
    assert races(path) == ["RACE01 certain hipGraphLaunch#1 hipGraphLaunch#3"]


def test_nodes_of_every_type(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "explicit", "all-nodes", "fixed")
    [version] = versions(path)["graph 1"]
    pool = f"pool memory 4{ALL}"
    linear, box = "hipGraphAddMemcpyNode1D", "hipGraphAddMemcpyNode"
    assert version.nodes == (
        f"memcpy_async_h2d {linear}: read pinned memory 1{ALL}, write device memory 2{ALL}",
        f"memcpy_async_d2d {box}: read device memory 2[0,320), write device memory 3[0,320)",
        f"memset_async hipGraphAddMemsetNode: write device memory 3{ALL}",
        "host_func hipGraphAddHostNode",
        "none hipGraphAddEmptyNode",
        "graph_launch hipGraphAddChildGraphNode",
        f"alloc_async hipGraphAddMemAllocNode: write {pool}",
        f"memcpy_async_d2d {linear}: read device memory 3{ALL}, write {pool}",
        f"memcpy_async_d2d {linear}: read {pool}, write device memory 2{ALL}",
        f"free_async hipGraphAddMemFreeNode: write {pool}",
        *(  # of the child graph, in its node's place
            f"memset_async hipGraphAddMemsetNode: write {memory}{ALL}"
            for memory in ("device memory 2", "device memory 3", "pinned memory 1")
        ),
    )
    line = [(i, i + 1) for i in range(9)]
    child = [(5, 10), (10, 11), (10, 12), (11, 6), (12, 6)]
    assert version.edges == tuple(sorted(line + child))
    assert races(path) == []  # each launch allocates and frees again


def test_an_executable_keeps_what_its_graph_was(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "explicit", "edits", "fixed")
    found = [version for [version] in versions(path).values()]
    assert [[node.split(": ")[1] for node in version.nodes] for version in found] == [
        [f"write device memory {n}{ALL}" for n in (1, 2, 3)],
        [f"write device memory {n}" for n in (f"1{ALL}", f"2{ALL}", "3[0,16)")],  # of the clone
        [f"write device memory {n}{ALL}" for n in (1, 3, 3)],  # after the edit
    ]
    assert {version.edges for version in found} == {((0, 1), (0, 2))}
    assert races(path) == ["RACE06 certain hipGraphLaunch#2"]


def test_versions_of_an_executable(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "explicit", "changed", "fixed")
    [(_, found)] = versions(path).items()
    first = [version.nodes[0] for version in found]
    assert first == [
        f"memset_async hipMemsetAsync: write device memory 1{ALL}",
        "memset_async hipMemsetAsync: write device memory 1[0,64)",
        "memset_async hipMemsetAsync",  # disabled
        f"memset_async hipMemsetAsync: write device memory 2{ALL}",
    ]
    assert [number for _, number in launches(path)] == [0, 1, 2, 1, 3, 3]
    assert races(path) == []


@pytest.mark.parametrize(
    ("case", "lines"),
    [
        ("updated", ["RACE01 certain hipGraphLaunch#1 pass#1"]),
        (
            "two-streams",
            [f"{rule} certain hipGraphLaunch#1 hipGraphLaunch#2" for rule in ("RACE01", "RACE02")],
        ),
    ],
)
def test_launches_in_flight(
    hip_programs: Programs, tmp_path: Path, case: str, lines: list[str]
) -> None:
    assert races(recorded(hip_programs, tmp_path, "explicit", case, "race")) == lines
    assert races(recorded(hip_programs, tmp_path, "explicit", case, "fixed")) == []


def test_kernel_nodes(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "explicit", "kernels", "fixed")
    b, c = (f"kernel fill: write device memory {n}{ALL}" for n in (2, 3))
    found = [[v.nodes for v in several] for several in versions(path).values()]
    assert found == [[(b, b), (b, c)], [(c, b)]]  # an executable changed; its graph, differently
    assert ops(path, Kind.GRAPH_UPDATE) == ["graph_update hipGraphExecKernelNodeSetParams"]


def test_a_node_that_nobody_saw_made(hip_programs: Programs, tmp_path: Path) -> None:
    program = hip_programs.built(CALLS / "unseen.c", major=5)
    assert told.recorded([program], tmp_path / "t").exit_code == 0
    assert plain(tmp_path / "t") == {"unread_nodes": 1, "launches_without_ranges": 0}
    trace = open_trace(tmp_path / "t")
    [graph] = trace.table("graph").to_pylist()
    sets = {row["id"]: row["accesses"] for row in trace.table("access_set").to_pylist()}
    modes = {row["id"]: row["mode"] for row in trace.table("access").to_pylist()}
    assert Mode.UNKNOWN in {modes[access] for access in sets[graph["access_set"]]}


@pytest.mark.parametrize("seed", range(1, 4))
def test_edges_are_those_of_the_runtime(
    hip_programs: Programs, tmp_path: Path, capfd: pytest.CaptureFixture[str], seed: int
) -> None:
    """The stand-in keeps its own account of captures and of edits."""
    program = hip_programs.built(CALLS / "random.c")
    assert told.recorded([program, str(seed)], tmp_path / "t").exit_code == 0
    found = [version for [version] in versions(tmp_path / "t").values()]
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 50
    for line, version in zip(lines, found, strict=True):
        count, _, edges = line.partition(":")
        pairs = sorted(tuple(map(int, edge.split("-"))) for edge in edges.split())
        assert (int(count), tuple(pairs)) == (len(version.nodes), version.edges)
