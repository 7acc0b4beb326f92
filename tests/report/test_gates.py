"""Which findings fail a check: by baseline, suppressions, limits."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from synctrace.analyzer.baseline import Known, compare, read_baseline
from synctrace.analyzer.finding import Checked, Finding, Place, Share
from synctrace.analyzer.gate import Gate, exit_code, failing
from synctrace.analyzer.report import concise, github, gitlab, junit, markdown, sarif, text
from synctrace.analyzer.report import json as as_json
from synctrace.analyzer.report.gates import counts, gate_lines
from synctrace.analyzer.suppression import Suppression, is_at, means, suppress
from synctrace.tracer.errors import SynctraceError

from .findings import (
    CLEAN,
    COMPUTE,
    FOUND,
    GATE,
    GATED,
    GATES_FOUND,
    GUESS,
    INCOMPLETE,
    LATENT,
    LOST,
    MEASURED,
    NEEDLESS,
    OVER_BUDGET,
    RACE,
    SET_INPUT,
    SUPPRESSED,
)

TODAY = date(2026, 6, 1)


def holding(*findings: Finding) -> Checked:
    return replace(CLEAN, findings=findings)


def known(finding: Finding, **changed: str) -> Known:
    names = ("id", "rule", "family", "severity", "verdict", "profile", "message")
    return Known(**{name: changed.get(name, getattr(finding, name)) for name in names})


def statuses(found: Sequence[Finding], before: Sequence[Known]) -> dict[str, str]:
    [told], _ = compare([holding(*found)], before, "base.json")
    return {f.id: f.status for f in told.findings}


def written(tmp_path: Path, results: Sequence[Checked]) -> Path:
    path = tmp_path / "base.json"
    path.write_text(as_json.render(results, GATE), encoding="utf-8")
    return path


# Baseline


@pytest.mark.parametrize("results", [[FOUND], [CLEAN, FOUND], [FOUND, FOUND], [INCOMPLETE, FOUND]])
def test_a_report_knows_all_of_itself(results: list[Checked], tmp_path: Path) -> None:
    told, compared = compare(results, read_baseline(written(tmp_path, results)), "base.json")
    judged = [f for c in told for f in c.findings if f.rule != "TRACE01"]
    assert {f.status for f in judged} == {"known"}
    assert compared.gone == ()
    assert failing(told, Gate("note")) == []


def test_an_id_that_is_not_there_is_new() -> None:
    assert statuses([RACE, LATENT], [known(LATENT)]) == {RACE.id: "new", LATENT.id: "known"}


@pytest.mark.parametrize(
    ("before", "now", "status"),
    [
        (("error", "certain"), RACE, "known"),
        (("error", "certain"), replace(RACE, severity="warning", verdict="latent"), "known"),
        (("warning", "latent"), LATENT, "known"),
        (("warning", "latent"), GUESS, "known"),
        (("warning", "provable"), NEEDLESS, "known"),
        (("warning", "latent"), RACE, "new"),
        (("warning", "range-guess"), LATENT, "new"),
        (("note", "provable"), NEEDLESS, "new"),
    ],
)
def test_what_is_worse_than_it_was_is_new(
    before: tuple[str, str], now: Finding, status: str
) -> None:
    severity, verdict = before
    old = known(now, severity=severity, verdict=verdict)
    [told], _ = compare([holding(now)], [old], "base.json")
    [finding] = told.findings
    assert finding.status == status
    assert finding.was == (f"{severity}, {verdict}" if status == "new" else "")


@pytest.mark.parametrize("changed", ["profile", "message", "rule"])
def test_the_id_alone_tells_findings_apart(changed: str) -> None:
    assert statuses([RACE], [known(RACE, **{changed: "other"})]) == {RACE.id: "known"}


def test_of_one_id_in_the_baseline_the_worst_counts() -> None:
    weaker = known(RACE, severity="warning", verdict="latent")
    for before in ([known(RACE), weaker], [weaker, known(RACE)]):
        assert statuses([RACE], before) == {RACE.id: "known"}


def test_lost_data_and_budgets_are_never_known() -> None:
    assert statuses([LOST], [known(LOST)]) == {LOST.id: ""}
    assert statuses([OVER_BUDGET], [known(OVER_BUDGET)]) == {OVER_BUDGET.id: "new"}


@pytest.mark.parametrize(
    ("now", "gone"),
    [
        (CLEAN, True),
        (holding(GUESS), True),
        (holding(RACE), False),
        (replace(CLEAN, rules=("SYNC01",)), False),  # nobody looked for it
        (replace(CLEAN, profiles=("hip-7",)), False),  # not under that profile
        (SUPPRESSED, False),  # it was found
    ],
)
def test_what_was_looked_for_and_not_found_is_gone(now: Checked, gone: bool) -> None:
    _, compared = compare([now], [known(RACE)], "base.json")
    assert [k.id for k in compared.gone] == ([RACE.id] if gone else [])


def test_in_one_of_several_traces_is_not_gone() -> None:
    _, compared = compare([CLEAN, FOUND], [known(RACE)], "base.json")
    assert compared.gone == ()


def test_new_findings_come_first() -> None:
    [told], _ = compare([FOUND], [known(RACE)], "base.json")
    assert told.findings[-1].id == RACE.id
    assert [f.id for f in told.findings[:-1]] == [f.id for f in FOUND.findings[1:]]


DOCUMENT = json.loads(as_json.render([FOUND], GATE))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is no report of `check -F json`"),
        ("{}", "is no report of `check -F json`"),
        ('{"version": "2.1.0", "runs": []}', "is no report of `check -F json`"),
        (json.dumps(DOCUMENT | {"schema": 2}), "is of schema 2, this synctrace reads 1"),
        (json.dumps(DOCUMENT | {"schema": True}), "is of schema True"),
        ('{"findings": []}', "is of schema None"),
        (json.dumps(DOCUMENT | {"findings": 7}), "has a finding without its id"),
        (json.dumps(DOCUMENT | {"findings": [{"id": "00000000"}]}), "has a finding without its id"),
        (json.dumps({"schema": 1, "traces": [1]}), "has a finding without its id"),
        (
            json.dumps(DOCUMENT | {"findings": [DOCUMENT["findings"][0] | {"verdict": "maybe"}]}),
            "has a finding without its id, rule, severity or verdict",
        ),
    ],
    ids=range(13),
)
def test_what_is_no_report_is_refused(content: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "base.json").write_text(content)
    with pytest.raises(SynctraceError, match=r"^baseline .*base\.json .*: make one with") as error:
        read_baseline(tmp_path / "base.json")
    assert told in str(error.value)


@pytest.mark.parametrize("name", ["nowhere.json", "."])
def test_what_cannot_be_read_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SynctraceError, match=r"^cannot read baseline .*: make one with"):
        read_baseline(tmp_path / name)


# Suppressions


def suppression(**given: Any) -> Suppression:
    return Suppression(**{"reason": "issue 7", **given})


@pytest.mark.parametrize(
    ("given", "finding", "meant"),
    [
        ({"id": RACE.id}, RACE, True),
        ({"rule": "RACE05", "site": "ggml_backend_tensor_set"}, RACE, True),
        ({"rule": "RACE", "site": "ggml/src/*.cpp"}, RACE, True),
        ({"rule": "RACE", "buffer": "inp_*"}, RACE, True),
        ({"rule": "SYNC01", "site": "llama_context::graph_compute"}, NEEDLESS, True),
        ({"id": GUESS.id}, RACE, False),
        ({"rule": "RACE01", "site": "*"}, RACE, False),
        ({"rule": "SYNC", "site": "*"}, RACE, False),
        ({"rule": "RACE05", "site": "tensor_set"}, RACE, False),
        ({"rule": "RACE05", "site": "ggml_backend_tensor_set*", "buffer": "pos"}, RACE, False),
        ({"rule": "RACE05", "site": "elsewhere", "buffer": "inp_*"}, RACE, False),
        ({"rule": "RACE05", "buffer": "INP_EMBD"}, RACE, False),
        ({"rule": "SYNC01", "buffer": "*"}, NEEDLESS, False),  # has no buffer
        ({"id": LOST.id}, LOST, False),
        ({"rule": "", "site": "*"}, LOST, False),
    ],
)
def test_what_a_suppression_means(given: dict[str, str], finding: Finding, meant: bool) -> None:
    assert means(suppression(**given), finding) == meant


@pytest.mark.parametrize(
    ("place", "glob", "there"),
    [
        (SET_INPUT, "llama_context::decode", True),
        (SET_INPUT, "llama_context::decode(*", True),
        (SET_INPUT, "llama-graph.cpp", True),
        (SET_INPUT, "src/llama-graph.cpp", True),
        (replace(COMPUTE, key="3fa2c81b.2"), "3fa2c81b", True),
        (replace(COMPUTE, key="3fa2c81b.2"), "3fa2c81b.2", True),
        (Place("T0 stream_sync S1", 0, ()), "T0 stream_sync *", True),
        (SET_INPUT, "decode", False),
        (SET_INPUT, "graph.cpp", False),
        (SET_INPUT, "other/llama-graph.cpp", False),
        (replace(COMPUTE, key="3fa2c81b.2"), "3fa2c81b.1", False),
        (replace(COMPUTE, key="3fa2c81b.2"), "3fa2", False),
        (Place("", 0, ()), "x*", False),
    ],
)
def test_what_a_glob_of_a_site_means(place: Place, glob: str, there: bool) -> None:
    assert is_at(place, glob) == there


def test_what_is_suppressed_is_no_finding_and_counted() -> None:
    wanted = [suppression(id=RACE.id), suppression(rule="RACE", site="*", reason="all")]
    [told], [one, every] = suppress([FOUND], wanted, TODAY)
    assert [s.reason for s in told.suppressed] == ["issue 7", "all", "all"]
    assert {f.family for f in told.findings} == {"sync"}
    assert (one.findings, one.instances) == (1, 63)
    assert (every.findings, every.instances) == (3, 63 + 63 + 1), "a hit of each that means it"
    assert exit_code([told], GATE) == 0


@pytest.mark.parametrize(
    ("until", "counts"), [(None, True), (TODAY, True), (date(2030, 1, 1), True),
                          (date(2026, 5, 31), False)],
)  # fmt: skip
def test_a_suppression_expires(until: date | None, counts: bool) -> None:
    [told], [hits] = suppress([FOUND], [suppression(id=RACE.id, until=until)], TODAY)
    assert (exit_code([told], GATE) == 0) == counts
    assert hits.expired != counts
    assert hits.findings == 1
    said = gate_lines([told], Gate(suppressions=(hits,)))[0]
    assert ("expired on 2026-05-31, it would still hit 1 finding" in said) != counts


def test_a_suppression_without_a_hit_is_told() -> None:
    wanted = [suppression(id="00000000"), suppression(rule="COPY", site="*")]
    [told], hits = suppress([FOUND], wanted, TODAY)
    assert told.findings == FOUND.findings
    unused, untried = gate_lines([told], Gate(suppressions=hits))
    assert "unused suppression of id 00000000, remove it" in unused
    assert "suppression of COPY at * not tried, its rules did not run: issue 7" in untried


def test_nothing_is_called_clean_that_is_suppressed() -> None:
    told = text.render([SUPPRESSED], GATE)
    assert told.startswith("no race but 1 suppressed one\n")
    [syncs], _ = suppress([holding(NEEDLESS)], [suppression(id=NEEDLESS.id)], TODAY)
    assert "findings of syncs suppressed" in text.render([syncs], GATE).split("\n\n")[0]
    assert "clean" not in text.render([syncs], GATE)


# Limits


@pytest.mark.parametrize(
    ("results", "gate", "code"),
    [
        ([FOUND], Gate(max_findings=1), 0),
        ([FOUND, FOUND], Gate(max_findings=1), 0),  # the same id
        ([FOUND], Gate("warning", max_findings=5), 0),
        ([FOUND], Gate("never"), 0),
        ([holding(replace(RACE, status="known"))], Gate("note"), 0),
        ([FOUND], Gate("warning", max_findings=4), 1),
        ([FOUND], Gate(max_findings=0), 1),
        ([replace(CLEAN, share=Share(9, 10))], Gate(min_coverage=90), 0),
        ([replace(CLEAN, share=Share(9, 10))], Gate(), 0),
        ([replace(CLEAN, share=Share(899, 1000))], Gate(min_coverage=90), 3),
        ([replace(CLEAN, share=Share(0, 0))], Gate(min_coverage=1), 3),
        ([replace(CLEAN, share=Share(1, 1)), replace(CLEAN, share=Share(0, 1))],
         Gate(min_coverage=50), 3),
        ([replace(FOUND, share=Share(1, 2))], Gate(min_coverage=90), 1),
        ([replace(CLEAN, budgets=(replace(MEASURED, over=False),))], GATE, 0),
        ([replace(CLEAN, budgets=(replace(MEASURED, over=False),)), SUPPRESSED], GATE, 0),
        ([SUPPRESSED], GATE, 3),  # no trace can answer
        ([replace(INCOMPLETE, suppressed=SUPPRESSED.suppressed)], GATE, 3),
    ],
)  # fmt: skip
def test_exit_codes_of_gates(results: list[Checked], gate: Gate, code: int) -> None:
    assert exit_code(results, gate) == code


def test_allowed_findings_fail_no_test_of_junit() -> None:
    for most, failures in ((0, "1"), (1, "0")):
        suites = ElementTree.fromstring(junit.render([FOUND], Gate(max_findings=most)))
        assert suites.get("failures") == failures


# Formats


def test_without_gates_nothing_is_told_of_them() -> None:
    assert gate_lines([FOUND, CLEAN], GATE) == []


def test_every_gate_is_told() -> None:
    told = "\n".join(gate_lines([GATED, SUPPRESSED], GATES_FOUND))
    for part in (
        "baseline ci/base.json: 2 new, 2 known, 1 gone",
        "gone: RACE01 f [1] reads x [0ld0ld00]",
        "-F json --fail-on never -o ci/base.json -f",
        "suppressed 2 findings (64 instances) by RACE at set_* on inp_*: issue 18313",
        "2 findings at warning or above, 1 allowed",
        "89.9 % of 10,000 accesses known, less than the 90 % asked for, in run.synctrace",
        "100 % of 12,480 accesses known, at least the 90 % asked for, in other.synctrace",
        "6 allowed, median 7, worst 9 (decode #3) of 63 decode: OVER, in run.synctrace",
        "6 allowed, no iterations; all of it has 2,016 host waits, in other.synctrace",
        "budget of launches not judged",
        "unused allowance at llama_synchronize",
        "settings of synctrace.toml",
    ):
        assert part in told, part


def test_a_known_finding_is_one_line_of_text_after_the_new_ones() -> None:
    told = text.render([GATED], GATES_FOUND)
    head, tail = told.split("known, in the baseline:\n")
    assert LATENT.id not in head and NEEDLESS.id not in head
    lines = tail.split("\n\n")[0].splitlines()
    assert [line.endswith(f"[{f.id}] known") for line, f in zip(
        lines, (LATENT, NEEDLESS), strict=True)] == [True, True]  # fmt: skip
    assert "[error; was warning, latent]" in head


def test_a_known_finding_is_not_annotated() -> None:
    told = github.render([GATED], GATES_FOUND, "/src").splitlines()
    annotated = [line for line in told if line.startswith("::")]
    assert [line.split("id ")[-1] for line in annotated] == [RACE.id, OVER_BUDGET.id]
    assert sum(line.startswith("synctrace: not annotated: ") for line in told) == 2


def test_sarif_has_states_and_suppressions_and_fits_the_schema() -> None:
    schema = json.loads((Path(__file__).parents[1] / "data/sarif/schema-2.1.0.json").read_text())
    log = json.loads(sarif.render([GATED, SUPPRESSED], GATES_FOUND, "/src"))
    jsonschema.Draft7Validator(schema).validate(log)
    results = log["runs"][0]["results"]
    states = {r["partialFingerprints"]["synctrace/v1"]: r.get("baselineState") for r in results}
    assert states[RACE.id] is None, "the suppressed one of the other trace comes last"
    assert [states[i] for i in (OVER_BUDGET.id, LATENT.id, "0ld0ld00")] == [
        *("new", "unchanged", "absent")
    ]
    assert [r["baselineState"] for r in results if r.get("baselineState") == "updated"]
    hidden = [r for r in results if "suppressions" in r]
    assert [r["suppressions"][0]["justification"] for r in hidden] == ["issue 18313"] * 2
    assert "baselineState" not in sarif.render([FOUND], GATE)
    assert "suppressions" not in sarif.render([FOUND], GATE)


def test_gitlab_leaves_out_what_is_suppressed_and_informs_of_what_is_known() -> None:
    issues = json.loads(gitlab.render([GATED], GATES_FOUND, "/src"))
    told = {issue["fingerprint"]: issue["severity"] for issue in issues}
    assert GUESS.id not in told
    assert (told[LATENT.id], told[RACE.id]) == ("info", "critical")


def test_junit_skips_what_is_known_or_suppressed() -> None:
    suites = ElementTree.fromstring(junit.render([GATED], GATES_FOUND))
    skipped = [c for c in suites.iter("testcase") if c.find("skipped") is not None]
    assert [str(c.get("name"))[-9:-1] for c in skipped] == [LATENT.id, NEEDLESS.id, GUESS.id]
    assert (suites.get("failures"), suites.get("skipped")) == ("2", "3")


def test_markdown_tells_known_findings_in_one_line() -> None:
    told = markdown.render([GATED], GATES_FOUND)
    assert f"**{LATENT.rule} {LATENT.name}**" not in told
    assert [line.split()[1] for line in told.splitlines() if line.startswith("known [")] == [
        *(f"[{LATENT.id}]", f"[{NEEDLESS.id}]")
    ]


def test_json_and_concise_have_the_status() -> None:
    told = json.loads(as_json.render([GATED], GATES_FOUND))
    assert [f["status"] for f in told["findings"]] == ["new", "new", "known", "known"]
    assert told["summary"]["baseline"]["new"] == 2
    assert [g["id"] for g in told["summary"]["baseline"]["gone"]] == ["0ld0ld00"]
    lines = concise.render([GATED], GATES_FOUND).splitlines()
    assert [line.endswith(" known") for line in lines[:4]] == [False, False, True, True]
    assert counts([GATED, GATED]) == {"new": 2, "known": 2}
