"""docs/scheduler.md and docs/python.md are true: their files are run and print what is shown.

`SYNCTRACE_UPDATE=1 pytest tests/examples/test_pages.py` writes the outputs anew: read the
difference. What runs on GPUs runs on the stand-in of CuPy.
"""

from pathlib import Path

import pytest
from page import shown_and_printed

from .programs import ROOT

STANDIN = ROOT / "tests/cupy_calls/standin"


@pytest.mark.parametrize("name", ["scheduler", "python"])
def test_every_command_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    shown, printed = shown_and_printed(
        ROOT / f"docs/{name}.md",
        tmp_path,
        {"PYTHONPATH": str(STANDIN), "PYTEST_ADDOPTS": "-p no:cacheprovider -W ignore"},
    )
    assert printed == shown
