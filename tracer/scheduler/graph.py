"""A compute graph: tensors, each made from others by an operation or set by the host."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.scheduler.device import Kernel


@dataclass(frozen=True, eq=False)
class Tensor:
    """`size` bytes, made by `operation` from `sources`, in this order.

    Without an operation it is an INPUT: host memory that the user sets before each token.
    """

    name: str
    size: int
    operation: Kernel | None = None
    sources: tuple["Tensor", ...] = ()

    @property
    def is_input(self) -> bool:
        """ggml's flag INPUT. What a split on the CPU makes is host memory too, but has no flag."""
        return self.operation is None


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes in the order in which they are computed, and which of them the user reads.

    Every node leads to an output, so that who has all outputs knows that all is done. Raises
    SynctraceError if one does not, two tensors share a name, or a node stands before a source.
    """

    nodes: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]

    def __post_init__(self) -> None:
        known: dict[str, Tensor] = {}
        for node in self.nodes:
            if node.is_input:
                raise SynctraceError(f"{node.name} is a node without an operation: give it one")
            for tensor in (*node.sources, node):
                if not tensor.is_input and tensor is not node and tensor.name not in known:
                    raise SynctraceError(
                        f"{node.name} needs {tensor.name}, which comes later: swap them"
                    )
                if known.setdefault(tensor.name, tensor) is not tensor:
                    raise SynctraceError(f"two tensors are named {tensor.name}: rename one")
        for output in self.outputs:
            if output not in self.nodes:
                raise SynctraceError(f"output {output.name} is not a node: add it to the nodes")
        read = {*self.outputs, *(source for node in self.nodes for source in node.sources)}
        for node in self.nodes:
            if node not in read:
                raise SynctraceError(f"nobody reads {node.name}: make it an output or leave it out")

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """Tensors that the user sets, in the order in which nodes first need them."""
        return tuple(dict.fromkeys(self._inputs()))

    def _inputs(self) -> Iterator[Tensor]:
        for node in self.nodes:
            yield from (source for source in node.sources if source.is_input)


def reference(graph: Graph, values: Mapping[str, bytes]) -> dict[str, bytes]:
    """The outputs by name, computed node by node on one thread: what every run must equal."""
    held = {name: bytearray(value) for name, value in values.items()}
    for node in graph.nodes:
        held[node.name] = bytearray(node.size)
        assert node.operation
        reads = [memoryview(held[source.name]).toreadonly() for source in node.sources]
        node.operation.cpu(reads, [memoryview(held[node.name])])
    return {output.name: bytes(held[output.name]) for output in graph.outputs}
