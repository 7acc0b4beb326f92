"""Lines typed at a prompt: with editing, completion and history where Python has readline."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from synctrace.analyzer.notes import tell

KEPT_LINES = 1000
_ENDS_OF_WORDS = " \t\n,;()=<>+-*/|'\""
Propose = Callable[[str, str, str], list[str]]  # text before the word, the word, text behind it


class Prompt:
    """Reads line by line. Without a terminal or readline: plainly, what it asks on stderr."""

    def __init__(self, propose: Propose) -> None:
        self._propose = propose
        self._readline = _readline()
        self._proposed: list[str] = []
        self.before = ""  # earlier lines of the statement

    def __enter__(self) -> "Prompt":
        if self._readline:
            with suppress(OSError):
                self._readline.read_history_file(history_file())
            self._readline.set_history_length(KEPT_LINES)
            self._readline.set_completer_delims(_ENDS_OF_WORDS)
            self._readline.set_completer(self._complete)
            edits_like_bsd = "libedit" in (self._readline.__doc__ or "")
            self._readline.parse_and_bind(
                "bind ^I rl_complete" if edits_like_bsd else "tab: complete"
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._readline:
            self._readline.set_completer(None)
            with suppress(OSError):
                history_file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._readline.write_history_file(history_file())

    def line(self, prompt: str) -> str:
        """The next line, without its end. Raises EOFError (Ctrl-D), KeyboardInterrupt (Ctrl-C)."""
        if self._readline:
            return input(prompt)
        tell(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.removesuffix("\n")

    def _complete(self, word: str, number: int) -> str | None:
        """As readline asks: the n-th proposal, None behind the last."""
        assert self._readline
        if number == 0:
            line = self._readline.get_line_buffer()
            start, end = self._readline.get_begidx(), self._readline.get_endidx()
            self._proposed = self._propose(self.before + line[:start], word, line[end:])
        return self._proposed[number] if number < len(self._proposed) else None


def history_file() -> Path:
    """Where the lines are kept from one time to the next."""
    state = os.environ.get("XDG_STATE_HOME") or ""
    folder = Path(state) if state.startswith("/") else Path("~/.local/state").expanduser()
    return folder / "synctrace/query_history"


def _readline() -> ModuleType | None:
    """Only between two terminals: it would print its prompt into the answers otherwise."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline
