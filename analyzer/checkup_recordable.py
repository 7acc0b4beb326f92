"""What can be recorded on this machine, and what is missing for the rest."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from synctrace.analyzer.checkup import Check
from synctrace.tracer.cupti import INSTALL, candidates
from synctrace.tracer.route import NVTX, nvtx_taken
from synctrace.tracer.sass.nvdisasm import GET as GET_NVDISASM
from synctrace.tracer.sass.nvdisasm import find_nvdisasm
from synctrace.tracer.unpackers import UNPACK, UNPACKERS, unpackers_missing


def checks(facts: dict[str, Any], recorder_works: bool) -> Iterator[Check]:
    """What can be recorded here."""
    for name, what in (
        ("ggml by name", "programs on a shared ggml (llama.cpp): synctrace record -- PROGRAM"),
        ("ggml plug-in", "programs that carry ggml and load backends: record --via plugin"),
        ("Python, C", "programs that record themselves or are annotated: synctrace.record(PATH)"),
    ):
        if recorder_works:
            yield Check("record", name, "ok", what)
        else:
            yield Check("record", name, "broken", "the recorder does not work here, see above")
    yield _nvtx()
    yield _cupy(facts)
    yield _cuda(facts, recorder_works)
    yield from _device_times(facts)
    yield from _kernel_code(facts)
    yield from _hip(recorder_works)


def _cuda(facts: dict[str, Any], recorder_works: bool) -> Check:
    """The driver is all that it takes; which CUDA it serves was asked with the GPUs."""
    if not recorder_works:
        return Check("record", "CUDA", "broken", "the recorder does not work here, see above")
    runtimes = (d["runtime"] for d in facts["drivers"] if d["vendor"] == "nvidia")
    runtime = next((name for name in runtimes if name), "")
    if not runtime:
        return Check("record", "CUDA", "ok", "of use with NVIDIA's driver only, and there is none")
    told = f"programs on CUDA (the driver here serves {runtime}): synctrace record -- PROGRAM"
    return Check("record", "CUDA", "ok", told)


def _nvtx() -> Check:
    told = "ranges, marks and names of NVTX, by record: scopes of the calls in them"
    if not nvtx_taken(os.environ):
        return Check("record", "NVTX", "ok", told)
    return Check("record", "NVTX", "gap", f"{NVTX} names another library", f"unset {NVTX}")


def _device_times(facts: dict[str, Any]) -> Iterator[Check]:
    """The recorder looks on in the program's own environment, which may have another CUPTI."""
    if not any(d["vendor"] == "nvidia" and d["runtime"] for d in facts["drivers"]):
        return
    found = next((path for path in candidates("python3", os.environ)), None)
    if found:
        told = f"CUPTI is here ({found}): synctrace record --device-times -- PROGRAM"
        yield Check("record", "CUDA device times", "ok", told)
    else:
        told = "CUPTI was not found, so device times of CUDA's work can not be recorded"
        yield Check("record", "CUDA device times", "gap", told, INSTALL)


def _kernel_code(facts: dict[str, Any]) -> Iterator[Check]:
    if not any(d["vendor"] == "nvidia" for d in facts["drivers"]):
        return
    found = find_nvdisasm()
    if found:
        told = f"what CUDA kernels do with their parameters is read after the run ({found})"
        yield Check("record", "CUDA kernels", "ok", told)
    else:
        told = "nvdisasm was not found, so what CUDA kernels read and write is not known"
        yield Check("record", "CUDA kernels", "gap", told, GET_NVDISASM)


def _hip(recorder_works: bool) -> Iterator[Check]:
    if not recorder_works:
        yield Check("record", "HIP", "broken", "the recorder does not work here, see above")
        return
    told = "any program that calls HIP, on x86-64: synctrace record -- PROGRAM"
    yield Check("record", "HIP", "ok", told)
    missing = unpackers_missing()
    if missing:
        told = f"{' and '.join(missing)} not found: kernels of compressed code may touch anything"
        yield Check("record", "HIP kernels", "gap", told, UNPACK)
    else:
        told = f"the code of HIP kernels can be unpacked ({', '.join(UNPACKERS)})"
        yield Check("record", "HIP kernels", "ok", told)


def _cupy(facts: dict[str, Any]) -> Check:
    """Not imported: that takes seconds, and takes a GPU."""
    if find_spec("cupy"):
        if facts["devices"]:
            return Check("record", "CuPy", "ok", "Python programs on CuPy, from within")
        return Check("record", "CuPy", "gap", "cupy is installed, but there is no GPU that works")
    if not facts["devices"]:
        return Check("record", "CuPy", "ok", "of use on a GPU only, and there is none")
    return Check("record", "CuPy", "gap", "cupy is not installed", _cupy_for(facts))


def _cupy_for(facts: dict[str, Any]) -> str:
    """The package for the first driver."""
    runtime = next((d["runtime"] for d in facts["drivers"]), "")
    kind, _, number = runtime.partition(" ")
    if kind == "ROCm":
        return f"pip install cupy-rocm-{'-'.join(number.split('.')[:2])}"
    return f"pip install cupy-cuda{number.split('.')[0] or '13'}x"
