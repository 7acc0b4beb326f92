"""Builds programs against the stand-in CUDA driver, those of tests/hip/programs among them.

The latter become CUDA programs by hip_by_cuda.c.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hip.programs.build import HERE as HIP
from hip.programs.build import NATIVE, c_array

from cuda.standin.build import Driver, build

HERE = Path(__file__).parent


class Programs(NamedTuple):
    """A folder for programs, each of one C file, built at its first use."""

    folder: Path
    driver: Driver

    def case(self, name: str) -> str:
        """The path of the program of the cases in tests/hip/programs/NAME.c, as a CUDA program."""
        shared = [HIP / f"{file}.c" for file in ("scenarios", "program", "kernels")]
        return self.built(HIP / f"{name}.c", *shared, HERE / "hip_by_cuda.c")

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
