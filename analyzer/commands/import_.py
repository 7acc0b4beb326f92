"""`synctrace import`: scenario files to traces."""

from pathlib import Path

import click

from synctrace.analyzer.notes import note
from synctrace.analyzer.options import examples
from synctrace.analyzer.report.layout import argument

_EXAMPLES = examples(
    "synctrace import cases.jsonl -o cases",
    "synctrace import cases.jsonl --case disjoint-slices",
    "synctrace check cases",
)


@click.command("import", short_help="Turn scenario files into traces.", epilog=_EXAMPLES)
@click.argument("cases", metavar="CASES.jsonl", type=click.Path())
@click.option("--case", metavar="ID", help="Only this case; PATH is then its trace.")
@click.option("-o", "--output", metavar="PATH", type=click.Path(),
              help="Folder to write; default: CASES, with --case ID.synctrace.")  # fmt: skip
@click.option("-f", "--force", is_flag=True, help="Overwrite traces that exist.")
@click.option("-q", "--quiet", is_flag=True, help="No notes on stderr.")
def import_(cases: str, case: str | None, output: str | None, force: bool, quiet: bool) -> int:
    """Turn scenario files into traces: an ordering question in ten lines (docs/scenarios.md)."""
    from synctrace.tracer.scenario import import_cases

    path = Path(output or (Path(cases).stem if case is None else f"{case}.synctrace"))
    written = import_cases(Path(cases), path, case, overwrite=force)
    for one in written:
        click.echo(one)
    if not quiet:
        note(f"next: synctrace check {argument(str(path))}")
    return 0
