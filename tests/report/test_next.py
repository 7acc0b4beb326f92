"""The commands that a report ends with are one word for each name, whatever the trace is called.

That those of every rule run and have an answer is in tests/rules/test_headers.py.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pasted import calls, commands

from synctrace.analyzer.baseline import Compared, compare
from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report import markdown, text
from synctrace.analyzer.report.gates import gate_texts
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

from .findings import GATE

DATA = Path(__file__).parents[1] / "data"
# Names that a shell would take apart, expand or run.
NAMES = ["plain", "two words", "it's", 'a "b" $HOME `id`', "-rf", "*; exit 3 #", "back\\slash"]


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


@pytest.mark.parametrize("name", NAMES)
def test_whatever_the_baseline_is_called(
    name: str, racy_and_clean: list[Checked], tmp_path: Path
) -> None:
    findings = tuple(replace(each, status="new") for each in racy_and_clean[0].findings)
    gate = replace(GATE, baseline=Compared(name))
    texts = gate_texts([replace(racy_and_clean[0], trace=name, findings=findings)], gate)
    [anew] = [told.partition(": ")[2] for told in texts if "synctrace check" in told]
    [[command, trace, *_, output, report, _]] = calls(anew, tmp_path)
    assert (command, output) == ("check", "-o")
    assert not trace.startswith("-")
    assert Path(trace) == Path(report) == Path(name)


def test_the_baseline_is_made_under_the_profiles_asked_for(tmp_path: Path) -> None:
    import_cases(DATA / "cases.jsonl", tmp_path / "t", "ggml-cpu-input-overwrite")
    trace = open_trace(tmp_path / "t")
    for asked in ((), ("catalogue", "cuda-13")):
        [found], compared = compare([check(trace, asked)], (), "base.json")
        told = "\n".join(gate_texts([found], Gate(baseline=compared)))
        assert "to take these as known: " in told
        assert (" --profile catalogue,cuda-13 -F json" in told) == bool(asked)
        assert ("--profile" in told) == bool(asked)


def test_a_name_that_cannot_be_seen_stays_one_word(
    racy_and_clean: list[Checked], tmp_path: Path
) -> None:
    report = text.render([replace(racy_and_clean[0], trace="a\n\x1b[31mb")], GATE)
    assert "\x1b" not in report
    [query, explain] = calls(commands(report), tmp_path)
    assert query[0] == "query"
    assert len(query) == 3
    assert explain == ["explain", "RACE04"]
