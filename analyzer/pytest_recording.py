"""`pytest --synctrace`: each test runs in a pytest of its own, which is recorded, and is judged.

A process for each test, since whatever the test does is then recorded with it: calls of its own
process (ctypes, an extension module), of its threads, and of programs that it starts.
"""

import json
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.pytest_gate import Judge, with_verdict
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kernel_code import add_code
from synctrace.tracer.launch import RecordResult, record
from synctrace.tracer.library import recorder_library

CHILD = Path(__file__).with_name("pytest_child.py")
TAIL_BYTES = 4000  # of a dead test's output, shown with its failure
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # meant for the whole run


@dataclass(frozen=True)
class Messages:
    """What the process of one test has told (pytest_child.OneTest)."""

    reports: list[pytest.TestReport] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    interrupt: dict[str, Any] | None = None
    ended: bool = False


class Recording:
    """The hooks of a run with `--synctrace`."""

    def __init__(self, config: pytest.Config) -> None:
        """Raises UsageError where a test cannot be recorded, or cannot be asked at a prompt."""
        for option in ("usepdb", "trace"):
            if config.getoption(option, False):
                name = "--pdb" if option == "usepdb" else "--trace"
                raise pytest.UsageError(
                    f"{name} and --synctrace: a recorded test runs in a process of its own, where "
                    "a debugger has no terminal; leave one of them out"
                )
        try:
            recorder_library()
            self._judge = Judge.of(config)
        except SynctraceError as error:
            raise pytest.UsageError(f"--synctrace: {error}") from error
        self._config = config
        self._judged: list[dict[str, Any]] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        """In place of running the test here."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in self._run(item):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    # The limit of pytest-timeout is kept by the process of the test: here it would end the whole
    # run, and before the test could tell where it hangs.
    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_timeout_set_timer(self) -> bool:
        """No timer here."""
        return True

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_timeout_cancel_timer(self) -> bool:
        """No timer here."""
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what was recorded, also by the workers of pytest-xdist."""
        if told := getattr(report, "synctrace", None):
            self._judged.append(told)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """How many tests were recorded, and how many had nothing to record."""
        recorded = [told for told in self._judged if told["traces"]]
        failed = [told for told in recorded if told["fails"]]
        empty = len(self._judged) - len(recorded)
        terminalreporter.write_sep("-", "synctrace")
        terminalreporter.write_line(
            f"{len(recorded)} recorded, {len(failed)} of them failed the check; "
            f"{empty} made no call that is recorded"
        )
        for folder in sorted({told["kept"] for told in failed}):
            terminalreporter.write_line(f"their traces are in {folder}")

    def _run(self, item: pytest.Item) -> Iterator[pytest.TestReport]:
        try:
            yield from self._run_recorded(item)
        except OSError as error:  # a full disk, a folder that is gone: this test's failure
            yield from _completed(item, [], f"synctrace could not record this test: {error}", "")

    def _run_recorded(self, item: pytest.Item) -> Iterator[pytest.TestReport]:
        with tempfile.TemporaryDirectory(prefix="synctrace-pytest-") as scratch:
            folder = self._judge.folder(item.nodeid)
            done, told, output = self._record(item, Path(scratch), folder)
            judged = self._judge.judge(item, done, folder)
        reports = [*told.reports]
        if failure := _failure(done, told):
            reports = _completed(item, reports, failure, output)
        for warning in told.warnings:
            self._warn(warning)
        yield from with_verdict(item, reports, judged)
        self._stop(item, done, told)

    def _record(
        self, item: pytest.Item, scratch: Path, folder: Path
    ) -> tuple[RecordResult, Messages, str]:
        """Run one test; how the recording went, what the test told, and the end of its output."""
        messages, log, task = scratch / "messages", scratch / "log", scratch / "task.json"
        shown = self._config.getoption("capture") == "no"
        told = {
            "nodeid": item.nodeid,
            "path": str(item.path),
            "args": [str(a) for a in self._config.invocation_params.args],
            "sys_path": sys.path,
            "argv": sys.argv,
            "basetemp": self._judge.new_base(),
            "messages": str(messages),
            "log": "" if shown else str(log),
        }
        task.write_text(json.dumps(told), encoding="utf-8")
        template = f"{folder}/%p.synctrace".replace("%", "%%").replace("%%p.", "%p.")
        command = [sys.executable, "-P", str(CHILD), str(task)]
        done = record(command, template, quiet=True)
        for trace in done.traces:
            add_code(trace)
        output = log.read_bytes()[-TAIL_BYTES:].decode(errors="replace") if log.exists() else ""
        return done, self._read(messages), output

    def _read(self, path: Path) -> Messages:
        told: dict[str, list[Any]] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            with suppress(ValueError):  # torn by the end of the process
                what, value = json.loads(line)
                told.setdefault(what, []).append(value)
        return Messages(
            reports=[self._report(value) for value in told.get("report", ())],
            warnings=told.get("warning", []),
            lost=told.get("lost", []),
            interrupt=told.get("interrupt", [None])[0],
            ended="end" in told,
        )

    def _warn(self, told: dict[str, Any]) -> None:
        """A warning as pytest has it; its class is known by name only."""
        category = type(told["category"], (Warning,), {})
        message = warnings.WarningMessage(
            category(told["text"]), category, told["filename"], told["lineno"]
        )
        location = told["location"] and tuple(told["location"])
        self._config.hook.pytest_warning_recorded.call_historic(
            kwargs={
                "warning_message": message,
                "when": "runtest",
                "nodeid": told["nodeid"],
                "location": location,
            }
        )

    def _report(self, value: dict[str, Any]) -> pytest.TestReport:
        """A report as it was: JSON has made lists of its tuples."""
        for key in ("location", "longrepr"):
            if isinstance(value[key], list):
                value[key] = tuple(value[key])
        for key in ("sections", "user_properties"):
            value[key] = [tuple(pair) for pair in value[key]]
        hook = self._config.hook
        made: pytest.TestReport = hook.pytest_report_from_serializable(
            config=self._config, data=value
        )
        return made

    def _stop(self, item: pytest.Item, done: RecordResult, told: Messages) -> None:
        """End the whole run where the test, or who interrupts it, means the whole run."""
        if told.interrupt and told.interrupt["exit"]:
            pytest.exit(told.interrupt["text"], told.interrupt["code"])
        if told.interrupt or done.status == -signal.SIGINT:
            raise KeyboardInterrupt
        if done.status in [-number for number in STOPS]:
            item.session.shouldstop = f"{item.nodeid} got {_ending(done.status)}"


def _failure(done: RecordResult, told: Messages) -> str:
    """Why the test has no result of its own, or not a whole one; nothing where it has."""
    if told.interrupt:
        return ""
    if told.lost:
        return "\n".join(["the process that was to run this test could not:", *told.lost])
    if done.status is None:
        return f"this test could not be run: {done.message}"
    if done.status < 0:
        when = "after its end" if told.ended else "while it ran"
        return f"the process of this test got {_ending(done.status)} {when}"
    if not told.ended:
        return f"the process of this test ended with exit code {done.status} before the test did"
    return ""


def _ending(status: int | None) -> str:
    number = -(status or 0)
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _completed(
    item: pytest.Item, reports: Sequence[pytest.TestReport], failure: str, output: str
) -> list[pytest.TestReport]:
    """The reports that came, and for the phases that told nothing: the first of them failed."""
    made = [*reports]
    phases = [report.when for report in reports]
    missing = [when for when in ("setup", "call", "teardown") if when not in phases] or ["teardown"]
    failing = "call" if "call" in missing else missing[-1]
    for when in missing:
        fails = when == failing
        report = pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords=dict.fromkeys(item.keywords, 1),
            outcome="failed" if fails else "passed",
            longrepr=failure if fails else None,
            when=when,  # type: ignore[arg-type]
            sections=[("output of its process", output)] if fails and output else [],
        )
        made.append(report)
    return made
