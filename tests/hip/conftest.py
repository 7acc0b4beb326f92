"""The stand-in HIP runtime and programs on it, each built once a session."""

import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from hip.programs.build import Programs, programs
from hip.standin.build import StandIn, build

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def standin() -> StandIn:
    """The stand-in runtime (standin.c says what it proves). Skips where ROCm is not: not x86-64."""
    if platform.machine() != "x86_64":
        pytest.skip("the stand-in HIP runtime is for x86-64, as ROCm is")
    return build()


@pytest.fixture(scope="session")
def compiled(standin: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """compiled(name, major=7): programs/NAME.c as a program linked to that runtime."""
    folder = tmp_path_factory.mktemp("hip")

    def make(name: str, *flags: str, major: int = 7) -> Path:
        program = folder / f"{name}-{major}"
        if not program.exists():
            standin.compile(program, [PROGRAMS / f"{name}.c"], *flags, major=major)
        return program

    return make


@pytest.fixture(scope="session")
def hip_programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Programs whose kernels say what they read and write."""
    return programs(tmp_path_factory.mktemp("hip-programs"))
