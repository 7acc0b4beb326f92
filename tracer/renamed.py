"""Names that rows get after they were written: a program names its threads and streams late."""

import os
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa


def rename_rows(path: Path, names: Mapping[int, str]) -> None:
    """Write the table of this file anew, the rows of these ids called otherwise. Raises OSError."""
    with pa.OSFile(os.fsencode(path), "rb") as source:
        rows = pa.ipc.open_file(source).read_all()
    pairs = zip(rows["id"].to_pylist(), rows["name"].to_pylist(), strict=True)
    column = pa.array([names.get(id_, name) for id_, name in pairs], pa.string())
    rows = rows.set_column(rows.schema.get_field_index("name"), rows.schema.field("name"), column)
    part = path.with_name(f"{path.name}.part")
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with (
        pa.OSFile(os.fsencode(part), "wb") as sink,
        pa.ipc.new_file(sink, rows.schema, options=options) as file,
    ):
        file.write_table(rows)
    part.replace(path)
