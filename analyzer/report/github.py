"""GitHub's workflow commands: annotations, most severe first; the rest goes to the job summary."""

from collections.abc import Sequence

from synctrace.analyzer import words
from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report.concise import line
from synctrace.analyzer.report.escape import printable
from synctrace.analyzer.report.fix import fix_lines, where
from synctrace.analyzer.report.gates import gate_lines
from synctrace.analyzer.report.location import main_spot, root_of
from synctrace.analyzer.report.markdown import assembled, piece
from synctrace.analyzer.report.merge import Told, merged
from synctrace.analyzer.report.summary import summary_line
from synctrace.analyzer.verdict import rank

PER_STEP = 10  # annotations of each level that GitHub shows of one step
SUMMARY_BYTES = 1_000_000  # GitHub takes 1 MiB a step
_LEVEL = {"error": "error", "warning": "warning", "note": "notice"}


def render(results: Sequence[Checked], gate: Gate, root: str | None = None) -> str:
    """What goes to stdout: annotations, a line for each finding that has none, the summary.

    A known finding has no annotation: it is not of this change.
    """
    results = [printable(checked) for checked in results]
    folder = root_of(root)
    annotated, rest = _split(results)
    lines = [_annotation(told.finding, folder) for told in annotated]
    lines += [_log(f"synctrace: not annotated: {line(told.finding)}") for told in rest]
    known = [told for told in merged(results) if told.finding.status == "known"]
    lines += [_log(f"synctrace: not annotated: {line(told.finding)}") for told in known]
    lines += [_log(summary_line(checked, gate)) for checked in results]
    lines += [_log(text) for text in gate_lines(results, gate)]
    return "\n".join(lines) + "\n"


def job_summary(results: Sequence[Checked], gate: Gate) -> str:
    """Markdown for the file that GITHUB_STEP_SUMMARY names: what has no annotation, in full."""
    results = [printable(checked) for checked in results]
    pieces = [piece(told.finding, told.trace) for told in _split(results)[1]]
    return assembled(results, pieces, gate, SUMMARY_BYTES)


def _split(results: Sequence[Checked]) -> tuple[list[Told], list[Told]]:
    """New findings with an annotation and those without, worst first."""
    found = [told for told in merged(results) if told.finding.status != "known"]
    found += [Told(f, c.trace) for c in results for f in c.findings if f.rule == "TRACE01"]
    found.sort(key=lambda told: rank(told.finding))
    left = dict.fromkeys(_LEVEL, PER_STEP)
    annotated: list[Told] = []
    rest: list[Told] = []
    for told in found:
        left[told.finding.severity] -= 1
        (annotated if left[told.finding.severity] >= 0 else rest).append(told)
    return annotated, rest


def _annotation(finding: Finding, root: str) -> str:
    at = main_spot(finding, root)
    told = {"title": f"{finding.rule} {finding.name}"}
    if at:
        told["file"] = at.path
        if at.line:
            told["line"] = str(at.line)
    properties = ",".join(f"{key}={_property(value)}" for key, value in told.items())
    data = "%0A".join(_data(each) for each in _message(finding))
    return f"::{_LEVEL[finding.severity]} {properties}::{data}"


def _message(finding: Finding) -> list[str]:
    lines = [f"{finding.message} [{finding.verdict}]"]
    if finding.family == "trace":
        return lines
    for touch in finding.touches[:-1]:
        at = where(touch.op.place)
        lines.append(f"first: op {touch.op.id} {words.noun(touch.op)}{at and f' at {at}'}")
    if finding.edge:
        lines.append(f"no happens-before edge: {words.missing(finding.edge)}")
    if finding.touches:
        lines += [f"fix: {each}" if not n else each for n, each in enumerate(fix_lines(finding))]
    return [*lines, f"seen {finding.count:,} x, id {finding.id}"]


def _log(text: str) -> str:
    """A line that the runner takes for no command: `##[` would be one wherever it stands."""
    return text.replace("##[", "## [")


def _data(text: str) -> str:
    return _log(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
