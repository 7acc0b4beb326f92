"""Writes a trace folder: one append-only Arrow file a table and meta.json.

Every batch is in the kernel's hands when the call that completed it returns, so a killed writer
loses what it had buffered since its last flush and no more than BATCH_ROWS rows a table.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.renamed import rename_rows
from synctrace.tracer.schema import (
    FORMAT,
    META,
    META_FILE,
    TABLES,
    VERSION,
    Column,
    is_code,
    table_file,
)

BATCH_ROWS = 65_536
BATCH_BYTES = 64 << 20  # about; readers take eight times as much (tracer/decoded.py)

# What meta.json says where the writer's user says nothing: every key of META is always there.
_DEFAULTS: dict[str, object] = {
    "format": FORMAT,
    "version": VERSION,
    "complete": False,
    "lost": [],
    "profile": "",
    "level": [],
    "source": "",
    "command": [],
    "program": "",
    "pid": 0,
    "host": "",
    "devices": [],
    "links": [],
    "drivers": [],
    "unread": [],
    "versions": {},
    "via": "",
    "counts": {},
    "dropped": 0,
    "coverage": {},
    "skipped": [],
    "forced_copies": 0,
    "exit": None,
}


class TraceWriter:
    """One trace being written. Not thread-safe; use as a context manager or call close()."""

    def __init__(self, path: Path, meta: Mapping[str, object], *, overwrite: bool = False) -> None:
        """Create the folder and its meta.json, complete false.

        Raises SynctraceError if the folder exists (with `overwrite`: if it holds something other
        than a trace) or cannot be written.
        """
        self.path = path
        self._meta: dict[str, object] = {
            **_DEFAULTS,
            "tool": _tool_version(),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        self._pending: dict[str, dict[str, list[object]]] = {}
        self._rows: dict[str, int] = {}
        self._files: dict[str, pa.ipc.RecordBatchFileWriter] = {}
        self._counts: dict[str, int] = {}
        self._names: dict[str, Mapping[int, str]] = {}
        self._open = ExitStack()
        self._closed = False
        self._set_meta(meta)
        _make_folder(path, overwrite)
        self._write_meta()

    def append(self, table: str, rows: Mapping[str, Sequence[object]]) -> None:
        """Buffer rows given as columns of equal length.

        A missing column gets null where it may be null, else 0, "", [] or, for `device`, -1.
        Raises KeyError for an unknown table or column and ValueError for unequal lengths.
        """
        columns = {c.name: c for c in TABLES[table].columns}
        for name in rows:
            if name not in columns:
                raise KeyError(f"table {table} has no column {name}")
        lengths = {len(values) for values in rows.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of unequal length for table {table}: {sorted(lengths)}")
        count = lengths.pop() if lengths else 0
        if count == 0:
            return
        pending = self._pending.setdefault(table, {name: [] for name in columns})
        for name, column in columns.items():
            values = rows.get(name)
            pending[name].extend([_default(column)] * count if values is None else values)
        self._rows[table] = self._rows.get(table, 0) + count
        if self._rows[table] >= BATCH_ROWS:
            self._flush_table(table)

    def write_batch(self, table: str, batch: pa.RecordBatch) -> None:
        """Write rows that are an Arrow batch already, after those buffered for the table.

        Raises ValueError if the batch differs from the contract's schema.
        """
        schema = TABLES[table].schema
        if not batch.schema.equals(schema):
            raise ValueError(f"batch for table {table} has another schema than the contract")
        for field, column in zip(schema, batch.columns, strict=True):
            if column.null_count and not field.nullable:
                raise ValueError(f"column {field.name} of table {table} may not be null")
        self._flush_table(table)
        try:
            step = _rows_a_batch(batch)
            for start in range(0, batch.num_rows, step):
                self._file(table).write_batch(batch.slice(start, step))
        except OSError as error:
            raise cannot_write(table_file(self.path, table), error) from error
        self._counts[table] = self._counts.get(table, 0) + batch.num_rows

    def flush(self) -> None:
        """Write everything buffered: what is written survives the death of this process."""
        for table in list(self._pending):
            self._flush_table(table)

    def rename(self, table: str, names: Mapping[int, str]) -> None:
        """Give rows, by their id, another name when the trace is closed.

        Until then they keep theirs: a killed writer loses these names alone.
        """
        self._names[table] = names

    def close(self, *, complete: bool = True, lost: Sequence[str] = (), **meta: object) -> None:
        """Write the rest, end the files and say in meta.json how it went.

        `lost` says in words what is missing: with it the trace is not complete. `meta` replaces
        keys given at the start. A second call does nothing.
        """
        if self._closed:
            return
        self._closed = True
        self._set_meta(meta)
        self.flush()
        try:
            self._open.close()
            for table, names in self._names.items():
                if names and table in self._files:
                    rename_rows(table_file(self.path, table), names)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._set_meta(
            {"complete": complete and not lost, "lost": list(lost), "counts": dict(self._counts)}
        )
        self._write_meta()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.close(lost=[f"writing ended early: {error}"])

    def _flush_table(self, table: str) -> None:
        columns = self._pending.pop(table, None)
        if columns is None:
            return
        self._rows[table] = 0
        schema = TABLES[table].schema
        arrays = [pa.array(columns[field.name], field.type) for field in schema]
        self.write_batch(table, pa.record_batch(arrays, schema=schema))

    def _file(self, table: str) -> pa.ipc.RecordBatchFileWriter:
        """File of the table, made when its first row comes; unbuffered, ended by close()."""
        if table not in self._files:
            sink = self._open.enter_context(
                pa.OSFile(os.fsencode(table_file(self.path, table)), "wb")
            )
            file = pa.ipc.new_file(sink, TABLES[table].schema, options=file_options())
            self._files[table] = self._open.enter_context(file)
        return self._files[table]

    def _set_meta(self, meta: Mapping[str, object]) -> None:
        for key in meta:
            if key not in META:
                raise KeyError(f"meta.json has no key {key}: document it in schema.META first")
        self._meta.update(meta)

    def _write_meta(self) -> None:
        write_meta(self.path, self._meta)


def file_options() -> pa.ipc.IpcWriteOptions:
    """How the tables' files are written."""
    return pa.ipc.IpcWriteOptions(compression="lz4")


def write_meta(path: Path, meta: Mapping[str, object]) -> None:
    """Replace meta.json in one step: a reader sees the old or the new one, never half.

    Raises SynctraceError.
    """
    target = path / META_FILE
    part = path / f"{META_FILE}.part"
    text = json.dumps({key: meta[key] for key in META if key in meta}, indent=1, ensure_ascii=False)
    try:
        # Of names that are not UTF-8 (a folder's in the command) the odd bytes become "?".
        part.write_bytes(f"{text}\n".encode(errors="replace"))
        part.replace(target)
    except OSError as error:
        raise cannot_write(target, error) from error


def _rows_a_batch(batch: pa.RecordBatch) -> int:
    """Rows that take about BATCH_BYTES, at most BATCH_ROWS."""
    rows, size = int(batch.num_rows), max(1, int(batch.nbytes))
    return min(BATCH_ROWS, max(1, rows * BATCH_BYTES // size))


def _default(column: Column) -> Any:
    """Value of a column that the writer's user left out."""
    if column.nullable:
        return None
    if column.name == "device":
        return -1
    if pa.types.is_list(column.type):
        return []
    if pa.types.is_string(column.type):
        return ""
    return 0


def _tool_version() -> str:
    try:
        return version("synctrace")
    except PackageNotFoundError:
        return "unknown"


def check_replaceable(path: Path, overwrite: bool) -> list[str]:
    """Names of the files that a trace written to `path` would replace.

    Raises SynctraceError if something is there that may not be: a file, a folder with anything
    that is no part of a trace, a trace without `overwrite`; OSError if it cannot be looked at.
    """
    if not path.is_dir():
        if path.exists() or path.is_symlink():
            raise SynctraceError(f"{path} is a file: remove it or choose another folder with -o")
        return []
    whole = [META_FILE, *(table_file(path, name).name for name in TABLES)]
    ours = {*whole, *(f"{name}.part" for name in whole)}
    present = sorted(entry.name for entry in path.iterdir())
    foreign = [name for name in present if name not in ours and not is_code(name)]
    if foreign:
        raise SynctraceError(
            f"{path} holds {foreign[0]}, which is no part of a trace: choose another folder with -o"
        )
    if present and not overwrite:
        raise SynctraceError(
            f"{path} exists: choose another folder, or overwrite it (-f, overwrite=True)"
        )
    return present


def _make_folder(path: Path, overwrite: bool) -> None:
    """Make an empty folder at `path`; with `overwrite`, out of a trace that is there."""
    try:
        for name in check_replaceable(path, overwrite):
            (path / name).unlink()
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise SynctraceError(
            f"{path} is a file: remove it or choose another folder with -o"
        ) from error
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> SynctraceError:
    """The error to raise for a file or folder that cannot be written."""
    reason = error.strerror or str(error)
    return SynctraceError(f"cannot write {path} ({reason}): choose another place with -o")
