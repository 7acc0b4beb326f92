"""Takes suppressed findings out of what was found, and counts what each suppression met."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from synctrace.analyzer.finding import Checked, Finding, Suppressed
from synctrace.analyzer.gate import Hits
from synctrace.analyzer.suppression import Suppression, means


def suppress(
    results: Sequence[Checked], suppressions: Sequence[Suppression], today: date
) -> tuple[list[Checked], tuple[Hits, ...]]:
    """The results without what is suppressed, and what each suppression met.

    A finding that several mean is a hit of each; the first one's reason is told.
    """
    now = [s for s in suppressions if not has_expired(s, today)]
    left = [_without(checked, now) for checked in results]
    return left, tuple(_hits(s, results, today) for s in suppressions)


def has_expired(suppression: Suppression, today: date) -> bool:
    """Whether its last day is over."""
    return suppression.until is not None and suppression.until < today


def _without(checked: Checked, suppressions: Sequence[Suppression]) -> Checked:
    kept: list[Finding] = []
    gone: list[Suppressed] = []
    for finding in checked.findings:
        by = next((s for s in suppressions if means(s, finding)), None)
        if by is None:
            kept.append(finding)
        else:
            gone.append(Suppressed(finding, by.reason))
    return replace(checked, findings=tuple(kept), suppressed=tuple(gone))


def _hits(suppression: Suppression, results: Sequence[Checked], today: date) -> Hits:
    met = [f for checked in results for f in checked.findings if means(suppression, f)]
    ran = {rule for checked in results for rule in checked.rules}
    return Hits(
        suppression,
        findings=len({f.id for f in met}),
        instances=sum(f.count for f in met),
        expired=has_expired(suppression, today),
        asked=bool(suppression.id) or any(rule.startswith(suppression.rule) for rule in ran),
    )
