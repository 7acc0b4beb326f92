"""Batches of table op for the engine: decoded ahead, or sorted where they are in no order."""

from collections.abc import Iterator, Sequence
from queue import Full, Queue
from threading import Event, Thread

import pyarrow as pa

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.reader import Trace

BATCH_ROWS = 1 << 16
MOST_SORTED_BYTES = 4 << 30  # of table op, decompressed


def sorted_ops(trace: Trace, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """All ops in memory, by id. Raises SynctraceError for more than MOST_SORTED_BYTES."""
    if trace.decoded["op"].bytes > MOST_SORTED_BYTES:
        raise SynctraceError(
            f"the ops of {trace.path} are in no order and too many to be sorted: "
            "record a shorter run"
        )
    batches = list(trace.batches("op", columns))
    table = pa.Table.from_batches(batches).sort_by("id").combine_chunks()
    yield from table.to_batches(max_chunksize=BATCH_ROWS)


def decoded_ahead(trace: Trace, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Batches of table op, the next ones decoded by another thread."""
    ahead: Queue[pa.RecordBatch | BaseException | None] = Queue(maxsize=2)
    stopped = Event()

    def offer(item: pa.RecordBatch | BaseException | None) -> None:
        while not stopped.is_set():
            try:
                ahead.put(item, timeout=0.1)
                return
            except Full:
                continue

    def decode() -> None:
        try:
            for batch in trace.batches("op", columns):
                offer(batch)
                if stopped.is_set():
                    return
            offer(None)
        except BaseException as error:
            offer(error)

    decoder = Thread(target=decode, daemon=True)
    decoder.start()
    try:
        while (item := ahead.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stopped.set()
        decoder.join()
