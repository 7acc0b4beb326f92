"""A program's own faults, while memory of it is protected: they are its own, as without a recorder.

What the program prints is what it prints without a recorder, which the tests compare.
"""

import signal
import subprocess
from pathlib import Path

import pytest

from watch.conftest import Watching

KB = 1024
ENDS = {
    "left": 0,
    "mended": 0,
    "nested": 0,
    "on_its_stack": 0,
    "crash": -signal.SIGSEGV,
    "crash_twice": -signal.SIGSEGV,
    "sent": -signal.SIGSEGV,
}
AT = 9000


@pytest.mark.parametrize("scenario", ENDS)
def test_own_faults_reach_the_program(scenario: str, program: Path, watched: Watching) -> None:
    size = 300 * KB
    plain = subprocess.run(
        [str(program), scenario, str(size), str(AT)], capture_output=True, text=True, check=False
    )
    assert plain.returncode == ENDS[scenario]
    run = watched("protect", scenario, size, AT, status=ENDS[scenario])
    assert run.printed == plain.stdout
    assert [(t.call, t.lo) for t in run.stores()] == [("host_store", AT)]


@pytest.mark.parametrize("watch", ["digest", "track", "protect"])
def test_constant_memory_stays_constant(watch: str, watched: Watching) -> None:
    run = watched(watch, "constant_written", 16 * KB, AT, status=-signal.SIGSEGV)
    assert run.stores() == []
