"""The cases of tests/data as traces, imported once for all tests that judge them."""

import ggml_cases
import layer_cases
import pytest
from rows import CASES, CATALOGUE_CASES

from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.scenario import import_cases


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Trace]:
    """Every case of the vendors as a trace, by its id."""
    paths = import_cases(CASES, tmp_path_factory.mktemp("rows") / "traces")
    return {path.name: open_trace(path) for path in paths}


@pytest.fixture(scope="session")
def other_traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Trace]:
    """Every case of the catalogue, of ggml and of two layers."""
    folder = tmp_path_factory.mktemp("other-rows")
    paths = import_cases(CATALOGUE_CASES, folder / "catalogue")
    catalogue = {path.name: open_trace(path) for path in paths}
    layers = dict(layer_cases.traces(folder / "layers"))
    return catalogue | dict(ggml_cases.traces(folder / "ggml")) | layers
