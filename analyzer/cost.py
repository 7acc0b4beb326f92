"""What the order of a trace will take, where that is a lot (docs/internals.md, Time of an op)."""

import pyarrow.compute as pc

from synctrace.tracer.kinds import ActorKind
from synctrace.tracer.reader import Trace

THREADS, ROWS = 2_000, 4_000_000  # above which it is told
_COMPONENT, _ROW = 32, 120  # bytes: of a clock for each timeline that it knows of, of a row


def warnings(trace: Trace) -> list[str]:
    """A sentence for each thing that makes the check slow or large; mostly none."""
    told = []
    actor, access = trace.table("actor"), trace.table("access")
    threads = pc.sum(pc.equal(actor["kind"], int(ActorKind.THREAD))).as_py() or 0
    if threads > THREADS:
        gigabytes = actor.num_rows**2 * _COMPONENT / 2e9
        told.append(
            f"{trace.path} has {threads:,} threads: what each saw of the others can take "
            f"{gigabytes:,.1f} GB and more"
        )
    strided = pc.greater(access["pitch"], 0)
    rows = pc.sum(pc.if_else(strided, access["height"], 0)).as_py() or 0
    if rows > ROWS:
        told.append(
            f"{trace.path} has strided ranges of {rows:,} rows: each is looked at by itself, "
            f"which can take minutes and {rows * _ROW / 1e9:,.1f} GB"
        )
    return told
