"""Captures and graphs of a case: what no program could do with them."""

from collections.abc import Sequence

from synctrace.tracer.operation import CaseOp, Wrong
from synctrace.tracer.vocabulary import legacy_device


def check_graphs(ops: Sequence[CaseOp]) -> None:
    """Raises Wrong for the first use of a capture or a graph that means nothing."""
    captures = _Captures()
    for i, op in enumerate(ops):
        _check_alone(i, op)
        if op.op == "capture_end":  # one that failed ends it too
            captures.end(i, op)
        elif not op.has("failed"):
            captures.see(i, op)
    captures.finish()


def _check_alone(i: int, op: CaseOp) -> None:
    """What a captured call cannot be, whatever came before."""
    inside = op.attrs.get("captured_in")
    if inside is None:
        return
    if op.event is not None and (op.has("external") or op.op == "host_func"):
        raise Wrong(
            f"ops[{i}].attrs.captured_in: an event that a graph records, signals or waits "
            "for at each launch is not supported, expected two graphs with that "
            f"{op.op} between their launches"
        )
    if inside == op.attrs.get("graph"):
        raise Wrong(f"ops[{i}].attrs.graph: {inside} cannot hold itself")


class _Captures:
    """Follows a case from its first op to its last."""

    def __init__(self) -> None:
        self.begun: dict[str, int] = {}  # graphs being captured: their capture_begin
        self.streams: dict[str, str] = {}  # streams being captured: into which graph
        self.known: set[str] = set()  # graphs that were captured, or launched with own ranges
        self.filled: set[str] = set()  # those of which a launch without ranges knows what it does
        self.destroyed: dict[str, int] = {}

    def see(self, i: int, op: CaseOp) -> None:
        """A call that did not fail and ends no capture."""
        inside, graph = op.attrs.get("captured_in"), op.attrs.get("graph")
        if op.op == "capture_begin":
            self._begin(i, str(op.stream), str(graph))
            return
        if inside is not None:
            self._captured(i, op, str(inside))
        elif op.stream in self.streams and "captured_in" in op.word.attrs:
            raise Wrong(f"ops[{i}].attrs.captured_in: {self._goes_on(op.stream)}, expected it here")
        if graph is not None:
            self._use(i, op, str(graph))

    def end(self, i: int, op: CaseOp) -> None:
        """A capture_end; one that failed ends the capture too."""
        graph, stream = str(op.attrs["graph"]), op.stream
        if graph not in self.begun and op.has("failed"):
            return
        if graph not in self.begun:
            raise Wrong(
                f"ops[{i}].attrs.graph: {graph} is not being captured, "
                "expected its capture_begin before"
            )
        origin = next(s for s, into in self.streams.items() if into == graph)
        if stream != origin and not op.has("failed"):
            raise Wrong(
                f"ops[{i}].stream: the capture of {graph} began on {origin} in "
                f"ops[{self.begun[graph]}], expected its end there"
            )
        del self.begun[graph]
        self.streams = {s: into for s, into in self.streams.items() if into != graph}

    def finish(self) -> None:
        """The end of the case."""
        for graph, i in self.begun.items():
            raise Wrong(
                f"ops[{i}].attrs.graph: the capture of {graph} never ends, "
                "expected a capture_end behind it"
            )

    def _begin(self, i: int, stream: str, graph: str) -> None:
        if legacy_device(stream) is not None:
            raise Wrong(f"ops[{i}].stream: {stream} cannot be captured, expected another stream")
        if stream in self.streams:
            raise Wrong(f"ops[{i}].stream: {self._goes_on(stream)}, expected its end before")
        if graph in self.begun:
            raise Wrong(
                f"ops[{i}].attrs.graph: {graph} is being captured since ops[{self.begun[graph]}], "
                "expected the capture_end of that before"
            )
        self.begun[graph] = i
        self.streams[stream] = graph
        self.known.add(graph)
        self.filled.add(graph)
        self.destroyed.pop(graph, None)

    def _captured(self, i: int, op: CaseOp, graph: str) -> None:
        if graph not in self.begun:
            raise Wrong(
                f"ops[{i}].attrs.captured_in: {graph} is not being captured here, "
                "expected a capture_begin before and its capture_end behind"
            )
        stream = str(op.stream)
        if op.op == "event_wait":  # the stream takes part from here on
            self.streams.setdefault(stream, graph)
        if self.streams.get(stream) != graph:
            raise Wrong(
                f"ops[{i}].stream: {stream} takes no part in the capture of {graph}, "
                f'expected an event_wait of it with captured_in "{graph}" before'
            )

    def _use(self, i: int, op: CaseOp, graph: str) -> None:
        at = f"ops[{i}].attrs.graph: {graph}"
        own = op.op == "graph_launch" and bool(op.reads or op.writes)
        if graph in self.destroyed:
            raise Wrong(
                f"{at} was destroyed in ops[{self.destroyed[graph]}], "
                "expected another graph or a new capture before"
            )
        if graph in self.begun:
            raise Wrong(
                f"{at} is being captured since ops[{self.begun[graph]}], "
                f"expected its capture_end before the {op.op}"
            )
        if op.op == "graph_launch" and not own and graph not in self.filled:
            raise Wrong(
                f"ops[{i}].attrs.graph: nothing was captured in {graph} before, "
                "expected reads or writes"
            )
        if op.op == "graph_update" and graph not in self.known:
            raise Wrong(f"{at} was never captured or launched, expected that before its update")
        if op.op == "graph_destroy":
            self.destroyed[graph] = i
        else:
            self.known.add(graph)
            if op.op == "graph_update":
                self.filled.add(graph)

    def _goes_on(self, stream: str | None) -> str:
        into = self.streams[str(stream)]
        return f"{stream} is being captured into {into} since ops[{self.begun[into]}]"
