"""Where a report goes and in which format."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import click

from synctrace.analyzer.finding import Checked
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.notes import note
from synctrace.tracer.errors import SynctraceError

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")
SHAPED = ("text", "markdown")  # tell the iteration's signature
_LOCATED = ("sarif", "github", "gitlab")  # name files as a checkout has them
_WITHOUT_GATES = ("gitlab",)  # have no place for what gates found


def tell(
    results: list[Checked], gate: Gate, format_: str, output: str | None, root: str | None
) -> None:
    """Write the report to this file, or to stdout; github's also to the job summary.

    What a format has no place for is told on stderr.
    """
    report = render(results, gate, format_, output is None and has_colour(), root)
    if format_ == "github":
        add_job_summary(results, gate)
    if format_ in _WITHOUT_GATES:
        from synctrace.analyzer.report.gates import gate_texts

        note("\n".join(gate_texts(results, gate)))
    if output:
        write(Path(output), report)
    else:
        click.echo(report, nl=False)


def render(
    results: list[Checked], gate: Gate, format_: str, colour: bool, root: str | None = None
) -> str:
    """The report in the format asked for, from the module of that name, loaded when it is used.

    `root`: folder of the sources, for the formats that CI shows beside them.
    """
    module = import_module(f"synctrace.analyzer.report.{format_}")
    options: dict[str, Any] = {"root": root} if format_ in _LOCATED else {}
    if format_ == "text":
        options["colour"] = colour
    return str(module.render(results, gate, **options))


def add_job_summary(results: list[Checked], gate: Gate) -> None:
    """Append what has no annotation to the summary of GitHub's job, if there is one."""
    named = os.environ.get("GITHUB_STEP_SUMMARY")
    if not named:
        return
    from synctrace.analyzer.report import github

    try:
        with Path(named).open("a", encoding="utf-8") as file:
            file.write(github.job_summary(results, gate))
    except OSError as error:
        note(f"cannot write the job summary {named} ({error.strerror})")


def has_colour() -> bool:
    """Whether stdout is a terminal that wants colour."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def write(path: Path, text: str) -> None:
    """Write a report file, whole or not at all. Raises SynctraceError if it cannot be written."""
    with whole_file(path) as file:
        file.write(text.encode("utf-8"))


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to be written, in the place of what is there once all is written.

    Raises SynctraceError if it cannot be written.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        if path.exists() and not path.is_file():  # a terminal, a pipe: nothing to replace
            with path.open("wb") as file:
                yield file
            return
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise SynctraceError(f"cannot write {path} ({error.strerror or error})") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def need_writable(output: str | None, force: bool) -> None:
    """Refuse, before work is done for it, a file that is there without -f or has no folder.

    Raises SynctraceError.
    """
    if not output:
        return
    path = Path(output)
    if path.is_dir():
        raise SynctraceError(f"{output} is a folder: name a file in it")
    if (path.is_file() or (path.is_symlink() and not path.exists())) and not force:
        raise SynctraceError(f"{output} exists: choose another name or overwrite it with -f")
    if not path.parent.is_dir():
        raise SynctraceError(f"cannot write {output}: make the folder {path.parent} first")
