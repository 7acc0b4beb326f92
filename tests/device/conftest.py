"""A machine with GPUs that is not there: fakes of the vendors' libraries, before all others."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer import devices

HERE = Path(__file__).parent
Machine = Callable[..., None]


@pytest.fixture(scope="session")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a libcuda.so.1."""
    folder = tmp_path_factory.mktemp("cuda")
    library = folder / "libcuda.so.1"
    cc = ["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    subprocess.run([*cc, HERE / "fake_cuda.c", "-o", library], check=True)
    return folder


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    """machine(nvidia="two", amd="two", …): drivers that are loaded, and how they behave."""

    def make(
        *, nvidia: str = "", amd: str = "", libcuda: Path | None = None, cuda: str = ""
    ) -> None:
        kinds = {"nvidia": nvidia, "amd": amd}
        nodes = {name: ("/dev/null",) if kind else () for name, kind in kinds.items()}
        monkeypatch.setattr(devices, "NODES", nodes)
        monkeypatch.setenv("PYTHONPATH", str(HERE / "fakes"))
        monkeypatch.setenv("FAKE_NVML", nvidia)
        monkeypatch.setenv("FAKE_AMDSMI", amd)
        monkeypatch.setenv("FAKE_CUDA", cuda)
        monkeypatch.setenv("LD_LIBRARY_PATH", str(libcuda or tmp_path))

    return make


@pytest.fixture
def asked(machine: Machine) -> Callable[..., dict[str, Any]]:
    """asked(nvidia="two", …): the facts of such a machine."""

    def ask(**kinds: Any) -> dict[str, Any]:
        machine(**kinds)
        probe = devices.Probe()
        try:
            return probe.facts()
        finally:
            probe.close()

    return ask
