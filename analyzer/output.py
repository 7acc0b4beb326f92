"""A report in each format, and what goes elsewhere than to its file."""

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synctrace.analyzer.notes import note

if TYPE_CHECKING:
    from synctrace.analyzer.finding import Checked
    from synctrace.analyzer.gate import Gate

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")
SHAPED = ("text", "markdown")  # tell the iteration's signature
_LOCATED = ("sarif", "github", "gitlab")  # name files as a checkout has them
WITHOUT_GATES = ("gitlab",)  # have no place for what gates found


def render(
    results: "list[Checked]", gate: "Gate", format_: str, colour: bool, root: str | None = None
) -> str:
    """The report in the format asked for, from the module of that name, loaded when it is used.

    `root`: folder of the sources, for the formats that CI shows beside them.
    """
    module = import_module(f"synctrace.analyzer.report.{format_}")
    options: dict[str, Any] = {"root": root} if format_ in _LOCATED else {}
    if format_ == "text":
        options["colour"] = colour
    return str(module.render(results, gate, **options))


def add_job_summary(results: "list[Checked]", gate: "Gate") -> None:
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
