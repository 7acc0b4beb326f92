"""`synctrace import`: scenario files to traces."""

import shlex
from pathlib import Path

import click

from synctrace.analyzer.notes import note


@click.command("import", short_help="Turn scenario files into traces.")
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
    note(f"next: synctrace check {shlex.quote(output)}")
    return 0
