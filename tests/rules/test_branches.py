"""Which nodes of a graph run in any order, against a search of all paths."""

import random

import pytest

from synctrace.analyzer.branches import apart


def searched(nodes: list[int], edges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same pairs by following edges."""

    def behind(start: int) -> set[int]:
        found: set[int] = set()
        todo = [start]
        while todo:
            here = todo.pop()
            new = {second for first, second in edges if first == here} - found
            found |= new
            todo += new
        return found

    reach = {node: behind(node) for node in nodes}
    return [
        (a, b) for a in nodes for b in nodes if a < b and b not in reach[a] and a not in reach[b]
    ]


@pytest.mark.parametrize(
    ("edges", "pairs"),
    [
        ([], [(0, 1), (0, 2), (1, 2)]),
        ([(0, 1), (1, 2)], []),
        ([(0, 1), (0, 2)], [(1, 2)]),
        ([(2, 0), (0, 1)], []),
        ([(2, 1)], [(0, 1), (0, 2)]),
    ],
)
def test_small_graphs(edges: list[tuple[int, int]], pairs: list[tuple[int, int]]) -> None:
    assert sorted(apart([0, 1, 2], edges)) == pairs


def test_random_graphs() -> None:
    rng = random.Random(6)
    for _ in range(200):
        order = rng.sample(range(40), rng.randrange(2, 12))  # numbers say nothing of the order
        edges = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :] if rng.random() < 0.25]
        nodes = sorted(order)
        assert sorted(apart(nodes, edges)) == searched(nodes, edges)


def test_edges_of_unknown_nodes_and_cycles_claim_nothing() -> None:
    assert list(apart([0, 1], [(0, 7), (7, 1)])) == [(0, 1)]
    assert list(apart([0, 1, 2], [(0, 1), (1, 0)])) == []
