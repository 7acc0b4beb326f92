"""How bad a finding is: severities, verdicts, and which finding comes first."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synctrace.analyzer.finding import Finding

CERTAIN = ("certain", "provable")
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


def rank(finding: "Finding") -> tuple[int, int, int, int, str]:
    """Sort key: worst first, then by family, cost and trace order."""
    return (
        SEVERITIES.index(finding.severity),
        FAMILIES.index(finding.family),
        -(finding.cost_ns or 0),
        finding.ops[0] if finding.ops else 0,
        finding.rule,
    )
