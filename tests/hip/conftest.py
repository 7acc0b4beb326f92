"""The programs of programs/, built once a session on the stand-in runtime."""

import pytest

from hip.programs.build import Programs, programs


@pytest.fixture(scope="session")
def hip_programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Programs whose kernels say what they read and write."""
    return programs(tmp_path_factory.mktemp("hip-programs"))
