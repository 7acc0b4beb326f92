"""Notes for the user on stderr; stdout carries only the answer."""

from contextlib import suppress

import click


def note(text: str) -> None:
    """Lines on stderr, each told to be ours. Where nobody can read them, nothing else changes."""
    for line in text.splitlines():
        tell(f"synctrace: {line}".rstrip() + "\n")


def tell(text: str) -> None:
    """Text on stderr as it is, a prompt."""
    with suppress(OSError):
        click.echo(text, nl=False, err=True)
