"""NVIDIA's own CUDA runtime on the stand-in driver: its start, as far as it goes.

It opens the driver, asks for all of its functions, looks at the devices, and then asks for tables
of functions that no document has (cuGetExportTable). Without the first of them it gives up. With
empty ones (tried by hand with 11.7, 11.8, 12.9 and 13.5) it goes on to the last, by which the
driver has to answer a question as only NVIDIA's can, and gives up there: "integrity checks failed".
That is not imitated here, so what lies behind it, the runtime's calls becoming the driver's, is
proven where there is a GPU (tests/gpu/cuda_counts.py).

What is shown: the recorder is in the way of none of the questions, and gives its own functions for
all that are recorded, by the versions that the runtime asks for.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hip.wheels import wheel

from cuda.programs.build import Programs
from cuda.test_every_function import MET

SOURCES = Path(__file__).parent / "runtime"
RUNTIMES = {  # the library of each wheel, and how many questions it asks at least
    "cudart-11": ("nvidia/cuda_runtime/lib/libcudart.so.11.0", 350),
    "cudart-12": ("nvidia/cuda_runtime/lib/libcudart.so.12", 400),
    "cudart-13": ("nvidia/cu13/lib/libcudart.so.13", 400),
}
# Shared, or linked in where the wheel has it so.
STARTS = [(name, False) for name in RUNTIMES] + [("cudart-12", True), ("cudart-13", True)]
# Of other APIs that the driver has functions for.
OTHERS = re.compile(r"cu(EGL|GL|VDPAU|Graphics(EGL|GL|VDPAU|ResourceGetMappedEgl)|Profiler)")
NOT_FOUND = "500 named symbol not found\n"
NOTHING_SEEN = 125


def linked(cuda_programs: Programs, name: str, static: bool) -> str:
    """start.c with the runtime of this wheel."""
    library = wheel(name) / RUNTIMES[name][0]
    program = cuda_programs.folder / f"start-{name}-{static}"
    flags = [str(library), f"-Wl,-rpath,{library.parent}"]
    if static:
        more = sorted(str(path) for path in library.parent.glob("libculibos.a"))
        flags = [str(library.parent / "libcudart_static.a"), *more, "-lrt", "-ldl", "-lpthread"]
        flags.append("-lstdc++")
    subprocess.run(["cc", SOURCES / "start.c", *flags, "-o", program], check=True)
    return str(program)


def started(command: list[str], driver: Path, asked: Path) -> tuple[int, str]:
    """Exit code and output of a program on the stand-in; what was asked of the driver."""
    asked.unlink(missing_ok=True)
    variables = {"LD_LIBRARY_PATH": str(driver), "STANDIN_ASKED": str(asked)}
    done = subprocess.run(
        command, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True, timeout=60
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("name, static", STARTS)
def test_its_start(cuda_programs: Programs, tmp_path: Path, name: str, static: bool) -> None:
    program, folder = linked(cuda_programs, name, static), cuda_programs.driver.folder
    alone, recorded = tmp_path / "alone", tmp_path / "recorded"
    assert started([program], folder, alone) == (0, NOT_FOUND)
    record = [sys.executable, "-m", "synctrace", "record", "-q", "-o", str(tmp_path / "t"), "--"]
    assert started([*record, program], folder, recorded) == (NOTHING_SEEN, NOT_FOUND)
    questions = alone.read_text().splitlines()
    assert recorded.read_text().splitlines() == questions
    names = [line for line in questions if not line.startswith("table ")]
    assert len(names) > RUNTIMES[name][1] and len(names) < len(questions)
    missed = {line.split()[0] for line in names if re.match(r"\w+ \d+ \d+ none$", line)}
    assert {name for name in missed if not OTHERS.match(name)} == set()


def own_names(program: str, questions: str, *before: str) -> dict[str, str]:
    """The functions that the driver hands out, each with the library that it lies in."""
    done = subprocess.run([*before, program], input=questions, stdout=subprocess.PIPE, text=True)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("name", RUNTIMES)
def test_it_is_given_what_records(cuda_programs: Programs, tmp_path: Path, name: str) -> None:
    """Of the same functions, also those of the thread's own default stream."""
    program, asked = linked(cuda_programs, name, False), tmp_path / "asked"
    started([program], cuda_programs.driver.folder, asked)
    known = re.findall(r"^\w+ \d+ \d+$", asked.read_text(), re.M)
    known += [f"{' '.join(line.split()[:2])} 2" for line in known]
    ask = cuda_programs.built(SOURCES / "ask.c")
    record = [sys.executable, "-m", "synctrace", "record", "-q", "-o", str(tmp_path / "t"), "--"]
    alone = own_names(ask, "\n".join(known))
    recorded = own_names(ask, "\n".join(known), *record)
    assert recorded.keys() == alone.keys()
    met = set(re.findall(r"\((cu\w+),", MET.read_text()))
    ours = {name for name, library in recorded.items() if "libsynctrace_recorder" in library}
    assert ours == met & alone.keys() and len(ours) > 150
