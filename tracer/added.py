"""Puts tables into a trace that was closed."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from synctrace.tracer.meta import read_meta
from synctrace.tracer.schema import TABLES, table_file
from synctrace.tracer.writer import cannot_write, file_options, write_meta


def add_tables(path: Path, tables: Mapping[str, Mapping[str, Sequence[object]]]) -> None:
    """Put small tables, given as columns, into a trace that was closed, in place of those there.

    Until the last of them is whole, the trace says nothing of them. Raises SynctraceError.
    """
    meta = read_meta(path)
    for name, columns in tables.items():
        file = table_file(path, name)
        part = file.with_name(f"{file.name}.part")
        schema = TABLES[name].schema
        arrays = [pa.array(columns[field.name], field.type) for field in schema]
        try:
            with (
                pa.OSFile(os.fsencode(part), "wb") as sink,
                pa.ipc.new_file(sink, schema, options=file_options()) as writer,
            ):
                writer.write_batch(pa.record_batch(arrays, schema=schema))
            part.replace(file)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise cannot_write(file, error) from error
        meta["counts"] = {**meta.get("counts", {}), name: len(arrays[0])}
    write_meta(path, meta)
