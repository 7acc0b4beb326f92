"""`synctrace query`: ask a trace in SQL."""

import sys
from pathlib import Path

import click

from synctrace.analyzer.notes import note
from synctrace.analyzer.options import listed, tell_settings
from synctrace.tracer.errors import SynctraceError


@click.command()
@click.argument("trace", metavar="TRACE")
@click.argument("sql", required=False, metavar="[SQL]")
@click.option("--file", "file", type=click.Path(), metavar="F", help="Take the SQL from a file.")
@click.option("--saved", metavar="NAME", help="Ask a saved query: summary, syncs, conflicts, …")
@click.option("-F", "--format", "format_", type=click.Choice(["table", "csv", "json"]),
              default="table", show_default=True, help="Form of the answer.")  # fmt: skip
@click.option("--profile", metavar="P,...", callback=listed,
              help="Memory models for conflict, need, finding, edge, hb.")  # fmt: skip
@click.option("--host-order", type=click.Choice(["observed", "strict"]),
              default="observed", show_default=True,
              help="Whether a call that returned before another thread's counts.")  # fmt: skip
def query(
    trace: str,
    sql: str | None,
    file: str | None,
    saved: str | None,
    format_: str,
    profile: list[str],
    host_order: str,
) -> int:
    """Ask a trace in SQL (DuckDB). Without SQL: statements from stdin, one answer each."""
    if sum(given is not None for given in (sql, file, saved)) > 1:
        raise click.UsageError("give one of SQL, --file and --saved")
    tell_settings()
    from synctrace.analyzer import query as asking
    from synctrace.analyzer.shell import shell
    from synctrace.tracer.reader import open_trace

    if saved is not None:
        if saved not in asking.saved():
            names = ", ".join(asking.saved())
            raise SynctraceError(f"there is no saved query {saved}: choose from {names}")
        sql = asking.saved()[saved]
    if file is not None:
        sql = _read(Path(file))
    opened = open_trace(Path(trace))
    if not opened.complete:
        note(f"{trace} is not complete, and so are answers: {'; '.join(opened.lost) or 'cut off'}")
    questions = asking.Questions(opened, list(dict.fromkeys(profile)), host_order)
    if sql is None and sys.stdin.isatty():
        return shell(questions, format_)
    for statement in questions.statements(sys.stdin.read() if sql is None else sql):
        click.echo(asking.render(questions.ask(statement), format_), nl=False)
    return 0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise SynctraceError(f"cannot read {path} ({why}): give a file with SQL") from error
