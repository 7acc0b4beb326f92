"""The producer and the consumer of tests/hip/test_ring.py on CUDA's driver: judged as on HIP.

Two host threads with a stream each and a ring of slots between them, in the order seen and where
only told order counts.
"""

from pathlib import Path

import pytest
from hip import told
from hip.runs import CALLS
from hip.test_ring import FOUND, RIGHT, SEEDS, SLOW, expected, printed

from cuda.catalogue import PROFILES, plain
from cuda.programs.build import Programs


def renamed(line: str) -> str:
    """A finding of HIP's program with CUDA's functions."""
    copied = line.replace("hipMemcpyAsync", "cuMemcpyHtoDAsync_v2")
    return copied.replace("hipFreeAsync", "cuMemFreeAsync")


@pytest.mark.parametrize("case", FOUND)
def test_case(
    cuda_programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    path = cuda_programs.case("ring", CALLS)
    assert {printed([path, case, "fixed"], seed) for seed in SEEDS} == {RIGHT}
    racy = {printed([path, case, "race"], seed) for seed in SEEDS}
    assert (racy != {RIGHT}) == (case != "mutex-alone")
    for name, value in {**SLOW, "STANDIN_SEED": "1"}.items():
        monkeypatch.setenv(name, value)
    for variant in ("fixed", "race"):
        told.recorded([path, case, variant], tmp_path / variant)
        for host_order in ("observed", "strict"):
            found = told.findings(tmp_path / variant, *PROFILES, host_order=host_order)
            lines = [] if variant == "fixed" else [renamed(f) for f in expected(case, host_order)]
            for profile in PROFILES:
                assert [plain(line) for line in found[profile]] == lines, (variant, host_order)
