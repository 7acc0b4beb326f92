"""The last line of every report: one a trace, made to be grepped."""

from collections import Counter

from synctrace.analyzer.finding import Checked
from synctrace.analyzer.verdict import SEVERITIES, failing


def counts(checked: Checked) -> dict[str, int]:
    """Findings by severity, and all their instances."""
    found = Counter(f.severity for f in checked.findings)
    return {s: found[s] for s in SEVERITIES}


def plural(number: int, one: str, many: str = "") -> str:
    """`1 sync`, `2,000 syncs`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def summary_line(checked: Checked, fail_on: str) -> str:
    """Verdict, counts, ops, dropped records and time."""
    number = counts(checked)
    told = ", ".join(plural(number[s], s) for s in SEVERITIES if number[s] or s != "note")
    instances = sum(f.count for f in checked.findings if f.family != "trace")
    rules = len({f.rule for f in checked.findings})
    failed = "" if failing(checked, fail_on) or not rules else f", none at {fail_on} or above"
    if fail_on == "never" and rules:
        failed = ""
    lost = "" if checked.complete else ", incomplete"
    failed += ", FAULTS INJECTED" if checked.faults else ""
    return (
        f"synctrace: {told} in {plural(rules, 'rule')} ({plural(instances, 'instance')}"
        f"{failed}) in {checked.trace}, {plural(checked.census.ops, 'op')}, "
        f"{checked.dropped:,} dropped{lost}, {checked.seconds:.2f} s"
    )
