"""Versions of executable graphs: what each touches, and the nodes and edges of those captured."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from synctrace.tracer.columns import Columns, Ids
from synctrace.tracer.ranges import Ranges
from synctrace.tracer.rings import FIXED, RANGE, Record, text_of, two_texts_of

RECENT_WALKS = 64  # of a graph that several threads launch, some may be taken in late


@dataclass(frozen=True)
class Walk:
    """What one walk of a graph found."""

    version: int
    access_set: int


@dataclass(frozen=True)
class _Node:
    """A node as it was told, its accesses by their numbers in the rings."""

    number: int
    kind: int
    name: str
    accesses: tuple[int, ...]


@dataclass
class _Parts:
    """What was told of a walk so far."""

    accesses: list[int] = field(default_factory=list)  # access.ids, in no node
    nodes: list[_Node] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class _Told:
    """A whole walk, not yet a version."""

    graph: int
    handle: int
    nodes: int
    name: str
    operations: str
    parts: _Parts


class Versions:
    """Rows about graphs.

    A walk becomes a version when a launch of it is written: by then all that its nodes touch was
    told, by whatever thread.
    """

    def __init__(self, columns: Columns, ranges: Ranges) -> None:
        self._columns, self._ranges = columns, ranges
        self._sets, self._versions = Ids(), Ids()
        self._parts: dict[int, _Parts] = {}
        self._told: dict[int, _Told] = {}
        self._walks: dict[int, Walk] = {}
        self._next_version: dict[int, int] = {}  # of each graph
        self._version_of: dict[int, int] = {}
        self._recent: dict[int, list[int]] = {}  # the last walks of each graph

    def walk(self, number: int) -> Walk | None:
        """The walk of this number, if it was told."""
        if number in self._told:
            self._settle(self._recent[self._told[number].graph], upto=number)
        return self._walks.get(number)

    def finish(self) -> None:
        """Versions that were never launched are in the trace, too."""
        for walks in self._recent.values():
            self._settle(walks)

    def part(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_ranges."""
        (walk, _) = FIXED[Record.RANGES].unpack_from(part, start)
        at = start + FIXED[Record.RANGES].size
        ends = range(at + RANGE.size, at + count * RANGE.size + 1, RANGE.size)
        found = [self._ranges.of(part[end - RANGE.size : end]) for end in ends]
        self._of(walk).accesses.extend(found)

    def node(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_node."""
        walk, number, kind = FIXED[Record.NODE].unpack_from(part, start)
        at = start + FIXED[Record.NODE].size
        name = text_of(part[at + (count + count % 2) * 4 : end])
        accesses = tuple(_words(part, at, count))
        self._of(walk).nodes.append(_Node(number, kind, name, accesses))

    def edges(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_node_edges."""
        (walk, _) = FIXED[Record.NODE_EDGES].unpack_from(part, start)
        words = _words(part, start + FIXED[Record.NODE_EDGES].size, 2 * count)
        self._of(walk).edges.extend(zip(words[::2], words[1::2], strict=True))

    def graph(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_graph: all of its walk was told."""
        handle, walk, graph, nodes, _ = FIXED[Record.GRAPH].unpack_from(part, start)
        texts = part[start + FIXED[Record.GRAPH].size : end]
        operations, name = two_texts_of(texts) if count else (text_of(texts), "")
        parts = self._parts.pop(walk, _Parts())
        name = name or f"graph {graph}"
        self._told[walk] = _Told(graph, handle, nodes, name, operations, parts)
        self._recent.setdefault(graph, []).append(walk)

    def forget_old_walks(self) -> None:
        """Those that no launch taken in from now on can name: a graph is launched as it is last."""
        for walks in self._recent.values():
            self._settle(walks[:-RECENT_WALKS])
            for walk in walks[:-RECENT_WALKS]:
                del self._walks[walk]
            del walks[:-RECENT_WALKS]

    def _of(self, walk: int) -> _Parts:
        return self._parts.setdefault(walk, _Parts())

    def _settle(self, walks: Iterable[int], upto: int | None = None) -> None:
        """Make these walks versions, in the order in which they were told."""
        for walk in walks:
            if walk in self._told:
                self._walks[walk] = self._made(self._told.pop(walk))
            if walk == upto:
                return

    def _made(self, told: _Told) -> Walk:
        """A walk that found what an earlier one did is the same version."""
        touched = [tuple(map(self._ranges.numbered, n.accesses)) for n in told.parts.nodes]
        all_touched = (*told.parts.accesses, *(each for one in touched for each in one))
        accesses = tuple(dict.fromkeys(all_touched))
        access_set, new = self._sets.of(accesses)
        if new:
            self._columns.put("access_set", {"id": access_set, "accesses": accesses})
        shape = (tuple(told.parts.nodes), tuple(touched), tuple(told.parts.edges))
        number, new = self._versions.of((told.graph, access_set, told.nodes, shape))
        if new:
            version = self._next_version.get(told.graph, 0)
            self._next_version[told.graph] = version + 1
            self._version_of[number] = version
            self._put(told, version, access_set, touched)
        return Walk(self._version_of[number], access_set)

    def _put(
        self, told: _Told, version: int, access_set: int, touched: list[tuple[int, ...]]
    ) -> None:
        where = {"graph": told.graph, "version": version}
        row = {"id": told.graph, "version": version, "name": told.name, "handle": told.handle}
        more = {"generation": 1, "access_set": access_set, "nodes": told.nodes}
        self._columns.put("graph", {**row, **more, "operations": told.operations})
        for node, accesses in zip(told.parts.nodes, touched, strict=True):
            row = {"node": node.number, "kind": node.kind, "name": node.name, "accesses": accesses}
            self._columns.put("node", {**where, **row})
        for first, second in told.parts.edges:
            self._columns.put("node_edge", {**where, "first": first, "second": second})


def _words(part: bytes, at: int, count: int) -> list[int]:
    """`count` words of 4 bytes."""
    return [int.from_bytes(part[a : a + 4], "little") for a in range(at, at + 4 * count, 4)]
