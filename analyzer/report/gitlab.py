"""GitLab's code quality report: a list of findings, each known by its fingerprint."""

import json
from collections.abc import Sequence
from typing import Any

from synctrace.analyzer import words
from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report.escape import as_json, printable
from synctrace.analyzer.report.location import main_spot, root_of
from synctrace.analyzer.report.merge import merged

_SEVERITY = {"error": "critical", "warning": "minor", "note": "info"}


def render(results: Sequence[Checked], _: Gate, root: str | None = None) -> str:
    """All findings of these traces, and what was lost; a known one is for information."""
    results = [printable(checked) for checked in results]
    folder = root_of(root)
    issues = [_issue(t.finding, t.trace, folder) for t in merged(results)]
    issues += [
        _issue(finding, checked.trace, folder)
        for checked in results
        for finding in checked.findings
        if finding.rule == "TRACE01"
    ]
    return as_json(json.dumps(issues, indent=1, ensure_ascii=False)) + "\n"


def _issue(finding: Finding, trace: str, root: str) -> dict[str, Any]:
    # A path and a line are obligatory: where the program has neither, the trace is named.
    at = main_spot(finding, root)
    text = f"{finding.name}: {finding.message}"
    if finding.edge:
        text += f"; {words.missing(finding.edge)}"
    known = finding.status == "known"
    return {
        "description": f"known: {text}" if known else text,
        "check_name": finding.rule,
        "fingerprint": finding.id,
        "severity": _SEVERITY["note" if known else finding.severity],
        "location": {
            "path": at.path if at else trace,
            "lines": {"begin": at.line if at and at.line else 1},
        },
    }
