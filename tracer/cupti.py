"""CUPTI for device times (`record --device-times`): where it may lie, and how it went in words.

The recorder opens it in the program (native/cuda_times.c): one that the program has loaded by then,
else the first of these that is new enough.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

VARIABLE = "SYNCTRACE_DEVICE_TIMES"  # paths, for the recorder; set where times are wanted
CHOSEN = "SYNCTRACE_CUPTI"  # ... which go first
NAMES = ("libcupti.so.13", "libcupti.so.12")
INSTALL = "pip install nvidia-cuda-cupti (or nvidia-cuda-cupti-cu12), or set SYNCTRACE_CUPTI"

_OF_PYTHON = ("nvidia/cu13/lib", "nvidia/cuda_cupti/lib")
_OF_TOOLKIT = ("lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib",
               "targets/sbsa-linux/lib")  # fmt: skip
_FIRST_LINE = 256


class Status(IntEnum):
    """How it stands: enum device_times of native/cuda_times.h."""

    NONE = 0
    TAKEN = 1
    NO_LIBRARY = 2
    OLD = 3
    NEW = 4
    INJECTED = 5
    OCCUPIED = 6
    REFUSED = 7
    GIVEN_UP = 8


@dataclass(frozen=True)
class Outcome:
    """Device times of one process: `cupti` and `needed` are CUDA versions (13000), 0: unknown.

    `ops`: how many were asked for times, of which `timed` have some.
    """

    status: Status
    cupti: int = 0
    needed: int = 0
    answer: int = 0
    ops: int = 0
    timed: int = 0


def environment(program: str, present: Mapping[str, str]) -> dict[str, str]:
    """What tells the recorder to take device times of `program`, and where CUPTI may be."""
    said = [path for path in present.get(CHOSEN, "").split(":") if path]
    found = [str(path) for path in candidates(program, present) if ":" not in str(path)]
    # Bare names: where the loader itself finds one.
    return {VARIABLE: ":".join(dict.fromkeys([*said, *found, *NAMES]))}


def candidates(program: str, present: Mapping[str, str]) -> Iterator[Path]:
    """Files that are there, those of the program's own environment first."""
    for folder in _folders(program, present):
        for name in NAMES:
            if (path := folder / name).is_file():
                yield path


def _folders(program: str, present: Mapping[str, str]) -> Iterator[Path]:
    for entry in present.get("LD_LIBRARY_PATH", "").split(":"):
        if entry:
            yield Path(entry)
    for prefix in _python_prefixes(program, present):
        for packages in (*prefix.glob("lib/python3*/site-packages"),
                         *prefix.glob("lib/python3*/dist-packages")):  # fmt: skip
            yield from (packages / part for part in _OF_PYTHON)
    toolkits = [Path(present[name]) for name in ("CUDA_HOME", "CUDA_PATH") if present.get(name)]
    newest_first = sorted(Path("/usr/local").glob("cuda-*"), key=_by_number, reverse=True)
    for toolkit in (*toolkits, Path("/usr/local/cuda"), *newest_first):
        yield from (toolkit / part for part in _OF_TOOLKIT)


def _by_number(path: Path) -> list[int]:
    return [int(part) for part in path.name.removeprefix("cuda-").split(".") if part.isdigit()]


def _python_prefixes(program: str, present: Mapping[str, str]) -> Iterator[Path]:
    """Folders whose lib/python3* may hold the wheel."""
    for interpreter in (program, _interpreter(program)):
        if Path(interpreter).name.startswith("python") and (found := shutil.which(interpreter)):
            yield Path(found).absolute().parent.parent
            yield Path(os.path.realpath(found)).parent.parent
    if env := present.get("VIRTUAL_ENV"):
        yield Path(env)
    if home := present.get("HOME"):
        yield Path(home) / ".local"
    yield Path(sys.prefix)


def _interpreter(program: str) -> str:
    """What the first line of a script names; empty: none."""
    found = shutil.which(program)
    with suppress(OSError):
        if found:
            with Path(found).open("rb") as file:
                first = file.read(_FIRST_LINE).split(b"\n")[0]
            words = first[2:].decode(errors="replace").split() if first.startswith(b"#!") else []
            return words[-1] if words else ""
    return ""


def version(number: int) -> str:
    """13000 as 13.0."""
    return f"{number // 1000}.{number % 1000 // 10}"


def told(outcome: Outcome) -> str:
    """One sentence for the user."""
    ours, theirs = version(outcome.cupti), version(outcome.needed)
    too_old = f"is of CUDA {ours}" if outcome.cupti else "is older than that of CUDA 12.8"
    how = {
        Status.NONE: "the program did not initialise CUDA",
        Status.NO_LIBRARY: f"no CUPTI was found: {INSTALL}",
        Status.OLD: f"the CUPTI that was found {too_old}, and the program uses CUDA {theirs}, so"
        f" it would miss calls: {INSTALL}",
        Status.NEW: f"the CUPTI that was found is of CUDA {ours}, whose records are not known to"
        " this synctrace: take an older one, or a newer synctrace",
        Status.INJECTED: "CUDA_INJECTION64_PATH loads another tool into the program (nsys, ncu),"
        " which has CUPTI: record without it",
        Status.OCCUPIED: "another profiler has CUPTI, which serves one at a time: record without"
        " it",
        Status.REFUSED: f"CUPTI does not start (its error {outcome.answer}; 35: not allowed on"
        " this machine)",
    }
    if outcome.status in how:
        return f"no device times: {how[outcome.status]}"
    share = f"device times of {outcome.timed:,} of {outcome.ops:,} operations"
    if outcome.status == Status.GIVEN_UP:
        return f"{share}: the program's own profiler began to use CUPTI, and comes first"
    return share
