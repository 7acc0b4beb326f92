"""`synctrace.cupy`: record a CuPy program from within, on CUDA or ROCm.

    from synctrace import cupy as told

    with synctrace.record("run.synctrace") as recording:
        stream, ready = told.Stream(non_blocking=True, name="compute"), told.Event(name="ready")
        staging = told.pinned_empty(1024, "float32", name="staging")
        told.copy(device_array, staging, stream)
        with told.kernel(stream, reads=[device_array], writes=[result]), stream:
            cupy.sqrt(device_array, out=result)
        stream.record(ready)
    synctrace.check(recording.path)

`Stream`, `Event`, `Graph`, `Device`, `PinnedMemory` and `RawKernel` are CuPy's own with each call
recorded, and do what CuPy's do; while no recording is on they record nothing. For a program that is
not to be changed, `record_calls` does that to CuPy's own classes.

What is seen: the calls of these classes and functions, and bytes as they are told: by `reads` and
`writes`, by a copy's two arrays, by the pool (`Allocator`). What is not: kernels that nobody told;
calls that compiled libraries make (CuPy's own ufuncs, cuBLAS, NCCL, other packages); what the host
does with pinned memory (`synctrace.host_read`, `synctrace.host_write` tell that). `synctrace
record` sees the calls of libraries too. A wait that only unseen work needs looks needless here.
"""

from synctrace.tracer.cupy.calls import record_calls
from synctrace.tracer.cupy.copies import copy, fill
from synctrace.tracer.cupy.kernels import RawKernel, kernel, launch
from synctrace.tracer.cupy.memory import (
    Allocator,
    Blocks,
    PinnedMemory,
    pinned_allocator,
    pinned_empty,
)
from synctrace.tracer.cupy.streams import Device, Event, ExternalStream, Graph, Stream

__all__ = [
    "Allocator",
    "Blocks",
    "Device",
    "Event",
    "ExternalStream",
    "Graph",
    "PinnedMemory",
    "RawKernel",
    "Stream",
    "copy",
    "fill",
    "kernel",
    "launch",
    "pinned_allocator",
    "pinned_empty",
    "record_calls",
]
