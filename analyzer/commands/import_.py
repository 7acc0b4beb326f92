"""`synctrace import`: scenario files and databases of rocprofv3 to traces."""

from pathlib import Path

import click

from synctrace.analyzer.notes import note
from synctrace.analyzer.options import examples
from synctrace.analyzer.report.layout import argument
from synctrace.tracer.errors import SynctraceError

_EXAMPLES = examples(
    "synctrace import cases.jsonl -o cases",
    "synctrace import cases.jsonl --case disjoint-slices",
    "synctrace import 4711_results.db -o run.synctrace",
    "synctrace check cases",
)
_DATABASES = (".db", ".db3", ".sqlite", ".sqlite3", ".rpd", ".rocpd")  # whatever they hold
_MAGIC = b"SQLite format 3\0"


@click.command("import", short_help="Turn scenarios or a rocprofv3 database into traces.",
               epilog=_EXAMPLES)  # fmt: skip
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--case", metavar="ID", help="Only this case; PATH is then its trace.")
@click.option("-o", "--output", metavar="PATH", type=click.Path(),
              help="Folder to write; default: FILE without its suffix, for a database or with "
                   "--case NAME.synctrace.")  # fmt: skip
@click.option("-f", "--force", is_flag=True, help="Overwrite traces that exist.")
@click.option("-q", "--quiet", is_flag=True, help="No notes on stderr.")
def import_(file: str, case: str | None, output: str | None, force: bool, quiet: bool) -> int:
    """Turn scenario files into traces: an ordering question in ten lines (docs/scenarios.md).

    Or a database of rocprofv3: what it holds of a HIP program's run (docs/rocpd.md).
    """
    path = Path(file)
    if _is_database(path):
        if case is not None:
            raise SynctraceError(f"{file} is a database, which has no cases: leave out --case")
        out = Path(output or f"{path.stem}.synctrace")
        _import_database(path, out, force, quiet)
    else:
        out = Path(output or (path.stem if case is None else f"{case}.synctrace"))
        _import_cases(path, out, case, force)
    if not quiet:
        note(f"next: synctrace check {argument(str(out))}")
    return 0


def _is_database(path: Path) -> bool:
    """Whether it is one, or is meant to be one."""
    try:
        if path.is_file():  # a pipe can be read once
            with path.open("rb") as stream:
                if stream.read(len(_MAGIC)) == _MAGIC:
                    return True
    except OSError:
        pass
    return path.suffix.lower() in _DATABASES


def _import_cases(path: Path, out: Path, case: str | None, force: bool) -> None:
    from synctrace.tracer.scenario import import_cases

    for one in import_cases(path, out, case, overwrite=force):
        click.echo(one)


def _import_database(path: Path, out: Path, force: bool, quiet: bool) -> None:
    from synctrace.tracer.rocpd.imported import import_database
    from synctrace.tracer.rocpd.loss import NEVER

    for one in import_database(path, out, overwrite=force):
        click.echo(one.path)
        for loss in one.lost:
            note(f"{one.path} is not complete: {loss}")
        if not quiet:
            note(f"{one.path}: {one.calls:,} calls; a rocprofv3 database does not hold {NEVER}")
            for told in one.told:
                note(f"{one.path}: {told}")
