"""What a report says of a trace without races: never more than what was looked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.query import Questions
from synctrace.analyzer.report import json as as_json
from synctrace.analyzer.report import text
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Kind, Level
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.writer import TraceWriter

from .findings import GATE

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
RACE, CLEAN, NEEDLESS = "ggml-cpu-input-overwrite", "disjoint-slices", "thrust-double-sync"


def imported(tmp_path: Path, case: str, **meta: object) -> Path:
    [path] = import_cases(CASES, tmp_path / "t", case)
    told = json.loads((path / "meta.json").read_text())
    (path / "meta.json").write_text(json.dumps(told | meta))
    return path


def verdict(checked: Checked) -> str:
    """The paragraph that says what holds of the whole trace."""
    before = text.render([checked], GATE).split("\n\n  checked ")[0]
    return " ".join(before.split("\n\n")[-1].split())


@pytest.mark.parametrize(
    ("case", "asked", "told"),
    [
        (CLEAN, {}, "clean: every two conflicting accesses have a happens-before edge, no sync"),
        (CLEAN, {"ignore": ["TRACE"]}, "clean: every two"),
        (CLEAN, {"ignore": ["SYNC"]}, "no race: every two conflicting accesses have a happens-"),
        (NEEDLESS, {"ignore": ["SYNC"]}, "no race: every two"),
        (RACE, {"select": ["LIFE"]}, "no race was found by the rules asked for (LIFE01, LIFE02, L"),
        (RACE, {"ignore": ["RACE04"]}, "no race was found by the rules asked for (LIFE01, LIFE02"),
        (NEEDLESS, {"select": ["SYNC01"]}, "no race was found by the rules asked for (SYNC01); 1 "),
        (NEEDLESS, {"select": ["SYNC"]}, "no race was found by the rules asked for (SYNC01, SYNC"),
        (CLEAN, {"select": ["ALL"]}, "clean: every two conflicting accesses have a happens-before"),
        (RACE, {"select": ["RACE"], "ignore": ["RACE"]}, "no race was found by the rules asked fo"),
    ],
)
def test_a_verdict_is_of_what_was_asked_for(
    case: str, asked: dict[str, Any], told: str, tmp_path: Path
) -> None:
    checked = check(open_trace(imported(tmp_path, case)), **asked)
    assert verdict(checked).startswith(told)
    if "ignore" in asked and "SYNC" in asked["ignore"]:
        assert verdict(checked).endswith("needless syncs were not asked for")
    rules = json.loads(as_json.render([checked], GATE))["summary"]["rules"]
    assert ("RACE04" in rules) == ("RACE04" in checked.rules)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "not clean: data was lost; no race was found in what is left"),
        ({"select": ["SYNC", "TRACE"]}, "not clean: data was lost; no race was found by the rules"),
    ],
)
def test_after_a_loss_only_races_are_spoken_of(
    asked: dict[str, Any], told: str, tmp_path: Path
) -> None:
    path = imported(tmp_path, NEEDLESS, complete=False, lost=["3 records dropped"])
    assert verdict(check(open_trace(path), **asked)).startswith(told)


@pytest.mark.parametrize(("name", "fit"), [("ggml-contract", "catalogue")])
def test_a_profile_of_other_levels_judges_nothing(name: str, fit: str, tmp_path: Path) -> None:
    trace = open_trace(imported(tmp_path, RACE))
    told = (
        rf"^0 of the 11 ops of .* profile {name} judges \(app, ggml; these are api\): .* {fit} or "
    )
    with pytest.raises(SynctraceError, match=told):
        check(trace, [name])
    with pytest.raises(SynctraceError, match="0 of the 11 ops"):
        check(trace, ["catalogue", name])
    with pytest.raises(SynctraceError, match="0 of the 11 ops"):
        Questions(trace, [name]).ask("FROM conflict")
    assert check(trace, [fit]).findings


def test_a_trace_without_ops_is_no_matter_of_levels(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "t", {"profile": "ggml-contract"}) as writer:
        writer.append("call", {"id": [1], "name": ["f"]})
    assert check(open_trace(tmp_path / "t")).census.ops == 0


def test_host_order_is_told_as_it_ran(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "t", {}) as writer:
        writer.append("actor", {"id": [1], "name": ["T0"]})
        ticks = {"ticket_c": [0], "ticket_r": [1], "t_c": [0], "t_r": [1]}
        op = {"id": [0], "kind": [int(Kind.HOST_READ)], "level": [int(Level.APP)], "thread": [1]}
        writer.append("op", op | ticks)
    both = ["ggml-contract", "catalogue"]
    checked = check(open_trace(tmp_path / "t"), both)
    assert "by ggml-contract, host order observed; catalogue, host order strict" in text.render(
        [checked], GATE
    )
    told = json.loads(as_json.render([checked], GATE))["summary"]["host_order"]
    assert told == {"ggml-contract": "observed", "catalogue": "strict"}
    asked = check(open_trace(tmp_path / "t"), both, host_order="strict")
    assert asked.host_orders == ("strict", "strict")


@pytest.mark.parametrize(("told", "dropped"), [(0, 7), (9, 9)])
def test_dropped_records_are_those_of_the_gaps_where_nobody_closed_the_trace(
    told: int, dropped: int, tmp_path: Path
) -> None:
    gaps = {"first": [0, 4], "ticket": [2, 6], "thread": [1, 1], "dropped": [3, 4]}
    with TraceWriter(tmp_path / "t", {"profile": "ggml-contract"}) as writer:
        writer.append("gap", gaps)
    meta = json.loads((tmp_path / "t/meta.json").read_text())
    (tmp_path / "t/meta.json").write_text(
        json.dumps(meta | {"complete": False, "dropped": told, "lost": []})
    )
    checked = check(open_trace(tmp_path / "t"))
    assert checked.dropped == dropped
    assert f" {dropped} dropped, incomplete" in text.render([checked], GATE)
