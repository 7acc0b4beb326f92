"""Kernels of the scheduler on a GPU: source, compiled once, and their launch."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from synctrace.tracer.cupy.importing import cupy
from synctrace.tracer.scheduler.cupy_memory import address_of
from synctrace.tracer.scheduler.device import Kernel, Slice

WORD = 8  # bytes
THREADS = 128  # of a block
_MOST_BLOCKS = 1024  # a thread does several words of more

# Every thread first spins for a while: a kernel of a few words would be over before the next call.
_SOURCE = """
typedef unsigned long long word;
extern "C" __global__ void {name}({parameters}, word words, long long cycles) {{
    for (long long since = clock64(); clock64() - since < cycles;) {{}}
    word threads = (word)gridDim.x * blockDim.x;
    for (word i = (word)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += threads) {{
        {body}
    }}
}}
"""


def source_of(kernel: Kernel, reads: int, writes: int) -> tuple[str, str]:
    """Name and source of the kernel in CUDA C++, which is HIP's too."""
    name = "synctrace_" + re.sub(r"\W", "_", kernel.name)
    parameters = [f"const word *reads{n}" for n in range(reads)]
    parameters += [f"word *writes{n}" for n in range(writes)]
    source = _SOURCE.format(name=name, parameters=", ".join(parameters), body=kernel.cuda)
    return name, source


@cache
def _compiled(kernel: Kernel, reads: int, writes: int) -> Any:
    name, source = source_of(kernel, reads, writes)
    return cupy.RawKernel(source, name)


def launch(kernel: Kernel, reads: Sequence[Slice], writes: Sequence[Slice], cycles: int) -> None:
    """Launch it on CuPy's current stream, for as many words as the smallest slice has.

    Every thread spins `cycles` of the GPU's clock first.
    """
    slices = (*reads, *writes)
    words = min(each.size for each in slices) // WORD
    blocks = max(1, min(_MOST_BLOCKS, -(-words // THREADS)))
    arguments = (*(address_of(each) for each in slices), words, cycles)
    _compiled(kernel, len(reads), len(writes))((blocks,), (THREADS,), arguments)
