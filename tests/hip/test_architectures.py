"""Modes of kernels' arguments are those of the GPU that runs them, as HIP names it.

The stand-in's is gfx90a, in the layouts of hipDeviceProp_t of HIP 5 (Debian's header) and since 6.
"""

from pathlib import Path

import pytest

import synctrace
from hip import runs, told
from hip.code_objects import compressed
from hip.programs.build import HERE, code_object, programs
from hip.rows import ops, versions
from synctrace.analyzer.report.clean import clean_lines
from synctrace.tracer.kinds import Kind
from synctrace.tracer.launch import record

ALL = "[0,4096)"
KNOWN = pytest.mark.parametrize(
    ("gpu", "others", "mode"),
    [
        ("gfx90a", ("gfx1100", "gfx942"), "write"),
        ("gfx908", ("gfx1100",), "read_write"),  # it runs neither: what covers both
    ],
)


@KNOWN
def test_modes(tmp_path: Path, gpu: str, others: tuple[str, ...], mode: str) -> None:
    made = programs(tmp_path, code_object(others=others, gpu=gpu))
    path = runs.recorded(made, tmp_path, "batches", "boxes", "fixed")
    filled = f"kernel fill on HIP0 stream 1: {mode} device memory 1{ALL}"
    assert ops(path, Kind.KERNEL) == [filled]


def test_modes_cover_all_devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel may be launched on any of them."""
    made = programs(tmp_path, code_object(others=("gfx1100", "gfx942")))
    monkeypatch.setenv("STANDIN_DEVICES", "2")
    for other, mode in (("gfx90a", "write"), ("gfx1100", "read_write"), ("unnamed", "read_write")):
        monkeypatch.setenv("STANDIN_OTHERS", other)
        path = runs.recorded(made, tmp_path, "batches", "boxes", "fixed")
        filled = f"kernel fill on HIP0 stream 1: {mode} device memory 1{ALL}"
        assert ops(path, Kind.KERNEL) == [filled]


@KNOWN
def test_modes_of_hip_5(tmp_path: Path, gpu: str, others: tuple[str, ...], mode: str) -> None:
    made = programs(tmp_path, code_object(others=others, gpu=gpu))
    program = made.built(runs.CALLS / "old.c", HERE / "scenarios.c", major=5)
    assert told.recorded([program, "asked", "fixed"], tmp_path / "t").exit_code == 0
    [version] = versions(tmp_path / "t")["graph 1"]
    passed = f"kernel pass: read device memory 2{ALL}, {mode} device memory 3{ALL}"
    assert version.nodes[-1] == passed


def test_code_that_no_library_unpacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said by `record` and by `check`, with what to install."""
    made = programs(tmp_path, compressed(code_object(), 3, "zstd"))
    program = [runs.program(made, "batches"), "boxes", "fixed"]
    assert "compressed" not in told.recorded(program, tmp_path / "t").message
    assert ops(tmp_path / "t", Kind.KERNEL)[0].endswith(f"write device memory 1{ALL}")
    (tmp_path / "libzstd.so.1").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    result = record(program, str(tmp_path / "u"))
    assert "libzstd.so.1" in result.message
    assert "launches: 1 (" in result.message
    assert "apt-get install libzstd1" in result.message
    assert ops(tmp_path / "u", Kind.KERNEL)[0].endswith(": unknown unknown[0,0)")
    checked = synctrace.check(tmp_path / "u", ["hip-doc"])
    lines = " ".join(line.strip() for line in clean_lines(checked))
    assert "1 kernel not unpacked" in lines
    assert "apt-get install libzstd1" in lines
