"""CuPy's stand-in (standin/cupy, which says what it shows and what not) in place of CuPy."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

STANDIN = Path(__file__).parent / "standin"


@pytest.fixture(scope="session")
def standin() -> SimpleNamespace:
    """`cupy` and `synctrace.cupy` as its program sees them."""
    if "cupy" in sys.modules and not hasattr(sys.modules["cupy"].cuda.runtime, "calls"):
        pytest.skip("CuPy itself is loaded in this process, which the stand-in must not replace")
    sys.path.insert(0, str(STANDIN))
    try:
        import cupy

        import synctrace

        return SimpleNamespace(
            cupy=cupy, runtime=cupy.cuda.runtime, stream=cupy.cuda.stream, told=synctrace.cupy
        )
    finally:
        sys.path.remove(str(STANDIN))


@pytest.fixture
def gpu(standin: SimpleNamespace) -> Iterator[SimpleNamespace]:
    """One GPU to which nothing has been done."""
    runtime = standin.runtime
    runtime.calls.clear()
    yield standin
    runtime.gpus, runtime.is_hip = 1, False
    runtime.pending.clear()
    runtime.setDevice(0)
