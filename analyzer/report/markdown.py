"""For a comment on a pull request: a line of our own words, and all else in a fence.

In a fence nothing is a link, a mention or a tag, whatever the recorded program calls its buffers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report.clean import clean_lines, fault_lines
from synctrace.analyzer.report.concise import line
from synctrace.analyzer.report.escape import printable
from synctrace.analyzer.report.gates import gate_lines
from synctrace.analyzer.report.layout import WIDTH, argument, cut, folded, options
from synctrace.analyzer.report.summary import counts, plural, summary_line
from synctrace.analyzer.report.text import finding_lines
from synctrace.analyzer.verdict import SEVERITIES

LINES = 30
COMMENT_BYTES = 65_000  # GitHub takes 65,536 characters
_SHORT_BYTES = 8_000  # of these, for findings that are told in one line


@dataclass(frozen=True)
class Piece:
    """A part of the document, and what stands for it where there is no room; empty: nothing."""

    text: str
    short: str


def render(results: Sequence[Checked], gate: Gate) -> str:
    """The traces one after another, each finding in full as long as a comment holds it.

    Known findings are told in one line each, after all others.
    """
    results = [printable(checked) for checked in results]
    pieces = []
    for checked in results:
        races = [f for f in checked.findings if f.family in ("race", "life")]
        if checked.faults:
            pieces.append(Piece(fence(list(fault_lines(checked))[:-1]), ""))
        pieces += findings_of(checked)
        if not races:
            pieces.append(Piece(fence(list(clean_lines(checked))), ""))
    return assembled(results, pieces, gate, COMMENT_BYTES)


def findings_of(checked: Checked) -> list[Piece]:
    """All findings but known ones and the counters of what was not watched."""
    shown = [f for f in checked.findings if f.rule != "TRACE02" and f.status != "known"]
    return [piece(finding, checked.trace) for finding in shown]


def piece(finding: Finding, trace: str) -> Piece:
    """One finding in at most LINES lines; its text has been made printable."""
    seen = f"{finding.count:,} times" if finding.count > 1 else "once"
    level = finding.severity
    if finding.family in ("race", "life") and finding.verdict != "certain":
        level += f", {finding.verdict}"
    head = f"**{finding.rule} {finding.name}** ({level}), {seen}, id `{finding.id}`"
    return Piece(f"{head}\n{fence(_report(finding, trace))}", cut(line(finding), WIDTH))


def _report(finding: Finding, trace: str) -> list[str]:
    """The text report between its head and its queries; with fewer frames where it is long."""
    room = LINES - 3
    lines: list[str] = []
    for limit in range(room + 6, 0, -1):
        whole = finding_lines(finding, trace, limit=limit)
        last = next(n for n, one in enumerate(whole) if one.startswith("  next"))
        lines = [*folded(finding.message), *whole[whole.index("") : last]]
        if len(lines) < room:
            break
    # What a budget is, the trace does not know.
    what = finding.rule if finding.budget else f"{finding.id} {argument(trace)}"
    if not finding.budget:
        what += options(finding.asked)
    return [*lines[: room - 1], f"  next    synctrace explain {what}"]


def fence(lines: Sequence[str]) -> str:
    """The lines as they are, between marks that none of them can close."""
    longest = max((len(run) for run in re.findall("`+", "\n".join(lines))), default=0)
    mark = "`" * max(3, longest + 1)
    return "\n".join([f"{mark}text", *lines, mark])


def assembled(
    results: Sequence[Checked], pieces: Sequence[Piece], gate: Gate, most_bytes: int
) -> str:
    """Title, as many pieces as fit, one line for each of the rest and of the known findings, the
    summary of each trace.
    """
    number = {s: sum(counts(checked)[s] for checked in results) for s in SEVERITIES}
    told = ", ".join(plural(number[s], s) for s in SEVERITIES if number[s] or s != "note")
    parts = [f"### synctrace: {told}"]
    last = [*(summary_line(c, gate) for c in results), *gate_lines(results, gate)]
    end = fence([one for line in last for one in folded(line)])
    room = most_bytes - _size(parts[0]) - _size(end) - _SHORT_BYTES
    rest: list[str] = []
    for each in pieces:
        if not rest and _size(each.text) <= room:
            parts.append(each.text)
            room -= _size(each.text)
        else:
            rest.append(each.short)
    known = [f for checked in results for f in checked.findings if f.status == "known"]
    rest += [cut(f"known [{f.id}] {line(f)}", WIDTH) for f in known]
    if short := _short([one for one in rest if one]):
        parts.append(short)
    return "\n\n".join([*parts, end]) + "\n"


def _short(lines: Sequence[str]) -> str:
    """Findings in one line each, as many as have room."""
    shown: list[str] = []
    room = _SHORT_BYTES - 100
    for one in lines:
        room -= _size(one)
        if room < 0:
            shown.append(f"… and {len(lines) - len(shown):,} more")
            break
        shown.append(one)
    return f"Further findings:\n\n{fence(shown)}" if shown else ""


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace")) + 2
