"""`--report FORMAT=FILE`: the same report to files, beside the one on stdout."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from synctrace.analyzer.output import FORMATS

from .test_cli import called, refused
from .test_formats import CASES, RACE


@pytest.fixture
def trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Path:
    called(capsys, "import", CASES, "--case", RACE, "-o", tmp_path / RACE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return Path(RACE)


def test_every_format_at_once(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reports = [word for name in FORMATS for word in ("--report", f"{name}=r.{name}")]
    done = called(capsys, "check", trace, "-F", "concise", *reports)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("\n") == 2, "one finding, the summary"
    assert json.loads(Path("r.json").read_text())["summary"]["exit"] == 1
    assert Path("r.sarif").read_text() == called(capsys, "check", trace, "-F", "sarif").stdout
    starts = {
        "text": "RACE04 host touch",
        "concise": "cases.jsonl",
        "json": "{",
        "sarif": "{",
        "github": "::error title=RACE04",
        "gitlab": "[",
        "junit": "<?xml",
        "markdown": "### synctrace: 1 error",
    }
    for name in FORMATS:
        assert Path(f"r.{name}").read_text().startswith(starts[name])


def test_one_on_stdout_follows_the_first(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = called(capsys, "check", trace, "--report", "github=-").stdout.splitlines()
    [annotation] = [n for n, line in enumerate(lines) if line.startswith("::error title=RACE04")]
    assert lines[annotation - 1].startswith("synctrace: 1 error"), "the text report's last line"


def test_a_file_is_that_file_alone(
    trace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    called(capsys, "check", trace, "--report", "github=annotations")
    assert not Path("summary.md").exists()
    called(capsys, "check", trace, "--report", "github=-")
    assert Path("summary.md").read_text().startswith("### synctrace: 1 error")


def test_nothing_is_overwritten_without_f(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("there.md").write_text("mine")
    two = ("--report", "sarif=new.sarif", "--report", "markdown=there.md")
    refused(called(capsys, "check", trace, *two), "there.md exists")
    assert Path("there.md").read_text() == "mine"
    assert not Path("new.sarif").exists(), "nothing was written"
    assert called(capsys, "check", trace, *two, "-f").returncode == 1
    assert Path("there.md").read_text().startswith("### synctrace")


def test_run_refuses_before_the_program_starts(
    trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("there.md").write_text("mine")
    program = ("--", "touch", "started")
    refused(called(capsys, "run", "--report", "markdown=there.md", *program), "there.md exists")
    for asked, words in (
        (("--report", "sarif=none/x"), "make the folder none first"),
        (("--baseline", "none.json"), "cannot read baseline none.json"),
        (("--select", "RACE99"), "no rule is called RACE99"),
        (("--ignore", "RACE99"), "no rule is called RACE99"),
        (("--profile", "cuda"), "unknown profile 'cuda'"),
        (("--fail-on", "never", "--max-findings", "1"), "leave --max-findings out"),
    ):
        done = called(capsys, "run", *asked, *program)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
    assert not Path("started").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--baseline", "nowhere.json"], "cannot read baseline nowhere.json"),
        (["--select", "NOPE"], "NOPE"),
        (["--profile", "nope"], "nope"),
        (["--fail-on", "never", "--max-findings", "3"], "--fail-on never fails nothing"),
    ],
)
def test_run_refuses_a_check_that_cannot_be_before_the_program_starts(
    options: list[str], words: str, trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(called(capsys, "run", *options, "--", "touch", "started"), words)
    assert not Path("started").exists()


def test_two_reports_are_two_files(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("r", "./r"):
        done = called(capsys, "check", trace, "-o", "r", "--report", f"json={path}")
        refused(done, f"{path} is named twice")
    assert not Path("r").exists()
    both = ("-o", "r", "--report", "json=s", "--report", "github=-", "--report", "junit=-")
    assert called(capsys, "check", trace, *both).returncode == 1


def test_a_baseline_is_overwritten_by_a_baseline_only(
    trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called(capsys, "check", trace, "-F", "json", "-o", "base")
    before = Path("base").read_text()
    given = ("check", trace, "--baseline", "base", "-f", "--report")
    refused(called(capsys, *given, "markdown=./base"), "a markdown report over the baseline base")
    assert Path("base").read_text() == before
    assert called(capsys, *given, "json=base").returncode == 0
    assert json.loads(Path("base").read_text())["summary"]["baseline"]["known"] == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["sarif"], "'sarif' is no FORMAT=FILE: write sarif=report.sarif"),
        (["sarif="], "'sarif=' is no FORMAT=FILE"),
        (["xml=r.xml"], "'xml' is not one of text, concise"),
        (["sarif=r", "json=r"], "r is named twice"),
        (["sarif=none/r"], "cannot write none/r: make the folder none first"),
        ([f"sarif={'r' * 300}"], "(File name too long)"),
    ],
)
def test_bad_reports(
    given: list[str], words: str, trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = [word for each in given for word in ("--report", each)]
    done = called(capsys, "check", trace, *reports)
    assert words in " ".join(done.stderr.split())
    refused(done, "")
    assert [path.name for path in Path().iterdir()] == [RACE]


def test_one_that_fails_loses_no_other(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A full disk: the reports after it are written, and the exit code says error."""
    done = called(capsys, "check", trace, "--report", "json=/dev/full", "--report", "sarif=r.sarif")
    assert done.returncode == 2
    assert "cannot write /dev/full (No space left on device)" in done.stderr
    assert json.loads(Path("r.sarif").read_text())["version"] == "2.1.0"
    assert "RACE04" in done.stdout


def test_one_file_is_for_one_report(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where it is the baseline, and a folder is missed before the check, not after it."""
    refused(called(capsys, "check", trace, "-o", "r", "--report", "sarif=./r"), "is named twice")
    called(capsys, "check", trace, "-F", "json", "-o", "base.json")
    before = Path("base.json").read_text()
    over = ("--baseline", "base.json", "--report", f"markdown={Path.cwd()}/base.json", "-f")
    refused(called(capsys, "check", trace, *over), "a markdown report over the baseline base.json")
    assert Path("base.json").read_text() == before
    refused(called(capsys, "check", "none", "-o", "no/r"), "make the folder no first")


def test_a_link_stays_one(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("link").symlink_to("target")
    assert called(capsys, "check", trace, "-F", "concise", "-o", "link", "-f").returncode == 1
    assert Path("link").is_symlink()
    assert "RACE04" in Path("target").read_text()
    assert {path.name for path in Path().iterdir()} == {RACE, "link", "target"}


def test_two_that_write_one_report_at_a_time(trace: Path) -> None:
    """Each replaces the other's whole report."""
    command = [sys.executable, "-m", "synctrace", "check", trace, "-F", "json", "-f", "-o", "r"]
    both = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert [each.wait(60) for each in both] == [1, 1]
    assert json.loads(Path("r").read_text())["summary"]["error"] == 1
    assert {path.name for path in Path().iterdir()} == {RACE, "r"}


@pytest.mark.parametrize(
    ("stdout", "code", "words"),
    [
        ("| true", 1, ""),
        (">&-", 1, ""),
        ("<&- >&- 2>&-", 1, ""),
        (">/dev/full", 2, "cannot write the report (No space left on device)"),
    ],
)
def test_stdout_that_takes_nothing(stdout: str, code: int, words: str, trace: Path) -> None:
    """The files have their reports, and the exit code is the check's own."""
    check = f"'{sys.executable}' -m synctrace check {trace} --report sarif=r.sarif"
    script = f"{{ {check}; echo $? >code; }} {stdout}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert int(Path("code").read_text()) == code
    assert json.loads(Path("r.sarif").read_text())["version"] == "2.1.0"
    assert words in done.stderr
    assert done.stderr.count("\n") == bool(words)
