"""Gates: what decides whether a check fails, what they found, and the exit code."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from synctrace.analyzer.baseline import Compared, Known, compare
from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.settings import Settings
from synctrace.analyzer.suppression import Hits, suppress
from synctrace.analyzer.verdict import SEVERITIES
from synctrace.tracer.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INCOMPLETE


@dataclass(frozen=True)
class Gate:
    """One a report. `min_coverage` in percent; `config`: file of the settings, empty: none.

    `unjudged`: limits of a budget that no rule judged, since it was not among those asked for;
    `unused_allowances`: globs of places that no host wait was made at.
    """

    fail_on: str = "error"
    max_findings: int = 0
    min_coverage: float | None = None
    baseline: Compared | None = None
    suppressions: tuple[Hits, ...] = ()
    unjudged: tuple[str, ...] = ()
    unused_allowances: tuple[str, ...] = ()
    config: str = ""


def gated(
    found: Sequence[Checked],
    asked: Gate,
    settings: Settings,
    known: Sequence[Known] | None,
    report: str,
    today: date,
) -> tuple[list[Checked], Gate]:
    """The results as they are told, and what the gates found.

    `asked`: levels and limits; `known`: findings of the baseline, the file `report`; None: no
    baseline.
    """
    results, hits = suppress(found, settings.suppressions, today)
    gate = replace(asked, suppressions=hits, config=settings.path)
    if known is not None:
        results, compared = compare(results, known, report)
        gate = replace(gate, baseline=compared)
    if settings.budget is not None:
        judged = {one.measure for checked in results for one in checked.budgets}
        used = {glob for checked in results for glob in checked.used_allowances}
        gate = replace(
            gate,
            unjudged=tuple(m for m in settings.budget.limits if m not in judged),
            unused_allowances=tuple(
                a.site for a in settings.budget.allow if judged and a.site not in used
            ),
        )
    return results, gate


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
