"""The recorder, tried on a small program, and what it needs: room, descriptors, tools."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from synctrace.analyzer.checkup import Check
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.launch import FREE_BYTES, recorder_library
from synctrace.tracer.route import environment

TRIAL_SECONDS = 20
LEAST_DESCRIPTORS = 1024  # one a thread of the program
SHARED = Path("/dev/shm")
TOOLS = ("addr2line", "c++filt")

# Whether ggml's name means the recorder's function to a program that it was preloaded into.
_TRIAL = """
import ctypes, sys
name = "ggml_backend_graph_compute"
found = [ctypes.cast(getattr(ctypes.CDLL(of), name), ctypes.c_void_p).value
         for of in (None, sys.argv[1])]
print("interposed" if found[0] == found[1] else "passed over")
"""


def checks() -> Iterator[Check]:
    """Library, room, limits, tools."""
    yield _library()
    yield _room()
    yield _descriptors()
    yield from _file_size()
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        told = f"{' and '.join(missing)} not found: call sites have no function, file and line"
        yield Check("recorder", "symbols", "gap", told, "apt-get install binutils")
    else:
        yield Check("recorder", "symbols", "ok", f"{' and '.join(TOOLS)} are here")


def _library() -> Check:
    try:
        library = recorder_library()
    except SynctraceError as error:
        told, _, remedy = str(error).partition(": ")
        return Check("recorder", "library", "broken", told, remedy)
    try:
        with tempfile.TemporaryDirectory(prefix="synctrace-doctor-") as folder:
            trial = subprocess.run(
                [sys.executable, "-P", "-c", _TRIAL, str(library)],
                env={**os.environ, **environment("preload", library, Path(folder), os.environ)},
                capture_output=True,
                text=True,
                timeout=TRIAL_SECONDS,
                check=False,
            )
    except subprocess.TimeoutExpired:
        why = f"a small program with it in did not end within {TRIAL_SECONDS} seconds"
        return Check("recorder", "library", "broken", why, "please report this")
    except OSError as error:
        return Check("recorder", "library", "broken", f"cannot be tried ({error})")
    if trial.returncode == 0 and trial.stdout == "interposed\n":
        return Check("recorder", "library", "ok", "stands before ggml in a small program")
    why = (trial.stderr.strip().splitlines() or ["no message"])[-1]
    told = f"a small program was not met (exit code {trial.returncode}, {why})"
    remedy = "install synctrace again, with a C compiler, on this machine"
    return Check("recorder", "library", "broken", told, remedy)


def _room() -> Check:
    """As tracer/launch.py chooses."""
    try:
        room = os.statvfs(SHARED)
        free = room.f_bavail * room.f_frsize if os.access(SHARED, os.W_OK) else 0
    except OSError:
        free = 0
    if free >= FREE_BYTES:
        told = f"{free >> 20:,} MiB of shared memory free, {FREE_BYTES >> 20} wanted"
        return Check("recorder", "room", "ok", told)
    remedy = f"give {SHARED} {FREE_BYTES >> 20} MiB; in a container, start it with --shm-size=1g"
    try:
        with tempfile.TemporaryFile():
            place = tempfile.gettempdir()
    except OSError as error:
        told = f"no room in {SHARED}, and no temporary folder ({error.strerror or error})"
        return Check("recorder", "room", "broken", told, remedy)
    told = f"{free >> 20:,} MiB in {SHARED}: the rings lie in {place}, which is slower"
    return Check("recorder", "room", "gap", told, remedy)


def _descriptors() -> Check:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most >= LEAST_DESCRIPTORS:
        told = "no limit" if most == resource.RLIM_INFINITY else f"{most:,} (a thread takes one)"
        return Check("recorder", "files", "ok", told)
    told = f"{most:,} can be open: programs of more threads lose records"
    return Check("recorder", "files", "gap", told, "raise the hard limit: ulimit -Hn 65536 (root)")


def _file_size() -> Iterator[Check]:
    least, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if least != resource.RLIM_INFINITY and least < FREE_BYTES:
        told = f"files may have {least >> 20:,} MiB: a program may have no room for its records"
        yield Check("recorder", "file size", "gap", told, "ulimit -f unlimited")
