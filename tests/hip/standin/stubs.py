"""Stub libraries beside the stand-in runtime: what real HIP software is linked to besides.

    folder = stubs(wheel("cyllama"))

finds the ROCm libraries that the wheel's files are linked to and do not carry (hipBLAS, rocFFT,
RCCL and so on) and makes one for each with every function that the wheel takes from it. Each
returns 0, which is success to all of them, and does nothing: a matrix product leaves its result as
it was, so what a program computes on them means nothing, and work that the real ones would give to
a stream (kernels, copies) is not there, neither to be run nor to be recorded. A function that makes
something (`…Create…`) gives a handle that is not null, one that names an error gives a text.
hiprtc.c is written by hand: a compiler's result is looked at.

The result is kept under .cache/hip-standin by a hash of all that goes into it.
"""

import hashlib
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kept import built_once

from hip.standin.build import CACHE

HIPRTC = Path(__file__).with_name("hiprtc.c")
# Libraries by what the names of their functions begin with; a longer beginning comes first.
FAMILIES = {
    "hipblas": "libhipblas",
    "hipsparse": "libhipsparse",
    "hiprand": "libhiprand",
    "hipfft": "libhipfft",
    "rocblas": "librocblas",
    "rocsolver": "librocsolver",
    "rocfft": "librocfft",
    "roctracer": "libroctracer64",
    "roctx": "libroctx64",
    "nccl": "librccl",
}
MAKES = re.compile(r"create", re.IGNORECASE)
SAYS = re.compile(r"(error|status).*string|(error|status)name", re.IGNORECASE)
BODIES = {
    "makes": "int {name}(void **made) {{ if (made) *made = &thing; return 0; }}",
    "says": "const char *{name}(void) {{ return \"{name} of a stub\"; }}",
    "succeeds": "int {name}(void) {{ return 0; }}",
}  # fmt: skip


@dataclass(frozen=True)
class Library:
    """A stub: its SONAME, and its functions as (name, symbol version or nothing)."""

    soname: str
    functions: tuple[tuple[str, str], ...]


def _said(*command: str) -> Iterator[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return iter(done.stdout.splitlines())


def _family(name: str) -> str:
    return next((family for family in FAMILIES if name.startswith(family)), "")


def libraries(wheel: Path) -> list[Library]:
    """What to make for an unpacked wheel. Raises CalledProcessError without binutils."""
    files = [str(file) for file in sorted(wheel.rglob("*.so*")) if not file.is_symlink()]
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", "\n".join(_said("readelf", "-dW", *files))))
    undefined = {line.split()[-1] for line in _said("nm", "-D", "-u", *files) if " U " in line}
    found = []
    for family, library in FAMILIES.items():
        names = sorted(name for name in undefined if _family(name) == family)
        pairs = tuple((name.split("@")[0], name.partition("@")[2]) for name in names)
        found += [Library(soname, pairs) for soname in sorted(needed) if f"{library}.so." in soname]
    return found


def source(library: Library) -> str:
    """The C text of a stub. Arguments that a function does not look at are no part of it."""
    lines = ["static int thing;"]
    for name, _ in library.functions:
        kind = "says" if SAYS.search(name) else "makes" if MAKES.search(name) else "succeeds"
        lines.append(BODIES[kind].format(name=name))
    return "\n".join([*lines, "int *stub_thing(void) { return &thing; }", ""])


def version_script(library: Library) -> str:
    """The linker's list of the versions that the wheel asks for; empty: none."""
    versions = sorted({version for _, version in library.functions if version})
    text = ""
    for version in versions:
        names = " ".join(f"{name};" for name, own in library.functions if own == version)
        text += f"{version} {{ global: {names} }};\n"
    return text


def _make(folder: Path, library: Library) -> None:
    script = folder / "versions.map"
    script.write_text(version_script(library))
    (folder / "stub.c").write_text(source(library))
    versions = [f"-Wl,--version-script,{script}"] if script.read_text() else []
    command = ["cc", "-shared", "-fPIC", "-O1", f"-Wl,-soname,{library.soname}", *versions]
    out = str(folder / library.soname)
    subprocess.run([*command, str(folder / "stub.c"), "-o", out], check=True)


def _fill(folder: Path, wanted: list[Library]) -> None:
    for library in wanted:
        _make(folder, library)
    for name in ("stub.c", "versions.map"):
        (folder / name).unlink(missing_ok=True)
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    name = "libhiprtc.so.7"
    command = ["cc", *flags, f"-Wl,-soname,{name}", str(HIPRTC), "-o", str(folder / name)]
    subprocess.run(command, check=True)
    (folder / "libhiprtc.so").symlink_to(name)


def stubs(wheel: Path) -> Path:
    """The folder of the stubs of this wheel, for LD_LIBRARY_PATH behind the stand-in's.

    Raises CalledProcessError without a compiler or binutils.
    """
    wanted = libraries(wheel)
    texts = [Path(__file__).read_text(), HIPRTC.read_text(), *map(repr, wanted)]
    folder = CACHE / f"stubs-{hashlib.sha256(''.join(texts).encode()).hexdigest()[:16]}"
    return built_once(folder, partial(_fill, wanted=wanted))
