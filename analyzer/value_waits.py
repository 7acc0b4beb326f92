"""Streams that wait for values in memory before anybody is seen to write them.

What such a wait orders is known only once the write is: until then nothing is judged. Where no
stream writes the value, a kernel or the host did, unseen, before the host has waited for that
stream.
"""

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind
from synctrace.tracer.reader import Trace

_VALUES = (Kind.VALUE_WRITE, Kind.VALUE_WAIT)
_HOST_WAITS = (Kind.STREAM_SYNC, Kind.STREAM_QUERY, Kind.DEVICE_SYNC)
_COLUMNS = ["kind", "flags", "ticket_c", "ticket_r", "actor", "event", "device"]
_WITHOUT = pa.scalar(int(NO_EFFECT | Flag.CAPTURED), pa.uint32())


@dataclass(frozen=True)
class _Wait:
    """One that found no write."""

    ticket: int
    event: int
    stream: int


def intervals(trace: Trace, actors: pa.Table) -> list[tuple[int, int]]:
    """From each wait that comes before its write to that write: tickets, both inclusive.

    `actors`: table actor by id.
    """
    if not trace.table("event").num_rows or not _has_waits(trace):
        return []
    devices = actors["device"].to_pylist()
    written: set[int] = set()
    waiting: list[_Wait] = []
    found: list[tuple[int, int]] = []
    last = 0
    for row in sorted(_calls(trace), key=lambda row: row["ticket_c"]):
        last = max(last, row["ticket_r"])
        over: list[_Wait] = []
        if row["kind"] == Kind.VALUE_WAIT:
            if row["event"] not in written:
                waiting.append(_Wait(row["ticket_c"], row["event"], row["actor"]))
        elif row["kind"] == Kind.VALUE_WRITE:
            written.add(row["event"])
            over = [wait for wait in waiting if wait.event == row["event"]]
        elif row["kind"] == Kind.DEVICE_SYNC:
            of = row["device"]
            over = [w for w in waiting if of < 0 or _at(devices, w.stream) == of]
        else:
            over = [wait for wait in waiting if wait.stream == row["actor"]]
        found += [(wait.ticket, row["ticket_r"]) for wait in over]
        waiting = [wait for wait in waiting if wait not in over]
    return found + [(wait.ticket, _end(trace, last)) for wait in waiting]


def _has_waits(trace: Trace) -> bool:
    kind = pa.array([int(Kind.VALUE_WAIT)], pa.uint8())
    return any(
        pc.any(pc.is_in(batch["kind"], kind)).as_py() for batch in trace.batches("op", ["kind"])
    )


def _calls(trace: Trace) -> list[dict[str, int]]:
    """Waits and writes of values, and what the host waited for."""
    kinds = pa.array([int(kind) for kind in (*_VALUES, *_HOST_WAITS)], pa.uint8())
    rows: list[dict[str, int]] = []
    for batch in trace.batches("op", _COLUMNS):
        took = pc.equal(pc.bit_wise_and(batch["flags"], _WITHOUT), pa.scalar(0, pa.uint32()))
        rows += batch.filter(pc.and_(took, pc.is_in(batch["kind"], kinds))).to_pylist()
    return rows


def _end(trace: Trace, at_least: int) -> int:
    """The last ticket of the trace."""
    ends = (pc.max(batch["ticket_r"]).as_py() or 0 for batch in trace.batches("op", ["ticket_r"]))
    return max(at_least, *ends)


def _at(devices: list[int], stream: int) -> int | None:
    return devices[stream] if stream < len(devices) else None
