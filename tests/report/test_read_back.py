"""Each format read back by what it is for: SARIF by its schema, JSON and XML by parsers."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from synctrace.analyzer.finding import Checked
from synctrace.analyzer.gate import Gate, failing
from synctrace.analyzer.report import github, gitlab, junit, sarif
from synctrace.analyzer.report import json as as_json
from synctrace.analyzer.rule import load_rule, rule_ids

from .findings import CLEAN, FAULTY, FOUND, GATE, INCOMPLETE, LATENT, NEEDLESS, RACE

SCHEMA = Path(__file__).parents[1] / "data/sarif/schema-2.1.0.json"
SOURCES = "/src"
SETS: dict[str, Sequence[Checked]] = {
    "found": [FOUND],
    "clean": [CLEAN],
    "incomplete": [INCOMPLETE],
    "faulty": [FAULTY],
    "all": [CLEAN, FOUND, INCOMPLETE],
}
each_set = pytest.mark.parametrize("results", SETS.values(), ids=SETS)


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft7Validator:
    """Of SARIF 2.1.0; formats (URIs) too, as far as jsonschema knows them here."""
    told = json.loads(SCHEMA.read_text())
    return jsonschema.Draft7Validator(told, format_checker=jsonschema.FormatChecker())


def run_of(results: Sequence[Checked]) -> dict[str, Any]:
    [run] = json.loads(sarif.render(results, GATE, SOURCES))["runs"]
    assert isinstance(run, dict)
    return run


def located(place: dict[str, Any]) -> tuple[str, int]:
    physical = place["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical.get("region", {}).get("startLine", 0)


@each_set
def test_sarif_fits_the_schema(
    results: Sequence[Checked], schema: jsonschema.Draft7Validator
) -> None:
    schema.validate(json.loads(sarif.render(results, GATE, SOURCES)))


def test_the_schema_refuses_what_is_wrong(schema: jsonschema.Draft7Validator) -> None:
    log = json.loads(sarif.render([FOUND], GATE, SOURCES))
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError, match="fatal"):
        schema.validate(log)


def test_a_result_is_at_the_later_access_and_related_to_the_first() -> None:
    result = run_of([FOUND])["results"][0]
    assert located(result["locations"][0]) == ("ggml/src/ggml-backend.cpp", 301)
    related = [(located(each), each["message"]["text"]) for each in result["relatedLocations"]]
    assert related[0][0] == ("ggml/src/ggml-backend.cpp", 1569)
    assert related[0][1].startswith("first access (read): op 419 ")
    assert related[1][1].startswith("present: op 415 ggml_backend_synchronize on Vulkan0: too ea")
    assert related[2][1].startswith("present: op 423 ggml_backend_event_synchronize(event 3): th")
    assert [len(stack["frames"]) for stack in result["stacks"]] == [5, 2]
    assert result["partialFingerprints"]["synctrace/v1"] == RACE.id
    assert result["occurrenceCount"] == 63


def test_a_result_refers_to_its_rule_which_has_its_help() -> None:
    run = run_of([FOUND])
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    told = [rule["id"] for key in ("rules", "notifications") for rule in run["tool"]["driver"][key]]
    assert sorted(told) == sorted(rule_ids())
    [help_] = [rule["help"] for rule in rules if rule["id"] == "RACE04"]
    assert "```text\n 0  alloc_pinned" in help_["markdown"]
    assert "**Fix.** " in help_["markdown"]
    assert " ".join(load_rule("RACE04").fix.split()) in help_["text"]


def test_what_the_trace_tells_of_itself_is_a_notification() -> None:
    run = run_of([INCOMPLETE])
    assert run["results"] == []
    [invocation] = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    [told] = invocation["toolExecutionNotifications"]
    index = told["descriptor"]["index"]
    assert run["tool"]["driver"]["notifications"][index]["id"] == "TRACE01"


def test_a_file_outside_the_sources_is_an_absolute_uri() -> None:
    run = json.loads(sarif.render([FOUND], GATE, "/elsewhere"))["runs"][0]
    frames = run["results"][0]["stacks"][0]["frames"]
    paths = [f["location"]["physicalLocation"]["artifactLocation"] for f in frames]
    assert paths[0] == {"uri": "file:///src/ggml/src/ggml-backend.cpp"}
    assert paths[1] == {"uri": "src/llama-graph.cpp", "uriBaseId": "%SRCROOT%"}
    # The result is where the sources are: at the innermost frame that lies among them.
    assert located(run["results"][0]["locations"][0]) == ("src/llama-graph.cpp", 28)


@each_set
def test_every_format_has_the_findings_of_json(results: Sequence[Checked]) -> None:
    told = json.loads(as_json.render(results, GATE))
    found = [f for doc in told.get("traces", [told]) for f in doc["findings"]]
    ids = sorted(f["id"] for f in found if f["family"] != "trace")
    lost = [f["id"] for f in found if f["rule"] == "TRACE01"]
    run = run_of(results)
    assert sorted(r["partialFingerprints"]["synctrace/v1"] for r in run["results"]) == ids
    issues = json.loads(gitlab.render(results, GATE, SOURCES))
    assert sorted(i["fingerprint"] for i in issues) == sorted([*ids, *lost])
    suites = ElementTree.fromstring(junit.render(results, GATE))
    names = [case.get("name", "") for case in suites.iter("testcase")]
    assert sorted(name[-9:-1] for name in names if name.endswith("]")) == ids


@pytest.mark.parametrize("fail_on", ["error", "warning", "never"])
def test_junit_fails_what_the_check_fails(fail_on: str) -> None:
    results = [FOUND, INCOMPLETE]
    suites = ElementTree.fromstring(junit.render(results, Gate(fail_on)))
    failed = [
        case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None
    ]
    wanted = [f"{f.name} [{f.id}]" for f in failing(results, Gate(fail_on))]
    assert failed == wanted
    assert suites.get("failures") == str(len(wanted))
    assert suites.get("errors") == "1", "lost data"
    passed = [case.get("classname") for case in suites[0].iter("testcase") if not len(case)]
    assert "synctrace.LIFE01" in passed
    assert "synctrace.RACE05" not in passed


def test_gitlab_has_what_gitlab_asks_for() -> None:
    issues = json.loads(gitlab.render([FOUND, INCOMPLETE], GATE, SOURCES))
    told = {"error": "critical", "warning": "minor", "note": "info"}
    of = {f.id: told[f.severity] for c in (FOUND, INCOMPLETE) for f in c.findings}
    assert {i["fingerprint"]: i["severity"] for i in issues} == of
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["location"]["lines"]["begin"] >= 1
    assert issues[0]["location"] == {"path": "ggml/src/ggml-backend.cpp", "lines": {"begin": 301}}


def test_a_finding_of_several_traces_is_told_once_with_all_counts() -> None:
    twice = [FOUND, replace(FOUND, trace="other.synctrace", findings=(LATENT, NEEDLESS))]
    counts = {r["ruleId"]: r["occurrenceCount"] for r in run_of(twice)["results"]}
    assert counts["RACE02"] == 2 * LATENT.count
    assert len(json.loads(gitlab.render(twice, GATE))) == len(FOUND.findings)
    # Two profiles judge the same calls.
    other = replace(NEEDLESS, profile="catalogue", count=250)
    [result] = run_of([replace(CLEAN, findings=(NEEDLESS, other))])["results"]
    assert result["occurrenceCount"] == NEEDLESS.count


@pytest.mark.parametrize(
    ("root", "path"),
    [("/src", "ggml/src/ggml-backend.cpp"), ("/src/ggml", "src/ggml-backend.cpp")],
)
def test_files_are_named_from_the_source_root(root: str, path: str) -> None:
    [issue] = json.loads(gitlab.render([replace(CLEAN, findings=(RACE,))], GATE, root))
    assert issue["location"]["path"] == path
    assert f",file={path},line=301::" in github.render([FOUND], GATE, root)


def many(number: int) -> Checked:
    """Warnings, and behind them more errors than GitHub shows."""
    races = [replace(RACE, id=f"{n:08x}", ops=(n, n + 1)) for n in range(number)]
    return replace(CLEAN, findings=(NEEDLESS, LATENT, *races))


def test_github_shows_the_worst_and_the_summary_has_the_rest() -> None:
    lines = github.render([many(25)], GATE, SOURCES).splitlines()
    levels = [found[1] for line in lines if (found := re.match(r"::(\w+) ", line))]
    assert levels == ["error"] * 10 + ["warning"] * 2
    rest = [line for line in lines if line.startswith("synctrace: not annotated: ")]
    assert len(rest) == 15
    assert lines[-1].startswith("synctrace: 25 errors, 2 warnings")
    summary = github.job_summary([many(25)], GATE)
    shown = set(re.findall(r"id `(\w+)`", summary))
    assert shown == {f"{n:08x}" for n in range(10, 25)}
    assert summary.startswith("### synctrace: 25 errors, 2 warnings\n")


def test_the_summary_of_a_job_has_an_end() -> None:
    summary = github.job_summary([many(2000)], GATE)
    assert 900_000 < len(summary.encode()) < 1 << 20
    assert re.search(r"\n… and [\d,]+ more\n", summary)
