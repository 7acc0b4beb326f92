"""`synctrace query`: ask a trace in SQL."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from synctrace.analyzer.completion import profiles, saved_queries, traces
from synctrace.analyzer.notes import note
from synctrace.analyzer.options import examples, host_order_option, listed, tell_settings
from synctrace.analyzer.whole_file import need_writable, whole_file
from synctrace.tracer.errors import SynctraceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synctrace.analyzer.query import Questions

FORMATS = ("table", "csv", "json", "parquet", "arrow")
_EXAMPLES = examples(
    "synctrace query run.synctrace --saved summary",
    'synctrace query run.synctrace "SELECT kind, count(*) FROM op GROUP BY kind"',
    'synctrace query run.synctrace "FROM sync" -F parquet -o syncs.parquet',
)


@click.command(epilog=_EXAMPLES)
@click.argument("trace", metavar="TRACE", shell_complete=traces)
@click.argument("sql", required=False, metavar="[SQL]")
@click.option("--file", type=click.Path(), metavar="F", help="Take the SQL from a file.")
@click.option("--saved", metavar="NAME", shell_complete=saved_queries,
              help="Ask a saved query: summary, syncs, copies, kernels, coverage, …")  # fmt: skip
@click.option("-F", "--format", "format_", type=click.Choice(FORMATS),
              default="table", show_default=True, help="Form of the answer.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(), metavar="FILE",
              help="Write the answer there instead of stdout.")  # fmt: skip
@click.option("-f", "--force", is_flag=True, help="Overwrite that file.")
@click.option("--profile", metavar="P,...", callback=listed, shell_complete=profiles,
              help="Memory models for views that need an order (conflict, edge, …);"
              " default: the trace's own.")  # fmt: skip
@host_order_option
@click.option("--no-pager", is_flag=True, help="Do not page what is longer than the terminal.")
@click.option("-q", "--quiet", is_flag=True, help="No notes on stderr; lost data is told.")
def query(
    trace: str,
    sql: str | None,
    file: str | None,
    saved: str | None,
    format_: str,
    output: str | None,
    force: bool,
    profile: list[str],
    host_order: str,
    no_pager: bool,
    quiet: bool,
) -> int:
    """Ask a trace in SQL (DuckDB). Without SQL: statements from stdin, one answer each.

    On a terminal without SQL: a prompt, with completion and history.
    """
    if sum(given is not None for given in (sql, file, saved)) > 1:
        raise click.UsageError("give one of SQL, --file and --saved")
    if not quiet:
        tell_settings()
    from synctrace.analyzer import query as asking
    from synctrace.analyzer.answer_file import BINARY
    from synctrace.analyzer.screen import is_terminal
    from synctrace.analyzer.shell import shell
    from synctrace.tracer.reader import open_trace

    need_writable(output, force)
    if format_ in BINARY and output is None and is_terminal():
        raise SynctraceError(f"-F {format_} is nothing for a terminal: give -o FILE or a pipe")
    if saved is not None:
        sql = _saved(saved)
    if file is not None:
        sql = _read(Path(file))
    opened = open_trace(Path(trace))
    if not opened.complete:
        note(f"{trace} is not complete, and so are answers: {'; '.join(opened.lost) or 'cut off'}")
    questions = asking.Questions(opened, list(dict.fromkeys(profile)), host_order)
    if sql is None and sys.stdin.isatty():
        if output is not None or format_ in BINARY:
            raise click.UsageError("give SQL, --file or --saved: the prompt writes no files")
        return shell(questions, format_, paging=not no_pager, quiet=quiet)
    statements = questions.statements(sys.stdin.read() if sql is None else sql)
    if not statements:
        raise SynctraceError("there is no statement to ask: give SQL, --file or --saved")
    if output is not None:
        _write(questions, statements, format_, Path(output))
        if not quiet:
            note(f"wrote {output}")
    else:
        _print(questions, statements, format_, paging=not no_pager)
    return 0


def _print(questions: "Questions", statements: "Sequence[str]", format_: str, paging: bool) -> None:
    from synctrace.analyzer.answer_file import write_answers
    from synctrace.analyzer.screen import is_terminal, show_table

    if format_ == "table" and is_terminal():
        for statement in statements:
            show_table(questions.ask(statement), paging)
        return
    sys.stdout.flush()
    write_answers(questions, statements, format_, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _write(questions: "Questions", statements: "Sequence[str]", format_: str, path: Path) -> None:
    from synctrace.analyzer.answer_file import write_answers

    with whole_file(path) as out:
        write_answers(questions, statements, format_, out)


def _saved(name: str) -> str:
    from synctrace.analyzer.saved_query import saved

    if name not in saved():
        raise SynctraceError(f"there is no saved query {name}: choose from {', '.join(saved())}")
    return saved()[name]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise SynctraceError(f"cannot read {path} ({why}): give a file with SQL") from error
