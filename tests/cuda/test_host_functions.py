"""Host functions of CUDA's streams: judged as on HIP (tests/hip/test_host_functions.py)."""

from pathlib import Path

import pytest
from hip import told
from hip.runs import CALLS
from hip.test_host_functions import CASES, OBSERVED

from cuda.catalogue import PROFILES, plain
from cuda.programs.build import Programs


@pytest.mark.parametrize(("case", "variant"), CASES)
def test_findings(cuda_programs: Programs, tmp_path: Path, case: str, variant: str) -> None:
    path = cuda_programs.case("host_functions", CALLS)
    assert told.recorded([path, case, variant], tmp_path / "t").exit_code == 0
    lines = OBSERVED.get((case, variant), [])
    expected = [line.replace("hipMemcpyAsync", "cuMemcpyHtoDAsync_v2") for line in lines]
    for found in told.findings(tmp_path / "t", *PROFILES).values():
        assert [plain(line) for line in found] == expected


def test_the_program_runs_as_without_a_recorder(
    cuda_programs: Programs, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = cuda_programs.case("host_functions", CALLS)
    for case, holds in (("callback", "device: 1 x1024"), ("stored", "asked: 7 x1")):
        assert told.recorded([path, case, "fixed"], tmp_path / case).exit_code == 0
        assert capfd.readouterr().out == f"{holds}\n"
