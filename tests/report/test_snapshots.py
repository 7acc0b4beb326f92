"""Whole outputs. `SYNCTRACE_UPDATE=1 pytest tests/report` writes them anew: read the difference."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.report import concise, github, gitlab, junit, markdown, sarif, text
from synctrace.analyzer.report import json as as_json
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

from .findings import CLEAN, FAULTY, FOUND, GATE, GATED, GATES_FOUND, INCOMPLETE, SUPPRESSED

SNAPSHOTS = Path(__file__).parent / "snapshots"
SOURCES = "/src"
SCENARIOS = Path(__file__).parents[2] / "examples/scenarios"
DATA = Path(__file__).parents[1] / "data"


def same(name: str, got: str) -> None:
    """Compare with the snapshot; writes it only when asked to."""
    file = SNAPSHOTS / name
    if os.environ.get("SYNCTRACE_UPDATE"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(got, encoding="utf-8")
    assert got == file.read_text(encoding="utf-8")


def checked(tmp_path: Path, file: Path, case: str, select: Sequence[str] = ()) -> Checked:
    """A scenario, checked; what differs from run to run is made equal."""
    [path] = import_cases(file, tmp_path / "t", case)
    result = check(open_trace(path), select=select, shape=True)
    return replace(result, trace=f"{case}.synctrace", seconds=0.25)


SETS: dict[str, Sequence[Checked]] = {
    "found": [FOUND],
    "clean": [CLEAN],
    "incomplete": [INCOMPLETE],
    "faulty": [FAULTY],
    "several": [CLEAN, FOUND],
    "gated": [GATED, SUPPRESSED],
}
GATES = {"gated": GATES_FOUND}


@pytest.mark.parametrize("name", SETS)
def test_text(name: str) -> None:
    same(f"{name}.txt", text.render(SETS[name], GATES.get(name, GATE)))


@pytest.mark.parametrize("name", SETS)
def test_concise(name: str) -> None:
    same(f"{name}.concise.txt", concise.render(SETS[name], GATES.get(name, GATE)))


@pytest.mark.parametrize("name", SETS)
def test_json(name: str) -> None:
    got = as_json.render(SETS[name], GATES.get(name, GATE))
    assert json.loads(got)["schema"] == 1
    same(f"{name}.json", got)


@pytest.mark.parametrize("name", SETS)
def test_github(name: str) -> None:
    same(f"{name}.github.txt", github.render(SETS[name], GATES.get(name, GATE), SOURCES))
    same(f"{name}.summary.md", github.job_summary(SETS[name], GATES.get(name, GATE)))


@pytest.mark.parametrize("name", SETS)
def test_gitlab(name: str) -> None:
    same(f"{name}.gitlab.json", gitlab.render(SETS[name], GATES.get(name, GATE), SOURCES))


@pytest.mark.parametrize("name", SETS)
def test_junit(name: str) -> None:
    same(f"{name}.junit.xml", junit.render(SETS[name], GATES.get(name, GATE)))


@pytest.mark.parametrize("name", SETS)
def test_markdown(name: str) -> None:
    same(f"{name}.md", markdown.render(SETS[name], GATES.get(name, GATE)))


@pytest.mark.parametrize("name", SETS)
def test_sarif(name: str) -> None:
    """Without the rules, which are told once, by `rules.sarif`, and the version."""
    log = json.loads(sarif.render(SETS[name], GATES.get(name, GATE), SOURCES))
    driver = log["runs"][0]["tool"]["driver"]
    rules = {key: driver.pop(key) for key in ("rules", "notifications")}
    assert driver.pop("version")
    same(f"{name}.sarif", json.dumps(log, indent=1) + "\n")
    same("rules.sarif", json.dumps(rules, indent=1) + "\n")


@pytest.mark.parametrize(
    ("file", "case"),
    [
        (SCENARIOS / "pending-copy-race.jsonl", "pending-copy-race"),
        (SCENARIOS / "pending-copy-fix.jsonl", "pending-copy-fix"),
        (SCENARIOS / "graph-input-race.jsonl", "graph-input-race"),
        (SCENARIOS / "graph-input-fix.jsonl", "graph-input-fix"),
        (DATA / "cases.jsonl", "ggml-sassassasg"),
        (DATA / "cases.jsonl", "ort-captured-staging"),
        (DATA / "cases.jsonl", "lead-vllm-39568"),
        (DATA / "cases.jsonl", "threaded-pg"),
    ],
)
def test_scenarios(file: Path, case: str, tmp_path: Path) -> None:
    same(f"{case}.txt", text.render([checked(tmp_path, file, case)], GATE))


@pytest.mark.parametrize(
    ("case", "select"),
    [
        ("branch-write-read", []),
        ("use-behind-free-same-stream", []),
        ("use-behind-free-other-stream", ["LIFE"]),
        ("unregister-pending-read", []),
        ("pr20793-4-devices", ["SYNC08"]),
        ("same-copy-again", ["COPY"]),
    ],
)
def test_families(case: str, select: list[str], tmp_path: Path) -> None:
    found = checked(tmp_path, DATA / "rules.jsonl", case, select)
    same(f"{case}.txt", text.render([found], GATE))
