"""Programs of tests/gpu on the stand-in, and as an H200 ran and recorded them.

driver.c calls the driver; scenes.cu and behaviour.cu call CUDA's runtime, which is
runtime/cuda_runtime.h here: each of its functions calls that of the driver that NVIDIA's was seen
to call. The stand-in gives the H200's answer in each case of what waits for what, and recordings on
both have the same ops on the same streams, with the same bytes, and are judged alike.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest
from hip import told
from hip.rows import events, ops

from cuda.programs.build import GPU, HERE, Programs

REAL = Path(__file__).parents[1] / "data/h200"
PROFILES = ("cuda-doc", "cuda-13")
SCENES = ("staging", "streams", "graph-input", "pool", "threads", "updates")
HOW = ("race", "fixed")


@pytest.fixture(scope="module")
def driver(cuda_programs: Programs) -> str:
    return cuda_programs.built(GPU / "driver.c", HERE / "scale.c")


def said(trace: Path) -> tuple[list[str], list[str]]:
    """Ops and events; pageable memory lies elsewhere in each run, and threads take turns anew."""
    whole = [re.sub(r"host memory\[\d+,\d+\)", "host memory[...)", op) for op in ops(trace)]
    order = sorted if "threads" in trace.name else list
    return order(whole), order(events(trace))


def judged(trace: Path) -> dict[str, set[str]]:
    """Findings by profile; which turns of a loop lose bytes goes by time, so not how often."""
    found = told.findings(trace, *PROFILES)
    return {name: {re.sub(r"#\d+", "", line) for line in lines} for name, lines in found.items()}


def test_what_waits_for_what(cuda_programs: Programs) -> None:
    """Each case behind a kernel that spins: the later access comes first where nothing waits."""
    program = cuda_programs.of_gpu("behaviour")
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    measured = json.loads((REAL / "h200-cuda-behaviour.json").read_text())
    assert dict(line.split() for line in done.stdout.splitlines()) == measured


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("scene", SCENES)
def test_a_program_on_the_runtime(
    cuda_programs: Programs, tmp_path: Path, scene: str, how: str
) -> None:
    real = REAL / f"h200-cuda-{scene}-{how}.synctrace"
    here = tmp_path / real.name
    assert told.recorded([cuda_programs.of_gpu("scenes"), scene, how], here).exit_code == 0
    assert said(here) == said(real)
    assert judged(here) == judged(real)


def test_a_program_of_most_calls_is_silent(cuda_programs: Programs, tmp_path: Path) -> None:
    """It polls, so that how many ops it has goes by time."""
    program = cuda_programs.of_gpu("scenes")
    assert told.recorded([program, "whole", "fixed"], tmp_path / "t").exit_code == 0
    called = {op.split()[1] for op in ops(tmp_path / "t")}
    assert {"cuMemcpy2DAsync_v2", "cuMemsetD2D8Async", "cuLaunchHostFunc"} <= called
    found = told.findings(tmp_path / "t", *PROFILES)
    assert [
        line for lines in found.values() for line in lines if line[:4] in ("RACE", "LIFE")
    ] == []


@pytest.mark.parametrize("how", HOW)
def test_a_program_on_the_driver(driver: str, tmp_path: Path, how: str) -> None:
    real = REAL / f"h200-cuda-driver-{how}.synctrace"
    assert told.recorded([driver, __file__, how], tmp_path / "t").exit_code == 0
    assert said(tmp_path / "t") == said(real)
    assert told.findings(tmp_path / "t", *PROFILES) == told.findings(real, *PROFILES)


def test_what_is_right_prints_what_it_should(cuda_programs: Programs, driver: str) -> None:
    def printed(*command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert printed(driver, __file__, "fixed") == f"{1 << 20}\n"
    scenes = cuda_programs.of_gpu("scenes")
    assert printed(scenes, "staging", "fixed") == f"{3 << 20}.0\n"
    assert printed(scenes, "graph-input", "fixed") == f"{6 << 20}.0\n"
