"""How bad a finding is, and what check's exit code says."""

from collections.abc import Iterable

from synctrace.analyzer.finding import CERTAIN, Checked, Finding
from synctrace.analyzer.gate import Gate
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
    "over-budget",
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


def at_level(checked: Checked, gate: Gate) -> list[Finding]:
    """Findings at or above the level that no baseline knows.

    Lost data is no finding here: it has its own exit code.
    """
    if gate.fail_on == "never":
        return []
    bad = SEVERITIES[: SEVERITIES.index(gate.fail_on) + 1]
    return [
        f
        for f in checked.findings
        if f.severity in bad and f.rule != "TRACE01" and f.status != "known"
    ]


def failing(results: Iterable[Checked], gate: Gate) -> list[Finding]:
    """Findings for which the check fails: none as long as no more differ than are allowed."""
    found = [f for checked in results for f in at_level(checked, gate)]
    return found if len({f.id for f in found}) > gate.max_findings else []


def is_covered(checked: Checked, gate: Gate) -> bool:
    """Whether as much is known of the accesses as is asked for."""
    if gate.min_coverage is None or checked.share is None:
        return True
    return checked.share.percent >= gate.min_coverage


def unanswered(results: Iterable[Checked]) -> list[str]:
    """Measures with a limit that no trace can answer for."""
    told: dict[str, bool] = {}
    for checked in results:
        for each in checked.budgets:
            told[each.measure] = told.get(each.measure, False) or not each.why
    return [measure for measure, answered in told.items() if not answered]


def exit_code(results: Iterable[Checked], gate: Gate) -> int:
    """1 with findings that fail; 3 if not all was seen that had to be; else 0."""
    results = list(results)
    if failing(results, gate):
        return EXIT_FINDINGS
    whole = all(checked.complete and is_covered(checked, gate) for checked in results)
    return EXIT_CLEAN if whole and not unanswered(results) else EXIT_INCOMPLETE
