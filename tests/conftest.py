"""Machines to build native code for, and the recorder as built for the emulated one."""

import subprocess
from pathlib import Path

import pytest
from machines import CMAKE, NATIVE, Machine, aarch64

RECORDER = Path(__file__).parents[1] / "tracer/native"


@pytest.fixture(scope="session", params=["native", "aarch64"])
def machine(request: pytest.FixtureRequest) -> Machine:
    """Each machine in turn."""
    return NATIVE if request.param == "native" else aarch64()


@pytest.fixture(scope="session")
def recorder_for_aarch64(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The injected library, built as its own CMakeLists.txt says, and every warning is an error."""
    target = aarch64()
    folder = tmp_path_factory.mktemp("recorder-aarch64")
    system = ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={target.name}"]
    compiler = [f"-DCMAKE_C_COMPILER={target.cc}", "-DCMAKE_C_FLAGS=-Werror"]
    for command in (["-S", RECORDER, "-B", folder, *system, *compiler], ["--build", folder, "-j2"]):
        done = subprocess.run([CMAKE, *command], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "libsynctrace_recorder.so"
