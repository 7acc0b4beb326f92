"""Device times that are told apart from ops (table device_work), in views and reports."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from synctrace.analyzer import words
from synctrace.analyzer.check import check
from synctrace.analyzer.query import Questions
from synctrace.analyzer.saved_query import saved
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.schema import DEVICE_WORK, META, TABLES
from synctrace.tracer.writer import TraceWriter

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
H200 = CASES.parent / "h200/h200-times-streams-fixed.synctrace"
COPY, KERNEL = 4, 6  # ops of the case; the copy's source is stored to too early


def with_times(tmp_path: Path, rows: list[tuple[int, int, int]], case: Path | None = None) -> Path:
    """A case with these rows of op, start and end, ns after op 4, a copy, was called."""
    cases = (case, "two") if case else (CASES, "ggml-cpu-input-overwrite")
    source = open_trace(import_cases(cases[0], tmp_path / "case", cases[1])[0])
    called = {op["id"]: op["t_c"] for op in source.table("op").to_pylist()}.get(COPY, 0)
    meta = {key: source.meta[key] for key in META if key not in ("format", "version", "counts")}
    writer = TraceWriter(tmp_path / "t.synctrace", meta)
    for name in TABLES:
        for batch in source.table(name).cast(TABLES[name].schema).to_batches():
            writer.write_batch(name, batch)
    moved = [(op, called + start, called + end) for op, start, end in rows]
    columns = [pa.array(column) for column in zip(*moved, strict=True)]
    for batch in pa.table(columns, DEVICE_WORK.schema.names).cast(DEVICE_WORK.schema).to_batches():
        writer.write_batch("device_work", batch)
    writer.close(complete=True)
    return tmp_path / "t.synctrace"


def test_an_op_works_from_its_first_piece_to_its_last(tmp_path: Path) -> None:
    trace = with_times(tmp_path, [(KERNEL, 900, 1000), (KERNEL, 400, 500), (COPY, 10, 30)])
    asked = Questions(open_trace(trace))
    kernel = "SELECT ended_ns - started_ns FROM op WHERE id = 6"
    assert [tuple(row) for row in asked.ask(kernel).rows] == [(600,)]
    assert [tuple(row) for row in asked.ask("SELECT device_ns FROM launch WHERE id = 6").rows] == [
        (600,)
    ]
    pieces = "SELECT op, device_ns FROM device_work ORDER BY started_ns"
    assert [tuple(row) for row in asked.ask(pieces).rows] == [(4, 20), (6, 100), (6, 100)]
    none = "SELECT count(*) FROM op WHERE started_ns IS NOT NULL"
    assert [tuple(row) for row in asked.ask(none).rows] == [(2,)]


def test_how_busy_streams_were() -> None:
    """Of an H200: a kernel of 10 ms on stream 1, work of stream 2 behind it, nothing beside."""
    asked = Questions(open_trace(H200))
    rows = list(asked.ask(saved()["busy"]).rows)
    assert [(row[0], row[2]) for row in rows] == [
        ("CUDA0 stream 1", 2),
        ("CUDA0 null stream", 3),
        ("CUDA0 stream 2", 2),
    ]
    assert all(row[3] == row[4] <= row[5] for row in rows)


def test_streams_that_overlap(tmp_path: Path) -> None:
    """What both do at once, neither does alone."""
    ops = [{"op": "kernel", "thread": "T0", "stream": name} for name in ("S1", "S2", "S1")]
    case = tmp_path / "two.jsonl"
    case.write_text(json.dumps({"id": "two", "ops": ops}))
    trace = with_times(tmp_path, [(0, 100, 300), (1, 200, 260), (1, 280, 400), (2, 500, 600)], case)
    rows = Questions(open_trace(trace)).ask(saved()["busy"]).rows
    assert [(row[0], *row[2:6]) for row in rows] == [
        ("S1", 2, 300, 200, 500),
        ("S2", 1, 200, 100, 200),
    ]


def test_pieces_that_overlap_count_once(tmp_path: Path) -> None:
    works = [(KERNEL, 100, 300), (KERNEL, 200, 500), (COPY, 10, 30), (9, 450, 600)]
    [row] = Questions(open_trace(with_times(tmp_path, works))).ask(saved()["busy"]).rows
    assert (row[0], *row[2:6]) == ("S1", 3, 520, 520, 590)


@pytest.mark.parametrize(
    ("ends", "told"), [(10**9, "in this run they overlapped"), (20, "in this run the gap was")]
)
def test_a_race_says_how_its_accesses_lay(tmp_path: Path, ends: int, told: str) -> None:
    trace = with_times(tmp_path, [(COPY, 10, ends)])
    [finding] = [f for f in check(open_trace(trace)).findings if f.rule == "RACE04"]
    assert told in words.timing(finding)
