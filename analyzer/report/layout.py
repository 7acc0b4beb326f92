"""Lines of a text report: a label and what it says, within the width of a comment.

Two kinds of line are as long as they must be: the summary line, and commands to be copied.
"""

import shlex
import textwrap
from collections.abc import Iterator, Sequence

WIDTH = 100
INDENT = " " * 10


def section(name: str, lines: Sequence[str]) -> Iterator[str]:
    """The first line behind its label, the others below it."""
    for number, line in enumerate(lines):
        yield f"  {name if not number else '':<8}{line}".rstrip()


def argument(path: str) -> str:
    """The path as one word of a shell's command that is no option."""
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def options(words: Sequence[str]) -> str:
    """These words behind a shell's command."""
    return "".join(f" {shlex.quote(word)}" for word in words)


def beside(left: str, right: str, column: int, room: int) -> str:
    """`left`, then `right` from this column on, nearer where it does not fit into the room.

    What is too long for both is cut: a name keeps its beginning, a place its end.
    """
    right = right if len(right) <= room // 2 else f"…{right[len(right) + 1 - room // 2 :]}"
    most = room - len(right) - 1 if right else room
    return f"{cut(left, most):<{min(column, most)}} {right}".rstrip()


def cut(text: str, room: int) -> str:
    """The text, or as much of its beginning as fits."""
    return text if len(text) <= room else f"{text[: room - 1]}…"


def told(text: str) -> list[str]:
    """Text as lines beside a label; names are broken where nothing else helps."""
    return textwrap.wrap(text, WIDTH - len(INDENT), break_on_hyphens=False)


def folded(text: str) -> list[str]:
    """Text within the width; paths keep their hyphens."""
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)


def wrapped(text: str) -> Iterator[str]:
    """Text within the width, indented; what follows the first line a little more."""
    lines = textwrap.wrap(text, WIDTH - len(INDENT) - 2, break_on_hyphens=False)
    for number, line in enumerate(lines):
        yield f"{INDENT}{'  ' if number else ''}{line}"
