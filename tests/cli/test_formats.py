"""`check -F`: every format by the command, where CI's services look for it."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from synctrace.analyzer.output import FORMATS
from synctrace.analyzer.report import gitlab

from .test_cli import called, refused

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/data/cases.jsonl"
RACE = "ggml-cpu-input-overwrite"


@pytest.fixture
def trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    called(capsys, "import", CASES, "--case", RACE, "-o", tmp_path / RACE)
    return tmp_path / RACE


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_exits_alike(
    name: str, trace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    done = called(capsys, "check", trace, "-F", name)
    assert (done.returncode, done.stderr) == (1, "")
    assert "RACE04" in done.stdout
    assert done.stdout.endswith("\n")


def test_the_page_and_the_help_name_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^### (\w+)$", page, re.M)) == set(FORMATS)
    told = called(capsys, "check", "--help").stdout
    assert "|".join(FORMATS) in "".join(told.split())


def test_reports_are_written_to_files(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("sarif", "gitlab", "junit"):
        out = trace.parent / f"report.{name}"
        assert called(capsys, "check", trace, "-F", name, "-o", out).returncode == 1
        refused(called(capsys, "check", trace, "-F", name, "-o", out), "exists")
    log = json.loads((trace.parent / "report.sarif").read_text())
    [result] = log["runs"][0]["results"]
    assert result["ruleId"] == "RACE04"
    assert json.loads((trace.parent / "report.gitlab").read_text())[0]["check_name"] == "RACE04"
    assert ElementTree.parse(trace.parent / "report.junit").getroot().get("failures") == "1"


def test_the_source_root_reaches_the_report(
    trace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr(gitlab, "root_of", lambda given: asked.append(given) or "/")
    for options in ([], ["--source-root", "src"]):
        assert called(capsys, "check", trace, "-F", "gitlab", *options).returncode == 1
    assert asked == [None, "src"]


def test_the_job_summary_is_appended_to(
    trace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = trace.parent / "summary.md"
    summary.write_text("# Build\n\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert called(capsys, "check", trace, "-F", "github").returncode == 1
    told = summary.read_text()
    assert told.startswith("# Build\n\n### synctrace: 1 error, 0 warnings\n")
    called(capsys, "check", trace, "-F", "text")
    assert summary.read_text() == told, "only github's format writes there"


def test_a_job_summary_that_cannot_be_written_changes_no_verdict(
    trace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(trace.parent / "none/summary.md"))
    done = called(capsys, "check", trace, "-F", "github")
    assert done.returncode == 1
    assert "cannot write the job summary" in done.stderr
    assert done.stdout.startswith("::error title=RACE04")
