"""Notes for the user on stderr; stdout carries only the answer."""

from contextlib import suppress

import click


def note(text: str) -> None:
    """One line on stderr. Where nobody can read it, that changes no exit code."""
    with suppress(OSError):
        click.echo(f"synctrace: {text}", err=True)
