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
    """Print an answer on the terminal; row by row where its table is wider than that."""
    width = shutil.get_terminal_size().columns
    show("\n".join(table_lines(answer.names, list(answer.rows), width)), paging)


def show(text: str, paging: bool) -> None:
    """Print a text, through $PAGER if it is longer than the terminal and `paging`.

    Only where stdin is a terminal too: a pager that nobody can leave is none.
    """
    is_long = text.count("\n") + 1 >= shutil.get_terminal_size().lines
    if paging and is_long and is_terminal() and sys.stdin is not None and sys.stdin.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text)
