"""Host functions of streams: when they begin is told, and what their stream did is known there."""

from pathlib import Path

import pytest

from hip import told
from hip.programs.build import Programs
from hip.rows import events
from hip.runs import program, recorded
from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.reader import open_trace

FOUND = "RACE04 {} hipMemcpyAsync#1 synctrace_host_write#2"
OBSERVED = {
    ("behind-the-upload", "race"): [FOUND.format("certain")],
    ("callback", "race"): [FOUND.format("certain")],
    ("mutex-alone", "race"): [FOUND.format("host-order-assumed")],
}
CASES = [
    (c, v) for c in ("behind-the-upload", "callback", "mutex-alone") for v in ("race", "fixed")
]


@pytest.mark.parametrize(("case", "variant"), CASES)
def test_findings(hip_programs: Programs, tmp_path: Path, case: str, variant: str) -> None:
    path = recorded(hip_programs, tmp_path, "host_functions", case, variant)
    expected = OBSERVED.get((case, variant), [])
    assert told.findings(path, "hip-doc", "hip-7") == {"hip-doc": expected, "hip-7": expected}
    strict = [line.replace("host-order-assumed", "certain") for line in expected]
    assert told.findings(path, "hip-doc", host_order="strict") == {"hip-doc": strict}


@pytest.mark.parametrize("case", ["behind-the-upload", "callback"])
def test_its_beginning_is_told_on_a_thread_of_its_own(
    hip_programs: Programs, tmp_path: Path, case: str
) -> None:
    path = recorded(hip_programs, tmp_path, "host_functions", case, "fixed")
    trace = open_trace(path)
    (given,) = (op for op in trace.table("op").to_pylist() if op["kind"] == Kind.HOST_FUNC)
    (begun,) = (op for op in trace.table("op").to_pylist() if op["kind"] == Kind.THREAD_WAIT)
    assert given["event"] == begun["event"]
    assert given["thread"] != begun["thread"]
    assert given["ticket_c"] < begun["ticket_c"]
    assert begun["flags"] == Flag.IMPLIED
    assert events(path) == [f"host_func on HIP0 stream 1 of host function {given['event']}"]


def test_the_program_runs_as_without_a_recorder(
    hip_programs: Programs, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for case, holds in (("behind-the-upload", "device: 1 x1024"), ("stored", "asked: 7 x1")):
        path = program(hip_programs, "host_functions")
        assert told.recorded([path, case, "fixed"], tmp_path / case).exit_code == 0
        assert capfd.readouterr().out == f"{holds}\n"
