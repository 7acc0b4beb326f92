"""The stand-in CUDA driver and programs on it, each built once a session."""

import platform
from collections.abc import Iterator

import pytest

from cuda.programs.build import Programs, programs


@pytest.fixture(scope="session")
def cuda_programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Programs on the stand-in driver (driver.c says what it proves); skips but on x86-64."""
    if platform.machine() != "x86_64":
        pytest.skip("the stand-in CUDA driver is for x86-64")
    return programs(tmp_path_factory.mktemp("cuda-programs"))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is read of kernels' code is kept for this session alone: no run sees an older one's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
