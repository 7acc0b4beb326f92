"""Where the code of loaded kernels is: kept in the trace, and read there.

On a driver that loads and runs nothing. What a real one is given (CuPy's cubins, the fat binaries
of libraries), only a real one shows (tests/gpu/kernel_code.py).
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from synctrace.analyzer import known_modes
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kernel_code import line
from synctrace.tracer.kinds import Mode
from synctrace.tracer.reader import open_trace
from synctrace.tracer.sass.images import images_of, keep_images
from synctrace.tracer.sass.known import known_kernels
from synctrace.tracer.sass.nvdisasm import find_nvdisasm

SOURCES = Path(__file__).parent / "code"
FATBIN = Path(__file__).parents[1] / "data" / "sass" / "scale_zstd.fatbin"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the program and of libcuda.so.1."""
    folder = tmp_path_factory.mktemp("code")
    shutil.copy(FATBIN, folder / "scale.fatbin")
    library = ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", "libcuda.so.1"]
    subprocess.run(["cc", str(SOURCES / "libcuda.c"), *library], check=True, cwd=folder)
    program = ["-o", "program", "libcuda.so.1"]
    subprocess.run(["cc", str(SOURCES / "program.c"), *program], check=True, cwd=folder)
    return folder


def record(built: Path, trace: Path, *more: str, option: str = "--kernel-code") -> list[str]:
    """Lines of code.txt, when the program has ended as it does alone."""
    command = [sys.executable, "-m", "synctrace", "record", "-q", "-f", option, "-o", str(trace)]
    command += ["--"]
    done = subprocess.run(
        [*command, "./program", "scale.fatbin", *more],
        cwd=built,
        env={**os.environ, "LD_LIBRARY_PATH": str(built)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return (trace / "code.txt").read_text().splitlines()


def test_code_in_memory_is_copied_once(built: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.synctrace"
    gpu, copied = record(built, trace)
    assert (gpu, copied.split()[0]) == ("gpu 90", "copied")
    assert [content for _, content in images_of(trace).contents] == [FATBIN.read_bytes()]
    assert record(built, trace) == [gpu, copied]  # over the trace that is there


def test_code_in_a_file_is_told_by_its_place(built: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.synctrace"
    _, told = record(built, trace, "in-file")
    assert told.split()[0] == "file" and told.endswith("/program")
    assert [content for _, content in images_of(trace).contents] == [FATBIN.read_bytes()]
    assert not list(trace.glob("code-*"))


@pytest.mark.parametrize(("way", "size"), [("limited", len(FATBIN.read_bytes())), ("lying", None)])
def test_what_cannot_be_copied_hurts_nobody(
    built: Path, tmp_path: Path, way: str, size: int | None
) -> None:
    """A program whose files may not grow would be killed by it; as one whose code is shorter than
    it says: 8 MiB behind a head of 16 bytes.
    """
    left = (8 << 20) + 16 if size is None else size
    assert record(built, tmp_path / "t.synctrace", way) == ["gpu 90", f"left {left}"]


def test_code_that_is_loaded_over_and_over_is_told_once(built: Path, tmp_path: Path) -> None:
    """The program says how much the recorder has written of it."""
    command = [sys.executable, "-m", "synctrace", "record", "-q", "-o", str(tmp_path / "t"), "--"]
    written = subprocess.run(
        [*command, "./program", "scale.fatbin", "often"],
        cwd=built,
        env={**os.environ, "LD_LIBRARY_PATH": str(built)},
        capture_output=True,
        check=True,
    ).stdout
    assert 0 < int(written) < 100


def test_lines_that_were_cut_off(tmp_path: Path) -> None:
    """On a full disk: what they said is missing, and no more."""
    (tmp_path / "code").write_text("gpu 90\nmapped 12copied ab\nfile /code\nmapp")
    keep_images(tmp_path, [], tmp_path)
    assert (tmp_path / "code.txt").read_text() == "gpu 90\nleft 0\nfile 0 0 /code\n"


def test_code_that_the_driver_compiles_is_not_to_be_had(built: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.synctrace"
    assert record(built, trace, "source") == ["gpu 90", "source"]
    found = images_of(trace)
    assert (found.contents, found.lost) == ((), ("code that the driver compiled from PTX",))


def test_a_trace_without_code(tmp_path: Path) -> None:
    with pytest.raises(SynctraceError, match="does not say where its kernels' code is"):
        images_of(tmp_path)


def test_the_code_of_a_trace_is_read(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_nvdisasm() is None:
        pytest.skip("needs nvdisasm: pip install nvidia-cuda-nvdisasm")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    record(built, tmp_path / "t.synctrace")
    images = images_of(tmp_path / "t.synctrace")
    found = [line(modes) for modes in known_kernels(images, [("scale", 0), ("other", 0)])]
    missing = "(its code is not here: compiled from PTX, or not copied)  other"
    assert found == ["r:0 w:8  scale", missing]
    monkeypatch.setenv("PATH", "/nowhere")
    assert [line(modes) for modes in known_kernels(images, [("scale", 0)])] == found[:1]  # kept


@pytest.mark.parametrize("wanted", ["--kernel-code", "--no-kernel-code"])
def test_record_puts_it_into_the_trace(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    if find_nvdisasm() is None:
        pytest.skip("needs nvdisasm: pip install nvidia-cuda-nvdisasm")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    record(built, tmp_path / "t.synctrace", option=wanted)
    trace = open_trace(tmp_path / "t.synctrace")
    assert trace.complete
    modes = known_modes.accesses(trace)["mode"].to_pylist()
    words = trace.table("kernel_word").to_pylist()
    if wanted == "--no-kernel-code":
        assert (words, trace.table("kernel_code").num_rows) == ([], 0)
        assert Mode.UNKNOWN in modes and Mode.WRITE in modes  # its allocations are writes
        return
    assert words == [
        {"kernel": 1, "word": 0, "mode": Mode.READ},
        {"kernel": 1, "word": 8, "mode": Mode.WRITE},
    ]
    assert Mode.UNKNOWN not in modes and Mode.READ in modes


def test_code_that_cannot_be_read_does_not_hurt_the_trace(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "bin" / "nvdisasm"
    broken.parent.mkdir()
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] || { echo it is broken >&2; exit 1; }\n')
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    record(built, tmp_path / "t.synctrace")
    trace = open_trace(tmp_path / "t.synctrace")
    assert trace.complete
    [row] = trace.table("kernel_code").to_pylist()
    assert row["why"] == "nvdisasm: it is broken"


def test_a_machine_without_the_disassembler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synctrace.tracer.sass.nvdisasm.find_nvdisasm", lambda: None)
    from synctrace.tracer.sass.images import Images

    with pytest.raises(SynctraceError, match="pip install nvidia-cuda-nvdisasm"):
        list(known_kernels(Images(90, (), ()), [("scale", 0)]))
