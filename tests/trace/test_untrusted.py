"""What somebody else may have put into a trace's folder is refused before it costs anything."""

import json
import os
import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from synctrace.tracer import decoded, reader
from synctrace.tracer.meta import MOST_BYTES
from synctrace.tracer.reader import find_traces, open_trace
from synctrace.tracer.schema import TABLES

pytestmark = pytest.mark.timeout(60)  # a pipe that is opened is waited for
CALL = TABLES["call"].schema


def rows(count: int, name: str = "") -> pa.RecordBatch:
    return pa.record_batch([range(1, count + 1), [name] * count], schema=CALL)


def rewrite(path: Path, *batches: pa.RecordBatch, **options: Any) -> Path:
    """Table call of a trace written anew."""
    file = path / "call.arrow"
    written = pa.ipc.IpcWriteOptions(**{"compression": "lz4", **options})
    with pa.ipc.new_file(str(file), batches[0].schema, options=written) as out:
        for batch in batches:
            out.write_batch(batch)
    meta = json.loads((path / "meta.json").read_text())
    meta["counts"]["call"] = sum(batch.num_rows for batch in batches)
    (path / "meta.json").write_text(json.dumps(meta))
    return file


def replace_last(file: Path, right: bytes, wrong: bytes) -> None:
    """Metadata stands before what it speaks of, so the last place is the thing itself."""
    before, found, after = file.read_bytes().rpartition(right)
    assert found
    file.write_bytes(before + wrong + after)


def read(path: Path) -> pa.Table:
    return open_trace(path).table("call")


@pytest.mark.parametrize("name", ["meta.json", "call.arrow"])
@pytest.mark.parametrize("kind", ["link", "loop", "device", "pipe", "folder"])
def test_only_files_of_the_folder_are_opened(
    small: Path, refuses: Any, name: str, kind: str
) -> None:
    file = small / name
    kept = file.rename(small.parent / name)
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.symlink_to({"link": kept, "loop": file, "device": Path("/dev/zero")}[kind])
    if name == "meta.json" and kind == "loop":
        refuses("holds none", open_trace, small)
    else:
        what = "no regular file" if kind in ("pipe", "folder") else "is a link"
        refuses(f"{file} {what}" if what != "no regular file" else what, open_trace, small)


def test_links_between_traces_lead_nowhere_else(small: Path, tmp_path: Path, refuses: Any) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    trace = small.rename(folder / "a")
    (folder / "latest").symlink_to(trace)
    assert find_traces(folder) == [trace, folder / "latest"]
    trace.rename(tmp_path / "elsewhere")
    (folder / "latest").unlink()
    (folder / "latest").symlink_to(tmp_path / "elsewhere")
    refuses("link out of its folder", find_traces, folder)


META: dict[str, tuple[str, str]] = {
    "twins": ('{"format": "synctrace", "version": 1, "version": 1}', "not JSON"),
    "no number": ('{"format": "synctrace", "version": 1, "dropped": NaN}', "not JSON"),
    "infinity": ('{"format": "synctrace", "version": 1, "pid": -Infinity}', "not JSON"),
    "nested": ('{"pid": ' + '{"a": ' * 5000 + "1" + "}" * 5001, "not JSON"),
    "large": ('{"tool": "' + "x" * MOST_BYTES + '"}', "more than 4 MiB"),
}


@pytest.mark.parametrize("case", META)
def test_what_json_can_hide(small: Path, refuses: Any, case: str) -> None:
    text, words = META[case]
    (small / "meta.json").write_text(text)
    refuses(words, open_trace, small)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("profile", ["a"]),
        ("source", 7),
        ("lost", [["deep"]]),
        ("counts", {"call": -1}),
        ("counts", {"call": 1.5}),
        ("coverage", {"ranges": 2**63}),
        ("dropped", True),
    ],
)
def test_what_meta_json_may_not_say(small: Path, refuses: Any, key: str, value: Any) -> None:
    meta = json.loads((small / "meta.json").read_text())
    (small / "meta.json").write_text(json.dumps(meta | {key: value}))
    refuses("is damaged", open_trace, small)


def test_another_compression_is_refused_unread(small: Path, refuses: Any) -> None:
    rewrite(small, rows(3), compression="zstd")
    refuses("another method than LZ4", open_trace, small)
    rewrite(small, rows(3), compression=None)
    assert read(small).num_rows == 3


def test_a_batch_is_measured_before_it_is_decompressed(
    small: Path, refuses: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = rewrite(small, rows(1000, "0" * 4000))
    assert file.stat().st_size < 100_000
    assert open_trace(small).decoded["call"].bytes >= 4_000_000
    monkeypatch.setattr(decoded, "MOST_BATCH_BYTES", 1 << 20)
    refuses("at most 1048576 can be read", open_trace, small)


@pytest.mark.parametrize("size", [1 << 40, 2**63 - 1, -2])
def test_a_buffer_that_says_it_is_huge(small: Path, refuses: Any, size: int) -> None:
    file = rewrite(small, rows(1000, "0" * 4000))
    replace_last(file, struct.pack("<q", 4_000_000), struct.pack("<q", size))
    refuses("is damaged" if size < 0 else "not what a recorder writes", open_trace, small)


@pytest.mark.parametrize(("limit", "value"), [("MOST_BYTES", 4_000_000), ("MOST_ROWS", 2999)])
def test_a_table_held_whole_has_a_limit(
    small: Path, refuses: Any, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    rewrite(small, *[rows(1000, "0" * 4000)] * 3)
    monkeypatch.setattr(reader, limit, value)
    trace = open_trace(small)
    assert "has 3,000 rows" in refuses("record a shorter run", trace.table, "call")
    assert sum(batch.num_rows for batch in trace.batches("call")) == 3000


def test_a_footer_names_each_batch_once(small: Path, refuses: Any) -> None:
    """A short file can name one batch a million times."""
    file = rewrite(small, rows(50), rows(60), rows(70))
    data = file.read_bytes()
    footer = len(data) - 10 - struct.unpack("<i", data[-10:-6])[0]
    firsts = [n for n in range(8, footer) if data[n : n + 4] == b"\xff\xff\xff\xff"]
    blocks = [struct.pack("<q", at) for at in firsts]
    named = [block for block in blocks if block in data[footer:]]
    assert len(named) == 3
    changed = data[footer:].replace(named[2], named[0])
    file.write_bytes(data[:footer] + changed)
    refuses("names the same bytes twice", open_trace, small)


def test_more_buffers_than_columns(
    small: Path, refuses: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite(small, rows(3))
    monkeypatch.setattr(decoded, "MOST_BUFFERS", 4)
    refuses("buffers): record", open_trace, small)


def test_dictionaries_are_refused_before_they_are_read(small: Path, refuses: Any) -> None:
    names = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int32()), pa.array(["x" * 9000]))
    schema = CALL.set(1, pa.field("name", names.type, nullable=False))
    batch = pa.record_batch([[1, 2], names], schema=schema)
    rewrite(small, batch)
    refuses("of another type: name", open_trace, small)
    file = small / "call.arrow"
    file.write_bytes(file.read_bytes()[:-20])
    refuses("of another type: name", open_trace, small)


OTHER_TYPES = {
    "view": pa.string_view(),
    "large": pa.large_string(),
    "null": pa.null(),
    "list view": pa.list_view(pa.string()),
    "struct": pa.struct([("a", pa.string())]),
    "map": pa.map_(pa.string(), pa.string()),
    "union": pa.dense_union([pa.field("a", pa.string())]),
    "run ends": pa.run_end_encoded(pa.int32(), pa.string()),
    "extension": pa.uuid(),
}


@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_types_of_no_contract(small: Path, refuses: Any, kind: str) -> None:
    schema = CALL.set(1, pa.field("name", OTHER_TYPES[kind], nullable=kind == "null"))
    with pa.ipc.new_file(str(small / "call.arrow"), schema):
        pass
    refuses("of another type: name", open_trace, small)


# What stands in the place of which bytes of an uncompressed file, where a name of 77 letters was.
BROKEN: dict[str, tuple[bytes, bytes]] = {
    "no UTF-8": (b"bbb", b"\xff\xfe\xfd"),
    "half a surrogate pair": (b"bbb", b"\xed\xa0\x80"),
    "offsets that go back": (struct.pack("<2i", 0, 77), struct.pack("<2i", 0, -3)),
    "offsets beyond the bytes": (struct.pack("<2i", 0, 77), struct.pack("<2i", 0, 1 << 30)),
    "offsets before the bytes": (struct.pack("<2i", 0, 77), struct.pack("<2i", -8, 77)),
}


@pytest.mark.parametrize("case", BROKEN)
def test_memory_that_would_be_read_beyond(small: Path, refuses: Any, case: str) -> None:
    file = rewrite(small, rows(1, "a" * 74 + "bbb"), compression=None)
    replace_last(file, *BROKEN[case])
    refuses("is damaged", read, small)


def test_a_null_where_none_may_be(small: Path, refuses: Any) -> None:
    batch = pa.RecordBatch.from_arrays(
        [pa.array([1, None], pa.uint32()), pa.array(["a", "b"])], schema=CALL
    )
    rewrite(small, batch)
    refuses("column id has nulls", read, small)


def test_a_list_beyond_its_values(small: Path, refuses: Any) -> None:
    schema = TABLES["stack"].schema
    batch = pa.record_batch([[1], [[7] * 77]], schema=schema)
    file = small / "stack.arrow"
    options = pa.ipc.IpcWriteOptions(compression=None)
    with pa.ipc.new_file(str(file), schema, options=options) as out:
        out.write_batch(batch)
    replace_last(file, struct.pack("<2i", 0, 77), struct.pack("<2i", 0, 1 << 20))
    refuses("is damaged", open_trace(small).table, "stack")


@pytest.mark.parametrize("column", ["t_c", "t_r", "t_e", "cpu_ns"])
@pytest.mark.parametrize("value", [reader.MOST_NS, -(2**63)])
def test_times_of_no_clock(small: Path, refuses: Any, column: str, value: int) -> None:
    with pa.ipc.open_file(str(small / "op.arrow")) as file:
        batch = file.get_batch(0)
    at = batch.schema.get_field_index(column)
    columns = [*batch.columns]
    columns[at] = pa.array([value] * batch.num_rows, pa.int64())
    with pa.ipc.new_file(str(small / "op.arrow"), batch.schema) as out:
        out.write_batch(pa.RecordBatch.from_arrays(columns, schema=batch.schema))
    refuses(f"column {column} has times that cannot be", open_trace(small).table, "op")
