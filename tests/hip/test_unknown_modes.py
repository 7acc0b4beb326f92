"""Kernels of which only the pointers are known, not what they are used for: most real ones.

A compiler tells a pointer's mode only where the source promises it (const __restrict__). What it
may be is never certain, and a program in order stays silent.
"""

from pathlib import Path

import pytest

from hip import told
from hip.catalogue import CASES
from hip.programs.build import Programs, code_object, programs


def _unknown(rules: str, *ops: str) -> list[str]:
    return [f"{rule} mode-unknown {pair}" for pair in ops for rule in rules.split()]


RACES = {
    "torchcodec-nvdec-npp": _unknown("RACE01 RACE02", "fill#1 pass#1"),
    "rocm-default-vs-transfer": _unknown("RACE01", "hipMemcpyAsync#1 pass#1"),
    "ggml-pipeline-graph-reuse": _unknown("RACE02 RACE03", "pass#1 hipMemcpyAsync#2"),
    "torchrec-ems-record-stream": _unknown("RACE02", "hipMemcpyAsync#1 fill#2"),
    "miopen-null-stream-copy": _unknown("RACE01", "fill#1 hipMemcpy#1", "hipMemcpy#1 pass#1"),
    "hip-memcpypeer-both": _unknown("RACE01", "fill#1 hipMemcpyPeerAsync#1"),
    # A kernel that may write host memory may have changed it: no store of the host is told.
    "ggml-ubatch-input-war": [],
    # Nothing hangs on what the kernels do here.
    "pytorch-cublas-workspace-graphs": list(CASES["pytorch-cublas-workspace-graphs"].findings),
    "ggml-cpu-input-overwrite": list(CASES["ggml-cpu-input-overwrite"].findings),
}


@pytest.fixture(scope="module")
def modeless(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    return programs(tmp_path_factory.mktemp("hip-modeless"), code_object(modes=False))


@pytest.mark.parametrize("variant", ["fixed", "race"])
@pytest.mark.parametrize("name", RACES)
def test_nothing_is_certain(
    modeless: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, variant: str
) -> None:
    monkeypatch.setenv("STANDIN_DEVICES", "2")
    monkeypatch.setenv("STANDIN_DELAY_US", "2000")
    told.recorded([modeless.program(CASES[name].program), name, variant], tmp_path / "t")
    found = told.findings(tmp_path / "t", "hip-doc")["hip-doc"]
    assert found == (sorted(RACES[name]) if variant == "race" else [])
