"""kill -9 at random moments, 100 of each: of the program, and of the recorder."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from synctrace.tracer.kinds import Kind
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace

from .conftest import StandIn

RUNS = 100
RECORDER = (
    "import sys; from synctrace.tracer.launch import record; record(sys.argv[2:], sys.argv[1])"
)


def test_of_the_program(fake: StandIn, tmp_path: Path) -> None:
    """All that had returned is there; the trace is complete unless a call was open."""
    moments = random.Random(1)
    complete = 0
    for n in range(RUNS):
        out = tmp_path / f"{n}.synctrace"
        microseconds = moments.randrange(500, 60_000)
        result = record([fake.program, "killed", str(microseconds)], str(out))
        if result.exit_code == 125:
            continue  # it died before its first recorded call
        assert result.exit_code == 128 + signal.SIGKILL, result.message
        trace = open_trace(out)
        complete += trace.complete
        assert trace.complete == (not trace.lost)
        assert trace.meta["exit"] == -signal.SIGKILL
        ops = trace.table("op").to_pylist()
        tickets = sorted(t for op in ops for t in (op["ticket_c"], op["ticket_r"]))
        assert len(set(tickets)) == len(tickets)
        assert trace.table("gap").num_rows == 0
        # At most the calls that were open are missing: a run of the scheduler and one within it.
        missing = max(tickets) - len(tickets)
        assert missing <= 2, f"{missing} tickets before the last one are of no op"
        assert missing == 0 or not trace.complete
    assert 0 < complete < RUNS, "some die within a call, some between two"


def _one_recorder(fake: StandIn, folder: Path, delay: float) -> None:
    folder.mkdir()
    out = folder / "t.synctrace"
    script = f"{fake.program} timed 120 > {folder}/out; echo $? > {folder}/code.part; "
    script += f"mv {folder}/code.part {folder}/code"
    command = [sys.executable, "-c", RECORDER, str(out), "sh", "-c", script]
    with subprocess.Popen(command, start_new_session=True) as recorder:
        try:
            deadline = time.monotonic() + 30
            while "started" not in _text(folder / "out"):
                assert time.monotonic() < deadline
                time.sleep(0.002)
            time.sleep(delay)
        finally:
            recorder.kill()
        recorder.wait(10)
    while not (folder / "code").exists():
        assert time.monotonic() < deadline, "the program did not end"
        time.sleep(0.01)
    assert _text(folder / "code") == "7\n", "the program's own exit code"
    assert _text(folder / "out") == "started\n", "and its own output"
    if (out / "meta.json").exists():
        trace = open_trace(out)
        assert not trace.complete
        kinds = {op["kind"] for op in trace.table("op").to_pylist()}
        assert kinds <= {kind.value for kind in Kind}


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
def test_of_the_recorder(fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program goes on unharmed, though nobody drains its rings; the trace opens, incomplete."""
    monkeypatch.setenv("SYNCTRACE_RING_KB", "64")  # soon full
    moments = random.Random(2)
    for n in range(RUNS // 3):  # each starts an interpreter and two programs
        _one_recorder(fake, tmp_path / str(n), moments.random() * 0.1)


def test_full_rings_are_counted(
    fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ring smaller than the traffic between two looks: gaps, and no complete trace."""
    monkeypatch.setenv("SYNCTRACE_RING_KB", "16")
    out = tmp_path / "t.synctrace"
    result = record([fake.program, "tokens", "2000"], str(out))
    assert result.exit_code == 0
    trace = open_trace(out)
    gaps = trace.table("gap").to_pylist()
    assert trace.meta["dropped"] == sum(gap["dropped"] for gap in gaps) > 0
    assert not trace.complete
    assert "dropped" in trace.lost[0]
