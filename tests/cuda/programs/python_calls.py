"""Calls of CUDA's driver by ctypes, as Python programs make them."""

import ctypes

cuda = ctypes.CDLL("libcuda.so.1")
context, stream, event = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
assert cuda.cuStreamCreate(ctypes.byref(stream), 1) == 0
assert cuda.cuEventCreate(ctypes.byref(event), 2) == 0


def record() -> None:
    cuda.cuEventRecord(event, stream)


def twice() -> None:
    record()
    record()


for _ in range(3):
    twice()
cuda.cuStreamSynchronize(stream)
