"""Reads a trace folder: whole, torn or still being written; refuses what it cannot trust.

Tables are memory-mapped and decoded batch by batch. An unclosed file has no footer: it is read as
a stream from byte 8 up to the tear. A tear is loss, not an error; a table of another schema is an
error, since nothing read from it would mean what the contract says.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.schema import FORMAT, META_FILE, TABLES, VERSION, table_file

if TYPE_CHECKING:
    import pyarrow.dataset

MAGIC = b"ARROW1"
STREAM_START = 8  # the magic, padded: a stream begins here
MOST = 1 << 63  # counts of meta.json are below
RECORD_AGAIN = "record or import it again"

# What Arrow raises for bytes that are not what they should be (ArrowException covers the rest).
_BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)


@dataclass(frozen=True)
class Trace:
    """A trace whose tables fit the contract. `lost` says in words what is missing."""

    path: Path
    meta: dict[str, Any]
    complete: bool
    lost: tuple[str, ...]

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Batches of a table in file order, only these columns decoded; memory of one batch.

        Ends at the tear of a torn table. Raises SynctraceError if a closed file is damaged.
        """
        file = table_file(self.path, name)
        if not file.exists():
            return
        names = list(columns) if columns is not None else TABLES[name].schema.names
        options = pa.ipc.IpcReadOptions(
            included_fields=sorted(TABLES[name].schema.get_field_index(c) for c in names)
        )
        if not file.stat().st_size:
            return
        with pa.memory_map(str(file)) as source:
            closed = _open_closed(source, options)
            found = _closed_batches(closed) if closed else _stream_batches(source, options)
            rows = 0
            try:
                for batch in found:
                    rows += batch.num_rows
                    yield _checked(batch.select(names))
                if closed and rows != self.meta.get("counts", {}).get(name, rows):
                    raise ValueError(f"{rows} rows are not those that meta.json counts")
            except _BROKEN as error:
                if closed:
                    raise _damaged(file, error) from error

    def table(self, name: str) -> pa.Table:
        """The whole table in memory; empty if the trace has no rows of it."""
        return pa.Table.from_batches(list(self.batches(name)), schema=TABLES[name].schema)

    def source(self, name: str) -> "pa.Table | pyarrow.dataset.Dataset":
        """The table as something DuckDB can scan many times: a dataset where its file is closed."""
        file = table_file(self.path, name)
        if not _is_closed(file):
            return self.table(name)
        import pyarrow.dataset as ds

        return ds.dataset(str(file), schema=TABLES[name].schema, format="ipc")


def open_trace(path: Path) -> Trace:
    """Open a trace folder and check that its tables fit the contract.

    Raises SynctraceError for a folder that is no trace, another version, another schema.
    """
    meta = _read_meta(path)
    lost = [str(text) for text in meta["lost"]]
    torn, missing = [], []
    for name in TABLES:
        file = table_file(path, name)
        if file.exists():
            if not _check_table(file, name):
                torn.append(name)
        elif meta["complete"] and meta.get("counts", {}).get(name):
            missing.append(name)
    if torn:
        lost.append(f"torn, read up to the last whole batch: {', '.join(torn)}")
    if missing:
        lost.append(f"missing: {', '.join(missing)}")
    if not meta["complete"] and not lost:
        lost.append("the trace was not closed: its last rows may be missing")
    return Trace(path, meta, not lost, tuple(lost))


def find_traces(path: Path) -> list[Path]:
    """The trace at `path`, or the traces that lie in the folder `path`, by name."""
    if not path.exists():
        raise SynctraceError(f"{path} does not exist: give a folder written by `synctrace record`")
    if not path.is_dir():
        raise SynctraceError(f"{path} is a file: give the trace folder, NAME.synctrace")
    if (path / META_FILE).exists():
        return [path]
    try:
        found = sorted(child for child in path.iterdir() if (child / META_FILE).exists())
    except OSError as error:
        raise _cannot_read(path, error) from error
    if not found:
        raise SynctraceError(
            f"{path} is no trace and holds none (no {META_FILE}): give a folder written by "
            "`synctrace record` or `synctrace import`"
        )
    return found


def _cannot_read(path: Path, error: OSError) -> SynctraceError:
    return SynctraceError(
        f"cannot read {path} ({error.strerror or error}): check the path and its permissions"
    )


def _read_meta(path: Path) -> dict[str, Any]:
    """meta.json with its format, version, `complete` and `lost` checked."""
    file = path / META_FILE
    if not path.is_dir() or not file.exists():
        find_traces(path)  # says why `path` is no trace
        raise SynctraceError(f"{path} is no trace but holds some: name one of them")
    try:
        meta = json.loads(file.read_text(encoding="utf-8"))
        json.dumps(meta, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except OSError as error:
        raise _cannot_read(file, error) from error
    except (ValueError, RecursionError) as error:
        raise SynctraceError(f"{file} is damaged (not JSON): {RECORD_AGAIN}") from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise SynctraceError(f"{path} is not a synctrace trace: its {META_FILE} is something else")
    number = meta.get("version")
    if type(number) is not int:
        raise SynctraceError(f"{file} is damaged (no version number): {RECORD_AGAIN}")
    if number > VERSION:
        raise SynctraceError(
            f"{path} has trace version {number}, this synctrace reads {VERSION}: update synctrace"
        )
    if number < VERSION:
        raise SynctraceError(
            f"{path} has trace version {number}, this synctrace reads {VERSION}: {RECORD_AGAIN}"
        )
    if type(meta.get("complete")) is not bool or not isinstance(meta.get("lost"), list):
        raise SynctraceError(f"{file} is damaged (complete or lost is wrong): {RECORD_AGAIN}")
    skipped = meta.get("skipped", [])
    if not isinstance(skipped, list) or not all(isinstance(site, str) for site in skipped):
        raise SynctraceError(f"{file} is damaged (skipped is wrong): {RECORD_AGAIN}")
    if not isinstance(meta.get("counts", {}), dict):
        raise SynctraceError(f"{file} is damaged (counts is wrong): {RECORD_AGAIN}")
    for key, value in (
        ("dropped", meta.get("dropped", 0)),
        ("forced_copies", meta.get("forced_copies", 0)),
        *_coverage(meta),
    ):
        if type(value) is not int or not 0 <= value < MOST:
            raise SynctraceError(f"{file} is damaged ({key} is no count): {RECORD_AGAIN}")
    return meta


def _coverage(meta: dict[str, Any]) -> list[tuple[str, Any]]:
    told = meta.get("coverage", {})
    return list(told.items()) if isinstance(told, dict) else [("coverage", told)]


def _check_table(file: Path, name: str) -> bool:
    """True if the file was closed; raises SynctraceError if its schema is not the contract's."""
    try:
        with file.open("rb") as plain:
            head = plain.read(len(MAGIC))
    except OSError as error:
        raise _cannot_read(file, error) from error
    if not MAGIC.startswith(head):
        raise SynctraceError(f"{file} is damaged (not an Arrow file): {RECORD_AGAIN}")
    if len(head) < len(MAGIC):
        return False
    with pa.memory_map(str(file)) as source:
        closed = _open_closed(source, None)
        schema = closed.schema if closed else _stream_schema(source)
    if schema is not None and not schema.equals(TABLES[name].schema):
        raise SynctraceError(
            f"table {name} of {file.parent} has other columns than this synctrace reads "
            f"({_difference(schema, TABLES[name].schema)}): read it with the synctrace that wrote "
            f"it, or {RECORD_AGAIN}"
        )
    return closed is not None


def _difference(found: pa.Schema, wanted: pa.Schema) -> str:
    """How the columns of a file differ from the contract's, in words."""
    try:
        names = found.names
    except UnicodeDecodeError:  # a byte of the file was changed
        return "their names are no text"
    lacks = [name for name in wanted.names if name not in names]
    more = [name for name in names if name not in wanted.names]
    other = [
        field.name
        for field in wanted
        if field.name in names and not found.field(field.name).equals(field)
    ]
    told = (("it lacks", lacks), ("it has also", more), ("of another type:", other))
    parts = [f"{what} {', '.join(names)}" for what, names in told if names]
    return "; ".join(parts) or "in another order"


def _is_closed(file: Path) -> bool:
    if not file.exists() or not file.stat().st_size:
        return False
    with pa.memory_map(str(file)) as source:
        return _open_closed(source, None) is not None


def _open_closed(
    source: pa.NativeFile, options: pa.ipc.IpcReadOptions | None
) -> pa.ipc.RecordBatchFileReader | None:
    """Reader of a file with a whole footer, else None."""
    try:
        return pa.ipc.open_file(source, options=options)
    except _BROKEN:
        return None


def _stream_schema(source: pa.NativeFile) -> pa.Schema | None:
    """Schema of an unclosed file; None if it ends before that."""
    try:
        source.seek(STREAM_START)
        return pa.ipc.open_stream(source).schema
    except _BROKEN:
        return None


def _closed_batches(reader: pa.ipc.RecordBatchFileReader) -> Iterator[pa.RecordBatch]:
    for index in range(reader.num_record_batches):
        yield reader.get_batch(index)


def _stream_batches(
    source: pa.NativeFile, options: pa.ipc.IpcReadOptions
) -> Iterator[pa.RecordBatch]:
    """Batches of an unclosed file; raises at the tear what Arrow raises."""
    source.seek(STREAM_START)
    yield from pa.ipc.open_stream(source, options=options)


def _checked(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch, its offsets, text and nulls verified: whoever reads it may trust its memory."""
    batch.validate(full=True)
    for field, column in zip(batch.schema, batch.columns, strict=True):
        if column.null_count and not field.nullable:
            raise ValueError(f"column {field.name} has nulls")
    return batch


def _damaged(file: Path, error: Exception) -> SynctraceError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return SynctraceError(f"{file} is damaged ({reason}): {RECORD_AGAIN}")
