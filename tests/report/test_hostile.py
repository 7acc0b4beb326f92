"""Names of a recorded program are anything: no format obeys them, none breaks on them."""

import json
import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report import concise, github, gitlab, junit, markdown, sarif, text
from synctrace.analyzer.report import json as as_json
from synctrace.analyzer.report.escape import printable, shown

from .findings import CLEAN, FOUND, GATE, GATED, GATES_FOUND, INCOMPLETE

NASTY = [
    "two\nlines",
    "\r\n::error file=x::owned",
    "::set-output name=x::y",
    "##[add-mask]secret",
    "a|b<script>alert(1)</script>&amp;\"'",
    "\x1b[31mred\x1b]0;title\x07\x9b2J",
    "```\n@everyone [link](javascript:x) #1\n```",
    "]]><failure/>",
    "nul\x00 del\x7f nel\x85 ls\u2028 bidi\u202e zero\u200b end\ufffe",
    "100%0A{0} [a](1) \\ , : ;",
    "../../etc/passwd",
    "not utf-8 \udc80",
]
SCHEMA = Path(__file__).parents[1] / "data/sarif/schema-2.1.0.json"
OURS = (
    "id",
    "rule",
    "name",
    "family",
    "verdict",
    "why",
    "severity",
    "level",
    "kind",
    "mode",
    "how",
    *("status", "measure", "judge", "fail_on"),
)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\u200b\ufffe\ud800-\udfff]")


def named(value: Any, name: str) -> Any:
    """The same data; whatever the recorded program or its trace could have named has this name."""
    if isinstance(value, str):
        return name
    if isinstance(value, tuple):
        return tuple(named(each, name) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            field.name: named(getattr(value, field.name), name)
            for field in fields(value)
            if field.name not in OURS
        }
        return replace(value, **changed)
    return value


@pytest.fixture(params=NASTY, ids=ascii)
def results(request: pytest.FixtureRequest) -> list[Any]:
    """A report in which everything is called so, but for the rules that were asked for."""
    made = [named(each, request.param) for each in (CLEAN, FOUND, INCOMPLETE)]
    return [replace(each, rules=CLEAN.rules, host_orders=CLEAN.host_orders) for each in made]


def test_lines_are_ours(results: list[Any]) -> None:
    """No line of a report begins, and none is ended, by what a program calls its buffers."""
    for told in (
        text.render(results, GATE),
        concise.render(results, GATE),
        markdown.render(results, GATE),
        github.render(results, GATE, "/src"),
        github.job_summary(results, GATE),
    ):
        assert not CONTROL.search(told)
        assert told.encode("utf-8")
    plain = github.render([CLEAN, FOUND, INCOMPLETE], GATE, "/src")
    assert len(github.render(results, GATE, "/src").splitlines()) == len(plain.splitlines())
    assert len(concise.render(results, GATE).splitlines()) == 3 + len(FOUND.findings) + 1


def test_the_runner_gets_no_command_but_ours(results: list[Any], gate: Gate = GATE) -> None:
    for line in github.render(results, gate, "/src").splitlines():
        assert re.match(r"::(error|warning|notice) title=|synctrace: ", line)
        assert "##[" not in line
        if line.startswith("::"):
            head = line.split("::")[1]
            kinds = [each.partition("=")[0] for each in head.split(" ", 1)[1].split(",")]
            assert kinds in (["title"], ["title", "file"], ["title", "file", "line"])


def test_markdown_has_nothing_of_theirs_outside_a_fence(
    results: list[Any], gate: Gate = GATE
) -> None:
    for told in (markdown.render(results, gate), github.job_summary(results, gate)):
        mark = ""
        for line in told.splitlines():
            if mark:
                mark = "" if line == mark else mark
            elif found := re.fullmatch(r"(`{3,})text", line):
                mark = found[1]
            else:
                ours = r"|### synctrace: [\w, ]+|\*\*\w+ [\w -]+\*\* .*|Further findings:"
                assert re.fullmatch(ours, line), line
                assert not re.search(r"[<>&|@\\]", line)
        assert not mark


def test_what_parsers_read_is_what_was_told(results: list[Any]) -> None:
    schema = json.loads(SCHEMA.read_text())
    log = json.loads(sarif.render(results, GATE, "/src").encode("utf-8"))
    jsonschema.Draft7Validator(schema).validate(log)
    for result in log["runs"][0]["results"]:
        texts = [result["message"], *(r["message"] for r in result.get("relatedLocations", ()))]
        for message in texts:
            bare = re.sub(r"\\[\\\[\]]|\{\{|\}\}", "", message["text"])
            assert not re.search(r"[\[\]{}\\]", bare), "a link or a placeholder"
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9%/._~-]+", uri.removeprefix("file://"))
    issues = json.loads(gitlab.render(results, GATE, "/src").encode("utf-8"))
    assert len(issues) == len(FOUND.findings) + 1
    suites = ElementTree.fromstring(junit.render(results, GATE).encode("utf-8"))
    assert len(list(suites.iter("failure"))) == 1
    told = json.loads(as_json.render(results, GATE).encode("utf-8"))
    assert told["traces"][1]["findings"][0]["message"] == results[1].findings[0].message


@pytest.mark.parametrize("name", NASTY, ids=ascii)
def test_gates_tell_names_as_the_rest_does(name: str) -> None:
    """Those of an earlier report are no better."""
    results = [replace(named(GATED, name), rules=CLEAN.rules, host_orders=CLEAN.host_orders)]
    gate = named(GATES_FOUND, name)
    for told in (text, concise, markdown):
        assert not CONTROL.search(told.render(results, gate))
    test_the_runner_gets_no_command_but_ours(results, gate)
    test_markdown_has_nothing_of_theirs_outside_a_fence(results, gate)
    log = json.loads(sarif.render(results, gate, "/src").encode("utf-8"))
    jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).validate(log)
    gone = log["runs"][0]["results"][-1]
    assert gone["baselineState"] == "absent"
    assert not CONTROL.search(gone["message"]["text"])
    assert ElementTree.fromstring(junit.render(results, gate).encode("utf-8")).get("skipped") == "3"
    assert json.loads(as_json.render(results, gate).encode("utf-8"))


def test_what_is_seen_stays_as_it_is() -> None:
    assert shown("größe of 日本語 <T>") == "größe of 日本語 <T>"
    assert shown("a\nb\x1b") == r"a\nb\x1b"
    assert printable(FOUND) == FOUND
    assert printable(printable("a\n")) == printable("a\n")
