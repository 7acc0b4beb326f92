"""What the gates of a check found, in sentences: for the end of a report."""

from collections.abc import Iterator, Sequence

from synctrace.analyzer.finding import Checked, Measured
from synctrace.analyzer.gate import Gate, at_level, unanswered
from synctrace.analyzer.report.escape import printable
from synctrace.analyzer.report.layout import argument
from synctrace.analyzer.report.summary import plural
from synctrace.analyzer.suppression import Hits
from synctrace.analyzer.words import figures, number, spent

_GONE = 10  # that are named


def gate_lines(results: Sequence[Checked], gate: Gate) -> list[str]:
    """One line a sentence; none where no gate was asked for."""
    return [f"synctrace: gate: {text}" for text in gate_texts(results, gate)]


def gate_texts(results: Sequence[Checked], gate: Gate) -> list[str]:
    """What each gate found, and last the settings that were used."""
    results, gate = tuple(printable(c) for c in results), printable(gate)
    return [
        *_baseline(results, gate),
        *(text for hits in gate.suppressions for text in [suppression_text(hits)]),
        *_allowed(results, gate),
        *_coverage(results, gate),
        *_budgets(results, gate),
        *([f"settings of {gate.config}"] if gate.config else []),
    ]


def _baseline(results: Sequence[Checked], gate: Gate) -> Iterator[str]:
    if gate.baseline is None:
        return
    compared = gate.baseline
    found = counts(results)
    told = f"{found['new']:,} new, {found['known']:,} known, {len(compared.gone):,} gone"
    yield f"baseline {compared.report}: {told}"
    for each in compared.gone[:_GONE]:
        yield f"gone: {each.rule} {each.message} [{each.id}]"
    if len(compared.gone) > _GONE:
        yield f"gone: and {len(compared.gone) - _GONE:,} more"
    if found["new"] or compared.gone:
        yield f"to take these as known: {_anew(results, compared.report)}"


def _anew(results: Sequence[Checked], report: str) -> str:
    """The command that writes the baseline anew."""
    traces = [checked.trace for checked in results]
    named = " ".join(map(argument, traces)) if len(traces) <= 3 else "TRACE…"
    asked = dict.fromkeys(profile for checked in results for profile in checked.asked)
    under = f" --profile {argument(','.join(asked))}" if asked else ""
    return f"synctrace check {named}{under} -F json --fail-on never -o {argument(report)} -f"


def counts(results: Sequence[Checked]) -> dict[str, int]:
    """Findings by their status, each id once."""
    ids: dict[str, set[str]] = {"new": set(), "known": set()}
    for checked in results:
        for finding in checked.findings:
            if finding.status:
                ids[finding.status].add(finding.id)
    return {"new": len(ids["new"]), "known": len(ids["known"] - ids["new"])}


def suppression_text(hits: Hits) -> str:
    """What a suppression met, and why it is there."""
    one = hits.suppression
    met = f"{plural(hits.findings, 'finding')} ({plural(hits.instances, 'instance')})"
    if hits.expired:
        still = f"it would still hit {met}" if hits.findings else "it hits nothing"
        return f"suppression of {one.words} expired on {one.until}, {still}: {one.reason}"
    if hits.findings:
        return f"suppressed {met} by {one.words}: {one.reason}"
    if not hits.asked:
        return f"suppression of {one.words} not tried, its rules did not run: {one.reason}"
    return f"unused suppression of {one.words}, remove it unless other runs need it: {one.reason}"


def _allowed(results: Sequence[Checked], gate: Gate) -> Iterator[str]:
    """How many findings would fail, where some may."""
    if gate.max_findings and gate.fail_on != "never":
        found = len({f.id for checked in results for f in at_level(checked, gate)})
        many = plural(found, "finding")
        yield f"{many} at {gate.fail_on} or above, {gate.max_findings:,} allowed (--max-findings)"


def _coverage(results: Sequence[Checked], gate: Gate) -> Iterator[str]:
    if gate.min_coverage is None:
        return
    for checked in results:
        share = checked.share
        if share is None:
            continue
        below = share.percent < gate.min_coverage
        # Rounded down: 89.96 % is not the 90 % asked for.
        of = plural(share.accesses, "access", "accesses")
        known = f"{int(share.percent * 10) / 10:g} % of {of} known"
        asked = f"{'less than' if below else 'at least'} the {gate.min_coverage:g} % asked for"
        yield f"coverage: {known}, {asked}, in {checked.trace}"


def _budgets(results: Sequence[Checked], gate: Gate) -> Iterator[str]:
    for measure in gate.unjudged:
        yield f"budget of {measure} not judged: SYNC11 is not among the rules asked for"
    for checked in results:
        for one in checked.budgets:
            yield f"budget of {one.measure}: {budget_text(one)}, in {checked.trace}"
    for measure in unanswered(results):
        yield f"budget of {measure} not kept or broken: no trace can answer"
    for site in gate.unused_allowances:
        yield f"unused allowance at {site}, remove it unless other runs need it"


def budget_text(one: Measured) -> str:
    """What was measured beside the limit, or why it was not."""
    limit = f"{number(one.most)} allowed"
    if one.why:
        return f"{limit}, {one.why}; all of it has {spent(one.whole, one.measure)}"
    many = f"{one.iterations:,} {one.name}" if one.iterations > 1 else "one iteration"
    return f"{limit}, {figures(one)} of {many}{': OVER' if one.over else ''}"
