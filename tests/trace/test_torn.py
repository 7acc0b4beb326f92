"""A killed writer loses at most what it had not flushed; a torn trace never looks clean.

Damage within a closed file is refused or, where Arrow cannot see it, read: never a crash.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import endless_writer
import pytest
from endless_writer import flushed_file

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.reader import open_trace

KILLS = 100


@pytest.mark.parametrize(("table", "step"), [("stack", 2), ("call", 11)])
def test_cut_anywhere(small: Path, table: str, step: int) -> None:
    """Whole batches before the cut are there, in order; nothing else is; loss is told."""
    file = small / f"{table}.arrow"
    whole = open_trace(small).table(table).to_pylist()
    data = file.read_bytes()
    seen = set()
    for length in range(0, len(data), step):
        file.write_bytes(data[:length])
        trace = open_trace(small)
        assert not trace.complete
        assert trace.lost == (f"torn, read up to the last whole batch: {table}",)
        rows = trace.table(table).to_pylist()
        assert rows == whole[: len(rows)]
        seen.add(len(rows))
        assert trace.source(table).num_rows == len(rows)
    assert seen == {0, 50, 100, 150}


def test_a_tail_that_was_never_written(small: Path) -> None:
    """A crashed machine can leave zeros where the last pages should be."""
    file = small / "stack.arrow"
    data = file.read_bytes()
    schema_end = 16 + int.from_bytes(data[12:16], "little")
    for length in range(schema_end, len(data), 23):
        file.write_bytes(data[:length] + bytes(len(data) - length))
        trace = open_trace(small)
        assert not trace.complete
        assert trace.table("stack").num_rows in (0, 50, 100, 150)


@pytest.mark.parametrize("table", ["call", "stack"])
def test_a_changed_byte_never_crashes(small: Path, table: str) -> None:
    """A random bit of every third byte is changed; the reader reads or refuses."""
    file = small / f"{table}.arrow"
    data = file.read_bytes()
    chosen = random.Random(7)
    refused = 0
    for position in range(0, len(data), 3):
        changed = bytearray(data)
        changed[position] ^= 1 << chosen.randrange(8)
        file.write_bytes(changed)
        try:
            trace = open_trace(small)
            rows = trace.table(table).num_rows
            assert rows == 150
        except SynctraceError as error:
            assert "again" in str(error)
            refused += 1
    assert refused > len(data) // 12


def test_kill_9_loses_at_most_one_batch(tmp_path: Path) -> None:
    """Killed at any moment, and as often at one when something has been flushed."""
    command = [sys.executable, endless_writer.__file__]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    chosen = random.Random(9)
    kept = 0
    with subprocess.Popen(command, text=True, **pipes) as writers:
        assert writers.stdin and writers.stdout
        for attempt in range(KILLS):
            path, rows = tmp_path / f"{attempt}.synctrace", chosen.choice([1, 100, 3000])
            print(path, rows, file=writers.stdin, flush=True)
            writer = int(writers.stdout.readline())
            begun = flushed_file(path) if attempt % 2 else path / "meta.json"
            while not (begun.exists() and begun.stat().st_size):
                time.sleep(0.0005)
            time.sleep(chosen.uniform(0, 0.03))
            os.kill(writer, signal.SIGKILL)
            assert writers.stdout.readline() == "gone\n"
            kept += check_killed(path, rows)
        writers.stdin.close()
    assert kept >= KILLS // 2


def check_killed(path: Path, batch: int) -> bool:
    """Everything flushed is there, in order, and at most a batch more; True if there is any."""
    count = flushed_file(path)
    flushed = int.from_bytes(count.read_bytes(), "little") if count.exists() else 0
    trace = open_trace(path)
    assert not trace.complete
    assert trace.lost
    ids = [row for part in trace.batches("op", ["id"]) for row in part.column(0).to_pylist()]
    assert ids == list(range(len(ids)))
    assert flushed <= len(ids) <= flushed + batch
    return bool(ids)
