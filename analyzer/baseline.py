"""An earlier report as the baseline: which findings are new, known or gone."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.verdict import SEVERITIES, VERDICTS
from synctrace.tracer.errors import SynctraceError

SCHEMA = 1  # of json reports (docs/commands.md)
_TEXTS = ("id", "rule", "family", "severity", "verdict", "profile", "message")
_ANEW = "make one with `synctrace check TRACE -F json --fail-on never -o REPORT.json`"


@dataclass(frozen=True)
class Known:
    """A finding of an earlier report."""

    id: str
    rule: str
    family: str
    severity: str
    verdict: str
    profile: str
    message: str


@dataclass(frozen=True)
class Compared:
    """An earlier report, and its findings that are gone."""

    report: str
    gone: tuple[Known, ...] = ()


def read_baseline(path: Path) -> tuple[Known, ...]:
    """Findings of a report of `check -F json`. Raises SynctraceError if it is none."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SynctraceError(f"cannot read baseline {path} ({error.strerror}): {_ANEW}") from error
    except (ValueError, RecursionError) as error:
        raise SynctraceError(f"baseline {path} is not JSON: {_ANEW}") from error
    if not isinstance(told, dict) or not ("findings" in told or "traces" in told):
        raise SynctraceError(f"baseline {path} is no report of `check -F json`: {_ANEW}")
    if told.get("schema") != SCHEMA or isinstance(told["schema"], bool):
        raise SynctraceError(
            f"baseline {path} is of schema {told.get('schema')!r}, this synctrace reads {SCHEMA}:"
            f" {_ANEW}"
        )
    try:
        return tuple(_known(found) for found in _findings(told))
    except (KeyError, TypeError, ValueError) as error:
        raise SynctraceError(
            f"baseline {path} has a finding without its id, rule, severity or verdict: {_ANEW}"
        ) from error


def _findings(told: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for document in told.get("traces", [told]):
        yield from document["findings"]


def _known(found: Mapping[str, Any]) -> Known:
    texts = {name: found[name] for name in _TEXTS}
    if not all(isinstance(text, str) for text in texts.values()):
        raise TypeError
    known = Known(**texts)
    _rank(known.severity, known.verdict)
    return known


def _rank(severity: str, verdict: str) -> tuple[int, int]:
    """The lower, the worse. Raises ValueError for words that are none of ours."""
    return SEVERITIES.index(severity), VERDICTS.index(verdict)


def compare(
    results: Sequence[Checked], known: Sequence[Known], report: str
) -> tuple[list[Checked], Compared]:
    """The results, each finding new or known, new ones first; and what is gone."""
    worst: dict[str, Known] = {}
    for each in sorted(known, key=lambda k: _rank(k.severity, k.verdict), reverse=True):
        worst[each.id] = each
    told = [replace(c, findings=_told(c.findings, worst)) for c in results]
    return told, Compared(report, tuple(_gone(results, worst)))


def _told(findings: Sequence[Finding], known: Mapping[str, Known]) -> tuple[Finding, ...]:
    marked = [_marked(finding, known.get(finding.id)) for finding in findings]
    return tuple(sorted(marked, key=lambda f: f.status == "known"))


def _marked(finding: Finding, before: Known | None) -> Finding:
    if finding.rule == "TRACE01":  # a loss is no state to go on from
        return finding
    if before is None or finding.budget:  # a limit is its own baseline
        return replace(finding, status="new")
    if _rank(finding.severity, finding.verdict) < _rank(before.severity, before.verdict):
        return replace(finding, status="new", was=f"{before.severity}, {before.verdict}")
    return replace(finding, status="known")


def _gone(results: Sequence[Checked], known: Mapping[str, Known]) -> Iterator[Known]:
    """What was looked for again and not found; what is suppressed by now was found."""
    here = {f.id for checked in results for f in checked.findings}
    here |= {s.finding.id for checked in results for s in checked.suppressed}
    rules = {rule for checked in results for rule in checked.rules}
    profiles = {profile for checked in results for profile in checked.profiles}
    for each in sorted(known.values(), key=lambda k: (*_rank(k.severity, k.verdict), k.id)):
        judged = not each.profile or profiles & set(each.profile.split(","))
        if each.id not in here and each.rule in rules and judged and each.family != "trace":
            yield each
