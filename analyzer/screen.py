"""What goes to a terminal: as wide as it is, and through a pager where it is longer."""

import shutil
import sys

import click

from synctrace.analyzer.answer import table_lines
from synctrace.analyzer.query import Answer


def is_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def show_table(answer: Answer, paging: bool = True) -> None:
    """Print an answer on the terminal.

    A table wider than the terminal is printed row by row instead; what is longer than the terminal
    goes through $PAGER, if `paging`.
    """
    width, height = shutil.get_terminal_size()
    lines = list(table_lines(answer.names, list(answer.rows), width))
    show("".join(f"{line}\n" for line in lines), paging and len(lines) >= height)


def show(text: str, paging: bool) -> None:
    """Print a text, through $PAGER if asked for: only where somebody can leave the pager again."""
    if paging and is_terminal() and sys.stdin is not None and sys.stdin.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False)
