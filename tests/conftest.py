"""How tests are run; machines to build native code for, and the recorder for the emulated one."""

import hashlib
import signal
import subprocess
from pathlib import Path

import pytest
from kept import built_once
from machines import CMAKE, NATIVE, Machine, aarch64

RECORDER = Path(__file__).parents[1] / "tracer/native"
CACHE = Path(__file__).parents[1] / ".cache/recorder-aarch64"
BUILT = "libsynctrace_recorder.so"
LONG = ("slow", "lavapipe")


def pytest_configure() -> None:
    """Ctrl-C reaches what the tests start, also where a shell runs them in the background.

    It starts them with SIGINT ignored, and so would be all that they start.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with long tests come first: parallel workers then end at about the same time."""
    long = {item.path for item in items if any(map(item.get_closest_marker, LONG))}
    items.sort(key=lambda item: item.path not in long)


@pytest.fixture(scope="session", params=["native", "aarch64"])
def machine(request: pytest.FixtureRequest) -> Machine:
    """Each machine in turn."""
    return NATIVE if request.param == "native" else aarch64()


@pytest.fixture(scope="session")
def recorder_for_aarch64() -> Path:
    """The injected library, built as its own CMakeLists.txt says, and every warning is an error.

    Kept under .cache/recorder-aarch64 by a hash of all that goes into it: every worker wants it.
    """
    target = aarch64()
    version = subprocess.run([target.cc, "--version"], capture_output=True, check=True).stdout
    files = sorted(path for path in RECORDER.iterdir() if path.is_file())
    content = b"\0".join([version, *(path.read_bytes() for path in files)])
    return built_once(CACHE / hashlib.sha256(content).hexdigest()[:16], _build_for_aarch64) / BUILT


def _build_for_aarch64(folder: Path) -> None:
    target = aarch64()
    system = ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={target.name}"]
    compiler = [f"-DCMAKE_C_COMPILER={target.cc}", "-DCMAKE_C_FLAGS=-Werror"]
    configure: list[str | Path] = ["-S", RECORDER, "-B", folder, *system, *compiler]
    for command in (configure, ["--build", folder, "-j2"]):
        done = subprocess.run([CMAKE, *command], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
