"""The stand-in ggml as a user's program: `tokens` is in order, `rewrites` and `copies` race."""

from pathlib import Path

import pytest
from ggml.conftest import StandIn, build

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """The program of the newer layout, and the same as a library."""
    return build(tmp_path_factory.mktemp("app"), "-DLAYOUT_2D")
