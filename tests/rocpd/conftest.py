"""What the tests of the import share: a database to be filled, with either schema."""

from pathlib import Path

import pytest
from hip_runs import Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """One process, schema 3."""
    return Run(tmp_path)


@pytest.fixture(params=[(3, False), (4, False), (3, True)], ids=["3", "4", "without-uuid"])
def any_run(tmp_path: Path, request: pytest.FixtureRequest) -> Run:
    """One process, in each form that a database has."""
    return Run(tmp_path, *request.param)
