"""CuPy is loaded by whoever uses it and by nobody else, and missed in one sentence."""

import importlib.util
import subprocess
import sys

import pytest

REAL = """
import synctrace, cupy
told = synctrace.cupy
assert issubclass(told.Stream, cupy.cuda.Stream) and isinstance(told.Stream.null, cupy.cuda.Stream)
assert told.Stream.null == cupy.cuda.Stream.null and told.Stream.ptds == cupy.cuda.Stream.ptds
assert issubclass(told.Event, cupy.cuda.Event) and issubclass(told.RawKernel, cupy.RawKernel)
before = {owner: dict(vars(owner)) for owner in (cupy.cuda.stream._BaseStream, cupy.cuda.Stream,
                                                 cupy.cuda.Event, cupy.ndarray, cupy, cupy.cuda)}
with told.record_calls():
    assert cupy.cuda.Stream.record is not before[cupy.cuda.stream._BaseStream]["record"]
    assert cupy.ndarray.get is not cupy._core.core._ndarray_base.get
assert {owner: dict(vars(owner)) for owner in before} == before
from synctrace.tracer.scheduler.cupy_device import gpu_count
from synctrace.tracer.scheduler.device import DeviceError
try:
    print(gpu_count(), "GPUs")
except DeviceError as error:
    assert "finds no GPU" in str(error)
"""
MISSING = """
import sys
sys.modules["cupy"] = None  # what an import of it finds is then nothing
import synctrace
try:
    synctrace.cupy
except ImportError as error:
    print(error)
"""
LAZY = """
import sys, synctrace
import synctrace.tracer.recording, synctrace.tracer.scheduler.cpu, synctrace.analyzer.cli
print("cupy" in sys.modules)
"""


def python(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nobody_else_loads_it() -> None:
    assert python(LAZY) == "False\n"


def test_without_it_there_is_one_sentence() -> None:
    told = python(MISSING)
    assert told.startswith("synctrace.cupy needs CuPy, which cannot be imported (")
    assert "pip install 'synctrace[cuda]'" in told and told.count("\n") == 1


@pytest.mark.skipif(
    importlib.util.find_spec("cupy_backends") is None, reason="CuPy itself is not installed here"
)
def test_with_cupy_itself_but_no_gpu() -> None:
    """That classes derive, and that `record_calls` gives back what it takes."""
    python(REAL)
