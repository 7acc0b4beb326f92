"""What a trace holds, and the shape of its iterations."""

import re
from collections import Counter
from collections.abc import Collection

from synctrace.analyzer.connect import Session, is_small
from synctrace.analyzer.finding import Census, Signature
from synctrace.tracer import kinds
from synctrace.tracer.schema import table_file

_COLUMNS = ["kind", "flags", "graph", "t_c", "t_r", "level", "thread", "actor"]
_OPS = """
SELECT
  kind, flags, count(*), min(t_c), max(t_r),
  list(DISTINCT graph) FILTER (is_captured(flags)), level,
  list(DISTINCT thread), list(DISTINCT actor)
FROM _scan GROUP BY kind, flags, level
"""

# Kinds that touch memory, by the start of their name.
TOUCHING = (
    *("HOST_READ", "HOST_WRITE", "MEMCPY", "MEMSET", "TENSOR", "BUFFER"),
    *("KERNEL", "GRAPH_LAUNCH", "HOST_FUNC"),
)

# A stream that is made and never used is no timeline: PyTorch makes 128 for each device.
_NO_WORK = (kinds.Kind.STREAM_CREATE, kinds.Kind.STREAM_DESTROY)

# A trace without scopes is one iteration; as letters it is readable up to so many ops.
_WHOLE_OPS = 60


def census(session: Session) -> Census:
    """Count the ops in one pass."""
    rows = session.scan("op", _COLUMNS, _OPS)
    classes: Counter[str] = Counter()
    levels: Counter[int] = Counter()
    captured: set[int] = set()
    used: set[int] = set()
    freed_ns, touched_ns, failed = None, 0, 0
    for kind, flags, count, first_ns, last_ns, graphs, level, threads, actors in rows:
        levels[level] += count
        used.update(threads, () if kind in _NO_WORK else actors)
        captured |= set(graphs or ())
        failed += count if flags & kinds.Flag.FAILED else 0
        if not flags & (kinds.NO_EFFECT | kinds.Flag.CAPTURED | kinds.Flag.LOWERED):
            classes[_class(kinds.Kind(kind))] += count
            if kind in kinds.FREES:
                freed_ns = first_ns if freed_ns is None else min(freed_ns, first_ns)
            elif kinds.Kind(kind).name.startswith(TOUCHING):
                touched_ns = max(touched_ns, last_ns)
    start = min((row[3] for row in rows), default=0)
    return Census(
        ops=sum(row[2] for row in rows),
        syncs=classes["sync"],
        copies=classes["copy"],
        launches=classes["launch"],
        wall_ns=max((row[4] for row in rows), default=0) - start,
        actors=_names(session, used),
        captured_graphs=tuple(sorted(captured - {0})),
        start_ns=start,
        levels=dict(levels),
        failed=failed,
        goes_on_after_frees=freed_ns is not None and freed_ns < touched_ns,
    )


def _names(session: Session, ids: Collection[int]) -> tuple[str, ...]:
    """Names of these actors, numbers in them by their size: stream 2 before stream 10."""
    found = session.rows("SELECT DISTINCT name FROM _actor WHERE id IN (SELECT unnest(?))", [*ids])
    return tuple(sorted((name for (name,) in found), key=_by_number))


def _by_number(name: str) -> list[tuple[str, int, str]]:
    parts = re.findall(r"([^0-9]*)0*([0-9]*)", name)
    return [(text, len(number), number) for text, number in parts]


def _class(kind: kinds.Kind) -> str:
    name = kind.name.lower()
    if name.startswith(("memcpy", "tensor_set", "tensor_get", "tensor_copy")):
        return "copy"
    if kind in (kinds.Kind.KERNEL, kinds.Kind.GRAPH_LAUNCH, kinds.Kind.HOST_FUNC):
        return "launch"
    return "sync" if name.endswith(("_sync", "_wait")) else ""


def signature(session: Session, ops: int) -> Signature | None:
    """The most common iteration as letters; None where there is none or the trace is large."""
    if not is_small(session.trace, "op"):
        return None
    if table_file(session.trace.path, "scope").exists():
        rows = session.rows(
            "SELECT name, signature, count(*) AS n FROM iteration WHERE signature <> ''"
            " GROUP BY name, signature ORDER BY n DESC, signature"
        )
        if rows:
            what, letters, like = rows[0]
            return Signature(what, letters, like, sum(n for name, _, n in rows if name == what))
    if ops > _WHOLE_OPS:
        return None
    [(letters,)] = session.rows("SELECT string_agg(letter, '' ORDER BY op) FROM letter")
    return Signature("trace", letters, 1, 1) if letters else None
