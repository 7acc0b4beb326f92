"""What each rule reports and, at least twice as often, what it does not: tests/data/rules.jsonl.

`expected`: the ops of each finding of the case's rule; every other rule may say what it likes.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer import connect
from synctrace.analyzer.check import check
from synctrace.analyzer.rule import default_ids, load_rule, rule_ids
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

FILE = Path(__file__).parents[1] / "data/rules.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
# Rules whose scenarios are those of the catalogue, or that speak of the trace itself.
ELSEWHERE = {
    *("RACE01", "RACE02", "RACE03", "RACE04", "RACE05", "LIFE01", "LIFE02", "LIFE03"),
    *("SYNC01", "SYNC02", "SYNC03", "SYNC11", "TRACE01", "TRACE02"),
}


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rules")
    import_cases(FILE, out)
    return out


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_scenario(case: dict[str, Any], traces: Path) -> None:
    checked = check(open_trace(traces / case["id"]), select=[*default_ids(), case["rule"]])
    found = sorted(list(f.ops) for f in checked.findings if f.rule == case["rule"])
    assert found == sorted(case["expected"])


def test_silent_scenarios_outnumber_loud_ones() -> None:
    """With the examples of its header each rule has two silent ones for a loud one, or nearly."""
    loud = Counter(case["rule"] for case in CASES if case["expected"])
    silent = Counter(case["rule"] for case in CASES if not case["expected"])
    for rule in map(load_rule, set(rule_ids()) - ELSEWHERE):
        assert silent[rule.id] >= 2 * loud[rule.id] > 0, rule.id


@pytest.mark.parametrize(
    "name",
    ["pr20793-4-devices", "same-copy-again", "use-behind-free-same-stream", "branch-write-read"],
)
def test_streamed_and_held_agree(name: str, traces: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = check(open_trace(traces / name), select=["ALL"]).findings
    monkeypatch.setattr(connect, "IN_MEMORY_BYTES", 0)
    assert held
    assert check(open_trace(traces / name), select=["ALL"]).findings == held


def test_no_pair_has_two_findings(traces: Path) -> None:
    for case in CASES:
        if not case["rule"].startswith(("RACE", "LIFE")):
            continue
        findings = check(open_trace(traces / case["id"])).findings
        pairs = [(f.ops, f.memory) for f in findings if f.family in ("race", "life")]
        assert len(pairs) == len(set(pairs)), case["id"]
