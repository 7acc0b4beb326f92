"""A ring never blocks, never tears a record, and counts what it drops."""

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from machines import Machine

from synctrace.tracer.rings import FIXED, PAGE, Record, Ring, records, text_of

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"


@pytest.fixture(scope="session")
def writer(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The start of a command line: a folder and a count follow."""
    program = tmp_path_factory.mktemp("ring") / "ring_writer"
    sources = [HERE / "ring_writer.c", NATIVE / "ring.c", NATIVE / "process.c"]
    flags = ["-O2", "-D_GNU_SOURCE", f"-I{NATIVE}", "-Wall", "-Wextra", "-Werror"]
    command = [machine.cc, *flags, *map(str, sources), "-lpthread", "-o", str(program)]
    subprocess.run(command, check=True)
    return [*machine.emulator, str(program)]


def drain(ring: Ring) -> tuple[list[int], int]:
    """Numbers of the records that are there now, and how many the gap records tell."""
    numbers, told = [], 0
    for part in ring.take():
        end = 0
        for kind, _, start, end in records(part):
            if kind == Record.GAP:
                told += FIXED[Record.GAP].unpack_from(part, start)[2]
            elif kind == Record.SCOPE:
                number = FIXED[Record.SCOPE].unpack_from(part, start)[0]
                assert text_of(part[start + 40 : end]) == "x" * (number * 7919 % 500)
                numbers.append(number)
        assert end == len(part), "a part ends with a whole record"
    return numbers, told


def begun(path: Path) -> Ring:
    """The ring that a program is making, once it is there in full."""
    while True:
        with suppress(OSError, ValueError):
            return Ring(path)
        time.sleep(0.001)


@pytest.mark.parametrize("pause", [0.0, 0.0005, 0.005])
def test_every_record_is_read_or_counted(writer: list[str], tmp_path: Path, pause: float) -> None:
    count = 200_000
    with subprocess.Popen([*writer, str(tmp_path), str(count)]) as process:
        path = tmp_path / "ring-7"
        ring = begun(path)
        numbers: list[int] = []
        told = 0
        while True:
            closed = ring.closed()
            more, gaps = drain(ring)
            numbers += more
            told += gaps
            if closed:
                break
            time.sleep(pause)
        assert process.wait(30) == 0
    state = ring.writer()
    untold = state.dropped - state.reported
    assert numbers == sorted(set(numbers))
    assert told == state.reported
    assert len(numbers) + told + untold == count
    ring.close(remove=True)
    assert not path.exists()


def test_without_a_reader_the_writer_goes_on(writer: list[str], tmp_path: Path) -> None:
    subprocess.run([*writer, str(tmp_path), "50000"], check=True, timeout=30)
    ring = Ring(tmp_path / "ring-7")
    numbers, _ = drain(ring)
    assert numbers == list(range(len(numbers))), "the oldest records are kept"
    assert len(numbers) + ring.writer().dropped == 50_000


def test_a_file_that_is_no_ring_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ring-1"
    path.write_bytes(bytes(2 * PAGE))
    with pytest.raises(ValueError, match="no ring"):
        Ring(path)


@pytest.mark.parametrize("tail", [bytes(8), b"\xff" * 8])
def test_a_senseless_record_is_an_error_behind_the_good_ones(tail: bytes) -> None:
    good = (16).to_bytes(4, "little") + bytes([Record.GAP, 0, 0, 0]) + bytes(8)
    assert len(list(records(good))) == 1
    found = records(good + tail)
    assert next(found)[2:] == (0, 16)
    with pytest.raises(ValueError, match="senseless"):
        next(found)


LOOK = """
import mmap, sys
with open(sys.argv[1], "rb") as file:
    view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[128:136].cast("Q")
last, end = view[0], int(sys.argv[2])
print("looking", flush=True)
while last < end:
    tail = view[0]
    if tail < last:
        sys.exit(f"{last}, then {tail}")
    last = tail
"""


def test_the_writer_never_sees_a_tail_that_goes_back(tmp_path: Path, writer: list[str]) -> None:
    """A store in two steps would look like a full ring: a record lost for nothing."""
    path = tmp_path / "ring-7"
    subprocess.run([*writer, str(tmp_path), "1"], check=True)
    ring = Ring(path)
    ring._set_tail(1)
    command = [sys.executable, "-c", LOOK, str(path), "1000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as looker:
        assert looker.stdout is not None
        assert looker.stdout.readline() == "looking\n"
        for tail in range(1, 1_000_001):
            ring._set_tail(tail)
        assert looker.wait(30) == 0
    ring.close(remove=True)
