"""Lines of a text report: a label and what it says, within the width of a comment."""

import textwrap
from collections.abc import Iterator, Sequence

WIDTH = 100
INDENT = " " * 10


def section(name: str, lines: Sequence[str]) -> Iterator[str]:
    """The first line behind its label, the others below it."""
    for number, line in enumerate(lines):
        yield f"  {name if not number else '':<8}{line}".rstrip()


def wrapped(text: str) -> Iterator[str]:
    """Text within the width, indented; what follows the first line a little more."""
    lines = textwrap.wrap(text, WIDTH - len(INDENT) - 2, break_on_hyphens=False)
    for number, line in enumerate(lines):
        yield f"{INDENT}{'  ' if number else ''}{line}"
