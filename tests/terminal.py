"""A command in a pseudo-terminal of its own, as its user would see it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence

SYNCTRACE = (sys.executable, "-m", "synctrace")
TIMEOUT = 60.0
# What would speak for the terminal instead of the terminal.
UNSET = ("PAGER", "LESS", "NO_COLOR", "LINES", "COLUMNS")


class Terminal:
    """A process whose terminal is ours. `lines` x `columns` characters."""

    def __init__(
        self,
        command: Sequence[object],
        env: Mapping[str, str] | None = None,
        *,
        lines: int = 24,
        columns: int = 80,
        cwd: object = None,
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        kept = {k: v for k, v in os.environ.items() if k not in UNSET}
        self._process = subprocess.Popen(
            [str(word) for word in command],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env=kept | {"TERM": "xterm"} | dict(env or {}), cwd=cwd,
        )  # fmt: skip
        os.close(theirs)
        self.output = ""  # all of it
        self._seen = 0

    def until(self, text: str) -> str:
        """What was written up to this text, since the last call."""
        while text not in self.output[self._seen :]:
            assert self._read(), f"{text!r} was not written: {self.output!r}"
        end = self.output.index(text, self._seen) + len(text)
        told, self._seen = self.output[self._seen : end], end
        return told

    def type(self, text: str) -> None:
        """Press these keys."""
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """Wait for the process to end; its exit code."""
        while self._read():
            pass
        os.close(self._ours)
        return self._process.wait(TIMEOUT)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], TIMEOUT)
        if not ready:
            self._process.kill()
            raise AssertionError(f"nothing more was written: {self.output!r}")
        try:
            read = os.read(self._ours, 1 << 16)
        except OSError:  # nobody has the other end any more
            return False
        self.output += read.decode(errors="replace").replace("\r\n", "\n")
        return bool(read)


def plain(text: str) -> str:
    """The text without what moves the cursor or colours."""
    return re.sub(r"\x1b\[[?\d;]*[A-Za-z]|\x1b[=>]|\r", "", text)
