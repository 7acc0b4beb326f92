"""Where reports go: the one of `-F`, and `--report FORMAT=FILE`, as often as wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from synctrace.analyzer.notes import leave_stdout, note
from synctrace.analyzer.output import (
    FORMATS,
    WITHOUT_GATES,
    add_job_summary,
    has_colour,
    render,
)
from synctrace.analyzer.whole_file import write
from synctrace.tracer.errors import SynctraceError

if TYPE_CHECKING:
    from synctrace.analyzer.finding import Checked
    from synctrace.analyzer.gate import Gate

STDOUT = "-"


@dataclass(frozen=True)
class ReportFile:
    """A format, and the file that is to have it; STDOUT: it follows the report there."""

    format_: str
    path: str


def parsed(
    context: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> tuple[ReportFile, ...]:
    """What `--report` says, for click. Raises BadParameter for what is no format and file."""
    reports: list[ReportFile] = []
    for each in given:
        format_, equals, path = each.partition("=")
        if not (equals and path):
            raise click.BadParameter(f"{each!r} is no FORMAT=FILE: write sarif=report.sarif")
        if format_ not in FORMATS:
            raise click.BadParameter(f"{format_!r} is not one of {', '.join(FORMATS)}.")
        reports.append(ReportFile(format_, path))
    return tuple(reports)


def write_reports(
    results: "list[Checked]",
    gate: "Gate",
    first: ReportFile,
    reports: Sequence[ReportFile],
    root: str | None,
) -> None:
    """Write every report, files before what goes to stdout: nothing there loses a file.

    A file has its report and nothing else is touched; github's on stdout, and the first in any
    place, is also added to the job summary. Raises SynctraceError, after all others, for one that
    cannot be written.
    """
    failures: list[SynctraceError] = []
    every = [first, *reports]
    for report in every:
        if report.path != STDOUT:
            try:
                write(Path(report.path), render(results, gate, report.format_, False, root))
            except SynctraceError as error:
                failures.append(error)
    for report in every:
        if report.format_ == "github" and (report is first or report.path == STDOUT):
            add_job_summary(results, gate)
    if first.format_ in WITHOUT_GATES:
        from synctrace.analyzer.report.gates import gate_texts

        note("\n".join(gate_texts(results, gate)))
    try:
        for report in every:
            if report.path == STDOUT:
                colour = report is first and has_colour()
                click.echo(render(results, gate, report.format_, colour, root), nl=False)
    except BrokenPipeError:  # who reads it has seen enough; the verdict is the same
        leave_stdout()
    except OSError as error:
        failures.append(SynctraceError(f"cannot write the report ({error.strerror or error})"))
    if failures:
        raise failures[0]
