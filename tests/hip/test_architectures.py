"""Modes of kernels' arguments are those of the GPU that runs them, as HIP names it.

The stand-in's is gfx90a, in the layouts of hipDeviceProp_t of HIP 5 (Debian's header) and since 6.
"""

from pathlib import Path

import pytest

from hip.programs.build import code_object, programs
from hip.rows import ops
from hip.runs import recorded
from synctrace.tracer.kinds import Kind

ALL = "[0,4096)"
# Of the program's graph: a fill and two passes.
OF_THE_GPU = ("write", "read", "write")
COVERING_ALL = ("read_write", "read", "read_write")


@pytest.mark.parametrize(
    ("gpu", "others", "modes"),
    [
        ("gfx90a", ("gfx1100", "gfx942"), OF_THE_GPU),
        ("gfx908", ("gfx1100",), COVERING_ALL),  # it runs neither
    ],
)
def test_modes(
    tmp_path: Path, gpu: str, others: tuple[str, ...], modes: tuple[str, str, str]
) -> None:
    made = programs(tmp_path, code_object(others=others, gpu=gpu))
    filled, read, written = modes
    path = recorded(made, tmp_path, "batches", "boxes", "fixed")
    assert ops(path, Kind.KERNEL) == [
        f"kernel fill on HIP0 stream 1: {filled} device memory 1{ALL}"
    ]
