"""HIP programs of several threads, in the order seen and where only told order counts."""

from pathlib import Path

import pytest

from hip import told
from hip.programs.build import Programs

DIFFERENT = {
    # One stream of two threads: its order is that of the calls, which nothing told.
    ("one-stream", "race", "strict"): ["RACE01 certain fill#1 pass#1"],
    ("threaded-pg", "race", "observed"): [
        "RACE01 certain fill#1 hipMemcpyAsync#1",
        "RACE01 certain hipMemcpyAsync#1 pass#1",
    ],
    ("ipc-host-sync", "race", "observed"): ["RACE01 certain fill#1 pass#1"],
}
# What is certain in the order seen is so in any.
DIFFERENT |= {
    (name, variant, "strict"): lines
    for (name, variant, order), lines in list(DIFFERENT.items())
    if order == "observed"
}


@pytest.mark.parametrize("order", ["observed", "strict"])
@pytest.mark.parametrize("variant", ["fixed", "race"])
@pytest.mark.parametrize("name", ["one-stream", "threaded-pg", "ipc-host-sync"])
def test_verdicts(
    hip_programs: Programs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    variant: str,
    order: str,
) -> None:
    monkeypatch.setenv("STANDIN_DELAY_US", "2000")
    told.recorded([hip_programs.program("threads"), name, variant], tmp_path / "t")
    found = told.findings(tmp_path / "t", "hip-doc", host_order=order)["hip-doc"]
    assert found == DIFFERENT.get((name, variant, order), [])
