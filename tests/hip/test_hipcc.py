"""A program of real hipcc, on the stand-in runtime and on Debian's real one, where there is no GPU.

On the stand-in: hipcc's own code registers and launches, with real code objects and the symbol
versions of HIP 5.2. On the real runtime every call fails, which is what its trace must say.

Without hipcc, which hipcc/setup.sh brings, these tests are skipped; SYNCTRACE_REQUIRE_HIPCC=1, set
in CI, makes that a failure.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hip import told
from hip.standin.build import build

HERE = Path(__file__).parent / "hipcc"
WANTED = "run bash tests/hip/hipcc/setup.sh"


@pytest.fixture(scope="module")
def scaled(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program, compiled for a real GPU."""
    if not shutil.which("hipcc"):
        reason = f"hipcc is not here: {WANTED}"
        if os.environ.get("SYNCTRACE_REQUIRE_HIPCC"):
            pytest.fail(reason)
        pytest.skip(reason)
    made = str(tmp_path_factory.mktemp("hipcc") / "scaled")
    command = ["hipcc", "--offload-arch=gfx90a", "-O1", str(HERE / "scaled.hip"), "-o", made]
    # It would take a CUDA that is there for the platform.
    done = subprocess.run(
        command, env={**os.environ, "HIP_PLATFORM": "amd"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return made


def test_on_the_stand_in(
    scaled: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(build().folder))
    assert subprocess.run([scaled]).returncode == 0
    alone = capfd.readouterr().out
    assert alone.endswith("\n1530\n")
    told.recorded([scaled], tmp_path / "t")
    assert capfd.readouterr().out == alone
    assert told.calls(tmp_path / "t") == [
        "alloc_pinned hipHostMalloc",
        "alloc_device hipMalloc",
        "alloc_device hipMalloc",
        "stream_create hipStreamCreateWithFlags | HIP0 stream 1",
        "event_create hipEventCreate | event 1",
        "memcpy_async_h2d hipMemcpyAsync | HIP0 stream 1",
        "kernel _Z6scaledPfPKffj | HIP0 stream 1",
        "event_record hipEventRecord | HIP0 stream 1 | event 1",
        "event_sync hipEventSynchronize | event 1",
        "capture_begin hipStreamBeginCapture | HIP0 stream 1",
        "kernel _Z6scaledPfPKffj captured | HIP0 stream 1",
        "capture_end hipStreamEndCapture | HIP0 stream 1",
        "graph_create hipGraphInstantiate",
        "graph_launch hipGraphLaunch | HIP0 stream 1",
        "stream_sync hipStreamSynchronize | HIP0 stream 1",
        "memcpy_d2h hipMemcpy | HIP0 null stream",
        "free hipFree",
    ]
    assert told.findings(tmp_path / "t", "hip-doc")["hip-doc"] == []


def test_the_example(scaled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As docs/hip.md tells whoever has no GPU."""
    made = str(tmp_path / "staging")
    source = str(Path(__file__).parents[2] / "examples/hip/staging.hip")
    command = ["hipcc", "--offload-arch=gfx90a", "-g", "-O1", source, "-o", made]
    subprocess.run(command, env={**os.environ, "HIP_PLATFORM": "amd"}, check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(build().folder))
    told.recorded([made], tmp_path / "race")
    told.recorded([made, "fixed"], tmp_path / "fixed")
    [race] = told.findings(tmp_path / "race", "hip-doc")["hip-doc"]
    assert "RACE04" in str(race)
    assert told.findings(tmp_path / "fixed", "hip-doc")["hip-doc"] == []


def test_on_the_real_runtime(
    scaled: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if Path("/dev/kfd").exists():
        pytest.skip("there is a GPU of AMD here: what the calls return is not known")
    assert subprocess.run([scaled]).returncode == 0
    alone = capfd.readouterr().out
    returned = [line.split()[-1] for line in alone.splitlines()]
    assert returned == ["101"] * 16 + ["0"]  # hipErrorInvalidDevice, and no result
    told.recorded([scaled], tmp_path / "t")
    assert capfd.readouterr().out == alone
    lines = told.calls(tmp_path / "t")
    assert lines == [
        "alloc_pinned hipHostMalloc failed",
        "alloc_device hipMalloc failed",
        "alloc_device hipMalloc failed",
        "stream_create hipStreamCreateWithFlags failed",
        "event_create hipEventCreate failed",
        "memcpy_h2h hipMemcpyAsync failed | HIP0 null stream",
        # No launch: the call that hipcc's code makes before one has failed.
        "event_record hipEventRecord failed | HIP0 null stream",
        "capture_begin hipStreamBeginCapture failed | HIP0 null stream",
        "capture_end hipStreamEndCapture failed | HIP0 null stream",
        "graph_create hipGraphInstantiate failed",
        "graph_launch hipGraphLaunch failed | HIP0 null stream",
        "stream_sync hipStreamSynchronize failed | HIP0 null stream",
        "memcpy_h2h hipMemcpy failed | HIP0 null stream",
        "free hipFree failed noop",
    ]
    assert told.findings(tmp_path / "t", "hip-doc")["hip-doc"] == []
