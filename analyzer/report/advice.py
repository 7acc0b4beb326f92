"""One piece of advice in text: the op, its bytes, what it costs, what to do instead."""

import textwrap
from collections.abc import Iterator

from synctrace.analyzer import words
from synctrace.analyzer.finding import Finding
from synctrace.analyzer.report.layout import INDENT, WIDTH, section
from synctrace.analyzer.report.parts import (
    command_lines,
    memory_lines,
    op_lines,
    place_lines,
    seen,
)
from synctrace.analyzer.rule import load_rule

_KEYS = 24  # of places that are printed


def advice_lines(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    """Everything below the head, in the order of a needless sync."""
    op = finding.sync
    assert op is not None
    label = "launch" if op.kind == "graph_launch" else finding.family
    yield from op_lines(label, f"op {op.id:<6} {words.noun(op)}", op.stream or "HOST", op)
    yield from place_lines(op, depth)
    if finding.site_keys:
        yield from section("site", textwrap.wrap(" ".join(finding.site_keys[:_KEYS]), 90))
    if finding.memory:
        yield from memory_lines(finding)
    if costs := _costs(finding):
        yield from section("cost", [costs])
    yield ""
    advice = " ".join(load_rule(finding.rule).fix.split())
    yield from section("help", textwrap.wrap(advice, WIDTH - len(INDENT)))
    yield from section("seen", seen(finding))
    first, last = finding.ops[0], finding.ops[-1]
    sql = f'"SELECT id, kind, timeline, event, flags FROM op WHERE id BETWEEN {first} AND {last}"'
    yield from command_lines(trace, sql, finding.rule)


def _costs(finding: Finding) -> str:
    """Host time, its share of the run, and bytes: as far as known."""
    told = []
    if finding.cost_ns:
        share = finding.cost_share or 0.0
        of_run = f" ({share:.1%} of the run)" if share >= 0.001 else ""
        told.append(f"{words.duration(finding.cost_ns)} of host time{of_run}")
    if finding.size_bytes is not None:
        told.append(f"{finding.size_bytes:,} bytes moved")
    return ", ".join(told)
