"""Budgets of real recordings: what an iteration spends, and what cannot be answered."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from synctrace.analyzer import connect
from synctrace.analyzer.budget import MEASURES, Allowance, Budget
from synctrace.analyzer.check import check
from synctrace.analyzer.coverage import known_share
from synctrace.analyzer.finding import Checked, Measured
from synctrace.analyzer.gate import Gate, exit_code
from synctrace.analyzer.query import Questions
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

GATE = Gate()
DATA = Path(__file__).parents[1] / "data"
# llama.cpp with pipeline copies on an H200: 7 host waits in each of 12 scheduler runs.
REAL = DATA / "h200/h200-llama-0.3.32-copies.synctrace"
ABOVE = dict.fromkeys(MEASURES, 1e9)


@cache
def judged(budget_items: tuple[tuple[str, float], ...], **given: str) -> Checked:
    budget = Budget(dict(budget_items), **given)  # type: ignore[arg-type]
    return check(open_trace(REAL), select=["SYNC11"], budget=budget)


def over(**limits: float) -> dict[str, Measured]:
    return {m.measure: m for m in judged(tuple(limits.items())).budgets}


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("budget") / "t"
    [path] = import_cases(DATA / "cases.jsonl", out, "thrust-double-sync")
    return path


def test_figures_are_those_of_the_iterations() -> None:
    sql = "SELECT median(syncs), max(syncs), median(blocked_ns) / 1e3, count(*) FROM iteration"
    [(median, worst, blocked, iterations)] = Questions(open_trace(REAL)).ask(sql).rows
    told = over(**ABOVE)
    assert set(told) == set(MEASURES)
    syncs = told["syncs_per_iteration"]
    assert (
        (syncs.median, syncs.worst, syncs.iterations) == (median, worst, iterations) == (7, 7, 12)
    )
    assert told["host_blocked_us"].median == pytest.approx(blocked)
    assert (told["h2d_copies"].median, told["h2d_copies"].worst) == (5, 6)
    assert (told["d2h_copies"].worst, told["launches"].median) == (0, 2)
    assert not any(m.over or m.why for m in told.values())
    assert exit_code([judged(tuple(ABOVE.items()))], GATE) == 0


@pytest.mark.parametrize(
    ("judge", "limits", "loud"),
    [
        ("median", {"syncs_per_iteration": 7, "h2d_copies": 5, "d2h_copies": 0}, []),
        ("worst", {"syncs_per_iteration": 7, "h2d_copies": 6, "d2h_copies": 0}, []),
        ("worst", {"syncs_per_iteration": 6.9, "h2d_copies": 5, "launches": 2}, ["syncs", "h2d"]),
    ],
)
def test_more_than_the_limit_is_a_finding(
    judge: str, limits: dict[str, float], loud: list[str]
) -> None:
    """One iteration has 6 copies to a device, the median 5."""
    checked = judged(tuple(limits.items()), judge=judge)
    assert exit_code([checked], GATE) == (1 if loud else 0)
    assert sorted(f.why.split("_")[0] for f in checked.findings) == sorted(loud)


def test_a_finding_says_how_much_and_where() -> None:
    [finding] = judged((("syncs_per_iteration", 6),)).findings
    assert finding.message.endswith("7 host waits in the median of 12, 6 allowed")
    assert (finding.severity, finding.verdict, finding.count) == ("error", "over-budget", 12)
    assert len(finding.ops) == 7, "those of the worst iteration"
    assert finding.budget is not None
    assert sum(s.amount for s in finding.budget.spenders) == 12 * 7
    assert "ggml_backend_sched" in finding.budget.spenders[0].place.chain


def test_waits_at_allowed_places_do_not_count() -> None:
    def with_allowed(*globs: str) -> Checked:
        allow = tuple(Allowance(glob, "why") for glob in globs)
        limits = {"syncs_per_iteration": 6.0, "h2d_copies": 4.0}
        return check(open_trace(REAL), select=["SYNC11"], budget=Budget(limits, allow=allow))

    allowed = with_allowed("ggml_backend_sched_graph_compute_async", "nowhere")
    assert allowed.used_allowances == ("ggml_backend_sched_graph_compute_async",)
    syncs, copies = allowed.budgets
    assert (syncs.median, syncs.over) == (0, False)
    assert (copies.median, copies.over) == (5, True), "only waits are allowed"


@pytest.mark.parametrize(
    ("budget", "why", "whole"),
    [
        (Budget({"syncs_per_iteration": 0}), "the trace has no iterations", 2),
        (Budget({"syncs_per_iteration": 9}), "the trace has no iterations", 2),
        (Budget({"syncs_per_iteration": 0}, iteration="decode"), "the trace has no iterations", 2),
        (
            Budget({"host_blocked_us": 9}, iteration="trace"),
            "the trace has no times that were measured",
            2,
        ),
    ],
)
def test_what_a_trace_cannot_answer_is_told(
    budget: Budget, why: str, whole: float, scenario: Path
) -> None:
    checked = check(open_trace(scenario), budget=budget)
    [told] = checked.budgets
    assert (told.why, told.whole, told.over) == (why, whole, False)
    assert not any(f.rule == "SYNC11" for f in checked.findings)
    assert exit_code([checked], GATE) == 3
    answered = replace(checked, budgets=(replace(told, why=""),))
    assert exit_code([checked, answered], GATE) == 0, "another trace can"


def test_iterations_of_another_name_are_none() -> None:
    [told] = judged((("launches", 9),), iteration="decode").budgets
    assert told.why == "no iteration is called decode, they are sched"
    [told] = judged((("launches", 9),), iteration="sched").budgets
    assert (told.why, told.iterations) == ("", 12)


@pytest.mark.parametrize(("most", "loud"), [(1, True), (2, False), (3, False)])
def test_the_whole_trace_can_be_the_iteration(most: float, loud: bool, scenario: Path) -> None:
    checked = check(
        open_trace(scenario), budget=Budget({"syncs_per_iteration": most}, iteration="trace")
    )
    assert [f.rule for f in checked.findings if f.budget] == (["SYNC11"] if loud else [])


def test_without_a_budget_no_rule_judges_one(scenario: Path) -> None:
    assert "SYNC11" not in check(open_trace(scenario)).rules
    ignored = check(open_trace(scenario), ignore=["SYNC"], budget=Budget({"launches": 0}))
    assert ignored.budgets == ()


def test_streamed_and_held_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    held = judged((("syncs_per_iteration", 6), ("h2d_copies", 1)))
    monkeypatch.setattr(connect, "IN_MEMORY_BYTES", 0)
    budget = Budget({"syncs_per_iteration": 6, "h2d_copies": 1})
    again = check(open_trace(REAL), select=["SYNC11"], budget=budget, share=True)
    assert (again.budgets, again.findings) == (held.budgets, held.findings)


# Coverage


def test_the_share_of_known_accesses_is_that_of_the_views() -> None:
    questions = Questions(open_trace(REAL))
    sql = """
        SELECT count(*), count(*) FILTER (
          a.storage <> 0 AND a.mode <> 'unknown' AND a.extent = 'exact')
        FROM op_access AS a JOIN op AS o ON o.id = a.op
        WHERE NOT regexp_matches(o.flags, 'failed|skipped|captured|parent|refused|noop')
    """
    [(accesses, known)] = questions.ask(sql).rows
    without = "SELECT count FROM coverage WHERE what = 'launches_without_host_stores'"
    unseen = sum(row[0] for row in questions.ask(without).rows)
    share = check(open_trace(REAL), select=["TRACE"], share=True).share
    assert share is not None
    assert share.known == known
    assert share.accesses >= accesses + unseen
    assert 50 < share.percent < 70


def test_every_access_of_a_scenario_is_known(scenario: Path) -> None:
    trace = open_trace(scenario)
    share = known_share(connect.Session(trace), {})
    assert share.percent == 100
    unseen = known_share(connect.Session(trace), {"launches_without_host_stores": 1, "x": 9})
    assert unseen.accesses == share.accesses + 1
    assert check(trace).share is None, "nobody asked"
