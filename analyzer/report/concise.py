"""One line a finding, place first, as compilers do."""

from collections.abc import Sequence

from synctrace.analyzer.finding import Checked, Finding, Place
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report.escape import printable
from synctrace.analyzer.report.fix import where
from synctrace.analyzer.report.gates import gate_lines
from synctrace.analyzer.report.summary import summary_line


def render(results: Sequence[Checked], gate: Gate) -> str:
    """One line a finding, one summary line a trace, one for what each gate found."""
    lines = []
    for checked in map(printable, results):
        several = len(checked.profiles) > 1
        lines += [line(f, name_profile=several) for f in checked.findings]
        lines.append(summary_line(checked, gate))
    return "\n".join([*lines, *gate_lines(results, gate)]) + "\n"


def line(finding: Finding, name_profile: bool = False) -> str:
    """`place: RULE name on "buffer" [lo,hi): op A (timeline) vs op B (timeline), n x [id]`.

    `name_profile`: among findings of several, say under which profile it is one.
    """
    at = next((w for w in map(_at, reversed(finding.places)) if w), "")
    text = f"{at}: " if at else ""
    text += f"{finding.severity}: {finding.rule} {finding.name}"
    if finding.memory and finding.touches:
        memory = finding.memory
        name = f'"{memory.name}"' if memory.name else f"storage #{memory.storage}"
        sides = " vs ".join(f"op {t.op.id} ({t.timeline})" for t in reversed(finding.touches))
        text += f" on {name} [{memory.lo},{memory.hi}): {sides}"
    elif finding.sync:
        text += f": {finding.message}" + (f", {finding.why}" if finding.why else "")
    else:
        text = f"{finding.severity}: {finding.rule} {finding.message}"
    if finding.family in ("race", "life") and finding.verdict != "certain":
        text += f", {finding.verdict}"
    if name_profile and finding.profile:
        text += f", under {finding.profile}"
    known = " known" if finding.status == "known" else ""
    worse = f", was {finding.was}" if finding.was else ""
    return f"{text}{worse}, {finding.count}x [{finding.id}]{known}"


def _at(place: Place) -> str:
    """file:line, or the library and the function where there is no debug information."""
    at = where(place)
    if not at or ":" in at or not place.frames:
        return at
    return f"{at}({place.frames[0].function.split('(', 1)[0]})"
