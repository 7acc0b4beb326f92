"""The last line of every report: one a trace, made to be grepped."""

from collections import Counter

from synctrace.analyzer.finding import Checked
from synctrace.analyzer.gate import Gate, at_level
from synctrace.analyzer.verdict import SEVERITIES


def counts(checked: Checked) -> dict[str, int]:
    """Number of findings by severity."""
    found = Counter(f.severity for f in checked.findings)
    return {s: found[s] for s in SEVERITIES}


def plural(number: int, one: str, many: str = "") -> str:
    """`1 sync`, `2,000 syncs`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def summary_line(checked: Checked, gate: Gate) -> str:
    """Verdict, counts, ops, dropped records and time."""
    number = counts(checked)
    told = ", ".join(plural(number[s], s) for s in SEVERITIES if number[s] or s != "note")
    instances = sum(f.count for f in checked.findings if f.family != "trace")
    rules = len({f.rule for f in checked.findings})
    known = sum(f.status == "known" for f in checked.findings)
    besides = f", {known:,} known" if known else ""
    if rules and gate.fail_on != "never" and not at_level(checked, gate):
        besides += f", none {'new ' if known else ''}at {gate.fail_on} or above"
    if checked.suppressed:
        besides += f", {len(checked.suppressed):,} suppressed"
    lost = "" if checked.complete else ", incomplete"
    besides += ", FAULTS INJECTED" if checked.faults else ""
    return (
        f"synctrace: {told} in {plural(rules, 'rule')} ({plural(instances, 'instance')}"
        f"{besides}) in {checked.trace}, {plural(checked.census.ops, 'op')}, "
        f"{checked.dropped:,} dropped{lost}, {checked.seconds:.2f} s"
    )
