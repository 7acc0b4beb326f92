"""The stand-in HIP runtime, programs on it, and real software: each built once a session.

Where a wheel of real software is missing its tests are skipped with the reason, or fail if
SYNCTRACE_REQUIRE_HIP is set (CI sets it).
"""

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from llama.conftest import whole

from hip.code_objects import buffer, bundle, elf, kernel, metadata, value
from hip.programs.build import Programs, programs
from hip.software import Software
from hip.standin.build import StandIn, build
from hip.standin.stubs import stubs
from hip.wheels import CACHE, wheel

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parents[2]
# By these names the loader opens ggml's backends, and the driver llama.cpp.
SHORT = ("libggml-hip", "libggml-cpu", "libllama", "libggml")
LlamaRocm = Callable[[str], Software]


def missing(reason: str) -> None:
    if os.environ.get("SYNCTRACE_REQUIRE_HIP"):
        pytest.fail(reason)
    pytest.skip(reason)


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


@pytest.fixture(scope="session")
def driver() -> Path:
    """examples/llama/driver.c."""
    source, target = ROOT / "examples/llama/driver.c", CACHE / "driver"
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        CACHE.mkdir(parents=True, exist_ok=True)
        with whole(target) as made:
            subprocess.run(["cc", "-O1", "-o", made, source, "-ldl"], check=True)
    return target


@pytest.fixture(scope="session")
def model() -> Path:
    """A tiny random model of four layers."""
    target = CACHE / "tiny.gguf"
    if not target.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with whole(target) as made:
            writer = ROOT / "examples/llama/write_model.py"
            subprocess.run([sys.executable, writer, made, "4"], check=True)
    return target


def library_folder(unpacked: Path, folder: Path) -> Path:
    """Links to the libraries of a wheel of cyllama, by the names that they had when built."""
    for library in unpacked.glob("cyllama_rocm.libs/*.so*"):
        short = library.name.partition(".so")[0].rpartition("-")[0]
        if short in SHORT:
            (folder / f"{short}.so").symlink_to(library)
        if short in ("libggml", "libggml-base"):
            (folder / library.name).symlink_to(library)
    return folder


@pytest.fixture(scope="session")
def llama_rocm(
    standin: StandIn, driver: Path, model: Path, tmp_path_factory: pytest.TempPathFactory
) -> LlamaRocm:
    """llama_rocm(NAME): the driver on the libraries of that wheel of wheels.py.

    Its further arguments: layers on the GPU, tokens, length of the prompt, of a ubatch.
    """
    known: dict[str, Software] = {}

    def make(name: str) -> Software:
        if name not in known:
            unpacked = wheel(name)
            folder = library_folder(unpacked, tmp_path_factory.mktemp(name))
            command = (str(driver), str(folder), str(model))
            known[name] = Software(command, standin, stubs(unpacked))
        return known[name]

    return make


# What CuPy asks the compiler driver of ROCm for: where headers lie.
HIPCC = """#!/bin/sh
printf '#include <...> search starts here:\\n /usr/include\\nEnd of search list.\\n' >&2
"""
ARRAY, INDEXER = value(32, 8), value(24, 8)  # CuPy's, of one dimension


@pytest.fixture(scope="session")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A code object with a kernel `scale(const float *, float *, int)` and one of CuPy's own."""
    kernels = [
        kernel("scale", buffer("read_only"), buffer("write_only"), value(4)),
        kernel("cupy_add__float32_float32_float32", ARRAY, ARRAY, ARRAY, INDEXER),
    ]
    file = tmp_path_factory.mktemp("code") / "kernels.co"
    file.write_bytes(bundle({"gfx90a": elf(metadata(*kernels))}))
    return file


@pytest.fixture(scope="session")
def cupy_rocm(standin: StandIn, code: Path, tmp_path_factory: pytest.TempPathFactory) -> Software:
    """Python with CuPy for ROCm. What it compiles at run time comes to the code object `code`."""
    unpacked = wheel("cupy")
    if find_spec("numpy") is None:
        missing("no NumPy here: pip install numpy")
    hipcc = tmp_path_factory.mktemp("hipcc") / "hipcc"
    hipcc.write_text(HIPCC)
    hipcc.chmod(0o755)
    more = {
        "PATH": f"{hipcc.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(unpacked),
        "STANDIN_CODE": str(code),
        "CUPY_CACHE_IN_MEMORY": "1",
    }
    return Software((sys.executable,), standin, stubs(unpacked), tuple(more.items()))


@pytest.fixture(scope="session")
def hip_python(standin: StandIn) -> Software:
    """Python with hip-python, which opens the runtime by itself."""
    unpacked = wheel("hip-python")
    return Software((sys.executable,), standin, stubs(unpacked), (("PYTHONPATH", str(unpacked)),))
