"""Facts of a machine with GPUs that is not there."""

import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gpus import pretend

from synctrace.tracer.machine import devices

HERE = Path(__file__).parent
Make = Callable[..., None]


@pytest.fixture(scope="session")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a libcuda.so.1."""
    folder = tmp_path_factory.mktemp("cuda")
    library = folder / "libcuda.so.1"
    cc = ["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    subprocess.run([*cc, HERE / "fake_cuda.c", "-o", library], check=True)
    return folder


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Make:
    """machine(nvidia="two", amd="two", …), as `pretend` has it."""
    return partial(pretend, monkeypatch)


@pytest.fixture
def asked(machine: Make) -> Callable[..., dict[str, Any]]:
    """asked(nvidia="two", …): the facts of such a machine."""

    def ask(**kinds: Any) -> dict[str, Any]:
        machine(**kinds)
        probe = devices.Probe()
        try:
            return probe.facts()
        finally:
            probe.close()

    return ask
