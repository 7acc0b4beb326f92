"""Reports to files, beside the one on stdout: `--report FORMAT=FILE`, as often as wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from synctrace.analyzer.finding import Checked
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.output import FORMATS, add_job_summary, render, write
from synctrace.tracer.errors import SynctraceError

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
    reports: Sequence[ReportFile], results: list[Checked], gate: Gate, root: str | None
) -> None:
    """Write every report. Raises SynctraceError, after all others, for one that cannot be written.

    A file has its report and nothing else is touched; what goes to stdout is as `-F` writes it.
    """
    failures: list[SynctraceError] = []
    for report in reports:
        text = render(results, gate, report.format_, False, root)
        if report.path == STDOUT:
            if report.format_ == "github":
                add_job_summary(results, gate)
            click.echo(text, nl=False)
            continue
        try:
            write(Path(report.path), text)
        except SynctraceError as error:
            failures.append(error)
    if failures:
        raise failures[0]
