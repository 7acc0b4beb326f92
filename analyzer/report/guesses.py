"""Findings that rest on guesses about one storage: the first in full, of the others a line each.

A kernel may reach from its pointer to the end of the allocation, as far as is known. Where blocks
of one allocation are used by several streams, each pair of kernels is such a finding, in right
programs too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from synctrace.analyzer.finding import Finding
from synctrace.analyzer.report.concise import line as concise_line
from synctrace.analyzer.report.layout import argument, folded
from synctrace.analyzer.report.parts import memory_name

FEW = 2  # so many are all told in full
LINES = 20  # of one storage


@dataclass(frozen=True)
class Alike:
    """What is told in full, in order, and by storage the guesses of which it has the first."""

    full: list[Finding]
    others: list[list[Finding]]


def alike(findings: Sequence[Finding]) -> Alike:
    """Put guesses about one storage together where there are more than a few."""
    by_storage: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.memory is not None and _is_guess(finding):
            by_storage.setdefault(finding.memory.storage, []).append(finding)
    others = [group[1:] for group in by_storage.values() if len(group) > FEW]
    short = {id(finding) for group in others for finding in group}
    return Alike([finding for finding in findings if id(finding) not in short], others)


def _is_guess(finding: Finding) -> bool:
    guessed = finding.verdict in ("range-guess", "mode-unknown")
    of_api = finding.family == "race" and finding.level == "api"
    return guessed and of_api and any(touch.extent != "exact" for touch in finding.touches)


def guess_lines(findings: Sequence[Finding], trace: str) -> Iterator[str]:
    """The further guesses about one storage."""
    memory = findings[0].memory
    assert memory is not None
    times = sum(finding.count for finding in findings)
    whole = f'"{memory.storage_name}"' if memory.storage_name else memory_name(memory)
    yield from folded(
        f"{len(findings):,} more guesses about {whole}, seen {times:,} times: blocks of one "
        "allocation are not told apart where a range is an upper bound, so there is no race "
        "between accesses that keep to different blocks; in full with -F json:"
    )
    yield from (f"  {concise_line(finding)}" for finding in findings[:LINES])
    if len(findings) > LINES:
        command = f"synctrace check {argument(trace)} -F concise"
        yield f"  … and {len(findings) - LINES:,} more: {command}"
    yield ""
