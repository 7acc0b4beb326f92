"""Ways to the CUDA driver's functions, on six of them that do nothing on a GPU.

Who is met, and who docs/cuda.md says is not. What a real driver hands out, only a real one shows
(tests/gpu/cuda_counts.py).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from synctrace.tracer.kinds import Level
from synctrace.tracer.reader import open_trace

SOURCES = Path(__file__).parent / "ways"
ALL = ["cuMemAlloc_v2", "cuMemcpyHtoD_v2", "cuCtxSynchronize"]
NOTHING_SEEN = 125


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs and of libcuda.so.1."""
    folder = tmp_path_factory.mktemp("ways")
    shared = ["-shared", "-fPIC", "-Wl,-Bsymbolic"]
    for source, made, flags in (
        ("libcuda.c", "libcuda.so.1", [*shared, "-Wl,-soname,libcuda.so.1"]),
        ("runtime.c", "libruntime.so", [*shared, "-ldl"]),
        ("program.c", "program", ["-ldl"]),
        ("linked.c", "linked", [str(folder / "libcuda.so.1")]),
    ):
        command = ["cc", str(SOURCES / source), "-o", str(folder / made), *flags]
        subprocess.run(command, check=True)
    return folder


def calls(built: Path, tmp_path: Path, *command: str) -> list[str]:
    """Functions of the driver that were recorded, in order."""
    trace = tmp_path / "t.synctrace"
    record = [sys.executable, "-m", "synctrace", "record", "-q", "-o", str(trace), "--"]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(built)}
    done = subprocess.run(
        [*record, *command], cwd=built, env=environment, capture_output=True, text=True
    )
    assert done.returncode == (0 if trace.exists() else NOTHING_SEEN), done.stderr
    if not trace.exists():
        return []
    opened = open_trace(trace)
    names = {row["id"]: row["name"] for row in opened.table("call").to_pylist()}
    ops = opened.table("op").to_pylist()
    assert opened.meta["profile"] == "cuda-doc" and opened.meta["versions"] == {"CUDA": "13.0"}
    return [names[op["call"]] for op in ops if op["level"] == Level.API]


def test_who_is_linked_against_the_driver(built: Path, tmp_path: Path) -> None:
    assert calls(built, tmp_path, "./linked") == ALL


@pytest.mark.parametrize("way", ["dlsym", "get-proc-address", "through-itself"])
def test_who_looks_functions_up(way: str, built: Path, tmp_path: Path) -> None:
    assert calls(built, tmp_path, "./program", "./libruntime.so", way) == ALL


def test_a_first_version_is_not_met(built: Path, tmp_path: Path) -> None:
    found = calls(built, tmp_path, "./program", "./libruntime.so", "first-version")
    assert found == ["cuMemAlloc_v2", "cuCtxSynchronize"]


def test_a_library_that_binds_deeply_is_not_met(built: Path, tmp_path: Path) -> None:
    assert calls(built, tmp_path, "./program", "./libruntime.so", "through-itself", "deep") == []
