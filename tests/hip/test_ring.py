"""A producer and a consumer, two host threads with a stream each, and a ring of slots between them.

What this shows: the order of threads that a program tells, and that of events and polled events, is
judged right over many hand-overs, in the order seen and where only told order counts. Mutexes and
conditions are not seen by themselves: the program tells of them by synctrace.h (`mutex-alone`).
"""

import os
import subprocess
from pathlib import Path

import pytest

from hip import told
from hip.programs.build import Programs
from hip.runs import program

SLOW = {"STANDIN_DELAY_US": "2000"}
SEEDS = range(1, 5)
RIGHT = "results:" + "".join(f" {item} x1024" for item in range(1, 10)) + "\n"
REUSED = "pass#1 hipMemcpyAsync#4"  # the fourth item has the slot of the first
REFILLED = "hipMemcpyAsync#1 synctrace_host_write#4"
EARLY = "RACE01 certain hipMemcpyAsync#1 pass#1"
FOUND = {
    "no-upload-wait": [EARLY],
    "reused-early": [f"RACE02 certain {REUSED}"],
    "refilled-early": [f"RACE04 certain {REFILLED}"],
    "polled": [EARLY, f"RACE04 certain {REFILLED}"],
    "mutex-alone": [],
    "freed-early": ["LIFE01 certain pass#1 hipFreeAsync#1"],
}


def expected(case: str, host_order: str) -> list[str]:
    """The findings of the race; of `mutex-alone`, which is right by luck, the order decides."""
    if case != "mutex-alone":
        return FOUND[case]
    verdict = "certain" if host_order == "strict" else "host-order-assumed"
    return [f"RACE02 {verdict} {REUSED}", f"RACE04 {verdict} {REFILLED}"]


def printed(command: list[str], seed: int) -> str:
    environment = {**os.environ, **SLOW, "STANDIN_SEED": str(seed)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("case", FOUND)
def test_bytes(hip_programs: Programs, case: str) -> None:
    path = program(hip_programs, "ring")
    assert {printed([path, case, "fixed"], seed) for seed in SEEDS} == {RIGHT}
    racy = {printed([path, case, "race"], seed) for seed in SEEDS}
    assert (racy != {RIGHT}) == (case != "mutex-alone")


@pytest.mark.parametrize("variant", ["fixed", "race"])
@pytest.mark.parametrize("case", FOUND)
def test_verdicts(
    hip_programs: Programs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    case: str,
    variant: str,
) -> None:
    for name, value in {**SLOW, "STANDIN_SEED": "1"}.items():
        monkeypatch.setenv(name, value)
    told.recorded([program(hip_programs, "ring"), case, variant], tmp_path / "t")
    if variant == "fixed" or case == "mutex-alone":
        assert capfd.readouterr().out == RIGHT
    for host_order in ("observed", "strict"):
        found = told.findings(tmp_path / "t", "hip-doc", "hip-7", host_order=host_order)
        lines = [] if variant == "fixed" else expected(case, host_order)
        assert found == {"hip-doc": lines, "hip-7": lines}, host_order
