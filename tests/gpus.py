"""A machine with GPUs that is not there: fakes of the vendors' libraries, before all others."""

import functools
from pathlib import Path

import pytest

from synctrace.tracer.machine import devices, sampler

FAKES = Path(__file__).parent / "machine_facts/fakes"


def pretend(
    patch: pytest.MonkeyPatch,
    *,
    nvidia: str = "",
    amd: str = "",
    libcuda: Path | None = None,
    cuda: str = "",
) -> None:
    """Drivers that are loaded, and how they behave: the words of tests/machine_facts/fakes."""
    kinds = {"nvidia": nvidia, "amd": amd}
    nodes = {name: ("/dev/null",) if kind else () for name, kind in kinds.items()}
    patch.setattr(devices, "NODES", nodes)
    asked_anew = functools.cache(devices.of_this_process.__wrapped__)
    for module in (devices, sampler):
        patch.setattr(module, "of_this_process", asked_anew)
    patch.setenv("PYTHONPATH", str(FAKES))
    patch.setenv("FAKE_NVML", nvidia)
    patch.setenv("FAKE_AMDSMI", amd)
    patch.setenv("FAKE_CUDA", cuda)
    patch.setenv("LD_LIBRARY_PATH", str(libcuda or FAKES))
