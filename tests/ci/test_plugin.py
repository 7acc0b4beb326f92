"""`pytest --synctrace` beside pytest's own options and other plugins; and without it, nothing."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ggml.conftest import StandIn

from synctrace.analyzer.pytest_gate import Judge, Judged, with_verdict
from synctrace.analyzer.pytest_plugin import LEVELS
from synctrace.analyzer.verdict import FAIL_ON
from synctrace.tracer.launch import RecordResult
from synctrace.tracer.scenario import import_cases

from .conftest import ROOT
from .project import FEW, write

pytest_plugins = ("pytester",)
SETTINGS = """
[check]
report = ["sarif=r.sarif"]
[[suppress]]
rule = "RACE04"
site = "rewrites"
reason = "issue 1"
"""
PLUGIN = ("-p", "synctrace.analyzer.pytest_plugin")


@pytest.fixture
def project(
    pytester: pytest.Pytester, app: StandIn, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    write(pytester.path, app, FEW)
    return pytester


def test_the_first_failure_can_end_it_and_be_run_again(project: pytest.Pytester) -> None:
    done = project.runpytest_subprocess(*PLUGIN, "--synctrace", "-x")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["RACE04 *", "1 recorded, 1 of them failed the check; 0 made *"])
    [told] = [line for line in done.outlines if line.startswith("their traces are in ")]
    folder = Path(told.removeprefix("their traces are in "))
    assert folder.name == "synctrace", "in pytest's own folder for temporary files"
    assert [path.name for path in folder.glob("*test_*")] == ["test_app.py-test_first"]
    project.path.joinpath("synctrace.toml").write_text(SETTINGS)
    again = project.runpytest_subprocess(*PLUGIN, "--synctrace", "--lf", "-q")
    again.assert_outcomes(passed=1)
    assert not project.path.joinpath("r.sarif").exists(), "the command's own"


def test_with_the_workers_of_xdist(project: pytest.Pytester) -> None:
    done = project.runpytest_subprocess(*PLUGIN, "-p", "xdist", "--synctrace", "-n", "2")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(
        ["RACE04 *", "1 recorded, 1 of them failed the check; 1 made no call that is recorded"]
    )


def test_without_the_option_nothing_is_loaded(project: pytest.Pytester) -> None:
    """By the entry point, as a user has it; the marker is known all the same."""
    loaded = "[m for m in sys.modules if m.split('.')[0] in ('synctrace', 'duckdb', 'pyarrow')]"
    project.makepyfile(
        test_app="import sys, pytest\n@pytest.mark.synctrace(fail_on='never')\n"
        f"def test_loaded(): print('loaded', {loaded})"
    )
    code = (
        "import importlib.metadata as m, sys, pytest\n"
        "[point] = [e for e in m.entry_points(group='pytest11') if e.name == 'synctrace']\n"
        "sys.exit(pytest.main(['-p', point.value, '-s', '--strict-markers']))"
    )
    done = project.run(sys.executable, "-c", code)
    done.assert_outcomes(passed=1)
    told = next(line for line in done.outlines if "loaded [" in line)
    assert told.endswith("loaded ['synctrace', 'synctrace.analyzer', "
                         "'synctrace.analyzer.pytest_plugin']")  # fmt: skip
    done.stdout.no_fnmatch_line("*synctrace -*")


def test_a_debugger_has_no_terminal(project: pytest.Pytester) -> None:
    done = project.runpytest_subprocess(*PLUGIN, "--synctrace", "--pdb")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: --pdb and --synctrace: a recorded test runs in a process *"])


def test_a_folder_that_can_keep_no_traces(project: pytest.Pytester) -> None:
    project.path.joinpath("file").write_text("mine")
    done = project.runpytest_subprocess(*PLUGIN, "--synctrace", "--synctrace-dir=file")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: --synctrace: traces cannot be kept in *file (File exists)*"])


def test_pytest_is_no_dependency() -> None:
    """The command works where there is no pytest."""
    code = (
        "import sys; sys.modules['pytest'] = None\n"
        "from synctrace.analyzer.cli import main; main(['--help'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((), {"fails": "never"}, "takes fail_on=LEVEL and select=RULES only"),
        (("never",), {}, "takes fail_on=LEVEL and select=RULES only"),
        ((), {"fail_on": "sometimes"}, "'sometimes' is not one of"),
        ((), {"select": "RACE99"}, "no rule is called RACE99"),
        ((), {"select": []}, "--select names nothing"),
    ],
)
def test_a_marker_without_meaning_fails_its_test(
    args: tuple[str, ...], kwargs: dict[str, Any], words: str, tmp_path: Path
) -> None:
    [trace] = import_cases(ROOT / "examples/scenarios/pool-fix.jsonl", tmp_path / "t", "pool-fix")
    marker = SimpleNamespace(args=args, kwargs=kwargs)
    item = SimpleNamespace(get_closest_marker=lambda name: marker)
    gate = Judge(None, None, tmp_path)
    told = gate.judge(item, RecordResult(0, [trace], "", 0), tmp_path / "t")  # type: ignore[arg-type]
    assert told.text.startswith("synctrace cannot judge this test: ")
    assert words in told.text


def test_a_recording_that_failed_is_no_pass(tmp_path: Path) -> None:
    item = SimpleNamespace(get_closest_marker=lambda name: None)
    full = RecordResult(125, [], "no room", 0)
    told = Judge(None, None, tmp_path).judge(item, full, tmp_path / "t")  # type: ignore[arg-type]
    assert told.text == "synctrace could not record this test: no room"
    empty = RecordResult(125, [], "no call of ggml, CUDA or HIP was seen", 0, nothing_seen=True)
    told = Judge(None, None, tmp_path).judge(item, empty, tmp_path / "t")  # type: ignore[arg-type]
    assert told.text == ""


def report(when: str, outcome: str = "passed", **more: object) -> pytest.TestReport:
    told = pytest.TestReport("t", ("t", 1, "t"), {}, outcome, None, when)  # type: ignore[arg-type]
    told.__dict__.update(more)
    return told


def judged(*reports: pytest.TestReport, marker: object = None) -> list[tuple[str, str, bool]]:
    """What a failing check makes of these reports: phase, outcome, whether it is the reason."""
    item = SimpleNamespace(get_closest_marker=lambda name: marker)
    made = with_verdict(item, reports, Judged(1, "RACE", "kept"))  # type: ignore[arg-type]
    return [(str(r.when), r.outcome, r.longrepr == "RACE") for r in made]


def test_a_skipped_test_whose_fixtures_raced_fails_at_its_end() -> None:
    told = judged(report("setup", "skipped"), report("teardown"))
    assert told == [("setup", "skipped", False), ("teardown", "failed", True)]


def test_a_failure_is_never_replaced() -> None:
    for when in ("setup", "call", "teardown"):
        first = report(when, "failed", longrepr="own")
        assert judged(first) == [(when, "failed", False)]
        assert first.sections == [("synctrace", "RACE")]


def test_an_expected_failure_may_be_the_race_but_not_for_another_reason() -> None:
    marker = SimpleNamespace(kwargs={"reason": "known"})
    assert judged(report("call", wasxfail="known"), marker=marker) == [("call", "skipped", True)]
    other = SimpleNamespace(kwargs={"raises": KeyError})
    assert judged(report("call", wasxfail=""), marker=other) == [("call", "failed", True)]


def test_an_expected_failure_that_came_keeps_its_words() -> None:
    told = report("call", "skipped", wasxfail="known", longrepr="own")
    assert judged(told) == [("call", "skipped", False)]
    assert told.sections == [("synctrace", "RACE")]


def test_levels_are_those_of_check() -> None:
    """The plugin names them itself: without its option it loads nothing of synctrace."""
    assert LEVELS == FAIL_ON
