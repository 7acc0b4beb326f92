"""One exceeded budget in text: what iterations spend, and where."""

import textwrap
from collections.abc import Iterator

from synctrace.analyzer.finding import Finding, Place
from synctrace.analyzer.report.fix import where
from synctrace.analyzer.report.layout import INDENT, WIDTH, beside, section
from synctrace.analyzer.report.parts import command_lines
from synctrace.analyzer.rule import load_rule
from synctrace.analyzer.words import figures, number, spent

_ROOM = WIDTH - len(INDENT)


def budget_lines(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    """Everything below the head: figures, what to do, and places: as many as there are frames."""
    one = finding.budget
    assert one is not None
    compared = "worst" if one.judge == "worst" else "median"
    yield from section(
        "limit", [f"{spent(one.most, one.measure)} in the {compared} iteration ({one.measure})"]
    )
    many = f"{one.iterations:,} iterations {one.name}" if one.iterations > 1 else "one iteration"
    yield from section("spent", [f"{figures(one)}, of {many}"])
    each = [(number(s.amount / max(1, one.iterations)), s.place) for s in one.spenders[: depth + 1]]
    yield from section("by", [beside(f"{n:>8}  {_name(p)}", where(p), 60, _ROOM) for n, p in each])
    yield f"{INDENT}(in an iteration, on average)"
    yield ""
    advice = " ".join(load_rule(finding.rule).fix.split())
    yield from section("help", textwrap.wrap(advice, _ROOM))
    told = f"in {finding.count:,} of {one.iterations:,}: more than the limit"
    yield from section("seen", [f"{told:<64}id {finding.id}"])
    sql = f"SELECT op, site, amount FROM spending WHERE measure = '{one.measure}'"
    yield from command_lines(trace, f'"{sql}"', finding.rule)


def _name(place: Place) -> str:
    return place.label or (place.frames[0].function if place.frames else "unknown place")
