"""One line that tells how far a command is: on a terminal only, rewritten, gone at its end."""

import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from synctrace.analyzer.notes import tell
from synctrace.analyzer.report.escape import shown
from synctrace.tracer.growth import Growth
from synctrace.tracer.reader import Trace

AFTER_SECONDS = 1.0  # what is done sooner needs no line
EVERY_SECONDS = 0.2


class Line:
    """The line. Where stderr is no terminal, or with `quiet`, nothing is ever written."""

    def __init__(self, quiet: bool = False) -> None:
        self._live = not quiet and _in_front()
        self._next = time.monotonic() + AFTER_SECONDS
        self._shown = False

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Write the text over the last one, unless that is very young."""
        now = time.monotonic()
        if self._live and now >= self._next:
            self._next = now + EVERY_SECONDS
            self._shown = True
            tell(f"\r\033[K{shown(text)[: shutil.get_terminal_size().columns - 1]}")

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            tell("\r\033[K")
        self._shown = False

    def ordering(self, trace: Trace) -> Callable[[int], None]:
        """What is to be told how many ops of a pass over this trace were taken."""
        counts = trace.meta.get("counts", {})
        of = f" of {counts['op']:,}" if type(counts.get("op")) is int else ""
        passes = 0

        def taken(number: int) -> None:
            nonlocal passes
            passes += number == 0
            self.show(f"synctrace: {trace.path.name}: ordering {number:,}{of} ops, pass {passes}")

        return taken

    def recording(self, growth: Growth) -> None:
        """How far a recording is, while the recorded processes leave the terminal alone."""
        if not self._live or _write_here(growth.pids):
            self.clear()
            return
        self.show(f"synctrace: recording, {growth}")

    def reading(self, done: int, of: int) -> None:
        """How far the reading of kernels' code is."""
        self.show(f"synctrace: code of {done:,} of {of:,} kernels read (Ctrl-C: not the others)")


def _in_front() -> bool:
    """Whether stderr is a terminal, and this process not in its background."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return False
    with suppress(OSError):
        return os.tcgetpgrp(sys.stderr.fileno()) == os.getpgrp()
    return True


def _write_here(pids: Iterable[int]) -> bool:
    """Whether the output of one of these processes goes to our terminal, or cannot be known."""
    ours = os.fstat(sys.stderr.fileno()).st_rdev
    try:
        theirs = [Path(f"/proc/{pid}/fd/{fd}").stat() for pid in pids for fd in (1, 2)]
    except OSError:
        return True
    return any(stat.S_ISCHR(one.st_mode) and one.st_rdev == ours for one in theirs)
