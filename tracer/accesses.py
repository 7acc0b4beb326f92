"""What each op of a scenario touches, interned: accesses, and the sets of graph versions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from synctrace.tracer.capture import Graphs, GraphVersion
from synctrace.tracer.case import Case
from synctrace.tracer.kinds import Kind, Mode, Origin
from synctrace.tracer.operation import CaseOp, Range

# Neither reads nor writes: the block they concern, for the order edges of caching allocators.
_OWNER_KINDS = (Kind.CACHE_ALLOC, Kind.CACHE_FREE, Kind.RECORD_STREAM)
# Accesses of the whole buffer: use outside the pair is a race.
_LIFE_KINDS = (
    *(Kind.ALLOC_ASYNC, Kind.FREE_ASYNC),
    *(Kind.FREE, Kind.FREE_HOST, Kind.HOST_UNREGISTER),
)


@dataclass(frozen=True)
class Access:
    """One way of touching bytes. Not `certain`: perhaps none of them."""

    range: Range
    mode: Mode
    origin: Origin = Origin.ARGUMENT
    certain: bool = True

    @property
    def unsure(self) -> "Access":
        """The same, but it may not happen. A read stays a read: two of them are no conflict."""
        if self.mode is Mode.WRITE:
            return replace(self, mode=Mode.MAY)
        return self if self.mode is Mode.MAY else replace(self, certain=False)


class Accesses:
    """access.ids and access_set.ids of the ops of a case."""

    def __init__(self, case: Case, graphs: Graphs) -> None:
        self.ids: dict[Access, int] = {}
        self.sets: dict[tuple[int, ...], int] = {}
        self.sizes = _sizes(case.ops)
        self._touched: list[list[Access]] = []
        self.of_op: list[list[int]] = []  # by op
        self.set_of_op: list[int] = []  # by op; 0: none
        for index, op in enumerate(case.ops):
            self._see(index, op, graphs.launched[index])
        self.set_of_version = {
            (each.graph, each.version): self._set(self._union(each.sources))
            for each in graphs.versions
        }

    def _see(self, index: int, op: CaseOp, launched: GraphVersion | None) -> None:
        touched = self._of(op)
        through_graph = launched is not None and not touched
        if launched is not None and through_graph:
            touched = self._union(i for i in launched.sources if i < index)
        if op.has("conditional") or op.has("may"):
            touched = [each.unsure for each in touched]
        self._touched.append(touched)
        # A captured launch is a node, and a node has its ranges itself.
        as_set = through_graph and "captured_in" not in op.attrs
        own = not as_set and op.word.kind is not Kind.GRAPH_UPDATE  # whose launches touch
        self.of_op.append([self._id(each) for each in touched] if own else [])
        self.set_of_op.append(self._set(touched) if as_set else 0)

    def _of(self, op: CaseOp) -> list[Access]:
        """What the op touches by its own ranges."""
        kind = op.word.kind
        if op.word.whole and kind not in (*_OWNER_KINDS, *_LIFE_KINDS):
            return []  # brings memory to life, touches no byte
        if op.word.whole:
            buffer = op.writes[0].buffer
            whole = Range(buffer, 0, self.sizes[buffer])
            if kind in _OWNER_KINDS:
                # Synthetic: names the block and never proves a race.
                return [Access(whole, Mode.READ, Origin.SYNTHETIC)]
            return [Access(whole, Mode.WRITE)]
        touched = [Access(each, Mode.READ) for each in op.reads]
        touched += [Access(each, Mode.WRITE) for each in op.writes]
        return list(dict.fromkeys(touched))

    def _union(self, ops: Iterable[int]) -> list[Access]:
        return list(dict.fromkeys(each for op in ops for each in self._touched[op]))

    def _set(self, touched: Sequence[Access]) -> int:
        if not touched:
            return 0
        key = tuple(self._id(each) for each in touched)
        return self.sets.setdefault(key, len(self.sets) + 1)

    def _id(self, access: Access) -> int:
        return self.ids.setdefault(access, len(self.ids) + 1)


def _sizes(ops: Sequence[CaseOp]) -> dict[str, int]:
    """Bytes of each buffer, in order of first appearance: to the end of the furthest range."""
    sizes: dict[str, int] = {}
    for op in ops:
        for each in (*op.reads, *op.writes):
            sizes[each.buffer] = max(sizes.get(each.buffer, 0), each.end)
    return sizes
