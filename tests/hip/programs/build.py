"""Builds the programs of this folder against the stand-in runtime, with their code object."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hip import code_objects as code
from hip.standin.build import StandIn, build

HERE = Path(__file__).parent
NATIVE = HERE.parents[2] / "tracer/native"
POINTER_IN, POINTER_OUT = code.buffer("read_only"), code.buffer("write_only")
POINTER, WORD = code.buffer("read_write"), code.value(4)
# As kernels.c has them. Real compilers seldom know how a pointer is used: see `modes`.
KERNELS = {
    "fill": (POINTER_OUT, WORD),
    "pass": (POINTER_IN, POINTER_OUT),
    "add": (POINTER, WORD),
    "clear_pages": (POINTER_IN, POINTER),
    "busy": (WORD,),
}


class Programs(NamedTuple):
    """A folder for programs, each of one C file, built at its first use."""

    folder: Path
    standin: StandIn

    def program(self, name: str, *flags: str, major: int = 7, source: Path = HERE) -> str:
        """The path of the program of the cases in NAME.c, in a folder of such."""
        cases = (source / f"{name}.c", HERE / "scenarios.c")
        return self.built(*cases, flags=flags, major=major)

    def built(self, *sources: Path, flags: Sequence[str] = (), major: int = 7) -> str:
        """A program of these files and what they share, named as the first of them."""
        made = self.folder / f"{sources[0].parent.name}-{sources[0].stem}-{major}"
        if not made.exists():
            shared = (HERE / "program.c", HERE / "kernels.c")
            include = (f"-I{HERE}", f"-I{NATIVE}", f"-I{self.folder}")
            self.standin.compile(made, [*sources, *shared], *include, *flags, major=major)
        return str(made)


def code_object(modes: bool = True) -> bytes:
    """The fat binary of the kernels; without `modes` it does not say what they read and write."""
    plain = {id(known): code.buffer() for known in (POINTER_IN, POINTER_OUT, POINTER)}
    kernels = [
        code.kernel(name, *(a if modes else plain.get(id(a), a) for a in arguments))
        for name, arguments in KERNELS.items()
    ]
    return code.bundle({"gfx90a": code.elf(code.metadata(*kernels))}, align=4096)


def c_array(content: bytes) -> str:
    """kernels_code.h."""
    numbers = ",".join(map(str, content))
    kind = "static const unsigned char"
    return f"{kind} code_object[] __attribute__((aligned(4096))) = {{{numbers}}};\n"


def programs(folder: Path, modes: bool = True) -> Programs:
    """Programs to be built in this folder.

    Raises CalledProcessError if the stand-in does not compile.
    """
    (folder / "kernels_code.h").write_text(c_array(code_object(modes)))
    return Programs(folder, build())
