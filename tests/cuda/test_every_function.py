"""Every function of CUDA's driver that is recorded is called once; what is told of it is known.

every/PROGRAM.c calls each function of its subject, with the variants for per-thread default
streams; every/PROGRAM.txt has the memory, the ops, the events, the words of kernels' parameters and
the versions of graphs that come of it, each looked at by eye when it was written. The stand-in
lacks arrays, external semaphores, green contexts and nodes of values: it takes those calls and does
nothing (STANDIN_ACCEPTS), so that of them only the reading of their arguments is shown.
"""

import re
from pathlib import Path

import pytest
from hip import told
from hip.rows import text_of

from cuda.programs.build import Programs
from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent
EVERY = HERE / "every"
MET = HERE.parents[1] / "tracer/native/cuda_functions.h"
PROGRAMS = ("memory", "streams", "graphs")


@pytest.fixture
def accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_ACCEPTS", "1")
    monkeypatch.setenv("STANDIN_DEVICES", "2")


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_told(cuda_programs: Programs, accepts: None, tmp_path: Path, name: str) -> None:
    program = cuda_programs.built(EVERY / f"{name}.c", EVERY / "every.c")
    assert told.recorded([program], tmp_path / "t").exit_code == 0
    assert text_of(tmp_path / "t") == (EVERY / f"{name}.txt").read_text().splitlines()
    assert open_trace(tmp_path / "t").meta["coverage"].get("unread_nodes", 0) == 0


def test_none_is_left_out(
    cuda_programs: Programs, accepts: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the stand-in's own counts."""
    called: set[str] = set()
    for name in PROGRAMS:
        monkeypatch.setenv("STANDIN_COUNTS", str(tmp_path / name))
        program = cuda_programs.built(EVERY / f"{name}.c", EVERY / "every.c")
        assert told.recorded([program], tmp_path / "t").exit_code == 0
        called |= {line.split()[0] for line in (tmp_path / name).read_text().splitlines()}
    met = set(re.findall(r"\((cu\w+),", MET.read_text()))
    assert len(met) > 250 and sorted(met - called) == []
