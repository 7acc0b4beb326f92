"""`synctrace check`: what is wrong with traces."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from synctrace.analyzer.options import check_options, listed
from synctrace.analyzer.report_files import ReportFile, refuse_unwritable, write_reports
from synctrace.tracer.errors import SynctraceError


@click.command(short_help="Report races, lifetime errors and needless syncs of traces.")
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...")
@check_options
@click.option("-o", "--output", metavar="FILE", help="Write the report there instead of stdout.")
@click.option("-f", "--force", is_flag=True, help="Overwrite report files that exist.")
def check(traces: tuple[str, ...], force: bool, **options: Any) -> int:
    """Report races, lifetime errors and needless syncs of traces, or of folders of traces."""
    output = options["output"]
    if output and Path(output).exists() and not force:
        raise SynctraceError(f"{output} exists: choose another name or overwrite it with -f")
    refuse_unwritable(options["reports"], force)
    return check_traces(traces, **options)


def check_traces(
    traces: Sequence[str],
    *,
    format_: str,
    reports: Sequence[ReportFile],
    output: str | None,
    source_root: str | None,
    profile: str | None,
    host_order: str,
    select: str | None,
    ignore: str | None,
    fail_on: str,
) -> int:
    """Check traces, or folders of them, and write the reports; the exit code."""
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.output import SHAPED, tell
    from synctrace.analyzer.verdict import exit_code
    from synctrace.tracer.reader import find_traces, open_trace

    formats = [format_, *(report.format_ for report in reports)]
    paths = [path for given in traces for path in find_traces(Path(given))]
    results = [
        check_one(
            open_trace(path),
            listed(profile),
            host_order=host_order,
            select=listed(select),
            ignore=listed(ignore),
            shape=any(each in SHAPED for each in formats),
        )
        for path in paths
    ]
    tell(results, format_, fail_on, output, source_root)
    write_reports(reports, results, fail_on, source_root)
    return exit_code(results, fail_on)
