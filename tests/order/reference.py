"""Writes docs/order.md: `python tests/order/reference.py`. A test compares it with the page.

Rows and prose come from docs/order.toml, verdicts from tests/data/order.jsonl (which test_rows.py
checks), promises and habits from the profiles.
"""

import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rows import PROFILES, STRICT, Row, rows

from synctrace.analyzer.profile import load

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/order.md"
SOURCE = ROOT / "docs/order.toml"
# What a cell says; the words are those of the reports.
SHORT = {"clean": "ordered", "certain": "**race**", "host-order-assumed": "assumed"}


def page() -> str:
    """The whole page."""
    source = tomllib.loads(SOURCE.read_text("utf-8"))
    lines = [source["head"].strip(), ""]
    for family in source["family"]:
        lines += [f"## {family['title']}", "", *_prose(family["text"]), ""]
        for row in family["row"]:
            lines += _row(row)
        kinds = list(dict.fromkeys(kind for row in family["row"] for kind in row["kinds"]))
        if kinds:
            lines += ["### Who says so", "", *_sources(kinds), ""]
    lines += ["## What is not modelled", ""]
    for gap in source["gap"]:
        lines += textwrap.wrap(f"- {' '.join(gap['text'].split())}", 115, subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def row_ids() -> list[str]:
    """Ids of the rows of docs/order.toml."""
    source = tomllib.loads(SOURCE.read_text("utf-8"))
    return [row["id"] for family in source["family"] for row in family["row"]]


def _row(row: dict[str, Any]) -> Iterator[str]:
    cases = [case for case in rows() if case.row == row["id"]]
    yield f"### {row['title']}"
    yield ""
    yield from _prose(row["text"])
    yield ""
    yield f"| what the program does | {' | '.join(PROFILES)} | test |"
    yield "|" + "---|" * (len(PROFILES) + 2)
    for case in cases:
        cells = [_cell(case, profile) for profile in PROFILES]
        yield f"| {case.says} | {' | '.join(cells)} | `{case.id}` |"
    yield ""


def _prose(text: str) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), 115)


def _cell(case: Row, profile: str) -> str:
    told = case.expected.get(profile)
    strict = case.expected.get(profile + STRICT, told)
    if strict is None:
        return "-"
    if told is None:
        return f"strict: {SHORT.get(strict, strict)}"
    cell = SHORT.get(told, f"*{told}*")
    return cell if strict == told else f"*{cell}*, strict: {SHORT.get(strict, strict)}"


def _sources(kinds: list[str]) -> Iterator[str]:
    """What the profiles say of these calls: promises and habits with their sources."""
    told: dict[tuple[str, str, str, str], list[str]] = {}
    for profile in PROFILES:
        for statement in load(profile).statements:
            for kind in statement.kinds:
                if kind.name.lower() not in kinds:
                    continue
                for edge in statement.edges:
                    key = (kind.name.lower(), edge.edge, str(edge.klass.value), edge.source)
                    held = told.setdefault(key, [])
                    if profile not in held:
                        held.append(profile)
    for (kind, edge, klass, source), held in told.items():
        if edge == "launch":
            continue
        yield f"- `{kind}` {edge} ({klass}; {', '.join(held)}): {source}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name}: {len(rows())} cases\n")
