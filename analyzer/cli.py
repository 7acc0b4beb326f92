"""The commands. Thin: each reads its options, calls one stage and prints; imports are lazy."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synctrace.analyzer.notes import note
from synctrace.analyzer.options import check_options, record_options
from synctrace.tracer.errors import EXIT_ERROR, EXIT_RECORDER, SynctraceError

if TYPE_CHECKING:
    from synctrace.tracer.launch import RecordResult
    from synctrace.tracer.route import Via

PASS_THROUGH = {"allow_interspersed_args": False, "ignore_unknown_options": False}


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"synctrace {version('synctrace')}")
        context.exit()


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="check exits with 0: nothing at --fail-on or above, 1: findings, 2: error, 3: data lost",
)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version,
              help="Show the version and exit.")  # fmt: skip
@click.option("--debug", is_flag=True, hidden=True, help="Show tracebacks.")
def cli(debug: bool) -> None:
    """Race detector and synchronization profiler for GPU host code.

    Start with: synctrace record -- PROGRAM, then: synctrace check TRACE.
    """


@cli.command(context_settings=PASS_THROUGH)
@record_options
def record(command: tuple[str, ...], quiet: bool, **options: Any) -> int:
    """Run COMMAND unchanged and record it. Its output and exit code stay its own."""
    done = _record(command, quiet, **options)
    if done.traces and not quiet:
        note(f"next: synctrace check {' '.join(str(t) for t in done.traces)}")
    return done.exit_code


def _record(
    command: tuple[str, ...],
    quiet: bool,
    *,
    output: str | None,
    force: bool,
    skip_sync: tuple[str, ...],
    force_copies: int | None,
    via: "Via",
) -> "RecordResult":
    if not command:
        name = click.get_current_context().info_name
        raise click.UsageError(f"no command to record: synctrace {name} -- PROGRAM [ARGS]")
    from synctrace.tracer import faults, launch

    wanted = faults.parse(skip_sync, force_copies)
    if wanted.copies and via == "plugin":
        raise SynctraceError("--force-copies does nothing by --via plugin: take preload or auto")
    if wanted:
        note(wanted.announcement())
    done = launch.record(command, output, overwrite=force, quiet=quiet, faults=wanted, via=via)
    if done.message and not (quiet and done.exit_code != EXIT_RECORDER):
        note(done.message)
    return done


@cli.command(context_settings=PASS_THROUGH)
@check_options
@record_options
def run(
    command: tuple[str, ...],
    output: str | None,
    force: bool,
    quiet: bool,
    skip_sync: tuple[str, ...],
    force_copies: int | None,
    via: "Via",
    **options: Any,
) -> int:
    """Record COMMAND, then check the trace. A failure of the program comes first."""
    done = _record(
        command,
        quiet,
        output=output,
        force=force,
        skip_sync=skip_sync,
        force_copies=force_copies,
        via=via,
    )
    if not done.traces:
        return done.exit_code
    code = _check([str(t) for t in done.traces], output=None, **options)
    if done.exit_code and done.exit_code != EXIT_RECORDER and not quiet:
        note(f"the program failed with exit code {done.exit_code}; the check alone says {code}")
    return done.exit_code or code


@cli.command(short_help="Report races, lifetime errors and needless syncs of traces.")
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...")
@check_options
@click.option("-o", "--output", metavar="FILE", help="Write the report there instead of stdout.")
@click.option("-f", "--force", is_flag=True, help="Overwrite that file.")
def check(traces: tuple[str, ...], force: bool, **options: Any) -> int:
    """Report races, lifetime errors and needless syncs of traces, or of folders of traces."""
    output = options["output"]
    if output and Path(output).exists() and not force:
        raise SynctraceError(f"{output} exists: choose another name or overwrite it with -f")
    return _check(traces, **options)


def _check(
    traces: Sequence[str],
    *,
    format_: str,
    output: str | None,
    source_root: str | None,
    profile: str | None,
    host_order: str,
    select: str | None,
    ignore: str | None,
    fail_on: str,
) -> int:
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.output import SHAPED, tell
    from synctrace.analyzer.verdict import exit_code
    from synctrace.tracer.reader import find_traces, open_trace

    paths = [path for given in traces for path in find_traces(Path(given))]
    results = [
        check_one(
            open_trace(path),
            _split(profile),
            host_order=host_order,
            select=_split(select),
            ignore=_split(ignore),
            shape=format_ in SHAPED,
        )
        for path in paths
    ]
    tell(results, format_, fail_on, output, source_root)
    return exit_code(results, fail_on)


def _split(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


@cli.command()
@click.argument("trace", metavar="TRACE")
@click.argument("sql", required=False, metavar="[SQL]")
@click.option("--file", "file", metavar="F", help="Take the SQL from a file.")
@click.option("--saved", metavar="NAME", help="Ask a saved query: summary, syncs, conflicts, …")
@click.option("-F", "--format", "format_", type=click.Choice(["table", "csv", "json"]),
              default="table", show_default=True, help="Form of the answer.")  # fmt: skip
@click.option("--profile", metavar="P,...", help="Memory models for conflict, need, finding.")
def query(
    trace: str,
    sql: str | None,
    file: str | None,
    saved: str | None,
    format_: str,
    profile: str | None,
) -> int:
    """Ask a trace in SQL (DuckDB). Without SQL: statements from stdin, one answer each."""
    if sum(given is not None for given in (sql, file, saved)) > 1:
        raise click.UsageError("give one of SQL, --file and --saved")
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
    questions = asking.Questions(opened, list(dict.fromkeys(_split(profile))))
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


@cli.command(short_help="Explain a rule, view, table, saved query or profile, or a finding.")
@click.argument("name", required=False, metavar="[NAME]")
@click.argument("other", required=False, metavar="[TRACE | PROFILE]")
def explain(name: str | None, other: str | None) -> int:
    """Explain a rule, view, table, saved query or profile. Bare: the list of them all.

    A profile may be a path to a .toml file. Two profiles: where they differ.
    With TRACE: a finding by its id, under the profile that the trace names.
    """
    from synctrace.analyzer import explain as explaining

    if name is None:
        click.echo(explaining.overview(), nl=False)
    elif other is None:
        click.echo(explaining.explain(name), nl=False)
    elif explaining.is_profile(name):
        click.echo(explaining.difference(name, other), nl=False)
    else:
        _explain_finding(name, other)
    return 0


def _explain_finding(id_: str, trace: str) -> None:
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.explain import explain as explain_rule
    from synctrace.analyzer.report.text import finding_lines
    from synctrace.tracer.reader import open_trace

    checked = check_one(open_trace(Path(trace)), select=["ALL"])
    found = [f for f in checked.findings if f.id == id_]
    if not found:
        known = ", ".join(sorted({f.id for f in checked.findings})) or "none"
        raise SynctraceError(f"{trace} has no finding {id_}: its findings are {known}")
    for finding in found:
        click.echo("\n".join([*finding_lines(finding, trace), ""]))
    click.echo(explain_rule(found[0].rule), nl=False)


@cli.command("import", short_help="Turn scenario files into traces.")
@click.argument("cases", metavar="CASES.jsonl")
@click.option("--case", metavar="ID", help="Only this case; PATH is then its trace.")
@click.option("-o", "--output", required=True, metavar="PATH", help="Folder to write.")
@click.option("-f", "--force", is_flag=True, help="Overwrite traces that exist.")
def import_(cases: str, case: str | None, output: str, force: bool) -> int:
    """Turn scenario files into traces: an ordering question in ten lines (docs/scenarios.md)."""
    from synctrace.tracer.scenario import import_cases

    written = import_cases(Path(cases), Path(output), case, overwrite=force)
    for path in written:
        click.echo(path)
    note(f"next: synctrace check {output}")
    return 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: every failure is one sentence on stderr and an exit code."""
    debug = "--debug" in (sys.argv[1:2] if arguments is None else arguments[:1])
    try:
        code = cli.main(arguments, prog_name="synctrace", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_:
        click.echo(help_.format_message())
        code = EXIT_ERROR
    except click.ClickException as error:
        error.show()
        code = EXIT_ERROR
    except SynctraceError as error:
        if debug:
            raise
        note(str(error))
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        note("interrupted")
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        if debug:
            raise
        note(f"cannot write the answer ({error.strerror or error})")
        code = EXIT_ERROR
    except Exception as error:
        if debug:
            raise
        what = " ".join(str(error).split()) or "no message"
        note(f"internal error, {type(error).__name__}: {what}; `synctrace --debug …` shows more")
        code = EXIT_ERROR
    sys.exit(code)
