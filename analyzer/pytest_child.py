"""The other half of `pytest --synctrace`: runs one test in a process that is recorded.

Run as a file, not as a module: synctrace itself must not be loaded before pytest loads its
plugins. What pytest reports of the test is written down as lines of JSON, one message each.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

# Options of the whole run that do not concern a single test of it. Those of other plugins count
# only where the plugin is there: xdist, cov, forked.
NEUTRAL: dict[str, Any] = {
    "keyword": "",
    "markexpr": "",
    "deselect": None,
    "maxfail": 0,
    "durations": None,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "cacheclear": False,
    "stepwise": False,
    "stepwise_skip": False,
    "stepwise_reset": False,
    "xmlpath": None,
    "pastebin": None,
    "log_file_mode": "a",
    "no_header": True,
    "no_summary": True,
    "synctrace": False,
    "dist": "no",
    "tx": [],
    "numprocesses": None,
    "maxprocesses": None,
    "looponfail": False,
    "no_cov": True,
    "forked": False,
}


class OneTest:
    """Narrows a run of pytest to one test, and tells what becomes of it."""

    def __init__(self, task: dict[str, Any]) -> None:
        self._task = task
        self._out = Path(task["messages"])

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config: pytest.Config) -> None:
        """The same options, but for those that choose tests or sum them up."""
        self._config = config
        for name, value in NEUTRAL.items():
            if hasattr(config.option, name):
                setattr(config.option, name, value)
        if self._task["basetemp"]:
            config.option.basetemp = self._task["basetemp"]
        config.args = [self._task["path"]]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Only the test asked for."""
        items[:] = [item for item in items if item.nodeid == self._task["nodeid"]][:1]
        if not items:
            self._tell("lost", "it was not found again: its id differs from run to run")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be collected here."""
        if report.failed:
            self._tell("lost", report.longreprtext)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One phase of the test."""
        config = self._config
        told = config.hook.pytest_report_to_serializable(config=config, report=report)
        self._tell("report", told)

    def pytest_warning_recorded(
        self, warning_message: Any, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        """A warning of the test. Those of collection are told by the run that has chosen it."""
        if when == "runtest":
            told = {name: getattr(warning_message, name) for name in ("filename", "lineno")}
            told["text"] = str(warning_message.message)
            told["category"] = warning_message.category.__name__
            self._tell("warning", {**told, "nodeid": nodeid, "location": location})

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Ctrl-C, or the test says that the whole run is to end."""
        left = excinfo.value
        how = {"exit": isinstance(left, pytest.exit.Exception), "text": str(left)}
        self._tell("interrupt", {**how, "code": getattr(left, "returncode", None)})

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """All was told."""
        self._tell("end", int(exitstatus))

    def _tell(self, what: str, value: object) -> None:
        with self._out.open("a", encoding="utf-8") as file:
            file.write(json.dumps([what, value], default=repr) + "\n")


def main() -> int:
    """Run the test that the task names; pytest's exit code."""
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if task["log"]:
        log = os.open(task["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)
    sys.path[:], sys.argv[:] = task["sys_path"], task["argv"]
    return int(pytest.main(task["args"], plugins=[OneTest(task)]))


if __name__ == "__main__":
    sys.exit(main())
