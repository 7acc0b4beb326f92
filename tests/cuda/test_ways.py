"""Ways to the CUDA driver's functions, on the stand-in: who is met, each call once, and who is not.

docs/cuda.md says which. What a real driver hands out, only a real one shows
(tests/gpu/cuda_counts.py).
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hip.rows import ops

from cuda.programs.build import Programs
from synctrace.tracer.reader import open_trace

SOURCES = Path(__file__).parent / "ways"
NULL, STREAM, OWN = "CUDA0 null stream", "CUDA0 stream 1", "CUDA0 stream of thread 1"
MADE = f"stream_create cuStreamCreate on {STREAM}"
TAKEN = "alloc_device cuMemAlloc_v2"
WAIT = "device_sync cuCtxSynchronize"
ALL = [
    MADE,
    TAKEN,
    f"memcpy_h2d cuMemcpyHtoD_v2 on {NULL}",
    f"memcpy_async_h2d cuMemcpyHtoDAsync_v2 on {NULL}",
    f"memcpy_async_h2d cuMemcpyHtoDAsync_v2 on {STREAM}",
    WAIT,
]
OF_THE_THREAD = [
    MADE,
    TAKEN,
    f"memcpy_h2d cuMemcpyHtoD_v2_ptds on {OWN}",
    f"memcpy_async_h2d cuMemcpyHtoDAsync_v2_ptsz on {OWN}",
    f"memcpy_async_h2d cuMemcpyHtoDAsync_v2_ptsz on {STREAM}",
    WAIT,
]
NOTHING_SEEN = 125
Calls = Callable[..., list[str]]


@pytest.fixture(scope="module")
def built(cuda_programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs."""
    folder = tmp_path_factory.mktemp("ways")
    driver = cuda_programs.driver
    driver.compile(folder / "linked", [SOURCES / "linked.c"])
    driver.compile(folder / "program", [SOURCES / "program.c"], "-Wl,--as-needed")
    shared = ("-shared", "-fPIC", "-Wl,-Bsymbolic", "-Wl,--as-needed")
    driver.compile(folder / "libruntime.so", [SOURCES / "runtime.c"], *shared)
    return folder


@pytest.fixture
def calls(cuda_programs: Programs, built: Path, tmp_path: Path) -> Calls:
    """calls(COMMAND ...): the ops that were recorded, without what they touch."""

    def run(*command: str) -> list[str]:
        trace = tmp_path / "t.synctrace"
        record = [sys.executable, "-m", "synctrace", "record", "-q", "-o", str(trace), "--"]
        libraries = str(cuda_programs.driver.folder)
        environment = {**os.environ, "LD_LIBRARY_PATH": libraries, "STANDIN_ACCEPTS": "1"}
        done = subprocess.run(
            [*record, *command], cwd=built, env=environment, capture_output=True, text=True
        )
        assert done.returncode == (0 if trace.exists() else NOTHING_SEEN), done.stderr
        if not trace.exists():
            return []
        opened = open_trace(trace)
        assert opened.complete
        assert opened.meta["profile"] == "cuda-doc" and opened.meta["versions"] == {"CUDA": "13.0"}
        return [op.partition(":")[0] for op in ops(trace)]

    return run


def test_who_is_linked_against_the_driver(calls: Calls) -> None:
    assert calls("./linked") == ALL


@pytest.mark.parametrize("way", ["dlsym", "getter", "first-getter", "through-itself"])
def test_who_looks_functions_up(way: str, calls: Calls) -> None:
    """In a library that is opened for itself alone (RTLD_LOCAL), as is the driver."""
    assert calls("./program", "./libruntime.so", way) == ALL


def test_who_wants_the_default_stream_to_be_the_threads_own(calls: Calls) -> None:
    assert calls("./program", "./libruntime.so", "per-thread") == OF_THE_THREAD


def test_a_first_version_is_not_met(calls: Calls) -> None:
    found = calls("./program", "./libruntime.so", "first-version")
    assert found == [op for op in ALL if "cuMemcpyHtoD_v2" not in op]


def test_a_library_that_binds_deeply_is_not_met(calls: Calls) -> None:
    assert calls("./program", "./libruntime.so", "through-itself", "deep") == []
