"""All gates of a check, in their turn: suppressions, then the baseline, then what is left over."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from synctrace.analyzer.baseline import compare
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.gate import Gate, Known
from synctrace.analyzer.settings import Settings
from synctrace.analyzer.suppress import suppress


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
