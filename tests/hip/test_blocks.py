"""Blocks that a program's own allocator hands out: what a kernel's pointer may touch ends there."""

from pathlib import Path

import pytest

from hip.programs.build import Programs
from hip.rows import ops
from hip.runs import races, recorded
from synctrace.tracer.kinds import Kind

GUESS = "RACE03 range-guess fill#1 fill#2"


SPLIT = ["RACE01 range-guess fill#2 add#1"]


@pytest.mark.parametrize(
    ("case", "untold", "told"),
    [
        ("neighbours", [GUESS], []),
        ("split", SPLIT, []),
        ("stale", [GUESS], [GUESS]),
    ],
)
def test_neighbours_race_where_blocks_are_not_told(
    hip_programs: Programs, tmp_path: Path, case: str, untold: list[str], told: list[str]
) -> None:
    found = {
        variant: sorted(races(recorded(hip_programs, tmp_path / variant, "blocks", case, variant)))
        for variant in ("race", "fixed")
    }
    assert found == {"race": untold, "fixed": told}


def test_a_block_is_no_more_than_its_memory(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "blocks", "odd", "fixed")
    assert ops(path, Kind.KERNEL) == [
        "kernel fill on HIP0 stream 1: write device memory 1[0,8192)",
        "kernel add on HIP0 stream 1: read_write device memory 1[4096,8192)",
    ]
