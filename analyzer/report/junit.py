"""JUnit XML: a finding that fails the check is a failure, a rule that found nothing passes."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.gate import Gate, at_level, failing, is_covered, unanswered
from synctrace.analyzer.report.escape import printable
from synctrace.analyzer.report.gates import gate_lines
from synctrace.analyzer.report.summary import summary_line
from synctrace.analyzer.report.text import finding_lines
from synctrace.analyzer.rule import load_rule


def render(results: Sequence[Checked], gate: Gate) -> str:
    """One suite a trace, and one for the gates that need one."""
    top = Element("testsuites", name="synctrace")
    bad = {finding.id for finding in failing(results, gate)}
    for checked in results:
        fails = {f.id for f in at_level(checked, gate)} & bad
        top.append(_suite(printable(checked), gate, fails))
    if told := gate_lines(results, gate):
        top.append(_gates(results, told))
    for name in ("tests", "failures", "errors", "skipped"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in top)))
    indent(top, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(top, encoding="unicode")}\n'


def _suite(checked: Checked, gate: Gate, fails: set[str]) -> Element:
    """`fails`: ids of its findings that make the check fail."""
    findings = [f for f in checked.findings if f.family != "trace"]
    told = [*checked.findings, *(each.finding for each in checked.suppressed)]
    clean = [id_ for id_ in checked.rules if id_ not in {f.rule for f in told}]
    suite = Element("testsuite", name=checked.trace)
    bad = [f for f in at_level(checked, gate) if f.id in fails]
    for finding in findings:
        skipped = "known: it is in the baseline" if finding.status == "known" else ""
        _finding(suite, finding, checked.trace, finding in bad, skipped)
    for each in checked.suppressed:
        _finding(suite, each.finding, checked.trace, False, f"suppressed: {each.reason}")
    for rule in (load_rule(id_) for id_ in clean if load_rule(id_).family != "trace"):
        SubElement(suite, "testcase", classname=f"synctrace.{rule.id}", name=rule.name)
    _whole(suite, checked)
    if not is_covered(checked, gate):
        case = SubElement(suite, "testcase", classname="synctrace.trace", name="enough is known")
        SubElement(case, "error", type="coverage", message="less is known than --min-coverage asks")
    _count(suite)
    suite.set("time", f"{checked.seconds:.3f}")
    SubElement(suite, "system-out").text = summary_line(checked, gate)
    return suite


def _gates(results: Sequence[Checked], told: Sequence[str]) -> Element:
    """What gates found in all traces; a limit for which no trace can answer is an error."""
    suite = Element("testsuite", name="gates")
    for measure in unanswered(results):
        case = SubElement(suite, "testcase", classname="synctrace.budget", name=measure)
        SubElement(case, "error", type="budget", message="no trace can answer")
    _count(suite)
    SubElement(suite, "system-out").text = "\n".join(told)
    return suite


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite.findall("testcase"))))
    for name, part in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{part}"))))


def _finding(suite: Element, finding: Finding, trace: str, fails: bool, skipped: str) -> None:
    name = f"{finding.name} [{finding.id}]"
    case = SubElement(suite, "testcase", classname=f"synctrace.{finding.rule}", name=name)
    report = "\n".join(finding_lines(finding, trace))
    if fails:
        kind = f"{finding.rule} {finding.verdict}"
        SubElement(case, "failure", type=kind, message=finding.message).text = report
        return
    if skipped:
        SubElement(case, "skipped", message=skipped)
    SubElement(case, "system-out").text = report


def _whole(suite: Element, checked: Checked) -> None:
    """A trace that lost data is never called clean: it is an error, not a failure."""
    case = SubElement(suite, "testcase", classname="synctrace.trace", name="nothing was lost")
    if not checked.complete:
        told = "; ".join(checked.lost) or "the trace is cut off"
        SubElement(case, "error", type="lost data", message=told)
