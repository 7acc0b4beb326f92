"""Values in memory that streams wait for: which write each wait is for, and what that orders.

The word itself is no data: it has no accesses. A wait that is given before its write is bound to
it, but what follows the wait is judged only from the write on (the checker's word on that is in
docs/order.md), so that work which the write comes too early for is not found.
"""

from pathlib import Path

import pytest

from hip.programs.build import Programs
from hip.rows import events, ops
from hip.runs import races, recorded
from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import open_trace

WORD = "pinned memory 1"


def unbound(path: Path) -> int:
    coverage = open_trace(path).meta["coverage"]
    assert isinstance(coverage, dict)
    return int(coverage.get("unbound_value_waits", 0))


def test_a_wait_is_for_the_write(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "values", "write-first", "fixed")
    assert events(path) == [
        f"value_write on HIP0 stream 1 of value 1 at {WORD}+0",
        f"value_wait on HIP0 stream 2 of value 1 at {WORD}+0",
    ]
    assert not any(":" in op for op in ops(path, Kind.VALUE_WRITE, Kind.VALUE_WAIT))
    assert (races(path), unbound(path)) == ([], 0)


def test_a_wait_comes_before_its_write(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "values", "wait-first", "fixed")
    assert events(path) == [
        f"value_wait on HIP0 stream 2 of value 1 at {WORD}+0",
        f"value_write on HIP0 stream 1 of value 1 at {WORD}+0",
    ]
    assert (races(path), unbound(path)) == ([], 1)


def test_of_a_counter_the_first_write_counts(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "values", "counter", "fixed")
    written = [f"value_write on HIP0 stream 1 of value {n} at {WORD}+0" for n in (1, 2, 3)]
    assert events(path) == [*written, f"value_wait on HIP0 stream 2 of value 2 at {WORD}+0"]
    assert races(path) == []


def test_several_values_in_one_call(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "values", "batch", "fixed")
    told = [
        f"{kind} on HIP0 stream {n} of value 5 at {WORD}+{offset}"
        for n, kind in ((1, "value_write"), (2, "value_wait"))
        for offset in (0, 4)
    ]
    assert events(path) == told
    assert races(path) == []


def test_a_wait_in_a_graph_is_made_by_each_launch(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "values", "stored", "fixed")
    assert ops(path, Kind.VALUE_WAIT) == [
        "value_wait hipStreamWaitValue32 on HIP0 stream 2 (captured)",
        "value_wait hipGraphLaunch on HIP0 stream 2 (implied)",
    ]
    assert races(path) == []


@pytest.mark.parametrize(
    ("case", "line"),
    [
        ("write-first", "RACE01 certain fill#1 pass#1"),
        ("counter", "RACE01 certain fill#2 pass#1"),  # bound to the write before
        ("stored", "RACE01 certain fill#1 hipGraphLaunch#1"),
    ],
)
def test_without_the_wait(hip_programs: Programs, tmp_path: Path, case: str, line: str) -> None:
    assert races(recorded(hip_programs, tmp_path, "values", case, "race")) == [line]
