"""`synctrace explain`: what the words of a report mean."""

from pathlib import Path

import click

from synctrace.analyzer.completion import explained, explained_by, profiles
from synctrace.analyzer.options import examples, listed
from synctrace.tracer.errors import SynctraceError

COMMANDLINE = click.core.ParameterSource.COMMANDLINE
_EXAMPLES = examples(
    "synctrace explain RACE04", "synctrace explain cuda-13 hip-7", "synctrace explain sync"
)


@click.command(
    short_help="Explain a rule, view, table, saved query or profile, or a finding.",
    epilog=_EXAMPLES,
)
@click.argument("name", required=False, metavar="[NAME]", shell_complete=explained)
@click.argument("other", required=False, metavar="[TRACE | PROFILE]", shell_complete=explained_by)
@click.option("--profile", metavar="P,...", callback=listed, shell_complete=profiles,
              help="Memory models that the finding takes; default: the trace's own.")  # fmt: skip
def explain(name: str | None, other: str | None, profile: list[str]) -> int:
    """Explain a rule, view, table, saved query or profile. Bare: the list of them all.

    A profile may be a path to a .toml file. Two profiles: where they differ.
    With TRACE: a finding by its id.
    """
    from synctrace.analyzer import explain as explaining

    typed = click.get_current_context().get_parameter_source("profile") is COMMANDLINE
    if typed and (name is None or other is None or explaining.is_profile(name)):
        raise click.UsageError("--profile goes with a finding: synctrace explain ID TRACE")
    if name is None:
        click.echo(explaining.overview(), nl=False)
    elif other is None:
        click.echo(explaining.explain(name), nl=False)
    elif explaining.is_profile(name):
        click.echo(explaining.difference(name, other), nl=False)
    else:
        _explain_finding(name, other, profile)
    return 0


def _explain_finding(id_: str, trace: str, profile: list[str]) -> None:
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.explain import explain as explain_rule
    from synctrace.analyzer.report.text import finding_lines
    from synctrace.tracer.reader import open_trace

    checked = check_one(open_trace(Path(trace)), profile, select=["ALL"])
    found = [f for f in checked.findings if f.id == id_]
    if not found:
        known = ", ".join(sorted({f.id for f in checked.findings})) or "none"
        raise SynctraceError(f"{trace} has no finding {id_}: its findings are {known}")
    for finding in found:
        click.echo("\n".join([*finding_lines(finding, trace), ""]))
    click.echo(explain_rule(found[0].rule), nl=False)
