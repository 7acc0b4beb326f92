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
    "gather": (code.value(80 * 8), POINTER_OUT),
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


def code_object(modes: bool = True, *, others: Sequence[str] = (), gpu: str = "gfx90a") -> bytes:
    """The fat binary of the kernels; without `modes` it does not say what they read and write.

    For the `others` it says that pointers are only read, as of code that was left out.
    """
    pointers = {id(known) for known in (POINTER_IN, POINTER_OUT, POINTER)}

    def image(instead: code.Fields | None) -> bytes:
        kernels = [
            code.kernel(name, *(instead if instead and id(a) in pointers else a for a in arguments))
            for name, arguments in KERNELS.items()
        ]
        return code.elf(code.metadata(*kernels))

    images = {gpu: image(None if modes else code.buffer())}
    images |= {other: image(POINTER_IN) for other in others}
    return code.bundle(images, align=4096)


def c_array(content: bytes) -> str:
    """kernels_code.h."""
    numbers = ",".join(map(str, content))
    kind = "static const unsigned char"
    return f"{kind} code_object[] __attribute__((aligned(4096))) = {{{numbers}}};\n"


def programs(folder: Path, fat_binary: bytes | None = None) -> Programs:
    """Programs to be built in this folder; `fat_binary`: if not code_object().

    Raises CalledProcessError if the stand-in does not compile.
    """
    (folder / "kernels_code.h").write_text(c_array(fat_binary or code_object()))
    return Programs(folder, build())
