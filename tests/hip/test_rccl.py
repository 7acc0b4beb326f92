"""RCCL's collectives and groups: which streams they join, and what each call reads and writes.

On a stand-in for RCCL (rccl/librccl.c) whose ranks are all in one process: it shows that calls are
recorded as RCCL documents them, with their ranges. How RCCL does its work, across processes and
machines, is not there.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from hip import told
from hip.programs.build import Programs
from hip.rccl import build
from hip.rows import ops
from hip.runs import races
from synctrace.tracer.kinds import Kind

Run = Callable[[str, str], Path]


@pytest.fixture
def run(hip_programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """run(case, variant): its trace, on two devices."""
    monkeypatch.setenv("STANDIN_DEVICES", "2")

    def of(case: str, variant: str) -> Path:
        command = [build.program(hip_programs, "collectives"), case, variant]
        assert told.recorded(command, tmp_path / case).exit_code == 0
        return tmp_path / case

    return of


def test_all_streams_of_a_group_wait_for_each_other(run: Run) -> None:
    path = run("together", "fixed")
    grouped = [op for op in ops(path) if "nccl" in op]
    meeting = [
        f"{kind} ncclGroupEnd on HIP0 stream {stream} (implied)"
        for kind, stream in (
            *(("event_record", 2), ("event_wait", 1)),
            *(("event_record", 1), ("event_wait", 2)),
        )
    ]
    reduced = [
        f"kernel ncclAllReduce on HIP0 stream {n} (batched): "
        f"read device memory {n}[0,4096), write device memory {n}[0,4096)"
        for n in (1, 2)
    ]
    assert grouped == ["batch ncclGroupEnd (parent)", *meeting, *reduced, *meeting]
    assert races(path) == []


def test_calls_by_themselves_join_nothing(run: Run) -> None:
    path = run("together", "race")
    alone = [op.split(":")[0] for op in ops(path) if "nccl" in op]
    assert alone == [f"kernel ncclAllReduce on HIP0 stream {n}" for n in (1, 2)]
    assert races(path)[0] == "RACE01 certain ncclAllReduce#1 add#1"


def test_a_result_read_on_another_stream(run: Run) -> None:
    assert races(run("result", "race")) == [
        "RACE01 certain fill#3 pass#1",
        "RACE01 certain ncclAllReduce#1 pass#1",
    ]


def test_a_result_that_was_waited_for(run: Run) -> None:
    assert races(run("result", "fixed")) == []


def parts(memory: str, *sizes: int) -> list[str]:
    """One for each rank, 4096 bytes apart."""
    return [f"{memory}[{4096 * i},{4096 * i + size})" for i, size in enumerate(sizes)]


def test_ranges_of_every_call(run: Run) -> None:
    path = run("ranges", "fixed")
    found = [
        (op.split(" on ")[0].removeprefix("kernel "), op.partition(": ")[2].split(", "))
        for op in ops(path, Kind.KERNEL)
        if "nccl" in op
    ]
    # Rank 0 has device memory 1 to send and 2 to receive, rank 1 has 3 and 4; 4096 bytes a rank.
    one, all_ = "[0,4096)", "[0,8192)"
    assert found == [
        ("ncclReduce", [f"read device memory 1{one}", f"write device memory 2{one}"]),
        ("ncclReduce", [f"read device memory 3{one}"]),
        ("ncclBroadcast", [f"write device memory 2{one}"]),
        ("ncclBroadcast", [f"read device memory 3{one}", f"write device memory 4{one}"]),
        ("ncclReduceScatter", [f"read device memory 1{all_}", f"write device memory 2{one}"]),
        ("ncclReduceScatter", [f"read device memory 3{all_}", f"write device memory 4{one}"]),
        ("ncclAllGather", [f"read device memory 1{one}", f"write device memory 2{all_}"]),
        ("ncclAllGather", [f"read device memory 3{one}", f"write device memory 4{all_}"]),
        ("ncclAllToAll", [f"read device memory 1{all_}", f"write device memory 2{all_}"]),
        ("ncclAllToAll", [f"read device memory 3{all_}", f"write device memory 4{all_}"]),
        (
            "ncclAllToAllv",
            [
                *parts("read device memory 1", 2048, 2048),
                *parts("write device memory 2", 2048, 1024),
            ],
        ),
        (
            "ncclAllToAllv",
            [
                *parts("read device memory 3", 1024, 1024),
                *parts("write device memory 4", 2048, 1024),
            ],
        ),
        ("ncclGather", [f"read device memory 1{one}", f"write device memory 2{all_}"]),
        ("ncclGather", [f"read device memory 3{one}"]),
        ("ncclRecv", [f"write device memory 2{one}"]),
        ("ncclSend", [f"read device memory 3{one}"]),
        ("ncclScatter", [f"read device memory 1{all_}", f"write device memory 2{one}"]),
        ("ncclScatter", [f"write device memory 4{one}"]),
        ("ncclBcast", [f"read device memory 2{one}"]),
        ("ncclBcast", [f"write device memory 4{one}"]),
        (
            "ncclAllReduceWithBias",
            [
                *parts("read device memory 1", 4096, 4096),
                f"write device memory 2{one}",
            ],
        ),
        (
            "ncclAllReduceWithBias",
            [
                *parts("read device memory 3", 4096, 4096),
                f"write device memory 4{one}",
            ],
        ),
        ("ncclAlltoAll", [f"read device memory 1{all_}", f"write device memory 2{all_}"]),
        ("ncclAlltoAll", [f"read device memory 3{all_}", f"write device memory 4{all_}"]),
    ]
    assert races(path) == []


def test_functions_asked_for_by_name(
    hip_programs: Programs, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build.library(hip_programs)
    program = build.program(hip_programs, "asked", linked=False)
    assert told.recorded([program, "asked", "fixed"], tmp_path / "t").exit_code == 0
    assert capfd.readouterr().out == "unknown (nil)\ndata: 1 x1024\n"
    reduced = [op for op in ops(tmp_path / "t") if "nccl" in op]
    same = "device memory 1[0,4096)"
    assert reduced == [f"kernel ncclAllReduce on HIP0 stream 1: read {same}, write {same}"]


def test_a_program_without_rccl_finds_none(
    hip_programs: Programs, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = build.program(hip_programs, "asked", linked=False)
    assert told.recorded([program, "absent", "fixed"], tmp_path / "t").exit_code == 0
    assert capfd.readouterr().out == "found (nil)\n"
