"""Builds programs against the stand-in CUDA driver, those of tests/hip/programs among them.

The latter become CUDA programs by hip_by_cuda.c.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hip.programs.build import HERE as HIP
from hip.programs.build import NATIVE, c_array

from cuda.standin.build import Driver, build

HERE = Path(__file__).parent
RUNTIME = HERE.parent / "runtime"
GPU = HERE.parents[1] / "gpu/cuda"
CPP = ("g++", "-std=c++17", "-O1", "-g", "-Wall", "-Werror")
LAUNCH = re.compile(r"(\w+)<<<([^>]*)>>>\(")  # as nvcc has it


class Programs(NamedTuple):
    """A folder for programs, each of one C file, built at its first use."""

    folder: Path
    driver: Driver

    def case(self, name: str, source: Path = HIP) -> str:
        """The path of the program of the cases in NAME.c of a folder of tests/hip, on CUDA."""
        shared = [HIP / f"{file}.c" for file in ("scenarios", "program", "kernels")]
        return self.built(source / f"{name}.c", *shared, HERE / "hip_by_cuda.c")

    def of_gpu(self, name: str) -> str:
        """The path of the program of tests/gpu/cuda/NAME.cu, compiled without nvcc."""
        made = self.folder / f"gpu-{name}"
        if not made.exists():
            source = self.folder / f"{name}.cpp"
            source.write_text(re.sub(LAUNCH, r"LAUNCH(\1, \2)(", (GPU / f"{name}.cu").read_text()))
            include = (f"-I{RUNTIME}", f"-I{NATIVE}", f"-I{GPU}")
            self.driver.compile(made, [source], *include, language=CPP)
        return str(made)

    def built(self, *sources: Path, flags: Sequence[str] = ()) -> str:
        """A program of these files, named as the first of them."""
        made = self.folder / f"{sources[0].parent.name}-{sources[0].stem}"
        if not made.exists():
            include = (f"-I{HIP}", f"-I{NATIVE}", f"-I{self.folder}")
            self.driver.compile(made, sources, *include, *flags)
        return str(made)


def programs(folder: Path) -> Programs:
    """Programs to be built in this folder.

    Raises CalledProcessError if the stand-in does not compile.
    """
    (folder / "kernels_code.h").write_text(c_array(b"no code"))
    return Programs(folder, build())
