"""Builds the stand-in HIP runtime: libamdhip64.so.5, .6 and .7 and librocprofiler-register.so.0.

standin.c says what it is, what a test on it proves and what it does not. exports.py generates what
the libraries export: .so.7 HIP 7.1's 517 functions, .so.6 the 463 that ROCm 6.3 had, .so.5 those of
Debian's HIP 5.2, each with its symbol version and each returning hipErrorNotSupported unless a file
here implements it. libamdhip64.so is the newest. x86-64 only, as ROCm is.

The result is kept under .cache/hip-standin by a hash of all that goes into it. As a program,
`PYTHONPATH=tests python3 -m hip.standin.build` in the clone, it prints the folder.
"""

import hashlib
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kept import built_once

from hip.standin import exports

HERE = Path(__file__).parent
CACHE = HERE.parents[2] / ".cache/hip-standin"
MAJORS = (5, 6, 7)
CFLAGS = ("-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror")
REGISTER = "librocprofiler-register.so.0"
BESIDE = ("register.c", "hiprtc.c")  # libraries of their own; the latter is of stubs.py


@dataclass(frozen=True)
class StandIn:
    """A built stand-in: the folder of its libraries, and what compiles a program against it."""

    folder: Path

    def library(self, major: int) -> Path:
        """The runtime whose SONAME ends in this number: 5, 6 or 7."""
        return self.folder / f"libamdhip64.so.{major}"

    def compile(self, program: Path, sources: Iterable[Path], *flags: str, major: int = 7) -> Path:
        """Compiles C files to a program that is linked to one of the runtimes and finds it.

        Raises CalledProcessError if they do not compile without a warning.
        """
        include = (f"-I{HERE}", f"-I{self.folder}")
        link = (str(self.library(major)), f"-Wl,-rpath,{self.folder}", "-lpthread", "-ldl", "-lm")
        files = [str(source) for source in sources]
        run("cc", *CFLAGS, *include, *files, *flags, *link, "-o", str(program))
        return program


def run(*command: str) -> None:
    """Runs a command. Raises CalledProcessError if it fails."""
    subprocess.run(command, check=True)


def inputs() -> list[Path]:
    """All that goes into the stand-in, but for the compiler."""
    return [exports.API, *sorted(HERE.glob("*.[chp]*")), HERE / "versions.txt"]


def compiler() -> bytes:
    """What the compiler says of itself."""
    return subprocess.run(["cc", "--version"], capture_output=True, check=True).stdout


def _hash(flags: tuple[str, ...]) -> str:
    contents = [path.read_bytes() for path in inputs()]
    everything = b"\0".join([compiler(), " ".join(flags).encode(), *contents])
    return hashlib.sha256(everything).hexdigest()[:16]


def _link(folder: Path, major: int, objects: list[str], flags: tuple[str, ...]) -> None:
    name, source = f"libamdhip64.so.{major}", folder / f"exports_{major}.s"
    script = folder / f"exports_{major}.map"
    source.write_text(exports.assembly(major))
    script.write_text(exports.version_script(major))
    shared = ("-shared", f"-Wl,-soname,{name}", f"-Wl,--version-script,{script}", "-Wl,-z,defs")
    stays = "-Wl,-z,nodelete"  # its threads may be at work when a program closes it
    libraries = ("-Wl,-rpath,$ORIGIN", "-lpthread", "-ldl")
    run("cc", *flags, *shared, stays, *objects, str(source), *libraries, "-o", str(folder / name))


def _fill(folder: Path, flags: tuple[str, ...]) -> None:
    (folder / "hip_calls.h").write_text(exports.prototypes())
    (folder / "unsupported.s").write_text(exports.unsupported())
    sources = [path for path in sorted(HERE.glob("*.c")) if path.name not in BESIDE]
    objects = [str(folder / f"{path.stem}.o") for path in sources]
    compile_c = ("cc", *CFLAGS, *flags, "-fPIC", "-fvisibility=hidden", "-c", f"-I{folder}")
    for source, target in zip([*sources, folder / "unsupported.s"], [*objects, ""], strict=True):
        run(*compile_c, str(source), "-o", target or str(folder / "unsupported.o"))
    for major in MAJORS:
        _link(folder, major, [*objects, str(folder / "unsupported.o")], flags)
    register = str(HERE / "register.c")
    shared = ("-fPIC", "-shared", f"-Wl,-soname,{REGISTER}", "-ldl", "-o", str(folder / REGISTER))
    run("cc", *CFLAGS, *flags, register, *shared)
    (folder / "libamdhip64.so").symlink_to(f"libamdhip64.so.{MAJORS[-1]}")
    for step in [*folder.glob("*.o"), *folder.glob("*.s"), *folder.glob("*.map")]:
        step.unlink()


def build(*flags: str) -> StandIn:
    """The stand-in, built with these further flags of the compiler unless it was before.

    Raises CalledProcessError if it does not compile without a warning.
    """
    return StandIn(built_once(CACHE / _hash(flags), partial(_fill, flags=flags)))


if __name__ == "__main__":
    print(build().folder)
