"""View edge and macro hb against brute force: which work is before which, for every pair of ops."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from as_trace import fitted, write
from before import by_engine, by_oracle
from compare import ORDERS
from judge import PROFILE
from random_traces import Program, program
from small import Small

from synctrace.analyzer import abi, history
from synctrace.analyzer.query import Questions
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Flag, Kind, Level
from synctrace.tracer.reader import open_trace

INSTANTS = "CQSER"  # in the order in which those of one op are


def compared(seed: int, made: Program, counts: Counter[str]) -> None:
    for strict, issue in ORDERS if made.threads > 1 else ORDERS[:1]:
        given = {"strict": strict, "issue": issue, "habits": seed % 2 == 0}
        expected, lost = by_oracle(made, **given)
        knows, closed, edges = by_engine(made, **given)
        for found in (expected, knows, closed):
            found -= {pair for pair in found if pair[1] in lost}
        assert knows == expected, (seed, strict, issue)
        assert closed == expected, (seed, strict, issue)
        counts["ordered"] += len(expected)
        counts["unordered"] += len(made.ops) ** 2 - len(expected)
        counts.update(edge["kind"] for edge in edges)


def test_clocks_and_closed_edges_are_what_brute_force_finds() -> None:
    counts: Counter[str] = Counter()
    for seed in range(40):
        compared(seed, program(seed), counts)
    assert counts["ordered"] > 10_000
    assert counts["unordered"] > 10_000
    kinds = "launch legacy actor-waits-event host-waits-event after-peer returned graph-order"
    assert all(counts[kind] for kind in kinds.split()), counts


def test_threads_that_share_streams_and_lost_records() -> None:
    counts: Counter[str] = Counter()
    for seed in range(12):
        compared(seed, program(seed, threads=2 + seed % 2, gaps=seed % 4 == 0), counts)
    assert counts["lost"]
    compared(140, program(140, threads=2, gaps=True), counts)  # records of starts
    compared(1618, program(1618), counts)


def test_batches_and_layers() -> None:
    counts: Counter[str] = Counter()
    for seed in range(40):
        compared(seed, program(seed, layers=True), counts)
    for seed in range(8):
        compared(seed, program(seed, layers=True, threads=2, gaps=seed % 4 == 0), counts)
    assert counts["ordered"] > 10_000


def test_an_edge_never_leads_back() -> None:
    """From a later op to an earlier one only where a call that returns late waits."""
    for seed in range(10):
        made = program(seed)
        back = {op.id: op for op in made.ops}
        for edge in by_engine(made, strict=True, habits=True, issue=abi.BY_TICKET)[2]:
            one, two = edge["from_op"], edge["to_op"]
            if one == two:
                assert INSTANTS.index(edge["from_instant"]) < INSTANTS.index(edge["to_instant"])
            elif one > two:
                assert edge["to_instant"] == "R" or back[two].ticket_r > back[one].ticket_c


SIMPLE = "'kernel', 'memset_async', 'event_record', 'event_wait', 'host_read', 'host_write'"
CLOSURE = f"""
    WITH RECURSIVE before AS (
        SELECT from_op, from_instant, to_op, to_instant FROM edge
        UNION
        SELECT b.from_op, b.from_instant, e.to_op, e.to_instant
        FROM before AS b
        JOIN edge AS e ON e.from_op = b.to_op AND e.from_instant = b.to_instant
    ), simple AS (
        SELECT id FROM op
        WHERE kind IN ({SIMPLE}) AND id NOT IN (SELECT to_op FROM edge WHERE to_instant = 'Q')
    )
    SELECT a.id, b.id
    FROM simple AS a, simple AS b
    WHERE coalesce(hb(a.id, b.id), false) <> EXISTS (
        FROM before WHERE from_op = a.id AND from_instant = 'E' AND to_op = b.id
                      AND to_instant = 'S')
"""


@pytest.mark.parametrize("seed", range(4))
def test_sql_says_the_same(seed: int, tmp_path: Path) -> None:
    made = replace(fitted(program(seed, threads=1 + seed % 2, gaps=False)), changes=[])
    order = "observed" if made.threads > 1 else "strict"
    asked = Questions(write(made, tmp_path / "t.synctrace"), [PROFILE], order)
    given = {"strict": order == "strict", "habits": True, "issue": abi.BY_TICKET}
    found = asked.ask("SELECT a.id, b.id FROM op AS a, op AS b WHERE hb(a.id, b.id)").rows
    assert set(found) == by_oracle(made, **given)[0]
    assert asked.ask(CLOSURE).rows == []


def one_stream(tmp_path: Path) -> Questions:
    """Kernel 1, which failed once (2), runs beside host write 3; the wait 4 covers it."""
    t = Small()
    stream, data = t.backend(), t.device()
    t.op(Kind.GRAPH_LAUNCH, t.write(data), actor=stream)
    t.op(Kind.GRAPH_LAUNCH, t.write(data), actor=stream, flags=Flag.FAILED)
    t.op(Kind.HOST_WRITE, t.write(t.host()))
    t.op(Kind.STREAM_SYNC, actor=stream)
    t.op(Kind.HOST_WRITE, t.write(t.host()))
    t.judge(tmp_path)
    return Questions(open_trace(tmp_path / "t.synctrace"), ["ggml-contract", "ggml-cuda"])


def test_what_hb_says(tmp_path: Path) -> None:
    asked = one_stream(tmp_path)
    answers = {
        "hb(1, 3)": False,  # the host goes on
        "hb(1, 4)": True,  # a wait is over when what it waits for is
        "hb(1, 5)": True,
        "hb(4, 1)": False,
        "hb(1, 1)": False,
        "hb(1, 2)": None,  # failed
        "hb(2, 5)": None,
        "hb(1, 99)": None,  # no such op
        "hb(NULL, 1)": None,
        "hb(1, NULL)": None,
        "hb(1, 5, 'ggml-cuda')": True,
        "hb(1, 5, 'cuda-doc')": None,  # not asked for
    }
    assert asked.ask("SELECT " + ", ".join(answers)).rows == [tuple(answers.values())]


def test_names_of_the_caller_do_not_get_in_the_way(tmp_path: Path) -> None:
    """The macro puts the caller's words into its own SQL."""
    asked = one_stream(tmp_path)
    for name in ("id", "profile", "a", "b", "op", "timeline", "clock", "position", "known"):
        given = f"FROM (SELECT id AS {name} FROM op) SELECT {name} WHERE hb({name}, 5)"
        assert asked.ask(given).rows == [(1,), (3,), (4,)], name


def test_edges_of_one_op(tmp_path: Path) -> None:
    asked = one_stream(tmp_path)
    columns = "from_op, from_instant, to_instant, kind, class, from_timeline"
    sql = f"SELECT {columns} FROM edge WHERE profile = 'ggml-contract' AND to_op = 4 ORDER BY ALL"
    rows = [row[:5] for row in asked.ask(sql).rows]
    assert rows == [
        (1, "E", "R", "host-waits-actor", "must"),
        (3, "R", "C", "thread", "must"),
        (4, "C", "R", "call", "must"),
    ]
    sql = "SELECT DISTINCT profile FROM edge ORDER BY 1"
    assert asked.ask(sql).rows == [("ggml-contract",), ("ggml-cuda",)]
    assert asked.ask("SELECT count(*) FROM edge WHERE 2 IN (from_op, to_op)").rows == [(0,)]


def test_during_a_loss_hb_says_nothing_and_after_it_all_is_ordered(tmp_path: Path) -> None:
    t = Small()
    one, two = t.backend(), t.backend()
    t.op(Kind.GRAPH_LAUNCH, t.write(t.device()), actor=one)
    t.op(Kind.GRAPH_LAUNCH, t.write(t.device()), actor=two)
    first = t.lose()
    t.op(Kind.GRAPH_LAUNCH, t.write(t.device()), actor=two)
    t.gap(first)
    t.op(Kind.GRAPH_LAUNCH, t.write(t.device()), actor=two)
    t.judge(tmp_path)
    asked = Questions(open_trace(tmp_path / "t.synctrace"), ["ggml-contract"])
    assert asked.ask("SELECT hb(1, 2), hb(2, 3), hb(1, 4)").rows == [(False, None, True)]
    sql = "SELECT DISTINCT class FROM edge WHERE kind = 'lost' AND from_op = 1 AND to_op = 4"
    assert asked.ask(sql).rows == [("may",)]


def test_host_order_of_two_threads(tmp_path: Path) -> None:
    t = Small()
    other = t.other_thread()
    t.op(Kind.HOST_WRITE, t.write(t.host()))
    t.op(Kind.HOST_WRITE, t.write(t.host()), thread=other)
    t.judge(tmp_path)
    trace = open_trace(tmp_path / "t.synctrace")
    for order, ordered in (("observed", True), ("strict", False)):
        asked = Questions(trace, ["ggml-cuda"], order)
        assert asked.ask("SELECT hb(1, 2)").rows == [(ordered,)]
        found = asked.ask("SELECT class FROM edge WHERE kind = 'returned'").rows
        assert found == [("may",)] * ordered


@pytest.mark.parametrize("ended", [True, False])
def test_a_start_on_a_stream_of_two_threads(ended: bool, tmp_path: Path) -> None:
    """Work of this thread ends another's kernel, whatever the thread learns between."""
    t = Small(Level.API)
    stream, own = t.stream(), {"thread": t.other_thread()}
    kernel = t.op(Kind.KERNEL, t.write(t.device()), actor=stream)
    t.op(Kind.THREAD_SIGNAL, event=1)
    t.op(Kind.THREAD_WAIT, event=1, **own)
    if ended:
        t.op(Kind.MEMSET_ASYNC, t.write(t.device()), actor=stream, **own)
        t.op(Kind.HOST_WRITE, t.write(t.host()), **own)
    start = t.op(Kind.EVENT_RECORD, actor=stream, event=2, flags=Flag.PROGRAMMATIC, **own)
    end = t.op(Kind.EVENT_SYNC, event=2, **own)
    t.judge(tmp_path)
    asked = Questions(open_trace(tmp_path / "t.synctrace"), ["cuda-doc"], "strict")
    sql = f"SELECT hb({kernel}, {end}), hb({start}, {end})"
    assert asked.ask(sql).rows == [(ended, ended)]


def test_a_habit_says_so(tmp_path: Path) -> None:
    """What a record gave by habit is no promise where a wait passes it on."""
    model = history.load("ggml-cuda")
    [habit] = [
        (index, edge)
        for index, statement in enumerate(model.statements)
        for edge in statement.edges
        if edge.klass == "impl"
    ][:1]
    key = habit[0] * 32 + history.NAMES.index(habit[1].edge)
    named = history.told(model, abi.OF_STREAM, key)
    assert named == ("stream", "impl", habit[1].source)
    assert history.told(model, abi.OF_STREAM, abi.NO_EDGE)[1] == "must"


def test_a_profile_of_other_levels_is_refused(tmp_path: Path) -> None:
    t = Small()
    t.op(Kind.HOST_WRITE, t.write(t.host()))
    t.judge(tmp_path)
    asked = Questions(open_trace(tmp_path / "t.synctrace"), ["cuda-doc"])
    for sql in ("FROM edge", "SELECT hb(1, 1)"):
        with pytest.raises(SynctraceError, match="cuda-doc"):
            asked.ask(sql)
