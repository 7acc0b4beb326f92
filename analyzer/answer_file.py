"""Answers written as they come: text, Parquet and Arrow, to a file or to a pipe.

An answer of any length takes the memory of one batch, but for a table, whose columns are as wide
as the widest of all rows.
"""

import codecs
from collections.abc import Sequence
from typing import BinaryIO

import pyarrow as pa

from synctrace.analyzer.answer import TEXT, write_text
from synctrace.analyzer.query import Questions
from synctrace.tracer.errors import SynctraceError

BINARY = ("parquet", "arrow")


def write_answers(
    questions: Questions, statements: Sequence[str], format_: str, out: BinaryIO
) -> None:
    """Write the answer to each statement; a binary format holds one answer.

    Raises SynctraceError for SQL that does not run and for types that the format does not have.
    """
    if format_ in TEXT:
        text = codecs.getwriter("utf-8")(out)
        for statement in statements:
            with questions.asked(statement) as answer:
                write_text(answer, format_, text)
        return
    if len(statements) != 1:
        raise SynctraceError(
            f"-F {format_} holds one answer: give one statement instead of {len(statements)}"
        )
    with questions.asked_arrow(statements[0]) as answer:
        _write_arrow(answer, format_, out)


def _write_arrow(answer: pa.RecordBatchReader, format_: str, out: BinaryIO) -> None:
    try:
        with _writer(format_, out, answer.schema) as writer:
            for batch in answer:
                writer.write_batch(batch)
    except pa.ArrowNotImplementedError as error:
        why = " ".join(str(error).split())
        raise SynctraceError(
            f"{format_} has no type for a column of the answer ({why}): cast it to VARCHAR, or"
            " take another format"
        ) from error


def _writer(
    format_: str, out: BinaryIO, schema: pa.Schema
) -> "pa.RecordBatchFileWriter | pa.parquet.ParquetWriter":
    if format_ == "arrow":
        return pa.ipc.new_file(out, schema)
    import pyarrow.parquet

    return pyarrow.parquet.ParquetWriter(out, schema)
