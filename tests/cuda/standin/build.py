"""Builds the stand-in CUDA driver, libcuda.so.1: driver.c says what it is and what it proves.

It is tests/hip/standin's sources with CUDA's functions in front of them (exports.py); none of HIP's
names is seen from outside, so that nobody takes it for a HIP runtime. x86-64 only.

The result is kept under .cache/cuda-standin by a hash of all that goes into it.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hip.standin import build as hip
from hip.standin import exports as hip_exports
from kept import built_once

from cuda.standin import exports

HERE = Path(__file__).parent
CACHE = HERE.parents[2] / ".cache/cuda-standin"
LIBRARY = "libcuda.so.1"
OF_HIP_ALONE = {"standin.c", "hints.c", *hip.BESIDE}  # ways to its functions, other libraries
GENERATED = {
    "hip_calls.h": hip_exports.prototypes,
    "cuda_calls.h": exports.prototypes,
    "own_stream.c": exports.own_stream,
    "exports.s": exports.assembly,
    "implemented.s": exports.implemented,
    "exports.map": exports.version_script,
}
KEPT = {LIBRARY, "libcuda.so", "hip_calls.h", "cuda_calls.h"}


@dataclass(frozen=True)
class Driver:
    """A built stand-in: the folder of its library, and what compiles a program against it."""

    folder: Path

    @property
    def library(self) -> Path:
        """The driver."""
        return self.folder / LIBRARY

    def compile(
        self,
        program: Path,
        sources: Iterable[Path],
        *flags: str,
        language: Iterable[str] = ("cc", *hip.CFLAGS),
    ) -> Path:
        """Compiles C files to a program that is linked to the driver and finds it.

        `language`: the compiler and its flags, where they are not of C.

        Raises CalledProcessError if they do not compile without a warning.
        """
        include = (f"-I{HERE}", f"-I{hip.HERE}", f"-I{self.folder}")
        link = (str(self.library), f"-Wl,-rpath,{self.folder}", "-lpthread", "-ldl", "-lm")
        files = [str(source) for source in sources]
        hip.run(*language, *include, *files, *flags, *link, "-o", str(program))
        return program


def _sources() -> list[Path]:
    of_hip = [path for path in sorted(hip.HERE.glob("*.c")) if path.name not in OF_HIP_ALONE]
    return [*of_hip, *sorted(HERE.glob("*.c"))]


def _hash() -> str:
    names = [*hip.inputs(), exports.API, *sorted(HERE.glob("*.[chpt]*"))]
    content = b"\0".join([hip.compiler(), *(path.read_bytes() for path in names)])
    return hashlib.sha256(content).hexdigest()[:16]


def _fill(folder: Path) -> None:
    for name, made in GENERATED.items():
        (folder / name).write_text(made())
    include = (f"-I{folder}", f"-I{HERE}", f"-I{hip.HERE}")
    compile_c = ("cc", *hip.CFLAGS, "-fPIC", "-fvisibility=hidden", "-c", *include)
    generated = [folder / name for name in GENERATED if name.endswith((".c", ".s"))]
    objects = []
    for source in [*_sources(), *generated]:
        kind = "cuda" if source.parent in (HERE, folder) else "hip"
        objects.append(str(folder / f"{kind}-{source.stem}.o"))
        hip.run(*compile_c, str(source), "-o", objects[-1])
    script = f"-Wl,--version-script,{folder / 'exports.map'}"
    shared = ("-shared", f"-Wl,-soname,{LIBRARY}", script, "-Wl,-z,defs", "-Wl,-z,nodelete")
    hip.run("cc", *shared, *objects, "-lpthread", "-ldl", "-o", str(folder / LIBRARY))
    (folder / "libcuda.so").symlink_to(LIBRARY)
    for made_file in folder.iterdir():
        if made_file.name not in KEPT:
            made_file.unlink()


def build() -> Driver:
    """The stand-in, built unless it was before.

    Raises CalledProcessError if it does not compile without a warning.
    """
    return Driver(built_once(CACHE / _hash(), _fill))
