"""The pytest plugin: with `--synctrace` each test is recorded, and fails if its run races.

pytest loads this file wherever synctrace is installed. The rest of synctrace is loaded only by
the option, and pytest itself is nothing that synctrace depends on.
"""

import pytest

LEVELS = ("error", "warning", "note", "never")
MARKER = (
    "synctrace(fail_on=LEVEL, select=RULES): how `pytest --synctrace` judges this test, in place "
    "of --synctrace-fail-on and of the project's settings"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, in a group of their own."""
    group = parser.getgroup("synctrace", "order of GPU work (synctrace)")
    group.addoption(
        "--synctrace",
        action="store_true",
        help="Record each test in a process of its own; a test whose run races fails.",
    )
    group.addoption(
        "--synctrace-fail-on",
        choices=LEVELS,
        metavar="LEVEL",
        help=f"Lowest severity that fails a test: {', '.join(LEVELS)}.",
    )
    group.addoption(
        "--synctrace-dir",
        metavar="DIR",
        help="Folder for the traces of tests that fail their check; default: pytest's own for "
        "temporary files.",
    )


@pytest.hookimpl(trylast=True)  # after pytest's own folder for temporary files is known
def pytest_configure(config: pytest.Config) -> None:
    """Record, if that is asked for. Raises UsageError where it is impossible."""
    config.addinivalue_line("markers", MARKER)
    if config.getoption("synctrace"):
        from synctrace.analyzer.pytest_recording import Recording

        config.pluginmanager.register(Recording(config), "synctrace-recording")
