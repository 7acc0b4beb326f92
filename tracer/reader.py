"""Reads a trace folder: whole, torn or still being written; refuses what it cannot trust.

Tables are memory-mapped and decoded batch by batch. An unclosed file has no footer: it is read as
a stream from byte 8 up to the tear. A tear is loss, not an error; a table of another schema is an
error, since nothing read from it would mean what the contract says. What may be untrue in a trace
that somebody else made, and what is refused as too large, is in docs/internals.md.
"""

import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer import kinds
from synctrace.tracer.decoded import MAGIC, NOTHING, STREAM_START, Decoded, Refused, decoded
from synctrace.tracer.errors import RECORD_AGAIN, SynctraceError, damaged
from synctrace.tracer.meta import cannot_read, need_plain, read_meta
from synctrace.tracer.schema import META_FILE, TABLES, table_file

if TYPE_CHECKING:
    import pyarrow.dataset

# Of a table that is held in memory whole, decompressed; those that are streamed may have more.
MOST_BYTES, MOST_ROWS = 1 << 30, 1 << 24
MOST_NS = 1 << 60  # 36 years: differences of two times and sums of a few fit in 64 bits
_VOCABULARIES: dict[tuple[str, str], type[IntEnum]] = {
    ("op", "kind"): kinds.Kind,
    ("node", "kind"): kinds.Kind,
    ("access", "mode"): kinds.Mode,
    ("access", "extent"): kinds.Extent,
    ("access", "origin"): kinds.Origin,
    ("kernel_code", "elsewhere"): kinds.Mode,
    ("kernel_word", "mode"): kinds.Mode,
    ("actor", "kind"): kinds.ActorKind,
    ("memory", "kind"): kinds.MemoryKind,
    ("buffer", "usage"): kinds.BufferUsage,
    ("scope", "kind"): kinds.ScopeKind,
}
_TIMES = ("t_c", "t_r", "t_s", "t_e", "cpu_ns")

# What Arrow raises for bytes that are not what they should be (ArrowException covers the rest).
_BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError, struct.error)


@dataclass(frozen=True)
class Trace:
    """A trace whose tables fit the contract. `lost` says in words what is missing.

    `decoded`: what each table takes once it is decompressed.
    """

    path: Path
    meta: dict[str, Any]
    complete: bool
    lost: tuple[str, ...]
    decoded: Mapping[str, Decoded] = field(default_factory=dict)

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
        with pa.memory_map(os.fsencode(file)) as source:
            closed = _open_closed(source, options)
            whole = decoded(file, closed=False).batches if not closed else 0
            found = _closed_batches(closed) if closed else _stream_batches(source, options, whole)
            rows = 0
            try:
                for batch in found:
                    rows += batch.num_rows
                    yield _checked(name, batch.select(names))
                if closed and rows != self.meta.get("counts", {}).get(name, rows):
                    raise ValueError(f"{rows} rows are not those that meta.json counts")
            except _BROKEN as error:
                if closed:
                    raise _broken(file, error) from error

    def table(self, name: str) -> pa.Table:
        """The whole table in memory; empty if the trace has no rows of it.

        Raises SynctraceError for one beyond MOST_BYTES or MOST_ROWS.
        """
        takes = self.decoded.get(name, NOTHING)
        if takes.bytes > MOST_BYTES or takes.rows > MOST_ROWS:
            raise SynctraceError(
                f"table {name} of {self.path} has {takes.rows:,} rows and {takes.bytes:,} bytes "
                f"decompressed; held in memory are at most {MOST_ROWS:,} and {MOST_BYTES:,}: "
                "record a shorter run"
            )
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
    if not (path / META_FILE).exists():
        find_traces(path)  # says why `path` is no trace
        raise SynctraceError(f"{path} is no trace but holds some: name one of them")
    meta = read_meta(path)
    lost = list(meta["lost"])
    torn, missing = [], []
    takes: dict[str, Decoded] = {}
    for name in TABLES:
        file = table_file(path, name)
        if file.exists() or file.is_symlink():
            closed = _check_table(file, name)
            if not closed:
                torn.append(name)
            takes[name] = _decoded(file, closed)
        elif meta["complete"] and meta.get("counts", {}).get(name):
            missing.append(name)
    if torn:
        lost.append(f"torn, read up to the last whole batch: {', '.join(torn)}")
    if missing:
        lost.append(f"missing: {', '.join(missing)}")
    if not meta["complete"] and not lost:
        lost.append("the trace was not closed: its last rows may be missing")
    return Trace(path, meta, not lost, tuple(lost), takes)


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
        raise cannot_read(path, error) from error
    for child in found:
        if not child.resolve().is_relative_to(path.resolve()):
            raise SynctraceError(f"{child} is a link out of its folder: name that trace itself")
    if not found:
        raise SynctraceError(
            f"{path} is no trace and holds none (no {META_FILE}): give a folder written by "
            "`synctrace record` or `synctrace import`"
        )
    return found


def _check_table(file: Path, name: str) -> bool:
    """True if the file was closed; raises SynctraceError if its schema is not the contract's."""
    need_plain(file)
    try:
        with file.open("rb") as plain:
            head = plain.read(len(MAGIC))
    except OSError as error:
        raise cannot_read(file, error) from error
    if not MAGIC.startswith(head):
        raise damaged(file, "not an Arrow file")
    if len(head) < len(MAGIC):
        return False
    with pa.memory_map(os.fsencode(file)) as source:
        closed = _open_closed(source, None)
        schema = closed.schema if closed else _stream_schema(source)
    if schema is not None and not schema.equals(TABLES[name].schema):
        raise SynctraceError(
            f"table {name} of {file.parent} has other columns than this synctrace reads "
            f"({_difference(schema, TABLES[name].schema)}): read it with the synctrace that wrote "
            f"it, or {RECORD_AGAIN}"
        )
    return closed is not None


def _decoded(file: Path, closed: bool) -> Decoded:
    """What the table takes, told before it is read."""
    try:
        return decoded(file, closed)
    except Refused as error:
        raise SynctraceError(
            f"{file} is not what a recorder writes ({error}): {RECORD_AGAIN}"
        ) from error
    except (ValueError, struct.error) as error:
        raise _broken(file, error) from error


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
    with pa.memory_map(os.fsencode(file)) as source:
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
    source: pa.NativeFile, options: pa.ipc.IpcReadOptions, whole: int
) -> Iterator[pa.RecordBatch]:
    """The first `whole` batches of an unclosed file; raises at damage what Arrow raises."""
    source.seek(STREAM_START)
    yield from islice(pa.ipc.open_stream(source, options=options), whole)


def _checked(table: str, batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch, its offsets, text, nulls, times and numbers of kinds verified: whoever reads it
    may trust its memory and knows every word."""
    batch.validate(full=True)
    for one, column in zip(batch.schema, batch.columns, strict=True):
        if column.null_count and not one.nullable:
            raise ValueError(f"column {one.name} has nulls")
        if one.name in _TIMES and len(column) and not _are_times(column):
            raise ValueError(f"column {one.name} has times that cannot be")
        words = _VOCABULARIES.get((table, one.name))
        if words and (strange := {*pc.unique(column).to_pylist()} - {None, *words}):
            what = f"{min(strange)}, which is no {words.__name__}"
            raise ValueError(f"column {one.name} has {what}")
    return batch


def _are_times(column: pa.Array) -> bool:
    ends = pc.min_max(column).as_py()
    return all(end is None or -MOST_NS < end < MOST_NS for end in ends.values())


def _broken(file: Path, error: Exception) -> SynctraceError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return damaged(file, reason)
