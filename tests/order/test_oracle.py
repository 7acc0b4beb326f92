"""The engine against brute force on random programs, and against an SQL search for conflicts.

The oracle keeps, for every access, the set of all accesses before it; it shares no code with the
engine. It proves the engine right by the model of docs/internals.md; it says nothing of whether
that model is a GPU's.
"""

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import duckdb
import oracle
import pytest
from compare import check, check_lost
from judge import judge
from random_traces import program

TRACES, CHUNK = 10_000, 250


def check_many(seeds: range) -> Counter[str]:
    """Counts of one chunk; raises at the first difference. Runs in a process of its own."""
    sys.path.insert(0, str(Path(__file__).parent))
    counts: Counter[str] = Counter()
    for seed in seeds:
        check(seed, counts)
    return counts


@pytest.mark.slow
def test_ten_thousand_random_programs() -> None:
    """0 missed, 0 false, 0 syncs wrongly called needless, in programs that hold what is sought."""
    chunks = [range(first, first + CHUNK) for first in range(0, TRACES, CHUNK)]
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for counts in pool.map(check_many, chunks):
            total += counts
    assert total["traces"] == TRACES
    assert total["racy pairs"] > 100_000
    assert total["unneeded sites found"] > 10_000
    assert total["hidden by impl"] > 5_000
    assert total["hidden by may"] > 1_000
    assert total["hidden by unfenced"] > 100
    assert total["pairs not visible"] > 10_000
    assert total["needed pairs"] > 10_000
    assert total["needed pairs by a known sync"] > 10_000
    assert total["sources written"] > 1_000


def test_sources_that_the_host_writes_behind_a_wait() -> None:
    """Where that is assumed, but where stores are told; it changes which syncs are needed."""
    counts: Counter[str] = Counter()
    changed = 0
    for seed in range(1, 300, 5):
        check(seed, counts)
        made = program(seed)
        one, other = (
            judge(made, strict=True, habits=False, rewrites=rewrites) for rewrites in (False, True)
        )
        changed += [n["needed"] for n in one.needs.values()] != [
            n["needed"] for n in other.needs.values()
        ]
    assert counts["sources written"] > 50
    assert changed > 10


def test_programs_that_lose_records() -> None:
    """What was lost hides races and invents none."""
    counts: Counter[str] = Counter()
    for seed in range(2_000):
        check_lost(seed, counts)
    assert counts["reported"] > 20_000


def test_intervals_of_lost_records() -> None:
    counts: Counter[str] = Counter()
    for seed in range(500):
        check(seed, counts, gaps=True)
    assert counts["reported"] > 4_000


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_that_share_streams(threads: int) -> None:
    """Work of theirs by ticket, by return and by host order, from short programs and long ones."""
    counts: Counter[str] = Counter()
    for seed in range(80):
        check(seed, counts, threads=threads)
    for seed in range(4):
        check(seed, counts, threads=threads, actors=20)
    assert counts["racy pairs"] > 4_000
    assert counts["needed pairs"] > 100


def test_batches_and_layers() -> None:
    """Elements in no order, ops of a layer beside, what calls of the API did, syncs of others."""
    counts: Counter[str] = Counter()
    for seed in range(160):
        check(seed, counts, layers=True)
    for seed in range(16):
        check(seed, counts, layers=True, threads=2, gaps=seed % 4 == 0)
    assert counts["racy pairs"] > 4_000
    assert counts["unneeded sites found"] > 200


def test_a_hundred_actors() -> None:
    counts: Counter[str] = Counter()
    for seed in range(10):
        check(seed, counts, actors=100)
    assert counts["racy pairs"] > 100


def test_op_ids_that_cross_32_bits() -> None:
    counts: Counter[str] = Counter()
    for seed in range(40):
        check(seed, counts, first_id=2**32 - 5)
    assert counts["racy pairs"] > 100


SEARCH = """
    -- Every two touches of different ops that share a byte, one of them a write, and of which the
    -- first is not among what the second knew.
    WITH meeting AS (
        SELECT a.n AS first, b.n AS second, a.op AS first_op, b.op AS second_op
        FROM touch AS a
        JOIN touch AS b
          ON a.n < b.n AND a.op <> b.op
         AND (a.storage = b.storage AND a.lo < b.hi AND b.lo < a.hi
              OR a.storage = 0 OR b.storage = 0)
        WHERE a.writes OR b.writes
    )
    SELECT DISTINCT least(first_op, second_op), greatest(first_op, second_op)
    FROM meeting
    WHERE NOT EXISTS (
        FROM known WHERE known.first = meeting.first AND known.second = meeting.second
    )
"""


def test_sql_finds_the_same_pairs() -> None:
    """A conflict search without islands or trees: the engine reports no pair that it does not find,
    and of every op that races at all at least one pair."""
    connection = duckdb.connect()
    compared = 0
    for seed in range(150):
        made = program(seed, layers=seed % 3 == 0)
        run = oracle.run(made, strict=True, habits=True)
        touches, known = [], []
        for n, touch in enumerate(run.touches):
            a = made.accesses[touch.access - 1]
            op = made.ops[touch.op].id
            touches.append((n, op, a.storage, a.lo, a.hi, touch.writes))
            known += [(before, n) for before in range(n) if touch.before >> before & 1]
        connection.execute(
            "CREATE OR REPLACE TABLE touch"
            " (n INT, op UBIGINT, storage INT, lo UBIGINT, hi UBIGINT, writes BOOLEAN)"
        )
        connection.execute("CREATE OR REPLACE TABLE known (first INT, second INT)")
        if touches:
            connection.executemany("INSERT INTO touch VALUES (?, ?, ?, ?, ?, ?)", touches)
        if known:
            rows = ", ".join(f"({a}, {b})" for a, b in known)
            connection.execute(f"INSERT INTO known VALUES {rows}")
        searched = set(connection.execute(SEARCH).fetchall())
        said = {tuple(sorted(pair[:2])) for pair in judge(made, strict=True, habits=True).pairs}
        assert said <= searched, seed
        assert {b for _, b in searched} <= {op for pair in said for op in pair}, seed
        compared += len(said)
    assert compared > 1_000
