"""Files that a command writes: refused before the work is done, written whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from synctrace.tracer.errors import SynctraceError


def need_writable(output: str | None, force: bool) -> None:
    """Refuse a file that cannot be written, or exists without -f. Raises SynctraceError."""
    if not output:
        return
    path = Path(output)
    try:
        if path.is_dir():
            raise SynctraceError(f"{output} is a folder: name a file in it")
        if not path.is_symlink() and not path.parent.is_dir():
            raise SynctraceError(f"cannot write {output}: make the folder {path.parent} first")
        if (path.is_file() or (path.is_symlink() and not path.exists())) and not force:
            raise SynctraceError(f"{output} exists: choose another name or overwrite it with -f")
        special = path.exists() and not path.is_file()
    except OSError as error:
        raise SynctraceError(f"cannot write {output} ({error.strerror})") from error
    if not os.access(path if special else real(path).parent, os.W_OK):
        raise SynctraceError(
            f"cannot write {output}: it is not allowed there, choose another place"
        )


def write(path: Path, text: str) -> None:
    """Write a report file, whole or not at all. Raises SynctraceError if it cannot be written."""
    with whole_file(path) as file:
        file.write(text.encode("utf-8"))


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to be written, in the place of what is there once all is written.

    Of two that write it at a time the later one stays, whole. Raises SynctraceError if it cannot
    be written.
    """
    target = real(path)
    part = target.with_name(f".synctrace-{secrets.token_hex(6)}.part")
    try:
        if path.exists() and not path.is_file():  # a terminal, a pipe: nothing to replace
            with path.open("wb") as file:
                yield file
            return
        with part.open("xb") as file:
            yield file
        part.replace(target)
    except OSError as error:
        raise SynctraceError(f"cannot write {path} ({error.strerror or error})") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def real(path: Path) -> Path:
    """The one name of a file, which need not exist; a link (/dev/stdout is one) stays a link."""
    return Path(os.path.realpath(path))
