"""Blocks of PyTorch's allocator, told by the function of libc10.so that it calls at each of them.

The two libraries are stand-ins: they are loaded and call each other as PyTorch's are, by the name
that libc10_cuda.so of 2.14.1 asks for (a relocation of its procedure table). That PyTorch's own
allocator tells all of its blocks only a machine with a GPU can prove.
"""

import subprocess
from pathlib import Path

import pytest

from hip import told
from hip.programs.build import HERE, Programs
from hip.runs import races

SOURCES = Path(__file__).with_name("torch_blocks")
TOLD = [f"1 {size} 11 22 {{kind}} 3" for size in (4096, 4096)]
BACK = ["1 -4096 11 22 1 3"] * 2


@pytest.mark.parametrize(
    ("variant", "kind", "found"),
    [("race", 0, ["RACE03 range-guess fill#1 fill#2"]), ("fixed", 1, [])],
)
def test_blocks_bound_what_kernels_touch(
    hip_programs: Programs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    variant: str,
    kind: int,
    found: list[str],
) -> None:
    """And PyTorch's own function is called with what it was to be told."""
    libraries = tmp_path / "libc10.so", tmp_path / "libc10_cuda.so"
    for library in libraries:
        source = SOURCES / f"{library.stem.removeprefix('lib')}.c"
        needs = [] if library == libraries[0] else [str(libraries[0]), "-Wl,-rpath,$ORIGIN"]
        shared = ["cc", "-shared", "-fPIC", f"-Wl,-soname,{library.name}", "-o", str(library)]
        subprocess.run([*shared, str(source), *needs], check=True)
    monkeypatch.setenv("C10_CUDA", str(libraries[1]))
    program = hip_programs.built(SOURCES / "program.c", HERE / "scenarios.c")
    assert told.recorded([program, "neighbours", variant], tmp_path / "t").exit_code == 0
    printed = capfd.readouterr().out.splitlines()
    assert printed == [*(line.format(kind=kind) for line in TOLD), *BACK] * 2
    assert races(tmp_path / "t") == found
