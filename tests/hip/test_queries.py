"""Queries in vain: of a long run not all are recorded, and nothing else is lost for it."""

import re
from pathlib import Path

import pytest

from hip import told
from hip.programs.build import Programs
from hip.runs import program
from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.reader import open_trace

FOUND = {"fixed": [], "race": ["RACE04 certain hipMemcpyAsync#1 synctrace_host_write#2"]}


@pytest.mark.parametrize("variant", FOUND)
def test_a_spinning_thread(
    hip_programs: Programs, tmp_path: Path, capfd: pytest.CaptureFixture[str], variant: str
) -> None:
    path = program(hip_programs, "queries")
    assert told.recorded([path, "spin", variant], tmp_path / "t").exit_code == 0
    (asked,) = re.findall(r"asked (\d+)", capfd.readouterr().out)
    trace = open_trace(tmp_path / "t")
    kept = [op for op in trace.table("op").to_pylist() if op["kind"] == Kind.EVENT_QUERY]
    vain = [op for op in kept if op["flags"] & Flag.FAILED]
    assert len(vain) >= 64  # of the run the first ones
    assert bool(kept[-1]["flags"] & Flag.FAILED) == (variant == "race")
    assert len(kept) + trace.meta["coverage"].get("repeated_queries", 0) == int(asked)
    if variant == "fixed":
        assert trace.meta["coverage"]["repeated_queries"] > len(vain)
    found = [f for f in told.findings(tmp_path / "t", "hip-doc")["hip-doc"] if f[:4] == "RACE"]
    assert found == FOUND[variant]
