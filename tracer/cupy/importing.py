"""CuPy, or one sentence about why it is not here.

The only module of the recorder that imports it, and so the only one that knows how to say that.
"""

try:
    import cupy
except ImportError as error:
    # Also when it is there and a library of CUDA is not: what failed is said as it was said.
    raise ImportError(
        f"synctrace.cupy needs CuPy, which cannot be imported ({error}): pip install "
        "'synctrace[cuda]' for CUDA 12, cupy-cuda13x for CUDA 13, 'synctrace[rocm]' for ROCm",
        name="cupy",
    ) from error

runtime = cupy.cuda.runtime
# CuPy on ROCm has no captured graphs, host functions or managed memory, and says so itself.
IS_HIP = bool(getattr(runtime, "is_hip", False))

__all__ = ["IS_HIP", "cupy", "runtime"]
