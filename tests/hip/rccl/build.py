"""Builds the stand-in for RCCL (librccl.c) beside programs that are linked to it."""

import subprocess
from pathlib import Path

from hip import runs
from hip.programs.build import Programs
from hip.standin.build import CFLAGS

HERE = Path(__file__).parent


def library(programs: Programs) -> Path:
    """The stand-in, in the folder of the programs."""
    made, runtime = programs.folder / "librccl.so.1", programs.standin
    include = (f"-I{HERE}", f"-I{HERE.parent / 'standin'}", f"-I{runtime.folder}")
    if not made.exists():
        shared = ("-fPIC", "-shared", "-Wl,-soname,librccl.so.1", str(runtime.library(7)))
        command = ("cc", *CFLAGS, *include, str(HERE / "librccl.c"), *shared, "-o", str(made))
        subprocess.run(command, check=True)
    return made


def program(programs: Programs, name: str, *, linked: bool = True) -> str:
    """The path of the program of calls/NAME.c, which finds both stand-ins and is linked to them.

    Raises CalledProcessError if something does not compile without a warning.
    """
    found = (str(library(programs)),) if linked else ()
    return runs.program(programs, name, f"-I{HERE}", *found, f"-Wl,-rpath,{programs.folder}")
