"""Fills of host memory that an earlier copy still reads: the device's own doing, in order."""

from pathlib import Path

import pytest

from hip.programs.build import Programs
from hip.runs import races, recorded


@pytest.mark.parametrize("case", ["fill", "rows", "slices", "graph"])
def test_no_store_of_the_host_is_told(hip_programs: Programs, tmp_path: Path, case: str) -> None:
    assert races(recorded(hip_programs, tmp_path, "refilled", case, "fixed")) == []
