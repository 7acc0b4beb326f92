"""The cases of tests/data/order.jsonl as traces, imported once for all tests that judge them."""

import pytest
from rows import CASES

from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.scenario import import_cases


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Trace]:
    """Every case as a trace, by its id."""
    paths = import_cases(CASES, tmp_path_factory.mktemp("rows") / "traces")
    return {path.name: open_trace(path) for path in paths}
