"""`synctrace explain`: what the words of a report mean."""

from pathlib import Path

import click

from synctrace.analyzer.completion import explained, explained_by
from synctrace.analyzer.options import examples
from synctrace.tracer.errors import SynctraceError

_EXAMPLES = examples(
    "synctrace explain RACE04", "synctrace explain cuda-13 hip-7", "synctrace explain sync"
)


@click.command(
    short_help="Explain a rule, view, table, saved query or profile, or a finding.",
    epilog=_EXAMPLES,
)
@click.argument("name", required=False, metavar="[NAME]", shell_complete=explained)
@click.argument("other", required=False, metavar="[TRACE | PROFILE]", shell_complete=explained_by)
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
