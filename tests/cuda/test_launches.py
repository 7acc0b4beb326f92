"""What a launch is told beside its stream: attributes, and by which parameter it touches what.

On the stand-in driver, whose dependent launches are ordinary ones: that a GPU overlaps them is not
shown here. An event of a kernel's start fires there when its stream has come to the kernel.
"""

from pathlib import Path

import pytest
from hip import rows, told

from cuda.catalogue import PROFILES, plain
from cuda.programs.build import Programs
from synctrace.tracer.kinds import Kind, Mode
from synctrace.tracer.reader import open_trace

LAUNCHES = Path(__file__).parent / "launches"
PASS = "_Z4passPKjPj"
ORDER = (Kind.KERNEL, Kind.EVENT_RECORD, Kind.EVENT_WAIT, Kind.EVENT_SYNC)


def _recorded(programs: Programs, folder: Path, part: str) -> Path:
    program = programs.built(LAUNCHES / "attributes.c")
    assert told.recorded([program, part], folder / part).exit_code == 0
    return folder / part


def _order(path: Path) -> list[str]:
    """Ops that order or are ordered, without what they touch."""
    return [plain(line.partition(":")[0]) for line in rows.ops(path, *ORDER)]


def _races(path: Path) -> list[str]:
    """The same under both profiles, as RULE verdict OP … A wait for a start is never needless."""
    one, other = told.findings(path, *PROFILES).values()
    assert one == other
    assert not [line for line in one if "WaitEvent" in line]
    return [plain(line) for line in one if line.startswith("RACE")]


def test_a_dependent_launch(cuda_programs: Programs, tmp_path: Path) -> None:
    """Flagged if the attribute is on, and among those that count."""
    flags = _order(_recorded(cuda_programs, tmp_path, "flags"))
    assert flags == [
        "kernel fill on CUDA0 stream 1 (dependent)",
        "kernel fill on CUDA0 stream 1 (dependent)",
        "kernel fill on CUDA0 stream 1",
        "kernel fill on CUDA0 stream 1",
        "kernel fill on CUDA0 stream 1",
        "kernel fill on CUDA0 stream of thread 1 (dependent)",
    ]


def test_events_of_a_launch(cuda_programs: Programs, tmp_path: Path) -> None:
    """One more op of the launch each, and none of one that failed."""
    path = _recorded(cuda_programs, tmp_path, "events")
    assert _order(path) == [
        "kernel fill on CUDA0 stream 1",
        "event_record fill on CUDA0 stream 1 (programmatic|implied)",
        "kernel fill on CUDA0 stream 1",
        "event_record fill on CUDA0 stream 1 (implied|dependent)",
        "kernel fill on CUDA0 stream 1 (dependent)",
        "event_record fill on CUDA0 stream 1 (implied|dependent)",
        "event_record fill on CUDA0 stream 1 (programmatic|implied)",
        "kernel cuLaunchKernelEx on CUDA0 stream 1 (failed)",
    ]
    assert [line.split(" of ")[1] for line in rows.events(path)] == [
        "event 2",
        "event 3",
        "event 3",
        "event 2",
    ]


@pytest.mark.parametrize(
    ("part", "flags"),
    [("captured-start", "programmatic|implied"), ("captured-trigger", "implied|dependent")],
)
def test_captured(cuda_programs: Programs, tmp_path: Path, part: str, flags: str) -> None:
    """A stream that waits for an event of a launch is captured with it, behind the kernel."""
    path = _recorded(cuda_programs, tmp_path, part)
    waits = "captured|programmatic" if part == "captured-start" else "captured"
    marks = sorted(
        [*flags.split("|"), "captured"],
        key=["captured", "programmatic", "implied", "dependent"].index,
    )
    assert _order(path)[:3] == [
        "kernel fill on CUDA0 stream 1 (captured|dependent)",
        f"event_record fill on CUDA0 stream 1 ({'|'.join(marks)})",
        f"event_wait cuStreamWaitEvent on CUDA0 stream 2 ({waits})",
    ]
    ((version,),) = rows.versions(path).values()
    assert [plain(node.partition(":")[0]) for node in version.nodes] == [
        "kernel fill",
        "kernel pass",
    ]
    assert version.edges == ((0, 1),)
    assert _races(path) == []


UNORDERED = ["RACE01 mode-unknown fill#1 pass#1"]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("start", UNORDERED),
        ("start-then-end", []),
        ("before-start", []),
        # That a kernel behind it may wait in its code is for the check to find out.
        ("trigger", []),
        ("refilled-at-end", []),
    ],
)
def test_findings(cuda_programs: Programs, tmp_path: Path, part: str, expected: list[str]) -> None:
    """An event of a kernel's start does not stand for its end, but for what came before it."""
    path = _recorded(cuda_programs, tmp_path, part)
    assert _races(path) == expected


def test_host_memory_is_in_use_until_the_end(cuda_programs: Programs, tmp_path: Path) -> None:
    """A store behind the start of the kernel that reads the bytes is still looked for."""
    path = _recorded(cuda_programs, tmp_path, "refilled-at-start")
    assert _races(path) == ["RACE04 certain pass#1 pending_sources#1"]


def test_parameters(cuda_programs: Programs, tmp_path: Path) -> None:
    """Each access of a kernel by a pointer has the word that led to it, one row an access."""
    program = cuda_programs.built(LAUNCHES / "parameters.c")
    assert told.recorded([program], tmp_path / "t").exit_code == 0
    trace = open_trace(tmp_path / "t")
    by_access = {row["access"]: row for row in trace.table("parameter").to_pylist()}
    assert len(by_access) == trace.table("parameter").num_rows
    kernels = {row["id"]: row["name"] for row in trace.table("kernel").to_pylist()}
    storages = {row["id"]: row["name"] for row in trace.table("storage").to_pylist()}
    accesses = {row["id"]: row for row in trace.table("access").to_pylist()}

    def words(of: dict[str, list[int]]) -> list[str]:
        return [
            f"{plain(kernels[by_access[a]['kernel']])} {by_access[a]['word']} "
            f"{storages[accesses[a]['storage']].removeprefix('device memory ')}"
            for a in of["accesses"]
        ]

    ops = sorted(trace.table("op").to_pylist(), key=lambda op: int(op["ticket_c"]))
    assert [words(op) for op in ops if op["kind"] == Kind.KERNEL and not op["graph"]] == [
        ["fill 0 1"],
        ["pass 0 1", "pass 8 2"],
        ["_Z4lasti4bothPv 16 2", "_Z4lasti4bothPv 24 1", "_Z4lasti4bothPv 32 2"],
        ["pass 0 2", "pass 8 1"],
        ["pass 0 1", "pass 8 2"],
    ]
    assert [words(node) for node in trace.table("node").to_pylist()] == [
        ["_Z4lasti4bothPv 16 1", "_Z4lasti4bothPv 24 1", "_Z4lasti4bothPv 32 2"]
    ]
    (memset,) = (op for op in ops if op["kind"] == Kind.MEMSET_ASYNC)
    assert not set(memset["accesses"]) & set(by_access)
    modes = {
        (row["word"], accesses[a]["mode"])
        for a, row in by_access.items()
        if kernels[row["kernel"]] == PASS
    }
    assert modes == {(0, Mode.READ), (8, Mode.UNKNOWN)}  # as its name has it
