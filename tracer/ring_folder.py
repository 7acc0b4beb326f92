"""The folder that holds the rings of one recording."""

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SHARED = Path("/dev/shm")
PREFIX = "synctrace-rings-"
STALE_SECONDS = 60.0  # a younger folder may be one whose recorder is just starting
FREE_BYTES = 256 << 20  # wanted in shared memory; else the rings lie in the temporary folder


def ring_folder() -> Path:
    """A folder for the rings. Those that killed recorders left behind are removed first."""
    place = SHARED if shared_room() >= FREE_BYTES else Path(tempfile.gettempdir())
    for stale in place.glob(f"{PREFIX}*"):
        with suppress(OSError):
            found = stale.lstat()
            ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if ours and time.time() - found.st_mtime > STALE_SECONDS:
                with owned(stale):
                    pass
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))


@contextmanager
def owned(root: Path) -> Iterator[None]:
    """Hold the folder as its recorder, then remove it. Raises OSError if another one holds it.

    A forked child holds nothing: what it drops of this is still its parent's.
    """
    process = os.getpid()
    lock = os.open(root / "owner", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            if os.getpid() == process:
                shutil.rmtree(root, ignore_errors=True)
    finally:
        os.close(lock)


def shared_room() -> int:
    """Bytes of shared memory that are free; 0 where it cannot be written to."""
    try:
        room = os.statvfs(SHARED)
    except OSError:
        return 0
    return room.f_bavail * room.f_frsize if os.access(SHARED, os.W_OK) else 0
