"""The commands that a report ends with: pasted into a shell, they run and have an answer."""

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.limits import Budget
from synctrace.analyzer.query import Questions
from synctrace.analyzer.report import markdown, text
from synctrace.analyzer.rule import load_rule, rule_ids
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

from .findings import GATE

DATA = Path(__file__).parents[1] / "data"
# Names that a shell would take apart, expand or run.
NAMES = ["plain", "two words", "it's", 'a "b" $HOME `id`', "-rf", "*; exit 3 #", "back\\slash"]
# A stand-in for the command that says what it was called with.
SYNCTRACE = 'synctrace() { printf "%s\\0" "$#" "$@"; }\n'
WITHOUT_EXAMPLE = {"TRACE01", "TRACE02"}


def commands(report: str) -> str:
    """What stands behind `next`, as somebody would copy it."""
    copied, inside = [], False
    for line in report.splitlines():
        inside = line.startswith("  next    ") or (inside and line.startswith(" " * 10))
        if inside:
            copied.append(line.removeprefix("  next    ").strip())
    return "\n".join(copied)


def calls(script: str, cwd: Path) -> list[list[str]]:
    """Arguments of each call of `synctrace`, as a shell hands them over."""
    done = subprocess.run(
        ["sh", "-c", SYNCTRACE + script], cwd=cwd, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    words, found = iter(done.stdout.split("\0")[:-1]), []
    for number in words:
        found.append([next(words) for _ in range(int(number))])
    return found


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[Checked]:
    """A trace for every rule that has findings: its bad example, or a case that it reports."""
    folder = tmp_path_factory.mktemp("next")
    cases = [json.loads(line) for line in (DATA / "rules.jsonl").read_text().splitlines()]
    loud = {case["rule"]: case["ops"] for case in reversed(cases) if case["expected"]}
    for rule in map(load_rule, rule_ids()):
        if rule.id not in WITHOUT_EXAMPLE:
            loud.setdefault(rule.id, [{"thread": "T0", **op} for op in rule.bad])
    told = [json.dumps({"id": id_, "ops": ops}) for id_, ops in loud.items()]
    (folder / "all.jsonl").write_text("\n".join(told))
    results = []
    for path in import_cases(folder / "all.jsonl", folder / "traces"):
        meta = json.loads((path / "meta.json").read_text())
        (path / "meta.json").write_text(json.dumps(meta | load_rule(path.name).bad_meta))
        limits = dict(load_rule(path.name).budget)
        iteration = str(limits.pop("iteration", ""))
        made = {name: float(str(most)) for name, most in limits.items()}
        budget = Budget(made, iteration=iteration) if made else None
        results.append(check(open_trace(path), select=[path.name], budget=budget))
    return results


def reported(results: list[Checked]) -> Iterator[tuple[Checked, str]]:
    for one in results:
        for finding in one.findings:
            yield one, "\n".join(text.finding_lines(finding, one.trace))


def test_every_rule_has_a_query_with_rows(checked: list[Checked]) -> None:
    seen = {finding.rule for one in checked for finding in one.findings}
    assert seen >= set(rule_ids()) - WITHOUT_EXAMPLE
    script = "\n".join(commands(report) for _, report in reported(checked))
    queries = 0
    for command, *words in calls(script, Path.cwd()):
        if command == "explain":
            assert words[0] in seen
            continue
        assert command == "query"
        trace, sql = words
        assert Questions(open_trace(Path(trace))).ask(sql).rows, sql
        queries += 1
    assert queries == sum(f.family != "trace" for one in checked for f in one.findings)


@pytest.fixture(scope="module")
def racy_and_clean(tmp_path_factory: pytest.TempPathFactory) -> list[Checked]:
    folder = tmp_path_factory.mktemp("named")
    cases = [("ggml-cpu-input-overwrite", 1), ("disjoint-slices", 0)]
    results = []
    for case, findings in cases:
        import_cases(DATA / "cases.jsonl", folder / case, case)
        results.append(check(open_trace(folder / case)))
        assert len(results[-1].findings) == findings
    return results


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("render", [text.render, markdown.render])
def test_whatever_the_trace_is_called(
    name: str, render: Callable[..., str], racy_and_clean: list[Checked], tmp_path: Path
) -> None:
    for checked in racy_and_clean:
        report = render([replace(checked, trace=name)], GATE)
        [first, *_] = calls(commands(report), tmp_path)
        [named] = [word for word in first if Path(word) == Path(name)]
        assert not named.startswith("-")


def test_a_name_that_cannot_be_seen_stays_one_word(
    racy_and_clean: list[Checked], tmp_path: Path
) -> None:
    report = text.render([replace(racy_and_clean[0], trace="a\n\x1b[31mb")], GATE)
    assert "\x1b" not in report
    [query, explain] = calls(commands(report), tmp_path)
    assert query[0] == "query"
    assert len(query) == 3
    assert explain == ["explain", "RACE04"]
