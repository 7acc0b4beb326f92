"""The interactive prompt of `synctrace query`."""

import sys

import click

from synctrace.analyzer.notes import note, tell
from synctrace.analyzer.query import Questions, render
from synctrace.tracer.errors import SynctraceError


def shell(questions: Questions, format_: str) -> int:
    """A prompt: a statement ends with a semicolon; an error ends the statement, not the shell."""
    note("SQL over the views of `synctrace explain`; end with ; and leave with Ctrl-D")
    text = ""
    while True:
        tell("synctrace> " if not text else "      ...> ")
        line = sys.stdin.readline()
        if not line:
            tell("\n")
            return 0
        text += line
        if not text.rstrip().endswith(";"):
            continue
        try:
            for statement in questions.statements(text):
                click.echo(render(questions.ask(statement), format_), nl=False)
        except SynctraceError as error:
            note(str(error))
        text = ""
