"""The stand-in CUDA driver and programs on it, each built once a session."""

import platform

import pytest

from cuda.programs.build import Programs, programs


@pytest.fixture(scope="session")
def cuda_programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Programs on the stand-in driver (driver.c says what it proves); skips but on x86-64."""
    if platform.machine() != "x86_64":
        pytest.skip("the stand-in CUDA driver is for x86-64")
    return programs(tmp_path_factory.mktemp("cuda-programs"))
