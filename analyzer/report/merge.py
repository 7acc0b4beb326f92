"""Findings of all traces for services that know a finding by its id alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.verdict import VERDICTS, rank


@dataclass(frozen=True)
class Told:
    """A finding and the trace that shows it."""

    finding: Finding
    trace: str


def merged(results: Sequence[Checked]) -> list[Told]:
    """One of each id, the surest, with the counts of all traces; worst first.

    What the traces tell of themselves is left out.
    """
    groups: dict[str, list[Told]] = {}
    for checked in results:
        for finding in checked.findings:
            if finding.family != "trace":
                groups.setdefault(finding.id, []).append(Told(finding, checked.trace))
    made = [_one(group) for group in groups.values()]
    return sorted(made, key=lambda told: rank(told.finding))


def _one(group: list[Told]) -> Told:
    surest = min(group, key=lambda told: VERDICTS.index(told.finding.verdict))
    new = next((told for told in group if told.finding.status == "new"), surest)
    made = replace(
        surest.finding, count=_count(group), status=new.finding.status, was=new.finding.was
    )
    return replace(surest, finding=made)


def _count(group: list[Told]) -> int:
    """Instances in all traces; several profiles judge the same ones."""
    judged: Counter[tuple[str, str]] = Counter()
    for told in group:
        judged[told.trace, told.finding.profile] += told.finding.count
    traces: dict[str, int] = {}
    for (trace, _), count in judged.items():
        traces[trace] = max(count, traces.get(trace, 0))
    return sum(traces.values())
