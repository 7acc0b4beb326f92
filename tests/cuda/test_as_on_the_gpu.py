"""A program of tests/gpu that calls the driver alone: on the stand-in, and as the H200 recorded it.

Both traces have the same ops on the same streams, with the same bytes, and are judged alike; the
program prints the same.
"""

import subprocess
from pathlib import Path

import pytest
from hip import told
from hip.rows import events, ops

from cuda.programs.build import HERE, Programs

TESTS = Path(__file__).parents[1]
PROFILES = ("cuda-doc", "cuda-13")


@pytest.fixture(scope="module")
def driver(cuda_programs: Programs) -> str:
    return cuda_programs.built(TESTS / "gpu/cuda/driver.c", HERE / "scale.c")


@pytest.mark.parametrize("how", ["race", "fixed"])
def test_the_traces_agree(driver: str, tmp_path: Path, how: str) -> None:
    real = TESTS / f"data/h200/h200-cuda-driver-{how}.synctrace"
    assert told.recorded([driver, __file__, how], tmp_path / "t").exit_code == 0
    assert ops(tmp_path / "t") == ops(real)
    assert events(tmp_path / "t") == events(real)
    found = told.findings(tmp_path / "t", *PROFILES)
    assert found == told.findings(real, *PROFILES)
    assert any(found.values()) == (how == "race")


def test_what_it_prints(driver: str) -> None:
    done = subprocess.run([driver, __file__, "fixed"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{1 << 20}\n")
