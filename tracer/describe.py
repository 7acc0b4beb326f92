"""The trace contract as a page: docs/trace.md is what this prints.

python -m synctrace.tracer.describe > docs/trace.md
"""

import sys
from collections.abc import Iterator
from enum import IntEnum, IntFlag
from inspect import cleandoc

import pyarrow as pa

from synctrace.tracer import kinds
from synctrace.tracer.schema import META, META_OBJECTS, TABLES, VERSION, Table

HEAD = f"""\
# The trace, version {VERSION}

<!-- Printed by `python -m synctrace.tracer.describe`: edit tracer/schema.py, tracer/kinds.py. -->

A trace is a folder `NAME.synctrace` with `meta.json` and one Arrow IPC file (LZ4) a table,
`TABLE.arrow`. A table without rows has no file. Files are written in place and append-only: one
that was not closed, because the recorder was killed, is read as an Arrow stream from byte 8 up to
the tear, and the trace is then not complete. No column is null unless it says so.

Files are plain files of the folder, no links; batches are compressed by LZ4 or not at all, without
dictionaries. Times lie within 2^60 ns of 0. Keys of meta.json are given once. Readers refuse the
rest, and what is too large (docs/internals.md, Untrusted traces).

Traces of CUDA programs may have `code.txt` and `code-HASH.bin` beside the tables: where the code
is that was loaded, and copies of what lies in no file ([cuda.md](cuda.md#what-kernels-code-does)).

Ids are dense from 1 within their table, but where rows were lost; 0 means none. `op.id` is free:
unique, growing with `ticket_c`. A *ticket* is a number from one counter of the process, taken
twice an op: when the call is entered (C) and when it has returned (R). Times are nanoseconds of
CLOCK_MONOTONIC. Ranges are half-open byte offsets within a storage. Rows come in any order; those
of `op` are nearly sorted by `ticket_c`.

These are the tables as stored. For questions in SQL there are views with names in place of
numbers: `synctrace explain` lists them, `synctrace query TRACE "SELECT …"` asks.
"""

VOCABULARIES: tuple[type[IntEnum] | type[IntFlag], ...] = (
    kinds.Kind,
    kinds.Flag,
    kinds.Level,
    kinds.Mode,
    kinds.Extent,
    kinds.Origin,
    kinds.ActorKind,
    kinds.StreamFlag,
    kinds.MemoryKind,
    kinds.BufferUsage,
    kinds.ScopeKind,
)


def page() -> str:
    """The whole page, Markdown."""
    return "\n".join([HEAD, *_meta(), *_objects(), *_tables(), *_vocabularies()])


def _meta() -> Iterator[str]:
    yield "## meta.json\n"
    yield "| key | meaning |\n|---|---|"
    for key, doc in META.items():
        yield f"| `{key}` | {doc} |"
    yield ""


def _objects() -> Iterator[str]:
    """What the objects in `devices`, `links` and `drivers` have."""
    yield "A key of one of these objects whose value is not known is null, or empty text.\n"
    yield "| key | keys of its objects |\n|---|---|"
    for key, doc in META_OBJECTS.items():
        yield f"| `{key}` | {doc} |"
    yield ""


def _tables() -> Iterator[str]:
    yield "## Tables\n"
    for table in TABLES.values():
        yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    yield f"### {table.name}\n"
    yield f"{table.doc}\n"
    yield "| column | type | meaning |\n|---|---|---|"
    for column in table.columns:
        values = column.type.value_type if pa.types.is_list(column.type) else column.type
        type_ = f"list of {values}" if pa.types.is_list(column.type) else str(values)
        null = ", may be null" if column.nullable else ""
        yield f"| `{column.name}` | {type_}{null} | {column.doc} |"
    yield ""


def _vocabularies() -> Iterator[str]:
    yield "## Numbers\n"
    yield "Numbers are stored, names are shown. A number is never used again for something else.\n"
    for vocabulary in VOCABULARIES:
        kind = "or-ed flags" if issubclass(vocabulary, IntFlag) else "one of"
        members = ", ".join(f"{one.value} {str(one.name).lower()}" for one in vocabulary)
        doc = cleandoc(vocabulary.__doc__ or "")
        yield f"### kinds.{vocabulary.__name__}\n\n{doc}\n\n{kind}: {members}\n"


if __name__ == "__main__":
    sys.stdout.write(page())
