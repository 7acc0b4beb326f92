"""Host memory that the device writes behind a copy of it: no store of the host."""

from pathlib import Path

import pytest

from hip.programs.build import Programs
from hip.runs import races, recorded


@pytest.mark.parametrize("case", ["fill", "rows", "slices", "graph", "copy"])
def test_no_store_of_the_host_is_told(hip_programs: Programs, tmp_path: Path, case: str) -> None:
    assert races(recorded(hip_programs, tmp_path, "refilled", case, "fixed")) == []
