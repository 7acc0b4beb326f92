"""The writer keeps the contract and says clearly where it cannot write."""

import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from synctrace.tracer import writer as writing
from synctrace.tracer.reader import open_trace
from synctrace.tracer.schema import META, OP, TABLES
from synctrace.tracer.writer import BATCH_ROWS, TraceWriter


def meta_of(path: Path) -> Any:
    return json.loads((path / "meta.json").read_text())


def test_meta_has_every_documented_key_from_the_start(tmp_path: Path) -> None:
    TraceWriter(tmp_path / "t", {"pid": 7})
    meta = meta_of(tmp_path / "t")
    assert list(meta) == list(META)
    assert meta["pid"] == 7
    assert meta["complete"] is False


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    """Of the trace's folder and in the command: both can be read again."""
    folder = tmp_path / os.fsdecode(b"x\xffy")
    with TraceWriter(folder, {"command": [os.fsdecode(b"/d\xe9/app"), "\u00fc"]}) as writer:
        writer.append("call", {"id": [1], "name": ["a"]})
    trace = open_trace(folder)
    assert (trace.meta["command"], trace.table("call").num_rows) == (["/d?/app", "\u00fc"], 1)


def test_close_says_how_it_went(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t", {})
    writer.append("call", {"id": [1, 2], "name": ["a", "b"]})
    writer.close(exit=3)
    meta = meta_of(tmp_path / "t")
    assert (meta["complete"], meta["exit"], meta["counts"]) == (True, 3, {"call": 2})
    writer.close(exit=4)
    assert meta_of(tmp_path / "t")["exit"] == 3


def test_what_is_lost_is_not_complete(tmp_path: Path) -> None:
    TraceWriter(tmp_path / "t", {}).close(lost=["12 records: a ring was full"])
    trace = open_trace(tmp_path / "t")
    assert not trace.complete
    assert trace.lost == ("12 records: a ring was full",)


def test_an_exception_within_is_loss(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), TraceWriter(tmp_path / "t", {}) as writer:
        writer.append("call", {"id": [1], "name": ["a"]})
        raise ZeroDivisionError("boom")
    trace = open_trace(tmp_path / "t")
    assert trace.lost == ("writing ended early: boom",)
    assert trace.table("call").num_rows == 1


def test_columns_left_out(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "t", {}) as writer:
        writer.append("op", {"id": [5]})
        writer.append("call", {"id": [1]})
    (op,) = open_trace(tmp_path / "t").table("op").to_pylist()
    assert (op["kind"], op["accesses"], op["device"], op["parent"]) == (0, [], -1, None)
    assert open_trace(tmp_path / "t").table("call").to_pylist() == [{"id": 1, "name": ""}]


def test_batches_are_bounded(tmp_path: Path) -> None:
    rows = 2 * BATCH_ROWS + 5
    ids = pa.array(range(rows), pa.uint32())
    schema = TABLES["gap"].schema
    with TraceWriter(tmp_path / "t", {}) as writer:
        numbers = pa.array(range(rows), pa.uint64())
        columns = [numbers, numbers, ids, numbers]
        writer.append("gap", {"ticket": [7], "thread": [1], "dropped": [1]})
        writer.write_batch("gap", pa.record_batch(columns, schema=schema))
    sizes = [batch.num_rows for batch in open_trace(tmp_path / "t").batches("gap")]
    assert sizes == [1, BATCH_ROWS, BATCH_ROWS, 5]


def test_appending_reaches_the_file_at_a_full_batch(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t", {})
    for _ in range(BATCH_ROWS - 1):
        writer.append("gap", {"ticket": [1]})
    assert not (tmp_path / "t/gap.arrow").exists()
    writer.append("gap", {"ticket": [1]})
    assert open_trace(tmp_path / "t").table("gap").num_rows == BATCH_ROWS


def test_a_table_without_rows_has_no_file(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "t", {}) as writer:
        writer.append("gap", {"ticket": []})
    assert [file.name for file in (tmp_path / "t").iterdir()] == ["meta.json"]
    assert open_trace(tmp_path / "t").complete


@pytest.mark.parametrize(
    ("error", "table", "rows"),
    [
        (KeyError, "nothing", {"id": [1]}),
        (KeyError, "call", {"id": [1], "colour": ["red"]}),
        (ValueError, "call", {"id": [1, 2], "name": ["a"]}),
    ],
)
def test_rows_that_break_the_contract(
    tmp_path: Path, error: type[Exception], table: str, rows: dict[str, list[object]]
) -> None:
    writer = TraceWriter(tmp_path / "t", {})
    with pytest.raises(error):
        writer.append(table, rows)


def test_a_batch_of_another_schema_or_with_nulls(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t", {})
    with pytest.raises(ValueError, match="another schema"):
        writer.write_batch("op", pa.record_batch({"id": [1]}))
    columns = [pa.nulls(1, field.type) for field in OP.schema]
    with pytest.raises(ValueError, match="may not be null"):
        writer.write_batch("op", pa.record_batch(columns, schema=OP.schema))


def test_an_undocumented_meta_key(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="colour"):
        TraceWriter(tmp_path / "t", {"colour": "red"})
    assert not (tmp_path / "t").exists()


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    TraceWriter(tmp_path, {}).close()
    assert open_trace(tmp_path).complete


def test_a_trace_is_only_overwritten_if_asked(small: Path, refuses: Any) -> None:
    assert "-f" in refuses("exists", TraceWriter, small, {})
    assert open_trace(small).table("call").num_rows == 150
    TraceWriter(small, {}, overwrite=True).close()
    assert open_trace(small).table("call").num_rows == 0


def test_overwriting_never_removes_what_is_no_trace(small: Path, refuses: Any) -> None:
    (small / "thesis.tex").write_text("years of work")
    refuses("thesis.tex", lambda: TraceWriter(small, {}, overwrite=True))
    assert open_trace(small).table("call").num_rows == 150


def test_places_that_cannot_be_written(tmp_path: Path, refuses: Any) -> None:
    (tmp_path / "file").write_text("")
    refuses("is a file", TraceWriter, tmp_path / "file", {})
    refuses("cannot write", TraceWriter, tmp_path / "file/below", {})
    refuses("cannot write", TraceWriter, Path("/proc/trace"), {})


def test_a_full_disk(tmp_path: Path, refuses: Any) -> None:
    (tmp_path / "t").mkdir()
    writer = TraceWriter(tmp_path / "t", {})
    (tmp_path / "t/call.arrow").symlink_to("/dev/full")
    writer.append("call", {"id": [1], "name": ["a"]})
    refuses("cannot write", writer.flush)


def test_wide_rows_make_batches_that_readers_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "BATCH_BYTES", 10_000)
    with TraceWriter(tmp_path / "t", {}) as writer:
        writer.append("call", {"id": list(range(1, 101)), "name": ["x" * 1000] * 100})
    batches = list(open_trace(tmp_path / "t").batches("call"))
    assert sum(batch.num_rows for batch in batches) == 100
    assert len(batches) > 5
    assert max(batch.nbytes for batch in batches) < 20_000
