"""`synctrace doctor`: what is here, and what can be recorded."""

import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING

import click

from synctrace.analyzer.options import examples
from synctrace.analyzer.report.escape import shown
from synctrace.tracer.errors import EXIT_CLEAN, EXIT_FINDINGS

if TYPE_CHECKING:
    from synctrace.analyzer.checkup import Check, Checkup

WIDTH, NAME, STATE = 100, 15, 8
TITLES = {
    "machine": "This machine",
    "recorder": "Recorder",
    "analyzer": "Analyzer",
    "record": "What can be recorded here",
}
_EXAMPLES = examples("synctrace doctor", "synctrace doctor -F json")


@click.command(short_help="Say what is here and what can be recorded.", epilog=_EXAMPLES)
@click.option("-F", "--format", "format_", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="Form of the answer.")  # fmt: skip
def doctor(format_: str) -> int:
    """Say what is here, what can be recorded, and what to do about each gap.

    Exit code 1: recorder or analyzer cannot work here. A gap is none.
    """
    from synctrace.analyzer.checkup import examine

    found = examine()
    lines = _json(found) if format_ == "json" else _text(found)
    click.echo("\n".join(lines))
    return EXIT_CLEAN if found.works else EXIT_FINDINGS


def _json(found: "Checkup") -> Iterator[str]:
    told = {
        "schema": 1,
        "works": found.works,
        "checks": [asdict(check) for check in found.checks],
        **found.facts,
    }
    yield json.dumps(told, indent=1)


def _text(found: "Checkup") -> Iterator[str]:
    for part, checks in groupby(found.checks, key=lambda check: check.part):
        yield TITLES[part]
        for check in checks:
            yield from _lines(check)
        yield ""
    states = [check.state for check in found.checks]
    broken, gaps = states.count("broken"), states.count("gap")
    if broken:
        yield f"synctrace: {broken} broken, {gaps} gap{'s' * (gaps != 1)}"
    else:
        yield f"synctrace: works here, {gaps} gap{'s' * (gaps != 1)}"


def _lines(check: "Check") -> Iterator[str]:
    """State, name and sentence; below it what to do."""
    head = f"  {check.state:<{STATE}}{check.name:<{NAME}}"
    yield from _wrapped(head, shown(check.text))
    if check.remedy:
        yield from _wrapped(f"{' ' * len(head)}-> ", shown(check.remedy))


def _wrapped(head: str, text: str) -> list[str]:
    indent = " " * len(head)
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=indent) or [head]
