"""What more than one thread gives work to, streams and graphs: its order hangs on the threads'."""

from collections.abc import Collection, Iterable, Sequence

import pyarrow as pa

from synctrace.analyzer.profile import Profile
from synctrace.tracer.kinds import ActorKind, Flag, StreamFlag
from synctrace.tracer.reader import Trace

_COLUMNS = ["kind", "thread", "actor", "peer", "graph"]
# Edges of ops that deal with streams which they do not name.
_WIDE = {"host-waits-device", "host-waits-all", "after-devices", "devices-wait", "legacy-of-peer"}
_LEGACY_ORDER = StreamFlag.LEGACY | StreamFlag.BLOCKING | StreamFlag.PER_THREAD


def shared_streams(
    trace: Trace, actors: pa.Table, models: Sequence[Profile], flags: Flag
) -> pa.Array | None:
    """1 for each actor by id that is a stream of several threads, as uint8; None: there is none.

    An array too where several threads launch a graph whose launches are in order. `actors`: table
    actor by id; `flags`: of any op. One too many costs time and changes nothing.
    """
    kinds, standing = actors["kind"].to_pylist(), actors["flags"].to_pylist()
    if sum(kind == ActorKind.THREAD for kind in kinds[1:]) < 2:
        return None
    wide, in_order = (_kinds_with(edges, models, flags) for edges in (_WIDE, {"graph-order"}))
    launchers: dict[int, set[int]] = {}
    users: list[set[int]] = [set() for _ in kinds]
    everywhere: set[int] = set()
    for kind, thread, actor, peer, graph in _calls(trace):
        if kind in wide:
            everywhere.add(thread)
        if kind in in_order and graph:
            launchers.setdefault(graph, set()).add(thread)
        for stream in (actor, peer):
            if stream < len(users):
                users[stream].add(thread)
    ordered = [a for a, flag in enumerate(standing) if flag & _LEGACY_ORDER]
    if any(standing[a] & StreamFlag.LEGACY for a in ordered):
        together = set().union(*(users[a] for a in ordered))
        for a in ordered:
            users[a] |= together
    found = [
        kinds[a] != ActorKind.THREAD and len(threads | everywhere) > 1
        for a, threads in enumerate(users)
        if a
    ]
    some = any(found) or any(len(threads) > 1 for threads in launchers.values())
    return pa.array([0, *map(int, found)], pa.uint8()) if some else None


def _kinds_with(edges: Collection[str], models: Sequence[Profile], flags: Flag) -> set[int]:
    """Kinds of ops that have one of these edges under some model; `flags`: of any op."""
    return {
        kind
        for model in models
        for statement in model.statements
        if statement.with_flags & flags == statement.with_flags
        and any(edge.edge in edges for edge in statement.edges)
        for kind in statement.kinds
    }


def _calls(trace: Trace) -> Iterable[tuple[int, ...]]:
    """Op kind, thread, actor, peer and graph of all ops, each combination once."""
    seen: set[tuple[int, ...]] = set()
    for batch in trace.batches("op", _COLUMNS):
        groups = pa.table(batch.columns, names=batch.schema.names).group_by(_COLUMNS)
        columns = groups.aggregate([]).to_pydict()
        seen.update(zip(*(columns[name] for name in _COLUMNS), strict=True))
    return seen
