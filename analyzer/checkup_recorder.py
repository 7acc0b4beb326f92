"""The recorder, tried on a small program, and what it needs: room, descriptors, tools."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from synctrace.analyzer.checkup import Check
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.library import recorder_library
from synctrace.tracer.ring_folder import FREE_BYTES, SHARED, shared_room
from synctrace.tracer.route import environment

TRIAL_SECONDS = 20
AGAIN = "install synctrace again, with a C compiler, on this machine"
LEAST_DESCRIPTORS = 1024  # one a thread of the program
TOOLS = ("addr2line", "c++filt")

# Whether ggml's name means the recorder's function to a program that it was preloaded into.
_TRIAL = """
import ctypes, sys
name = "ggml_backend_graph_compute"
found = [ctypes.cast(getattr(ctypes.CDLL(of), name), ctypes.c_void_p).value
         for of in (None, sys.argv[1])]
print("interposed" if found[0] == found[1] else "passed over")
"""
# A program that records itself, into the folder it is given.
_OWN_TRIAL = """
import sys, synctrace
with synctrace.record(sys.argv[1]):
    synctrace.host_write(bytearray(64))
"""


def checks() -> Iterator[Check]:
    """Library, room, limits, tools."""
    yield _library()
    yield _in_process()
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
    with tempfile.TemporaryDirectory(prefix="synctrace-doctor-") as folder:
        added = environment("preload", "all", library, Path(folder), os.environ)
        out, why = _tried(_TRIAL, str(library), added)
    if out == "interposed\n":
        return Check("recorder", "library", "ok", "stands before ggml in a small program")
    told = f"a small program {why or 'passes it over'}"
    return Check("recorder", "library", "broken", told, AGAIN)


def _in_process() -> Check:
    """Also shows that rings are drained and a trace is written."""
    from synctrace.tracer.reader import open_trace

    with tempfile.TemporaryDirectory(prefix="synctrace-doctor-") as folder:
        trace = Path(folder) / "trace"
        _, why = _tried(_OWN_TRIAL, str(trace), {})
        if not why:
            found = open_trace(trace)
            ops = found.table("op").num_rows
            if found.complete and ops == 1:
                return Check("recorder", "in process", "ok", "a small program recorded itself")
            why = f"recorded {ops} of 1 operations"
    return Check("recorder", "in process", "broken", f"a small program {why}", AGAIN)


def _tried(program: str, argument: str, added: Mapping[str, str]) -> tuple[str, str]:
    """What a Python program printed, and what went wrong with it, after "it …"; empty: nothing."""
    command = [sys.executable or "python3", "-P", "-c", program, argument]
    try:
        trial = subprocess.run(
            command,
            env={**os.environ, **added},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"did not end within {TRIAL_SECONDS} seconds"
    except OSError as error:
        return "", f"cannot be started ({error.strerror or error})"
    if trial.returncode:
        last = (trial.stderr.strip().splitlines() or ["no message"])[-1]
        return "", f"failed (exit code {trial.returncode}, {last})"
    return trial.stdout, ""


def _room() -> Check:
    """Where the rings will lie."""
    free = shared_room()
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
