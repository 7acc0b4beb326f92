"""Which nodes of a captured graph have no path between them: sets of nodes as bits of an int.

Recursive SQL takes minutes for a graph of a thousand nodes; this takes milliseconds.
"""

from collections.abc import Iterator
from itertools import groupby

import pyarrow as pa

from synctrace.analyzer.connect import Session
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.schema import table_file

# Of one graph; and of all graphs together pairs without a path. Beyond, memory has no bound.
MOST_NODES, MOST_PAIRS = 1 << 16, 2_000_000
BRANCHES = pa.schema([(name, pa.uint32()) for name in ("graph", "version", "first", "second")])


def has_nodes(session: Session) -> bool:
    """Whether the nodes of some graph are known."""
    return table_file(session.trace.path, "node").exists()


def fetch_branches(session: Session) -> bool:
    """Make _branch: pairs of nodes without a path, lower number first. Whether there are some."""
    rows: list[dict[str, int]] = []
    if has_nodes(session):
        nodes = session.rows("SELECT graph, version, node FROM _node ORDER BY ALL")
        edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for graph, version, *edge in session.rows(
            "SELECT graph, version, first, second FROM _node_edge"
        ):
            edges.setdefault((graph, version), []).append((edge[0], edge[1]))
        for (graph, version), group in groupby(nodes, key=lambda row: row[:2]):
            numbers = [node for _, _, node in group]
            if len(numbers) > MOST_NODES:
                raise _too_many(session, graph, f"more than {MOST_NODES:,} nodes")
            for first, second in apart(numbers, edges.get((graph, version), [])):
                rows.append({"graph": graph, "version": version, "first": first, "second": second})
                if len(rows) > MOST_PAIRS:
                    what = f"more than {MOST_PAIRS:,} pairs of nodes without a path"
                    raise _too_many(session, graph, what)
    session.give("_branch", pa.Table.from_pylist(rows, BRANCHES))
    return bool(rows)


def _too_many(session: Session, graph: int, what: str) -> SynctraceError:
    return SynctraceError(
        f"graph {graph} of {session.trace.path} has, with those before it, {what}: record a run "
        "with smaller graphs"
    )


def apart(nodes: list[int], edges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Pairs of nodes (ascending) that no path of edges joins. Nodes of a cycle are left out."""
    at = {node: i for i, node in enumerate(nodes)}
    after: list[list[int]] = [[] for _ in nodes]
    before = [0] * len(nodes)  # number of edges that lead to each
    for first, second in edges:
        if first in at and second in at:
            after[at[first]].append(at[second])
            before[at[second]] += 1
    reached_from = [0] * len(nodes)  # nodes with a path to each, as bits
    ready = [i for i, number in enumerate(before) if not number]
    done = 0
    while ready:
        here = ready.pop()
        done |= 1 << here
        for each in after[here]:
            reached_from[each] |= reached_from[here] | 1 << here
            before[each] -= 1
            if not before[each]:
                ready.append(each)
    for later, node in enumerate(nodes):
        # Of each pair look from the side that no path leads to: both have none from the other.
        free = done & ~reached_from[later] & ((1 << later) - 1) if done >> later & 1 else 0
        while free:
            earlier = (free & -free).bit_length() - 1
            free &= free - 1
            if not reached_from[earlier] >> later & 1:
                yield nodes[earlier], node
