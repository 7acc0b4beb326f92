"""A rule's header holds its whole story, and its examples are told truly."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pasted import calls, commands

from synctrace.analyzer.budget import Budget
from synctrace.analyzer.check import check
from synctrace.analyzer.connect import Session, views
from synctrace.analyzer.explain import pages
from synctrace.analyzer.finding import Finding
from synctrace.analyzer.query import Questions
from synctrace.analyzer.report.text import finding_lines
from synctrace.analyzer.rule import COLUMNS, Rule, default_ids, load_rule, rule_ids, selected
from synctrace.rules import rule_files
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.schema import OP

DOCS = Path(__file__).parents[2] / "docs"
RULES = [load_rule(id_) for id_ in rule_ids()]
EXPECTED = [
    "COPY01",
    "COPY02",
    "COPY03",
    "LIFE01",
    "LIFE02",
    "LIFE03",
    "LIFE04",
    "LIFE05",
    "RACE01",
    "RACE02",
    "RACE03",
    "RACE04",
    "RACE05",
    "RACE06",
    "SYNC01",
    "SYNC02",
    "SYNC03",
    "SYNC04",
    "SYNC05",
    "SYNC06",
    "SYNC07",
    "SYNC08",
    "SYNC09",
    "SYNC10",
    "SYNC11",
    "TRACE01",
    "TRACE02",
]


def ids(rule: Rule) -> str:
    return rule.id


def findings_of(
    tmp_path: Path,
    ops: tuple[dict[str, Any], ...],
    meta: dict[str, Any] | None = None,
    select: Sequence[str] = (),
    budget: Budget | None = None,
) -> list[Finding]:
    """Findings of a rule's example, imported as a scenario; `meta` overrides meta.json."""
    case = {"id": "example", "ops": [{"thread": "T0", **op} for op in ops]}
    file = tmp_path / "example.jsonl"
    file.write_text(json.dumps(case), encoding="utf-8")
    [path] = import_cases(file, tmp_path / "example.synctrace", "example")
    if meta:
        told = json.loads((path / "meta.json").read_text())
        (path / "meta.json").write_text(json.dumps(told | meta))
    return list(check(open_trace(path), select=select, budget=budget).findings)


def budget_of(rule: Rule) -> Budget | None:
    """What the rule's examples are held to."""
    told = dict(rule.budget)
    iteration = str(told.pop("iteration", ""))
    limits = {name: float(str(most)) for name, most in told.items()}
    return Budget(limits, iteration=iteration) if limits else None


def asked_for(rule: Rule) -> list[str]:
    """All that runs by itself, and the rule."""
    return [*default_ids(), rule.id]


def may_be_both(rule: Rule) -> set[str]:
    """Rules that may speak of the waits in an example of advice: a wait can be told twice."""
    return {"SYNC01", "SYNC02", "SYNC03"} if rule.is_advice else set()


def test_every_rule_is_here() -> None:
    assert rule_ids() == EXPECTED


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_header_is_complete(rule: Rule) -> None:
    [file] = [f for f in rule_files() if f.name == f"{rule.id}.sql"]
    assert file.read_text(encoding="utf-8").startswith(f'/*\nid = "{rule.id}"\n')
    assert rule.id.lower().startswith(rule.family)
    assert rule.severity in ("error", "warning", "note")
    for text in (rule.name, rule.message, rule.why, rule.fix, rule.limits):
        assert text.strip()
    assert rule.message.count(".") == 0, "one sentence, without its full stop"
    assert rule.sources and rule.bad and rule.good
    assert rule.view in views()
    assert re.search(rf"\b(FROM|JOIN) {rule.view}\b", rule.sql)


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_sql_says_its_idea_first_and_is_readable(rule: Rule) -> None:
    lines = rule.sql.splitlines()
    assert lines[0].startswith("-- ")
    assert all(len(line) <= 100 for line in lines)
    assert not re.search(r"SELECT \*(?! FROM| EXCLUDE)", rule.sql)


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_select_has_the_columns_of_its_family(rule: Rule, tmp_path: Path) -> None:
    import pyarrow as pa

    from synctrace.analyzer import spending
    from synctrace.analyzer.branches import BRANCHES
    from synctrace.analyzer.late import LATE
    from synctrace.analyzer.order import CONFLICTS, NEEDED, NEEDS
    from synctrace.analyzer.outcome import PROPOSALS

    case = {"id": "x", "ops": [{"thread": "T0", "op": "device_sync"}]}
    (tmp_path / "x.jsonl").write_text(json.dumps(case))
    [path] = import_cases(tmp_path / "x.jsonl", tmp_path / "x", "x")
    counted = pa.schema([("what", pa.string()), ("count", pa.int64())]).empty_table()
    session = Session(
        open_trace(path),
        {
            "_conflicts": CONFLICTS.append(pa.field("id", pa.uint64())).empty_table(),
            "_needs": NEEDS.empty_table(),
            "_needed": NEEDED.empty_table(),
            "_named": OP.schema.empty_table(),
            "_branch": BRANCHES.empty_table(),
            "_late": LATE.empty_table(),
            "_proposals": PROPOSALS.empty_table(),
            "_judged": OP.schema.empty_table().select(["id", "site"]),
            "_budget": spending.LIMITS.empty_table(),
            "_turn": spending.TURNS.empty_table(),
            "_allowed": spending.ALLOWED.empty_table(),
            "_loss": counted,
            "_coverage": counted,
        },
    )
    session.provide(rule.sql)
    found = session.con.execute(rule.sql)
    assert [d[0] for d in found.description or ()] == COLUMNS[rule.rows]
    assert found.fetchall() == []


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_bad_example_fires_this_rule_alone(rule: Rule, tmp_path: Path) -> None:
    found = findings_of(tmp_path, rule.bad, rule.bad_meta, asked_for(rule), budget_of(rule))
    assert {f.rule for f in found} - may_be_both(rule) == {rule.id}
    found = [f for f in found if f.rule == rule.id]
    assert {f.severity for f in found} == {rule.severity}
    for finding in found:
        next_commands_run(finding, tmp_path / "example.synctrace")


def next_commands_run(finding: Finding, trace: Path) -> None:
    """What its report says to type next, pasted into a shell: a query with rows, and the rule."""
    *queries, explain = calls(commands("\n".join(finding_lines(finding, str(trace)))), trace)
    assert explain == ["explain", finding.rule]
    assert bool(queries) == (finding.family != "trace")
    for command, path, sql in queries:
        assert (command, path) == ("query", str(trace))
        assert Questions(open_trace(trace)).ask(sql).rows, sql


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_good_example_is_silent(rule: Rule, tmp_path: Path) -> None:
    found = findings_of(tmp_path, rule.good, None, asked_for(rule), budget_of(rule))
    assert {f.rule for f in found} <= may_be_both(rule)


@pytest.mark.parametrize("rule", [r for r in RULES if r.is_advice], ids=ids)
def test_advice_is_given_only_when_asked_for(rule: Rule, tmp_path: Path) -> None:
    assert rule.severity == "note"
    assert [f for f in findings_of(tmp_path, rule.bad) if f.family != "sync"] == []
    assert rule.id not in default_ids()


def test_all_rules_but_advice_run_by_themselves() -> None:
    """The short look at the headers agrees with reading them."""
    assert list(default_ids()) == [rule.id for rule in RULES if not rule.is_advice]


def test_ranks_decide_between_rules_of_one_pair() -> None:
    rank = {rule.id: rule.rank for rule in RULES}
    assert max(rank["LIFE01"], rank["LIFE03"]) < rank["RACE05"] < rank["RACE04"]
    assert rank["RACE04"] < min(rank["RACE01"], rank["RACE02"], rank["RACE03"])


def test_select_and_ignore_take_ids_and_prefixes() -> None:
    assert selected([], []) == list(default_ids())
    assert selected(["all"], ["TRACE"]) == [id_ for id_ in EXPECTED if id_[:5] != "TRACE"]
    assert selected(["RACE"], ["RACE04"]) == ["RACE01", "RACE02", "RACE03", "RACE05", "RACE06"]
    assert selected(["sync01"], []) == ["SYNC01"]


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(SynctraceError, match="no rule is called RACE99: the rules are COPY01"):
        selected(["RACE99"], [])


@pytest.mark.parametrize("name", sorted(pages()))
def test_generated_pages_are_fresh(name: str) -> None:
    told = "run `python -m synctrace.analyzer.explain docs`"
    assert (DOCS / name).read_text(encoding="utf-8") == pages()[name], told


def test_no_page_is_left_over() -> None:
    here = {f"rules/{f.name}" for f in (DOCS / "rules").iterdir()}
    assert here == {name for name in pages() if name.startswith("rules/")}
