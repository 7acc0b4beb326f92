"""`synctrace check`: what is wrong with traces."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synctrace.analyzer.completion import traces
from synctrace.analyzer.notes import note
from synctrace.analyzer.options import check_options, examples, listed
from synctrace.analyzer.output import need_free
from synctrace.analyzer.report.layout import argument

if TYPE_CHECKING:
    from synctrace.analyzer.finding import Checked

_EXAMPLES = examples(
    "synctrace check run.synctrace",
    "synctrace check run.synctrace --profile ggml-contract,ggml-cuda --fail-on warning",
    "synctrace check run.synctrace -F sarif -o run.sarif",
)


@click.command(
    short_help="Report races, lifetime errors and needless syncs of traces.", epilog=_EXAMPLES
)
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...", shell_complete=traces)
@check_options
@click.option("-o", "--output", metavar="FILE", type=click.Path(),
              help="Write the report there instead of stdout.")  # fmt: skip
@click.option("-f", "--force", is_flag=True, help="Overwrite that file.")
@click.option("-q", "--quiet", is_flag=True, help="No notes and no progress on stderr.")
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
    quiet: bool = False,
) -> int:
    """Check traces, or folders of them, and write one report; the exit code."""
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.output import SHAPED, tell
    from synctrace.analyzer.progress import Line
    from synctrace.analyzer.verdict import exit_code
    from synctrace.tracer.reader import find_traces, open_trace

    paths = [path for given in traces for path in find_traces(Path(given))]
    results = []
    with Line(quiet) as line:
        for path in paths:
            trace = open_trace(path)
            checked = check_one(
                trace,
                listed(profile),
                host_order=host_order,
                select=listed(select),
                ignore=listed(ignore),
                shape=format_ in SHAPED,
                progress=line.ordering(trace),
            )
            results.append(checked)
    tell(results, format_, fail_on, output, source_root)
    if output and not quiet:
        note(f"wrote {output}\nnext: {_next(results)}")
    return exit_code(results, fail_on)


def _next(results: "Sequence[Checked]") -> str:
    """The command that tells more: of the first finding, else of the first trace."""
    for checked in results:
        if checked.findings:
            return f"synctrace explain {checked.findings[0].rule}"
    return f"synctrace query {argument(results[0].trace)} --saved summary"
