"""`synctrace check`: what is wrong with traces."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from synctrace.analyzer.options import check_options, listed
from synctrace.analyzer.output import need_free


@click.command(short_help="Report races, lifetime errors and needless syncs of traces.")
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...")
@check_options
@click.option("-o", "--output", metavar="FILE", help="Write the report there instead of stdout.")
@click.option("-f", "--force", is_flag=True, help="Overwrite that file.")
def check(traces: tuple[str, ...], force: bool, **options: Any) -> int:
    """Report races, lifetime errors and needless syncs of traces, or of folders of traces."""
    need_free(options["output"], force)
    return check_traces(traces, **options)


def check_traces(
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
    """Check traces, or folders of them, and write one report; the exit code."""
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.output import SHAPED, tell
    from synctrace.analyzer.verdict import exit_code
    from synctrace.tracer.reader import find_traces, open_trace

    paths = [path for given in traces for path in find_traces(Path(given))]
    results = [
        check_one(
            open_trace(path),
            listed(profile),
            host_order=host_order,
            select=listed(select),
            ignore=listed(ignore),
            shape=format_ in SHAPED,
        )
        for path in paths
    ]
    tell(results, format_, fail_on, output, source_root)
    return exit_code(results, fail_on)
