"""The interactive prompt of `synctrace query`."""

import sys

import click

from synctrace.analyzer.answer import write_text
from synctrace.analyzer.connect import views
from synctrace.analyzer.explain import explain
from synctrace.analyzer.notes import note, tell
from synctrace.analyzer.prompt import Prompt
from synctrace.analyzer.query import Questions, need_text
from synctrace.analyzer.saved_query import saved, saved_doc
from synctrace.analyzer.screen import is_terminal, show, show_table
from synctrace.analyzer.shell_words import COMMANDS, proposals
from synctrace.tracer.errors import SynctraceError

_WELCOME = "SQL over the views of `.views`; end with ; and leave with Ctrl-D; .help tells more"


def shell(questions: Questions, format_: str, *, paging: bool = True, quiet: bool = False) -> int:
    """A prompt: a statement ends with a semicolon; an error ends the statement, not the shell.

    So does Ctrl-C, while typing and while waiting for the answer. Ctrl-D leaves.
    """
    if not quiet:
        note(_WELCOME)
    with Prompt(proposals) as prompt:
        while True:
            try:
                text = _statement(prompt)
                if text.startswith("."):
                    if not _obey(text, questions, format_, paging):
                        return 0
                else:
                    _answer(questions, text, format_, paging)
            except SynctraceError as error:
                note(str(error))
            except KeyboardInterrupt:
                tell("\n")
            except EOFError:
                tell("\n")
                return 0


def _statement(prompt: Prompt) -> str:
    """Lines up to a semicolon, or one that begins with a dot."""
    prompt.before = ""
    while True:
        line = prompt.line("      ...> " if prompt.before else "synctrace> ")
        if not prompt.before and (not line.strip() or line.lstrip().startswith(".")):
            if line.strip():
                return line.strip()
            continue
        prompt.before += line + "\n"
        if is_whole(prompt.before):
            return prompt.before


def is_whole(text: str) -> bool:
    """Whether the text ends with a semicolon, comments behind it aside.

    Raises SynctraceError for what is no text.
    """
    import duckdb

    need_text(text)
    starts = [at for at, kind in duckdb.tokenize(text) if kind != duckdb.token_type.comment]
    return bool(starts) and text[starts[-1] :].startswith(";")


def _answer(questions: Questions, text: str, format_: str, paging: bool) -> None:
    for statement in questions.statements(text):
        if format_ == "table" and is_terminal():
            show_table(questions.ask(statement), paging)
        else:
            with questions.asked(statement) as answer:
                write_text(answer, format_, sys.stdout)
            sys.stdout.flush()


def _obey(text: str, questions: Questions, format_: str, paging: bool) -> bool:
    """Do what a command of the prompt says; false: leave. Raises SynctraceError."""
    command, *names = text.rstrip(";").split()
    if command in (".quit", ".exit"):
        return False
    if command not in COMMANDS or len(names) > 1:
        raise SynctraceError(f"there is no {text}: .help lists what there is")
    if command == ".help":
        lines = [f"{name:<8} {what}" for name, what in COMMANDS.items()]
        lines.append("Anything else is SQL (DuckDB's), up to a semicolon. TAB completes.")
        click.echo("\n".join(lines))
    elif command == ".views":
        show(explain(names[0]).rstrip() if names else "\n".join(views()), paging)
    elif names:
        if names[0] not in saved():
            raise SynctraceError(f"there is no saved query {names[0]}: .saved lists them")
        _answer(questions, saved()[names[0]], format_, paging)
    else:
        click.echo("\n".join(f"{name:<12} {saved_doc(name)}" for name in saved()))
    return True
