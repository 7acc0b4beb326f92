"""Notes for the user on stderr; stdout carries only the answer."""

import os
import sys
from contextlib import suppress

import click

from synctrace.analyzer.report.escape import shown


def note(text: str) -> None:
    """Lines on stderr, each told to be ours; what a terminal would obey in them is shown.

    Where nobody can read them, nothing else changes.
    """
    for line in text.splitlines():
        tell(f"synctrace: {shown(line)}".rstrip() + "\n")


def tell(text: str) -> None:
    """Text on stderr as it is, a prompt."""
    with suppress(OSError):
        click.echo(text, nl=False, err=True)


def leave_stdout() -> None:
    """Let what is still to be written there go nowhere: its reader has left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
