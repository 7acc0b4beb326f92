"""The recorder's functions for Python (native/python.c), and which recording is on."""

import ctypes
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError
from synctrace.tracer.library import recorder_library
from synctrace.tracer.route import RECORD_FOLDER

epoch = 0  # the recording that is on; 0: none

native: dict[str, Callable[..., Any]] = {}  # native/python.c
_hidden: list[str] = []
calls: dict[str, int] = {}  # number of each function name, in this recording


class Prepared(int):
    """Number of a call: `with` enters and leaves it (native/python.c)."""

    __slots__ = ()
    if TYPE_CHECKING:

        def __enter__(self) -> None: ...

        def __exit__(self, *error: object) -> None: ...


def load() -> None:
    """Bind the recorder's functions. Raises SynctraceError where this Python cannot."""
    if native:
        return
    present = ctypes.PyDLL(None)  # the one that this program was started with, if any
    library = present if hasattr(present, "synctrace_python") else None
    try:
        library = library or ctypes.PyDLL(str(recorder_library()))
        library.synctrace_python.restype = ctypes.py_object
        native.update(library.synctrace_python())
    except (OSError, ValueError, RuntimeError) as error:
        raise SynctraceError(
            f"this Python cannot be recorded from within ({error}): CPython 3.11 to 3.14 can",
            EXIT_RECORDER,
        ) from error
    for file in _hidden:
        native["hide"](file)
    os.register_at_fork(after_in_child=refresh)


def refresh() -> None:
    """See which recording is on. To be called when one began or ended."""
    global epoch
    now = native["epoch"]() if native else 0
    if now != epoch:
        calls.clear()
    epoch = now


def start(folder: Path, ring_kb: int, stacks: bool) -> bool:
    """Record this process, with its rings in the folder. False: they have no room there."""
    started: bool = native["record"](str(folder), ring_kb, bool(stacks))
    refresh()
    if started:
        runtime("python", platform.python_version())  # a recording without a call is one, too
    return started


def stop() -> None:
    """The end of what `start` began."""
    native["stop"]()
    refresh()


def hide(file: str) -> None:
    """Leave frames of this source file (`__file__`) out of call sites."""
    _hidden.append(file)
    if native:
        native["hide"](file)


def runtime(name: str, version: str) -> None:
    """Say which runtime executes the calls ("CUDA", "HIP", …): it decides the memory model."""
    if epoch:
        native["version"](name, version)


if os.environ.get(RECORD_FOLDER):  # run by `synctrace record`: its recorder is in this program
    try:
        load()
        refresh()
    except SynctraceError:
        epoch = 0
