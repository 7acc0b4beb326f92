"""How bad a finding is, and what check's exit code says."""

from collections.abc import Iterable

from synctrace.analyzer.finding import CERTAIN, Checked, Finding
from synctrace.tracer.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INCOMPLETE

SEVERITIES = ("error", "warning", "note")
FAIL_ON = (*SEVERITIES, "never")
# Of instances with one id the worst verdict comes first.
VERDICTS = (
    "certain",
    "latent",
    "ordered-not-visible",
    "host-order-assumed",
    "range-guess",
    "mode-unknown",
    "provable",
    "over-broad",
    "avoidable",
    "advice",
    "stated",
)
FAMILIES = ("life", "race", "sync", "copy", "trace")


def severity(base: str, verdict: str) -> str:
    """Severity of a finding: the rule's own where proven, a warning where something is assumed."""
    if base == "error" and verdict not in CERTAIN:
        return "warning"
    return base


def rank(finding: Finding) -> tuple[int, int, int, int, str]:
    """Sort key: worst first, then by family, cost and trace order."""
    return (
        SEVERITIES.index(finding.severity),
        FAMILIES.index(finding.family),
        -(finding.cost_ns or 0),
        finding.ops[0] if finding.ops else 0,
        finding.rule,
    )


def failing(checked: Checked, fail_on: str) -> list[Finding]:
    """Findings at or above the level. Lost data is no finding here: it has its own exit code."""
    if fail_on == "never":
        return []
    bad = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return [f for f in checked.findings if f.severity in bad and f.rule != "TRACE01"]


def exit_code(results: Iterable[Checked], fail_on: str) -> int:
    """1 with findings at or above the level; 3 if a trace lost data and there are none; else 0."""
    results = list(results)
    if any(failing(checked, fail_on) for checked in results):
        return EXIT_FINDINGS
    return EXIT_CLEAN if all(checked.complete for checked in results) else EXIT_INCOMPLETE
