"""From a graph and a placement to splits: runs of nodes that one backend computes in one go."""

from collections.abc import Mapping
from dataclasses import dataclass

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.scheduler.graph import Graph, Tensor


@dataclass(frozen=True, eq=False)
class Split:
    """Nodes of one backend, and the tensors of other backends to be copied to it before.

    `backend` is an index of the scheduler's backends. What an earlier split of the same backend
    had copied is not copied again.
    """

    backend: int
    nodes: tuple[Tensor, ...]
    inputs: tuple[Tensor, ...]


def split_graph(
    graph: Graph, placement: Mapping[str, int], host: int, in_place: bool = False
) -> tuple[Split, ...]:
    """Cut the graph wherever the backend changes.

    `placement`: backend of each node by its name. `host`: the backend that is the CPU, to which
    the INPUT tensors belong. `in_place`: devices read host memory where it is, as an integrated
    GPU can, so that no copies of it are made.
    """
    runs: list[list[Tensor]] = []
    for node in graph.nodes:
        if node.name not in placement:
            raise SynctraceError(f"{node.name} has no backend: name one in the placement")
        if not runs or placement[runs[-1][-1].name] != placement[node.name]:
            runs.append([])
        runs[-1].append(node)

    copied: set[tuple[Tensor, int]] = set()
    splits = []
    for run in runs:
        backend = placement[run[0].name]
        inputs = []
        for source in dict.fromkeys(source for node in run for source in node.sources):
            home = host if source.is_input else placement[source.name]
            here = home == backend or (in_place and home == host)
            if not here and (source, backend) not in copied:
                copied.add((source, backend))
                inputs.append(source)
        splits.append(Split(backend, tuple(run), tuple(inputs)))
    return tuple(splits)
