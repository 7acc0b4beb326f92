"""Every function that has a role is called by a recorded program, and what is told of it is known.

every/PROGRAM.c calls each function of its subject; every/PROGRAM.txt has the memory, the ops, the
events, the words of kernels' parameters and the versions of graphs that come of it, each looked at
by eye when it was written. The stand-in lacks arrays, external semaphores and some ways to make and
change nodes: it takes those calls and does nothing (STANDIN_ACCEPTS), so that of them only the
reading of their arguments is shown.
"""

from pathlib import Path

import pytest

from hip import told
from hip.programs.build import Programs
from hip.rccl import build as rccl
from hip.rows import ops, text_of
from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent
EVERY = HERE / "every"
NATIVE = HERE.parents[1] / "tracer/native"
PROGRAMS = ("memory", "streams", "graphs")


def with_role(pattern: str) -> set[str]:
    lines = [
        line
        for file in NATIVE.glob(pattern)
        for line in file.read_text().splitlines()
        if "|" in line and not line.startswith("#")
    ]
    return {line.split("|")[0].strip() for line in lines}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_told(
    hip_programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("STANDIN_ACCEPTS", "1")
    monkeypatch.setenv("STANDIN_DEVICES", "2")
    program = hip_programs.built(EVERY / f"{name}.c")
    assert told.recorded([program], tmp_path / "t").exit_code == 0
    assert text_of(tmp_path / "t") == (EVERY / f"{name}.txt").read_text().splitlines()
    assert open_trace(tmp_path / "t").meta["coverage"].get("unread_nodes", 0) == 0


def test_none_is_left_out(
    hip_programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the stand-in's own counts; HIP's functions are those of all files of roles."""
    monkeypatch.setenv("STANDIN_ACCEPTS", "1")
    monkeypatch.setenv("STANDIN_DEVICES", "2")
    called: set[str] = set()
    for name in PROGRAMS:
        monkeypatch.setenv("STANDIN_COUNTS", str(tmp_path / name))
        program = hip_programs.built(EVERY / f"{name}.c")
        assert told.recorded([program], tmp_path / "t").exit_code == 0
        called |= {line.split()[0] for line in (tmp_path / name).read_text().splitlines()}
    assert sorted(with_role("hip_roles*.txt") - called) == []


def test_none_of_rccl_is_left_out(
    hip_programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A beginning of a group is no op."""
    monkeypatch.setenv("STANDIN_DEVICES", "2")
    called = {"ncclGroupStart"}
    for case, variant in (("ranges", "fixed"), ("together", "race")):
        command = [rccl.program(hip_programs, "collectives"), case, variant]
        assert told.recorded(command, tmp_path / "t").exit_code == 0
        called |= {op.split()[1] for op in ops(tmp_path / "t")}
    assert sorted(with_role("rccl_roles.txt") - called) == []
