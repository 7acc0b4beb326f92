"""The engine against all legal schedules of small random programs.

What a legal schedule is, and so what is proved, stands at the head of `schedules`. The programs
hold every edge and every place of a profile. SYNCTRACE_SCHEDULES=20 runs twenty times as many.
"""

import os
from collections import Counter

import pytest
from agree import ENOUGH, Setting, check, try_edges

from synctrace.analyzer.statement import EDGES

TIMES = int(os.environ.get("SYNCTRACE_SCHEDULES", "1"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threads", "strict", "programs"),
    [(1, True, 1_500), (2, True, 700), (3, True, 100), (2, False, 700), (3, False, 200)],
    ids=["one-thread", "strict", "strict-3", "observed", "observed-3"],
)
def test_engine_says_what_all_schedules_say(threads: int, strict: bool, programs: int) -> None:
    """0 missed, 0 false, 0 syncs wrongly called needless."""
    counts: Counter[str] = Counter()
    for seed in range(programs * TIMES):
        check(Setting(seed, threads, strict), counts)
    print(dict(counts))
    assert counts["programs"] == programs * TIMES
    assert counts["ordered pairs"] > programs / 2
    assert counts["unordered pairs"] > programs / 2
    assert not strict or counts["needed syncs"] > 0
    assert not strict or counts["needless syncs found"] > programs / 50


def test_profiles_that_lack_an_edge() -> None:
    """Each edge left out in turn: what remains is what the schedules of the poorer machine say."""
    counts: Counter[str] = Counter()
    lacking = [edge for edge in EDGES if edge != "launch"]  # work is never there before its call
    for seed in range(10 * len(lacking) * TIMES):
        without = frozenset({lacking[seed % len(lacking)]})
        check(Setting(seed, 1 + seed % 2, seed % 4 < 2, without), counts)
    assert counts["unordered pairs"] > 100


def test_every_edge_matters() -> None:
    """Were an edge not there, the pairs found would be others, for each in several programs."""
    tried: Counter[str] = Counter()
    mattered: Counter[str] = Counter()
    for seed in range(1_000):
        for threads, strict in ((1, True), (2, True), (2, False)):
            try_edges(Setting(seed, threads, strict), tried, mattered)
        if all(mattered[edge] >= ENOUGH for edge in EDGES):
            break
    for edge in EDGES:
        print(f"{edge}: without it {mattered[edge]} of {tried[edge]} programs have other pairs")
    assert [edge for edge in EDGES if mattered[edge] < 3] == []
