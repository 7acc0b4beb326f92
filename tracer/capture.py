"""Captured calls become graphs: the nodes of each version and the edges between them.

A stream's next node waits for the stream's *set*: its last node and what its event waits brought.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from synctrace.tracer.kinds import Kind
from synctrace.tracer.operation import CaseOp


@dataclass
class GraphVersion:
    """One version of a graph. Of its ranges either the nodes know or the op that gave them."""

    graph: str
    version: int
    nodes: list[int] = field(default_factory=list)  # index of the captured op, by node from 0
    edges: list[tuple[int, int]] = field(default_factory=list)  # first node, node that waits
    given_by: int | None = None  # index of the graph_update

    @property
    def sources(self) -> list[int]:
        """Ops whose ranges are the version's."""
        return self.nodes if self.given_by is None else [self.given_by]


@dataclass(frozen=True)
class Graphs:
    """All versions of all graphs of a case, and which an op speaks of."""

    versions: tuple[GraphVersion, ...]
    of_op: tuple[GraphVersion | None, ...]  # version captured into, else that of attrs.graph
    launched: tuple[GraphVersion | None, ...]  # of graph launches


def graphs_of(ops: Sequence[CaseOp]) -> Graphs:
    """Follow the captures of a case."""
    return _Follower(ops).graphs


class _Follower:
    def __init__(self, ops: Sequence[CaseOp]) -> None:
        self.now: dict[str, GraphVersion] = {}
        self.versions: list[GraphVersion] = []
        # Nodes that the next one waits for, by graph and stream; those an event stands for.
        self.streams: dict[tuple[str, str], set[int]] = {}
        self.events: dict[tuple[str, str], set[int]] = {}
        of_op: list[GraphVersion | None] = []
        launched: list[GraphVersion | None] = []
        for index, op in enumerate(ops):
            inside, graph = op.attrs.get("captured_in"), op.attrs.get("graph")
            launched.append(self.version(graph) if op.op == "graph_launch" and graph else None)
            if op.has("failed"):
                pass
            elif inside is not None:
                self.capture(index, op, self.version(inside))
            elif op.word.kind is Kind.CAPTURE_BEGIN:
                self.begin(str(graph))
            elif op.word.kind is Kind.GRAPH_UPDATE:
                self.begin(str(graph)).given_by = index
            named = graph if inside is None else inside
            of_op.append(None if named is None else self.version(named))
        self.graphs = Graphs(tuple(self.versions), tuple(of_op), tuple(launched))

    def version(self, graph: str) -> GraphVersion:
        """The graph as it is now."""
        if graph not in self.now:
            self.now[graph] = GraphVersion(graph, 0)
            self.versions.append(self.now[graph])
        return self.now[graph]

    def begin(self, graph: str) -> GraphVersion:
        """A new version, unless nobody has seen the graph yet; nothing of an earlier one counts."""
        for known in (self.streams, self.events):
            for key in [key for key in known if key[0] == graph]:
                del known[key]
        if graph in self.now:
            self.now[graph] = GraphVersion(graph, self.now[graph].version + 1)
            self.versions.append(self.now[graph])
        return self.version(graph)

    def capture(self, index: int, op: CaseOp, into: GraphVersion) -> None:
        stream = self.streams.setdefault((into.graph, str(op.stream)), set())
        if op.word.kind is Kind.EVENT_RECORD:
            self.events[into.graph, str(op.event)] = set(stream)
        elif op.word.kind is Kind.EVENT_WAIT:
            stream |= self.events.get((into.graph, str(op.event)), set())
        else:
            node = len(into.nodes)
            into.nodes.append(index)
            into.edges += [(first, node) for first in sorted(stream)]
            stream.clear()
            stream.add(node)
