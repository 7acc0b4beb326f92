"""A stand-in for CuPy where there is no GPU, written for these tests alone.

Device memory is the host's, every call is done at return, and kernels are compiled for the host:
so it shows that synctrace calls CuPy as CuPy is to be called, tells what it calls, and computes
what it should. It shows nothing of what a GPU does with that, nor of CuPy's own behaviour where
this file was written after its documentation: tests/gpu/ does.
"""

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from cupy import cuda
from cupy.cuda import runtime

__version__ = "14.2.0"

_SIZES = {"u1": 1, "u4": 4, "u8": 8, "f4": 4}


class _Flags:
    def __init__(self, in_a_row) -> None:
        self.c_contiguous = self.f_contiguous = in_a_row


class ndarray:
    """Shape, strides and memory, of which only bytes are ever used."""

    def __init__(self, shape, dtype="u1", data=None, strides=None) -> None:
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype, self.itemsize, self.base = dtype, _SIZES[dtype], None
        plain, step = [], self.itemsize
        for extent in reversed(self.shape):
            plain.insert(0, step)
            step *= extent
        self.nbytes = step
        self.strides = tuple(strides or plain)
        self.flags = _Flags(self.strides == tuple(plain))
        self.data = data or cuda.MemoryPointer(cuda.Memory(max(step, 1)), 0)

    def set(self, arr, stream=None) -> Any:
        stream = stream or cuda.get_current_stream()
        address = arr.__array_interface__["data"][0]
        runtime.memcpyAsync(self.data.ptr, address, self.nbytes, 4, stream.ptr)

    def get(self, stream=None, order="C", out=None, blocking=True) -> Any:
        stream = stream or cuda.get_current_stream()
        address = out.__array_interface__["data"][0]
        runtime.memcpyAsync(address, self.data.ptr, self.nbytes, 4, stream.ptr)
        if blocking:
            stream.synchronize()
        return out


def empty(shape, dtype="u1") -> Any:
    return ndarray(shape, dtype)


def array(obj, dtype=None) -> Any:
    made = ndarray(obj.shape, obj.dtype.str[1:])
    address = obj.__array_interface__["data"][0]
    runtime.memcpyAsync(made.data.ptr, address, made.nbytes, 4, cuda.get_current_stream().ptr)
    return made


asarray = array


def copyto(dst, src, casting="same_kind", where=None) -> Any:
    stream = cuda.get_current_stream()
    runtime.memcpyAsync(dst.data.ptr, src.data.ptr, dst.nbytes, 4, stream.ptr)


_HOST_PROGRAM = """
#define __global__
struct position {{ unsigned x; }};
static position gridDim, blockDim, blockIdx, threadIdx;
static long long clock64() {{ static long long now; return now += 1000; }}
{source}
extern "C" void place(unsigned grid, unsigned block, unsigned at, unsigned thread) {{
    gridDim.x = grid; blockDim.x = block; blockIdx.x = at; threadIdx.x = thread;
}}
"""


class RawKernel:
    """Compiled for the host at its first launch; threads run one after the other."""

    def __init__(self, code, name) -> None:
        self.code, self.name, self._library = code, name, None

    def __call__(self, grid, block, args, **options) -> Any:
        if self._library is None:
            self._library = self._compile()
        values = [each.data.ptr if isinstance(each, ndarray) else each for each in args]
        run = getattr(self._library, self.name)
        run.restype, run.argtypes = None, [ctypes.c_longlong] * len(values)

        def launch() -> Any:
            for at in range(grid[0]):
                for thread in range(block[0]):
                    self._library.place(grid[0], block[0], at, thread)
                    run(*values)

        runtime.give(cuda.get_current_stream().ptr, launch)

    def _compile(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder) / "kernel.cpp", Path(folder) / "kernel.so"
            source.write_text(_HOST_PROGRAM.format(source=self.code))
            subprocess.run(
                ["c++", "-shared", "-fPIC", "-O1", "-o", str(library), str(source)], check=True
            )
            return ctypes.CDLL(str(library))
