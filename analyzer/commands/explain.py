"""`synctrace explain`: what the words of a report mean."""

from pathlib import Path

import click

from synctrace.analyzer.completion import explained, explained_by, profiles
from synctrace.analyzer.options import examples, host_order_option, listed
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
@host_order_option
def explain(name: str | None, other: str | None, profile: list[str], host_order: str) -> int:
    """Explain a rule, view, table, saved query or profile. Bare: the list of them all.

    A profile may be a path to a .toml file. Two profiles: where they differ.
    With TRACE: a finding by its id.
    """
    from synctrace.analyzer import explain as explaining

    if name is None or other is None or explaining.is_profile(name):
        _need_none_typed("profile", "host_order")
    if name is None:
        click.echo(explaining.overview(), nl=False)
    elif other is None:
        click.echo(explaining.explain(name), nl=False)
    elif explaining.is_profile(name):
        click.echo(explaining.difference(name, other), nl=False)
    else:
        _explain_finding(name, other, profile, host_order)
    return 0


def _need_none_typed(*names: str) -> None:
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} goes with a finding: synctrace explain ID TRACE")


def _explain_finding(id_: str, trace: str, profile: list[str], host_order: str) -> None:
    from synctrace.analyzer.check import check as check_one
    from synctrace.analyzer.explain import explain as explain_rule
    from synctrace.analyzer.report.text import finding_lines
    from synctrace.tracer.reader import open_trace

    checked = check_one(open_trace(Path(trace)), profile, host_order=host_order, select=["ALL"])
    found = [f for f in checked.findings if f.id == id_]
    if not found:
        under = ", ".join(checked.profiles)
        known = ", ".join(sorted({f.id for f in checked.findings})) or "none"
        raise SynctraceError(f"{trace} has no finding {id_}: its findings are {known}, by {under}")
    for finding in found:
        click.echo("\n".join([*finding_lines(finding, trace), ""]))
    click.echo(explain_rule(found[0].rule), nl=False)
