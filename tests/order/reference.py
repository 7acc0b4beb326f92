"""Writes docs/order.md: `python tests/order/reference.py`. A test compares it with the page.

Rows and prose come from docs/order.toml, verdicts from tests/data/order.jsonl (which test_rows.py
checks) and tests/data/ggml_order.jsonl (test_other_rows.py), promises and habits from the profiles.
"""

import sys
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rows import GGML_CASES, PROFILES, STRICT, Row, rows

from synctrace.analyzer.conditions import Conditions
from synctrace.analyzer.profile import Profile, load
from synctrace.analyzer.statement import Class
from synctrace.tracer.kinds import Kind

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/order.md"
SOURCE = ROOT / "docs/order.toml"
GGML_PROFILES = tuple(
    f"ggml-{backend}" for backend in ("contract", "cuda", "vulkan", "metal", "sycl", "cpu")
)
WHOLE = Conditions(kinds=())  # no condition but the kind
# What a cell says; the words are those of the reports.
SHORT = {"clean": "ordered", "certain": "**race**", "host-order-assumed": "assumed"}


def page() -> str:
    """The whole page."""
    source = tomllib.loads(SOURCE.read_text("utf-8"))
    lines = [source["head"].strip(), ""]
    for family in source["family"]:
        lines += _family(family, rows(), PROFILES)
    lines += _family(source["ggml"], rows(GGML_CASES), GGML_PROFILES)
    lines += ["## What is not modelled", ""]
    for gap in source["gap"]:
        lines += textwrap.wrap(f"- {' '.join(gap['text'].split())}", 115, subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def row_ids() -> list[str]:
    """Ids of the rows of docs/order.toml on CUDA and HIP."""
    source = tomllib.loads(SOURCE.read_text("utf-8"))
    return [row["id"] for family in source["family"] for row in family["row"]]


def ggml_row_ids() -> list[str]:
    """Ids of its rows on ggml's backends."""
    return [row["id"] for row in tomllib.loads(SOURCE.read_text("utf-8"))["ggml"]["row"]]


def _family(family: dict[str, Any], cases: Sequence[Row], profiles: Sequence[str]) -> Iterator[str]:
    yield from [f"## {family['title']}", "", *_prose(family["text"]), ""]
    for row in family["row"]:
        yield from _row(row, [case for case in cases if case.row == row["id"]], profiles)
    kinds = list(dict.fromkeys(kind for row in family["row"] for kind in row["kinds"]))
    if kinds:
        yield from ["### Who says so", "", *_sources(kinds, profiles), ""]


def _row(row: dict[str, Any], cases: Sequence[Row], profiles: Sequence[str]) -> Iterator[str]:
    yield f"### {row['title']}"
    yield ""
    yield from _prose(row["text"])
    yield ""
    yield f"| what the program does | {' | '.join(profiles)} | test |"
    yield "|" + "---|" * (len(profiles) + 2)
    for case in cases:
        cells = [_cell(case, profile) for profile in profiles]
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


def _sources(kinds: list[str], profiles: Sequence[str]) -> Iterator[str]:
    """What the profiles say of these calls: promises and habits with their sources."""
    told: dict[tuple[str, str, str, str], list[str]] = {}
    for profile in profiles:
        for kind in Kind:
            if kind.name.lower() not in kinds:
                continue
            for words, klass, source in _holding(load(profile), kind):
                held = told.setdefault((kind.name.lower(), words, klass.value, source), [])
                if profile not in held:
                    held.append(profile)
    for (name, words, klass, source), held in told.items():
        if words != "launch":
            yield f"- `{name}` {words} ({klass}; {', '.join(held)}): {source}"


def _holding(profile: Profile, kind: Kind) -> Iterator[tuple[str, Class, str]]:
    """Edges and moved accesses of a kind of call, without what a later statement replaces."""
    statements = profile.speaking_of(kind)
    whole = [
        i for i, each in enumerate(statements) if each.same_ops(replace(WHOLE, kinds=each.kinds))
    ]
    for statement in statements[whole[-1] if whole else 0 :]:
        for edge in statement.edges:
            yield edge.edge, edge.klass, edge.source
        for side, moved in statement.moved.items():
            yield f"{side} at the {moved.place.name.lower()}", moved.klass, moved.source


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name}: {len(rows())} cases\n")
