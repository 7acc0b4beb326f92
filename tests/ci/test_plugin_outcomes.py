"""`pytest --synctrace` on one project with every kind of test: what becomes of each."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ggml.conftest import StandIn

from .project import OUTCOMES, write

# Other plugins of this environment cost every test a second and have no part in this.
BARE = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
PLUGIN = ("-p", "synctrace.analyzer.pytest_plugin")


@dataclass(frozen=True)
class Run:
    """What a run of pytest printed, its junit file by test, and the folder of kept traces."""

    printed: str
    cases: dict[str, ElementTree.Element]
    kept: Path

    def section(self, test: str) -> str:
        """What the terminal shows of a failure."""
        end = r"(?=^_{3,} |^=+ (?:warnings|short test) summary)"
        [found] = re.findall(rf"^_+ {re.escape(test)} _+$(.*?){end}", self.printed, re.M | re.S)
        return str(found)

    def outcome(self, test: str) -> str:
        """The letters of the short summary."""
        [word] = re.findall(rf"^([A-Z]+) \S*{re.escape(test)}( |$)", self.printed, re.M)
        return str(word[0])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, app: StandIn) -> Run:
    folder = tmp_path_factory.mktemp("project")
    write(folder, app, OUTCOMES)
    options = [
        "--synctrace",
        "--synctrace-dir=kept",
        "--tokens=4",
        "-rpsxf",
        "--junitxml=junit.xml",
    ]
    command = [sys.executable, "-m", "pytest", *PLUGIN, "-p", "pytest_timeout", *options]
    done = subprocess.run(
        command, cwd=folder, env=BARE, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stderr == "", "pytest's own summary tells all"
    root = ElementTree.parse(folder / "junit.xml").getroot()
    cases = {case.get("name", ""): case for case in root.iter("testcase")}
    return Run(done.stdout, cases, folder / "kept")


def test_the_counts(run: Run) -> None:
    total = "5 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning in"
    assert re.search(rf"^=+ {total} ", run.printed, re.M)
    told = "6 recorded, 5 of them failed the check; 3 made no call that is recorded"
    assert f"\n{told}\n" in run.printed


def test_a_race_fails_its_test_with_the_report(run: Run) -> None:
    told = run.section("test_race")
    assert told.lstrip().startswith("RACE04 host touch of a buffer in flight: ")
    assert "thread scenario in rewrites" in told
    assert "its own output" in told
    [next_] = re.findall(r"synctrace query (\S+) ", told)
    assert Path(next_).is_dir()
    assert Path(next_).is_relative_to(run.kept)
    failure = run.cases["test_race"].find("failure")
    assert failure is not None
    assert "no happens-before edge" in str(failure.text)


def test_a_failing_test_stays_its_own_failure(run: Run) -> None:
    told = run.section("test_own_failure")
    own, _, ours = told.partition("- synctrace -")
    assert "AssertionError: its own words" in own
    assert "RACE04" not in own
    assert "RACE04" in ours


def test_what_is_in_order_passes(run: Run) -> None:
    assert run.outcome("test_nothing_recorded") == "PASSED"
    assert run.outcome(r"::TestClass::test_odd_id[a::b/../c [\xfc] %p]") == "PASSED"


def test_properties_reach_the_report(run: Run) -> None:
    [value] = run.cases[r"test_odd_id[a::b/../c [\xfc] %p]"].iter("property")
    assert (value.get("name"), value.get("value")) == ("reached", "junit")


def test_options_of_the_project_reach_the_test(run: Run) -> None:
    assert "done rewrites 4" in run.section("test_own_failure")


def test_skips_and_expected_failures(run: Run) -> None:
    assert run.cases["test_skipped"].find("skipped") is not None
    assert run.outcome("test_known_race") == "XFAIL"


def test_markers(run: Run) -> None:
    assert run.section("test_marked").lstrip().startswith("SYNC01 needless sync")


def test_a_test_that_dies_is_told_with_what_it_did(run: Run) -> None:
    told = run.section("test_killed")
    assert told.lstrip().startswith("the process of this test got signal 11 (SIGSEGV) while it ran")
    assert "Fatal Python error: Segmentation fault" in told, "the end of its output"
    assert "RACE04" in told, "its trace"
    assert re.search(r"test_killed +test_app\.py:\d+", told), (
        "a call of its own process, by its line"
    )


def test_the_limit_of_a_test_that_hangs(run: Run) -> None:
    assert "Failed: Timeout (>1.0s) from pytest-timeout." in run.section("test_hangs")


def test_warnings_are_passed_on(run: Run) -> None:
    assert "UserWarning: a warning of the test" in run.printed


def test_only_traces_of_failing_tests_are_kept(run: Run) -> None:
    names = sorted(folder.name for folder in run.kept.iterdir())
    failing = ("killed", "known_race", "marked", "own_failure", "race")
    assert names == [f"test_app.py-test_{name}" for name in failing]
    assert f"\ntheir traces are in {run.kept}\n" in run.printed
