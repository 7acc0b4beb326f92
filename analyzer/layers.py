"""Calls of two layers that are one: the op of a layer, and the API's calls that did its work."""

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer.profile import JUDGED
from synctrace.tracer.kinds import Flag, Level
from synctrace.tracer.reader import Trace

_JUDGED = pa.array(sorted(int(kind) for kind in JUDGED), pa.uint8())
_LOWERED, _API = pa.scalar(int(Flag.LOWERED), pa.uint32()), pa.scalar(int(Level.API), pa.uint8())
_NONE = pa.scalar(0, pa.uint32())
_COLUMNS = ["id", "kind", "level", "flags", "site", "parent"]


def outer_syncs(trace: Trace) -> dict[int, int]:
    """By site of the API's syncs that a sync of another layer made: the site of that one."""
    outer: dict[int, int] = {}  # sites by op.id
    for batch in trace.batches("op", ["id", "kind", "flags", "site"]):
        lowered = pc.not_equal(pc.bit_wise_and(batch["flags"], _LOWERED), _NONE)
        found = batch.filter(pc.and_(lowered, pc.is_in(batch["kind"], _JUDGED)))
        outer.update(zip(found["id"].to_pylist(), found["site"].to_pylist(), strict=True))
    sites: dict[int, int] = {}
    for batch in trace.batches("op", _COLUMNS) if outer else ():
        calls = pc.and_(pc.equal(batch["level"], _API), pc.is_in(batch["kind"], _JUDGED))
        found = batch.filter(pc.and_(calls, pc.is_valid(batch["parent"])))
        for site, parent in zip(
            found["site"].to_pylist(), found["parent"].to_pylist(), strict=True
        ):
            if parent in outer:
                sites[site] = outer[parent]
    return sites
