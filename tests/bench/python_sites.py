"""What Python's frames cost a call of HIP: `python_sites.py`, or as part of `make bench`.

The same loop of C, on a runtime whose calls do nothing, recorded: from a thread that is in no
Python code, and from Python code of several depths. Printed is the least disturbed burst.
"""

import ctypes
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path

from synctrace.tracer.launch import record

HERE = Path(__file__).parent
DEPTHS = (1, 4, 15)
CALL = "def call(depth, of):\n    return call(depth - 1, of) if depth else of()\n"


def _calling(file: str) -> Callable[[int, Callable[[], float]], float]:
    """A function that calls itself so often, as code of this file."""
    module = types.ModuleType("calling")
    exec(compile(CALL, file, "exec"), module.__dict__)
    call: Callable[[int, Callable[[], float]], float] = module.call
    return call


def _measure(folder: str) -> None:
    ctypes.CDLL(f"{folder}/libamdhip64.so.7", ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(f"{folder}/bursts.so")
    library.bursts.restype = library.bursts_of_a_thread.restype = ctypes.c_double
    print(f"{'a thread of C, no Python frame':40}{library.bursts_of_a_thread():6.0f}")
    own, installed = _calling("/x/own.py"), _calling("/x/site-packages/installed.py")
    for depth in DEPTHS:
        frames = own(depth - 1, library.bursts)
        print(f"{f'{depth} frames of the program':40}{frames:6.0f}")
    for depth in DEPTHS:
        frames = own(1, lambda depth=depth: installed(depth - 1, library.bursts))
        print(f"{f'{depth} frames of a package within it':40}{frames:6.0f}")


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as folder:
        for source, name in (("hip_null.c", "libamdhip64.so.7"), ("python_sites.c", "bursts.so")):
            shared = ["cc", "-O2", "-fPIC", "-shared", f"-Wl,-soname,{name}"]
            subprocess.run([*shared, str(HERE / source), "-o", f"{folder}/{name}"], check=True)
        print("\nan event record of HIP from Python code, ns a call, runtime that does nothing")
        print("recorded:", flush=True)
        record([sys.executable, __file__, folder], f"{folder}/t", quiet=True)


if __name__ == "__main__":
    _measure(sys.argv[1]) if len(sys.argv) > 1 else main()
