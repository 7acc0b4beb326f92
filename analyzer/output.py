"""Where a report goes and in which format."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from synctrace.analyzer.finding import Checked
from synctrace.tracer.errors import SynctraceError


def render(results: list[Checked], format_: str, fail_on: str, colour: bool) -> str:
    """The report in the format asked for; a format is loaded when it is used."""
    if format_ == "json":
        from synctrace.analyzer.report import json

        return json.render(results, fail_on)
    if format_ == "concise":
        from synctrace.analyzer.report import concise

        return concise.render(results, fail_on)
    from synctrace.analyzer.report import text

    return text.render(results, fail_on, colour)


def has_colour() -> bool:
    """Whether stdout is a terminal that wants colour."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def write(path: Path, text: str) -> None:
    """Write a report file, whole or not at all. Raises SynctraceError if it cannot be written."""
    part = path.with_name(f".{path.name}.part")
    try:
        if path.exists() and not path.is_file():  # a terminal, a pipe: nothing to replace
            path.write_text(text, encoding="utf-8")
            return
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise SynctraceError(f"cannot write {path} ({error.strerror})") from error
