"""What a trace says of its code, and the code: cut off, damaged, or made by somebody else."""

import os
import random
from contextlib import suppress
from pathlib import Path

import pytest

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.sass import images
from synctrace.tracer.sass.cubin import read_cubin
from synctrace.tracer.sass.fatbin import cubins
from synctrace.tracer.sass.images import CUT_OFF, Images, images_of, keep_images

pytestmark = pytest.mark.timeout(60)  # a pipe that is opened is waited for
HASH = "0123456789abcdef"
DATA = Path(__file__).parents[1] / "data/sass"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    folder = tmp_path / "t.synctrace"
    folder.mkdir()
    return folder


def read(trace: Path, *lines: str) -> Images:
    (trace / "code.txt").write_text("".join(f"{line}\n" for line in lines))
    return images_of(trace)


def lost(trace: Path, *lines: str) -> str:
    found = read(trace, *lines)
    assert found.contents == ()
    [why] = found.lost
    return why


def test_a_piece_of_a_file(trace: Path, tmp_path: Path) -> None:
    (tmp_path / "a library").write_bytes(b"0123456789")
    lines = [f"file 2 3 {tmp_path}/a library", f"file 0 0 {tmp_path}/a library"]
    assert read(trace, "gpu 90", *lines) == Images(90, ((0, b"234"), (0, b"0123456789")), ())


@pytest.mark.parametrize("place", ["8 3", "0 11", "11 0", "-1 2", "3 -2"])
def test_a_place_that_is_not_in_the_file(trace: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "program").write_bytes(b"0123456789")
    assert "it ends before the code" in lost(trace, f"file {place} {tmp_path}/program")


def test_what_never_ends_is_not_read(trace: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", tmp_path / "pipe", tmp_path):
        assert lost(trace, f"file 0 8 {path}") == f"{path}: no regular file"


def test_more_than_all_code_can_be(
    trace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "MOST_BYTES", 10)
    for name in "ab":
        (tmp_path / name).write_bytes(b"0123456789"[:7])
    found = read(trace, f"file 0 0 {tmp_path}/a", f"file 0 0 {tmp_path}/b")
    assert found.contents == ((0, b"0123456"),)
    assert found.lost == (f"{tmp_path}/b: too large, or the images before it are",)


def test_a_copy_is_a_file_of_the_trace(trace: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"of another folder")
    (trace / f"code-{HASH}.bin").symlink_to(tmp_path / "secret")
    assert f"code-{HASH}.bin" in lost(trace, f"copied {HASH} 17")
    assert lost(trace, "copied ../../secret 17") == CUT_OFF


def test_the_list_itself_is_a_file_of_the_trace(trace: Path, tmp_path: Path) -> None:
    os.mkfifo(trace / "code.txt")
    with pytest.raises(SynctraceError, match="does not say"):
        images_of(trace)


@pytest.mark.parametrize(
    "line", ["mapped 1234", f"copied {HASH}", "file 0", "le", "gpu ", "copied"]
)
def test_a_line_that_was_cut_off_loses_that_image_alone(trace: Path, line: str) -> None:
    """As a full disk leaves it; nothing else of the recording is lost."""
    folder = trace.parent / "rings"
    folder.mkdir()
    (folder / f"code-{HASH}").write_bytes(b"cubin")
    (folder / "code").write_text(f"gpu 90\ncopied {HASH} 5\n{line}")
    keep_images(folder, [], trace)
    found = images_of(trace)
    assert (found.gpu, found.contents) == (90, ((int(HASH, 16), b"cubin"),))
    assert len(found.lost) == 1


def damaged(image: bytes, seed: int) -> bytes:
    """Some bytes of the image are others, or its end is missing."""
    choose, made = random.Random(seed), bytearray(image)
    for _ in range(choose.randint(1, 3)):
        at = choose.randrange(min(len(made), choose.choice((64, 300, len(image)))))
        if choose.random() < 0.2 and at:
            del made[at:]
        else:
            made[at] = choose.choice((0, 1, 127, 255, choose.randrange(256)))
    return bytes(made)


@pytest.mark.parametrize("name", ["scale_lz4.fatbin", "scale_zstd.fatbin"])
def test_a_damaged_image_is_one_sentence(name: str) -> None:
    fatbin = (DATA / name).read_bytes()
    [(_, cubin)] = cubins(fatbin)
    for seed in range(2000):
        for image in (damaged(fatbin, seed), damaged(cubin, seed)):
            with suppress(SynctraceError):
                for _, content in cubins(image):
                    read_cubin(content)
