"""Copies a trace without paths and ids of the machine it was recorded on: keep.py TRACE COPY."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from synctrace.tracer.reader import open_trace
from synctrace.tracer.schema import META, TABLES
from synctrace.tracer.writer import TraceWriter

PATHS = {"module": "path", "frame": "file"}
WRITER_SETS = ("format", "version", "counts")


def names(paths: list[str]) -> list[str]:
    return [path.rpartition("/")[2] for path in paths]


def keep(source: Path, copy: Path, changed: Mapping[str, pa.Table] | None = None) -> None:
    """The same rows and meta.json; of every path its last part, of devices no uuid.

    `changed`: tables to be written in place of the trace's own.
    """
    trace = open_trace(source)
    meta = {key: trace.meta[key] for key in META if key in trace.meta and key not in WRITER_SETS}
    meta["command"] = names(list(trace.meta["command"]))
    meta["devices"] = [{**device, "uuid": ""} for device in trace.meta.get("devices", [])]
    end = {"complete": trace.complete, "lost": list(trace.lost)}
    writer = TraceWriter(copy, meta)
    for name, table in TABLES.items():
        rows = (changed or {}).get(name, trace.table(name))
        if column := PATHS.get(name):
            at = rows.schema.get_field_index(column)
            rows = rows.set_column(
                at, rows.schema.field(at), pa.array(names(rows[column].to_pylist()), pa.string())
            )
        for batch in rows.cast(table.schema).to_batches():
            writer.write_batch(name, batch)
    writer.close(**end, **{key: meta[key] for key in ("dropped", "coverage", "exit")})


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]))
