"""JUnit XML: a finding that fails the check is a failure, a rule that found nothing passes."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.report.escape import printable
from synctrace.analyzer.report.summary import summary_line
from synctrace.analyzer.report.text import finding_lines
from synctrace.analyzer.rule import load_rule
from synctrace.analyzer.verdict import failing


def render(results: Sequence[Checked], fail_on: str) -> str:
    """One suite a trace."""
    top = Element("testsuites", name="synctrace")
    for checked in results:
        top.append(_suite(printable(checked), fail_on))
    for name in ("tests", "failures", "errors"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in top)))
    indent(top, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(top, encoding="unicode")}\n'


def _suite(checked: Checked, fail_on: str) -> Element:
    bad = failing(checked, fail_on)
    findings = [f for f in checked.findings if f.family != "trace"]
    clean = [id_ for id_ in checked.rules if id_ not in {f.rule for f in checked.findings}]
    suite = Element("testsuite", name=checked.trace)
    for finding in findings:
        _finding(suite, finding, checked.trace, finding in bad)
    for rule in (load_rule(id_) for id_ in clean if load_rule(id_).family != "trace"):
        SubElement(suite, "testcase", classname=f"synctrace.{rule.id}", name=rule.name)
    _whole(suite, checked)
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("time", f"{checked.seconds:.3f}")
    SubElement(suite, "system-out").text = summary_line(checked, fail_on)
    return suite


def _finding(suite: Element, finding: Finding, trace: str, fails: bool) -> None:
    name = f"{finding.name} [{finding.id}]"
    case = SubElement(suite, "testcase", classname=f"synctrace.{finding.rule}", name=name)
    report = "\n".join(finding_lines(finding, trace))
    if fails:
        kind = f"{finding.rule} {finding.verdict}"
        SubElement(case, "failure", type=kind, message=finding.message).text = report
    else:
        SubElement(case, "system-out").text = report


def _whole(suite: Element, checked: Checked) -> None:
    """A trace that lost data is never called clean: it is an error, not a failure."""
    case = SubElement(suite, "testcase", classname="synctrace.trace", name="nothing was lost")
    if not checked.complete:
        told = "; ".join(checked.lost) or "the trace is cut off"
        SubElement(case, "error", type="lost data", message=told)
