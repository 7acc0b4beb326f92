"""The reader gives back what was written and refuses, in one sentence, what is no trace."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from synctrace.tracer.reader import find_traces, open_trace
from synctrace.tracer.schema import TABLES, VERSION
from synctrace.tracer.writer import TraceWriter


def change_meta(path: Path, **keys: object) -> None:
    file = path / "meta.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **keys}))


def replace_table(path: Path, name: str, schema: pa.Schema, rows: dict[str, list[Any]]) -> None:
    file = path / f"{name}.arrow"
    with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, schema) as out:
        out.write_batch(pa.record_batch(rows, schema=schema))


def test_a_closed_trace(small: Path) -> None:
    trace = open_trace(small)
    assert (trace.complete, trace.lost, trace.path) == (True, (), small)
    assert trace.meta["profile"] == "catalogue"
    assert trace.table("call").column("id").to_pylist() == list(range(1, 151))
    assert trace.table("stack").column("frames").to_pylist()[:3] == [[1], [2, 2], [3, 3, 3]]


def test_every_table_has_the_contracts_schema_with_or_without_rows(small: Path) -> None:
    trace = open_trace(small)
    for name, table in TABLES.items():
        assert trace.table(name).schema.equals(table.schema), name


def test_only_the_asked_columns_come_in_the_asked_order(small: Path) -> None:
    batches = list(open_trace(small).batches("op", ["ticket_c", "accesses", "id"]))
    assert [batch.schema.names for batch in batches] == [["ticket_c", "accesses", "id"]]
    assert batches[0].column("accesses").to_pylist() == [[1], [2, 3]]
    assert list(open_trace(small).batches("gap", ["ticket"])) == []


def test_tables_are_streamed_batch_by_batch(small: Path) -> None:
    assert [batch.num_rows for batch in open_trace(small).batches("call")] == [50, 50, 50]


def test_a_source_can_be_scanned_many_times(small: Path) -> None:
    with duckdb.connect() as connection:
        for name in ("call", "gap"):
            connection.register(name, open_trace(small).source(name))
        for ask, answer in (
            ("SELECT count(*) FROM call AS a, call AS b, gap", 0),
            ("SELECT sum(id) FROM call", 11325),
            ("SELECT count(*) FROM call", 150),
        ):
            assert connection.execute(ask).fetchone() == (answer,)


def test_a_trace_being_written(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t", {})
    assert open_trace(tmp_path / "t").lost == (
        "the trace was not closed: its last rows may be missing",
    )
    writer.append("call", {"id": [1], "name": ["a"]})
    writer.flush()
    trace = open_trace(tmp_path / "t")
    assert not trace.complete
    assert "call" in trace.lost[0]
    assert trace.table("call").num_rows == 1
    assert isinstance(trace.source("call"), pa.Table)
    writer.close()
    assert open_trace(tmp_path / "t").complete


def test_a_table_that_went_missing_is_loss(small: Path) -> None:
    (small / "call.arrow").unlink()
    trace = open_trace(small)
    assert (trace.complete, trace.lost) == (False, ("missing: call",))
    assert trace.table("call").num_rows == 0


def test_find_traces(small: Path, refuses: Any) -> None:
    assert find_traces(small) == [small]
    folder = small.parent
    for name in ("b", "a"):
        TraceWriter(folder / name, {}).close()
    (folder / "other").mkdir()
    assert find_traces(folder) == [folder / "a", folder / "b", small]
    refuses("holds none", find_traces, folder / "other")
    refuses("does not exist", find_traces, folder / "nowhere")
    refuses("is a file", find_traces, small / "meta.json")


def test_what_is_no_trace(small: Path, refuses: Any) -> None:
    refuses("does not exist", open_trace, small / "nowhere")
    refuses("is a file", open_trace, small / "op.arrow")
    refuses("name one of them", open_trace, small.parent)
    (small / "meta.json").unlink()
    refuses("holds none", open_trace, small)


META_TEXTS = {
    "empty": ("", "not JSON"),
    "cut": ('{"format": "sync', "not JSON"),
    "deep": ("[" * 100_000, "not JSON"),
    "long number": ('{"version": ' + "9" * 5000 + "}", "not JSON"),
    "list": ("[]", "something else"),
    "another format": ('{"format": "perfetto", "version": 1}', "something else"),
    "no version": ('{"format": "synctrace"}', "no version"),
    "version in words": ('{"format": "synctrace", "version": "one"}', "no version"),
    "no complete": ('{"format": "synctrace", "version": 1, "lost": []}', "complete or lost"),
}


@pytest.mark.parametrize("case", META_TEXTS)
def test_a_meta_json_that_is_none(small: Path, refuses: Any, case: str) -> None:
    text, words = META_TEXTS[case]
    (small / "meta.json").write_text(text)
    refuses(words, open_trace, small)


def test_a_meta_json_that_is_not_text(small: Path, refuses: Any) -> None:
    (small / "meta.json").write_bytes(b"\xff\xfe\x00")
    refuses("not JSON", open_trace, small)


def test_every_cut_of_meta_json(small: Path, refuses: Any) -> None:
    text = (small / "meta.json").read_text().rstrip()
    for length in range(len(text)):
        (small / "meta.json").write_text(text[:length])
        refuses("not JSON", open_trace, small)


def test_other_versions(small: Path, refuses: Any) -> None:
    change_meta(small, version=VERSION + 1)
    refuses("update synctrace", open_trace, small)
    change_meta(small, version=VERSION - 1)
    refuses("record or import it again", open_trace, small)


def test_what_cannot_be_read(small: Path, refuses: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", deny)
        refuses("Permission denied", open_trace, small)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", deny)
        refuses("Permission denied", open_trace, small)


def dictionary(schema: pa.Schema) -> pa.Schema:
    return schema.set(1, pa.field("name", pa.dictionary(pa.int32(), pa.string()), nullable=False))


def nullable(schema: pa.Schema) -> pa.Schema:
    return schema.set(1, pa.field("name", pa.string(), nullable=True))


def nested(schema: pa.Schema) -> pa.Schema:
    return schema.set(1, pa.field("name", pa.list_(pa.string()), nullable=False))


def larger(schema: pa.Schema) -> pa.Schema:
    return schema.append(pa.field("more", pa.int8()))


def smaller(schema: pa.Schema) -> pa.Schema:
    return schema.remove(1)


def turned(schema: pa.Schema) -> pa.Schema:
    return pa.schema(list(reversed(schema)), metadata=schema.metadata)


@pytest.mark.parametrize(
    ("change", "how"),
    [
        (dictionary, "of another type: name"),
        (nullable, "of another type: name"),
        (nested, "of another type: name"),
        (larger, "it has also more"),
        (smaller, "it lacks name"),
        (turned, "in another order"),
    ],
)
def test_a_table_of_another_schema(
    small: Path, refuses: Any, change: Callable[[pa.Schema], pa.Schema], how: str
) -> None:
    schema = change(TABLES["call"].schema)
    values: dict[str, list[Any]] = {"id": [1], "name": ["a"], "more": [1]}
    if change is nested:
        values["name"] = [["a"]]
    replace_table(small, "call", schema, {name: values[name] for name in schema.names})
    assert "call" in refuses(
        f"has other columns than this synctrace reads ({how}", open_trace, small
    )


def test_a_table_that_is_no_arrow_file(small: Path, refuses: Any) -> None:
    (small / "call.arrow").write_bytes(b"PAR1 and so on and on")
    refuses("not an Arrow file", open_trace, small)
