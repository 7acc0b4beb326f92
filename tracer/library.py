"""The recorder itself: the library that is injected, or loaded by a program that records itself."""

from importlib.resources import files
from pathlib import Path

from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError

RECORDER = "libsynctrace_recorder.so"


def recorder_library() -> Path:
    """The recorder. Raises SynctraceError if it was not built or cannot be preloaded."""
    path = Path(str(files("synctrace.tracer") / RECORDER))
    if not path.is_file():
        raise SynctraceError(
            f"{path} is missing: install synctrace again with a C compiler", EXIT_RECORDER
        )
    return path
