"""Which host memory a trace tells the host's stores of, so that no others are to be assumed.

Annotations and what records itself say where the host stores; a recorder that watches a range tells
the stores it cannot see as synthetic ones. Who tells one store to a byte tells them all. A store
found by a digest alone tells of no other: the next one may be of the same value.
"""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.kinds import NO_EFFECT, Kind, Mode, Origin
from synctrace.tracer.reader import Trace

_TOLD = (Origin.ARGUMENT, Origin.SYNTHETIC)
_STORES = (Mode.WRITE, Mode.READ_WRITE)
_HOST_WRITE = pa.scalar(int(Kind.HOST_WRITE), pa.uint8())
_WITHOUT, _NONE = (pa.scalar(int(flags), pa.uint32()) for flags in (NO_EFFECT, 0))
_COLUMNS = ("id", "storage", "lo", "hi", "mode", "origin", "pitch")
_BOUNDS = ("storage", "upper_lo", "upper_hi")


def told_stores(trace: Trace, access: pa.Table) -> pa.Array:
    """Of each access (by id from 0), bool: the host's stores to all of its bytes are told.

    A range is told if neighbouring host_writes of linear ranges cover it, in whatever order.
    """
    spans = _spans(access, _stores(trace))
    count = access.num_rows
    if not spans:
        return pa.repeat(pa.scalar(False), count)
    of_storage = pc.is_in(access["storage"], pa.array(list(spans), pa.uint32()))
    rows = pc.indices_nonzero(of_storage)
    told = [False] * count
    found = access.select(_BOUNDS).take(rows)
    bounds = zip(*(found[name].to_pylist() for name in _BOUNDS), strict=True)
    for row, (storage, lo, hi) in zip(rows.to_pylist(), bounds, strict=True):
        told[row] = any(first <= lo and hi <= last for first, last in spans[storage])
    return pa.array(told, pa.bool_())


def _stores(trace: Trace) -> set[int]:
    """Accesses of the ops of kind host_write that took effect."""
    found: set[int] = set()
    if not any(pc.any(_is_store(batch)).as_py() for batch in trace.batches("op", ["kind"])):
        return found
    for batch in trace.batches("op", ["kind", "flags", "accesses"]):
        effect = pc.equal(pc.bit_wise_and(batch["flags"], _WITHOUT), _NONE)
        chosen = pc.and_(_is_store(batch), effect)
        found.update(batch["accesses"].filter(chosen).flatten().unique().to_pylist())
    return found


def _is_store(batch: pa.RecordBatch) -> Any:
    return pc.equal(batch["kind"], _HOST_WRITE)


def _spans(access: pa.Table, stores: set[int]) -> dict[int, list[tuple[int, int]]]:
    """Bytes [lo, hi) of each storage to which stores are told; those that touch are one."""
    chosen = sorted(one for one in stores if 0 < one < access.num_rows)
    rows = access.select(_COLUMNS).take(pa.array(chosen, pa.uint32())).to_pylist()
    spans: dict[int, list[tuple[int, int]]] = {}
    for row in sorted(rows, key=lambda row: (row["storage"], row["lo"])):
        if not row["storage"] or row["pitch"] or row["lo"] >= row["hi"]:
            continue
        if row["mode"] not in _STORES or row["origin"] not in _TOLD:
            continue
        mine = spans.setdefault(row["storage"], [])
        if mine and row["lo"] <= mine[-1][1]:
            mine[-1] = (mine[-1][0], max(mine[-1][1], row["hi"]))
        else:
            mine.append((row["lo"], row["hi"]))
    return spans
