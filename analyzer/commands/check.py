"""`synctrace check`: what is wrong with traces."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synctrace.analyzer.completion import traces
from synctrace.analyzer.notes import note
from synctrace.analyzer.options import check_options, examples
from synctrace.analyzer.report.layout import argument
from synctrace.analyzer.report_files import STDOUT, ReportFile, write_reports
from synctrace.analyzer.whole_file import need_writable, real

if TYPE_CHECKING:
    from synctrace.analyzer.baseline import Known
    from synctrace.analyzer.finding import Checked
    from synctrace.analyzer.settings import Settings

_EXAMPLES = examples(
    "synctrace check run.synctrace",
    "synctrace check run.synctrace -F markdown -o comment.md",
    "synctrace check run.synctrace -F json --fail-on never -o baseline.json",
    "synctrace check run.synctrace --baseline baseline.json --fail-on warning",
)


@click.command(
    short_help="Report races, lifetime errors and needless syncs of traces.", epilog=_EXAMPLES
)
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...", shell_complete=traces)
@check_options
@click.option("-o", "--output", metavar="FILE", type=click.Path(),
              help="Write the report there instead of stdout.")  # fmt: skip
@click.option("-f", "--force", is_flag=True, help="Overwrite report files that exist.")
@click.option("-q", "--quiet", is_flag=True, help="No notes and no progress on stderr.")
@click.pass_obj
def check(settings: "Settings", /, traces: tuple[str, ...], force: bool, **options: Any) -> int:
    """Report races, lifetime errors and needless syncs of traces, or of folders of traces."""
    known = ready(force=force, **options)
    return check_traces(traces, settings, known, **options)


def ready(
    *,
    format_: str,
    reports: Sequence[ReportFile],
    output: str | None,
    profile: list[str],
    select: list[str],
    ignore: list[str],
    fail_on: str,
    baseline: str | None,
    max_findings: int,
    force: bool,
    **_: object,
) -> "tuple[Known, ...] | None":
    """What can be told before any work: that the options make sense; the baseline, if there is one.

    Raises UsageError for options that contradict each other, and SynctraceError for an unknown rule
    or profile, a baseline that cannot be read and a report that cannot be written.
    """
    if fail_on == "never" and max_findings and _of_one_source("fail_on", "max_findings"):
        raise click.UsageError("--fail-on never fails nothing: leave --max-findings out")
    named = [("-o", format_, output)] if output else []
    named += [("--report", each.format_, each.path) for each in reports if each.path != STDOUT]
    written: set[Path] = set()
    for option, as_format, path in named:
        place = real(Path(path))
        if place in written:
            raise click.UsageError(f"{path} is named twice: give each report a file of its own")
        if baseline and place == real(Path(baseline)) and as_format != "json":
            fix = "take -F json" if option == "-o" else "write it to another file"
            raise click.UsageError(
                f"{option} would write a {as_format} report over the baseline {baseline}: {fix}"
            )
        need_writable(path, force)
        written.add(place)
    from synctrace.analyzer.baseline import read_baseline
    from synctrace.analyzer.profile import load
    from synctrace.analyzer.rule import selected

    selected(select, ignore)
    for name in profile:
        load(name)
    return None if baseline is None else read_baseline(Path(baseline))


def check_traces(
    traces: Sequence[str],
    settings: "Settings",
    known: "tuple[Known, ...] | None",
    *,
    format_: str,
    reports: Sequence[ReportFile],
    output: str | None,
    source_root: str | None,
    profile: list[str],
    host_order: str,
    select: list[str],
    ignore: list[str],
    fail_on: str,
    baseline: str | None,
    max_findings: int,
    min_coverage: float | None,
    quiet: bool = False,
) -> int:
    """Check traces, or folders of them, and write the reports; the exit code.

    `known`: findings of the baseline; None: there is none.
    """
    from datetime import date

    from synctrace.analyzer import effort
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.gate import Gate, exit_code, gated
    from synctrace.analyzer.output import SHAPED
    from synctrace.analyzer.progress import Line
    from synctrace.tracer.reader import find_traces, open_trace

    formats = [format_, *(report.format_ for report in reports)]
    paths = [path for given in traces for path in find_traces(Path(given))]
    found = []
    with Line(quiet) as line:
        for path in paths:
            trace = open_trace(path)
            for warning in () if quiet else effort.warnings(trace):
                line.clear()
                note(warning)
            checked = check_one(
                trace,
                profile,
                host_order=host_order,
                select=select,
                ignore=ignore,
                shape=any(each in SHAPED for each in formats),
                share=min_coverage is not None,
                budget=settings.budget,
                progress=line.ordering(trace),
            )
            found.append(checked)
    asked = Gate(fail_on, max_findings, min_coverage)
    results, gate = gated(found, asked, settings, known, baseline or "", date.today())
    first = ReportFile(format_, output or STDOUT)
    write_reports(results, gate, first, reports, source_root)
    if output and not quiet:
        note(f"wrote {output}\nnext: {_next(results)}")
    return exit_code(results, gate)


def _next(results: "Sequence[Checked]") -> str:
    """The command that tells more: of the first finding, else of the first trace."""
    for checked in results:
        if checked.findings:
            return f"synctrace explain {checked.findings[0].rule}"
    return f"synctrace query {argument(results[0].trace)} --saved summary"


def _of_one_source(*names: str) -> bool:
    """Whether these options stand in one place: what the command line says wins over a file."""
    context = click.get_current_context()
    return len({context.get_parameter_source(name) for name in names}) == 1
