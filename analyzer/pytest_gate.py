"""How `pytest --synctrace` judges a test by its traces, and what its reports then say."""

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click
import pytest

from synctrace.analyzer.cli import cli
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.launch import RecordResult

NAME_LENGTH = 80
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")


@dataclass(frozen=True)
class Judged:
    """What the traces of one test say. `text`: the report where they fail it, else nothing.

    `kept`: the folder that then has its traces.
    """

    traces: int
    text: str = ""
    kept: str = ""


@dataclass(frozen=True)
class Judge:
    """What the whole run asks for. `base`: this run's folder for temporary files, if it has one.

    `kept`: where the traces of failing tests go. What no option of pytest says is up to the
    project's settings, as for the command `check`, which does the judging.
    """

    fail_on: str | None
    base: Path | None
    kept: Path

    @staticmethod
    def of(config: pytest.Config) -> "Judge":
        """What the options and the project's settings say.

        Raises SynctraceError where no trace can be kept.
        """
        factory = getattr(config, "_tmp_path_factory", None)  # as pytest-xdist takes it
        base = Path(factory.getbasetemp()) / "synctrace" if factory else None
        given = config.getoption("synctrace_dir")
        kept = Path(given).absolute() if given else base or Path(tempfile.mkdtemp("-synctrace"))
        try:
            kept.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SynctraceError(
                f"traces cannot be kept in {kept} ({error.strerror}): choose another folder with "
                "--synctrace-dir"
            ) from error
        return Judge(config.getoption("synctrace_fail_on"), base, kept)

    def new_base(self) -> str:
        """A folder for the temporary files of one test; "": pytest's default."""
        if not self.base:
            return ""
        self.base.mkdir(exist_ok=True)
        return tempfile.mkdtemp(prefix="tmp-", dir=self.base)

    def folder(self, nodeid: str) -> Path:
        """A new, empty folder for the traces of one test."""
        self.kept.mkdir(parents=True, exist_ok=True)
        name = _UNSAFE.sub("-", nodeid)[-NAME_LENGTH:].strip("-")
        number = 1
        while True:
            path = self.kept / (name if number == 1 else f"{name}.{number}")
            try:
                path.mkdir()
            except FileExistsError:
                number += 1
            else:
                return path

    def judge(self, item: pytest.Item, done: RecordResult, folder: Path) -> Judged:
        """Check the traces of a test. They are removed unless they fail it."""
        try:
            judged = self._checked(item, done)
        except SynctraceError as error:
            judged = Judged(len(done.traces), f"synctrace cannot judge this test: {error}")
        if judged.text and done.traces:
            return replace(judged, kept=str(folder.parent))
        shutil.rmtree(folder, ignore_errors=True)
        return judged

    def _checked(self, item: pytest.Item, done: RecordResult) -> Judged:
        options = self._asked(item)
        if not done.traces:
            failed = done.status is not None and not done.nothing_seen
            return Judged(0, f"synctrace could not record this test: {done.message}" * failed)
        with tempfile.TemporaryDirectory(prefix="synctrace-pytest-") as scratch:
            report, other = Path(scratch) / "report", Path(scratch) / "concise"
            # In place of report files that the settings name for the command.
            files = ["-q", "-F", "concise", "-o", str(other), "--report", f"text={report}"]
            told = [*files, *options, "--", *map(str, done.traces)]
            try:
                code = cli.main(["check", *told], prog_name="synctrace", standalone_mode=False)
            except click.ClickException as error:
                raise SynctraceError(error.format_message()) from error
            return Judged(len(done.traces), report.read_text(encoding="utf-8") if code else "")

    def _asked(self, item: pytest.Item) -> list[str]:
        """Options of `check` for this test. Raises SynctraceError for a marker without meaning."""
        marker = item.get_closest_marker("synctrace")
        given = dict(marker.kwargs) if marker else {}
        fail_on, select = given.pop("fail_on", self.fail_on), given.pop("select", None)
        if given or (marker and marker.args):
            raise SynctraceError("its marker synctrace takes fail_on=LEVEL and select=RULES only")
        if select is not None and not isinstance(select, str):
            select = ",".join(map(str, select))
        asked = (("--fail-on", fail_on), ("--select", select))
        return [word for name, value in asked if value is not None for word in (name, str(value))]


def with_verdict(
    item: pytest.Item, reports: Iterable[pytest.TestReport], judged: Judged
) -> Iterator[pytest.TestReport]:
    """The reports of a test, failed by its traces where nothing else has failed it already.

    It fails where it ran; one that did not run, at its end. An expected failure may be this one.
    """
    reports = [*reports]
    if reports:
        told = {"traces": judged.traces, "fails": bool(judged.text), "kept": judged.kept}
        reports[-1].synctrace = told  # type: ignore[attr-defined]
    if judged.text:
        failed = [report for report in reports if report.failed and not _passed_strictly(report)]
        ran = [report for report in reports if report.when == "call"]
        if failed:
            failed[0].sections.append(("synctrace", judged.text))
        elif ran and ran[-1].skipped:  # xfailed already
            ran[-1].sections.append(("synctrace", judged.text))
        elif reports:
            _fail(item, (ran or reports)[-1], judged.text)
    yield from reports


def _fail(item: pytest.Item, report: pytest.TestReport, text: str) -> None:
    expected = hasattr(report, "wasxfail") or _passed_strictly(report)
    marker = item.get_closest_marker("xfail")
    if expected and marker and not marker.kwargs.get("raises"):
        report.outcome = "skipped"
        report.wasxfail = str(marker.kwargs.get("reason", ""))
    else:
        report.outcome = "failed"
    report.longrepr = text


def _passed_strictly(report: pytest.TestReport) -> bool:
    """pytest failed it for having passed against its strict xfail."""
    return report.failed and str(report.longrepr).startswith("[XPASS(strict)]")
