"""NCCL's collectives and groups on the stand-in driver: as tests/hip/test_rccl.py, by CUDA.

The library is that of RCCL's tests under NCCL's name, which calls CUDA's driver here. Real ones
were recorded on a GPU (docs/cuda.md).
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hip import rccl, told
from hip.programs.build import HERE as SHARED
from hip.rows import ops
from hip.runs import CALLS
from hip.standin.build import CFLAGS
from hip.standin.build import HERE as HIP

from cuda.programs.build import HERE, Programs
from cuda.standin.build import HERE as STANDIN

RCCL = Path(rccl.__file__).parent
Run = Callable[[str, str], Path]


def program(programs: Programs) -> str:
    """That of calls/collectives.c, linked to libnccl.so.2 beside it."""
    made, driver = programs.folder / "libnccl.so.2", programs.driver
    include = [f"-I{folder}" for folder in (RCCL, HIP, STANDIN, driver.folder)]
    shared = ["-fPIC", "-shared", "-Wl,-Bsymbolic", "-Wl,-soname,libnccl.so.2"]
    sources = [str(RCCL / "librccl.c"), str(HERE / "hip_by_cuda.c")]
    command = ["cc", *CFLAGS, *include, *shared, *sources, str(driver.library), "-o", str(made)]
    subprocess.run(command, check=True)
    beside = [SHARED / f"{file}.c" for file in ("scenarios", "program", "kernels")]
    flags = (f"-I{RCCL}", str(made), f"-Wl,-rpath,{programs.folder}")
    return programs.built(CALLS / "collectives.c", *beside, HERE / "hip_by_cuda.c", flags=flags)


@pytest.fixture
def run(cuda_programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """run(case, variant): its trace, on two devices."""
    monkeypatch.setenv("STANDIN_DEVICES", "2")

    def of(case: str, variant: str) -> Path:
        assert told.recorded([program(cuda_programs), case, variant], tmp_path / "t").exit_code == 0
        return tmp_path / "t"

    return of


def races(path: Path) -> list[str]:
    found = told.findings(path, "cuda-doc")["cuda-doc"]
    return [line for line in found if line.startswith(("RACE", "LIFE"))]


def test_all_streams_of_a_group_wait_for_each_other(run: Run) -> None:
    path = run("together", "fixed")
    grouped = [op.split(":")[0] for op in ops(path) if "nccl" in op]
    reduced = [f"kernel ncclAllReduce on CUDA0 stream {n} (batched)" for n in (1, 2)]
    assert grouped[0] == "batch ncclGroupEnd (parent)"
    assert [op for op in grouped if op.startswith("kernel")] == reduced
    assert races(path) == []


def test_calls_by_themselves_join_nothing(run: Run) -> None:
    path = run("together", "race")
    alone = [op for op in ops(path) if "nccl" in op]
    assert alone == [
        f"kernel ncclAllReduce on CUDA0 stream {n}: "
        f"read device memory {n}[0,4096), write device memory {n}[0,4096)"
        for n in (1, 2)
    ]
    assert any(
        race.startswith("RACE01 mode-unknown ncclAllReduce#1 _Z3add") for race in races(path)
    )


def test_a_result_that_is_read_on_another_stream(run: Run) -> None:
    assert any("ncclAllReduce" in race for race in races(run("result", "race")))
    assert races(run("result", "fixed")) == []


def test_every_call_has_its_ranges(run: Run) -> None:
    """Which, tests/hip/test_rccl.py says of each; NCCL spells one of them otherwise."""
    path = run("ranges", "fixed")
    called = [op for op in ops(path) if op.startswith("kernel nccl")]
    ranges = {op.split()[1]: op.partition(": ")[2] for op in called}
    assert len(called) == 24 and all("device memory" in told for told in ranges.values())
    assert ranges["ncclAlltoAll"] == ranges["ncclAllToAll"]
    assert races(path) == []
