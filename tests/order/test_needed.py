"""Which pairs need a sync: exactly those that it alone orders."""

from pathlib import Path

import pyarrow as pa
from pytest import MonkeyPatch
from small import Small, needed, needless, races

from synctrace.analyzer.check import check
from synctrace.analyzer.connect import Session
from synctrace.analyzer.engine import Engine
from synctrace.analyzer.outcome import NEEDED
from synctrace.tracer.kinds import ActorKind, Kind, Level, Mode, Origin
from synctrace.tracer.reader import open_trace

WRITE_AFTER_READ, READ_AFTER_WRITE = "write-after-read", "read-after-write"


def upload(t: Small, gpu: int, h: int, d: int) -> int:
    """A copy into `d` that reads `h` after the call has returned."""
    return t.op(Kind.TENSOR_SET_ASYNC, t.read(h), t.write(d), actor=gpu)


def test_rewrite_of_a_source_needs_the_sync_before_it(tmp_path: Path) -> None:
    t = Small()
    gpu, h, d = t.backend(), t.host(), t.device()
    copy = upload(t, gpu, h, d)
    sync = t.op(Kind.STREAM_SYNC, actor=gpu)
    rewrite = t.op(Kind.HOST_WRITE, t.write(h))
    order = t.judge(tmp_path)
    assert needed(order) == {(sync, copy, rewrite, WRITE_AFTER_READ)}
    [row] = order.needed.to_pylist()
    assert (row["sync_op"], row["storage"], row["needed"], row["proven"]) == (sync, h, 1, 1)
    assert (row["first_actor"], row["second_actor"]) == (gpu, t.thread)


def test_other_bytes_need_nothing(tmp_path: Path) -> None:
    t = Small()
    gpu, h, d = t.backend(), t.host(), t.device()
    t.op(Kind.TENSOR_SET_ASYNC, t.read(h, 0, 32), t.write(d), actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h, 32, 64))
    assert needed(t.judge(tmp_path)) == set()


def test_two_syncs_that_do_for_each_other(tmp_path: Path) -> None:
    """Neither is needed as long as the other is there."""
    t = Small()
    gpu, h, d = t.backend(), t.host(), t.device()
    upload(t, gpu, h, d)
    first = t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h))
    order = t.judge(tmp_path)
    assert needed(order) == set()
    assert first in needless(order)


def test_each_of_two_steps_is_needed(tmp_path: Path) -> None:
    t = Small(Level.API)
    one, two = t.actor(ActorKind.STREAM), t.actor(ActorKind.STREAM)
    d = t.device()
    work = t.op(Kind.KERNEL, t.write(d), actor=one)
    t.op(Kind.EVENT_RECORD, actor=one, event=1)
    wait = t.op(Kind.EVENT_WAIT, actor=two, event=1)
    sync = t.op(Kind.STREAM_SYNC, actor=two)
    read = t.op(Kind.HOST_READ, t.read(d))
    order = t.judge(tmp_path, "catalogue")
    assert needed(order) == {(s, work, read, READ_AFTER_WRITE) for s in (wait, sync)}
    assert {row["sync_op"] for row in order.needed.to_pylist()} == {wait, sync}


def test_instances_of_a_loop_are_one_row(tmp_path: Path) -> None:
    t = Small()
    gpu, h, d = t.backend(), t.host(), t.device()
    sites = {"copy": 1, "sync": 2, "rewrite": 3}
    for _ in range(3):
        t.op(Kind.TENSOR_SET_ASYNC, t.read(h), t.write(d), actor=gpu, site=sites["copy"])
        t.op(Kind.STREAM_SYNC, actor=gpu, site=sites["sync"])
        t.op(Kind.HOST_WRITE, t.write(h), site=sites["rewrite"])
    [row] = t.judge(tmp_path).needed.to_pylist()
    assert (row["sync_site"], row["first_site"], row["second_site"]) == (2, 1, 3)
    assert (row["first_op"], row["second_op"], row["sync_op"], row["needed"]) == (1, 3, 2, 3)


def test_race_needs_no_sync(tmp_path: Path) -> None:
    t = Small()
    gpu, h, d = t.backend(), t.host(), t.device()
    t.op(Kind.STREAM_SYNC, actor=gpu)
    copy = upload(t, gpu, h, d)
    rewrite = t.op(Kind.HOST_WRITE, t.write(h))
    order = t.judge(tmp_path)
    assert races(order) == [(copy, rewrite, "certain")]
    assert needed(order) == set()


def test_what_was_seen_and_what_is_assumed(tmp_path: Path) -> None:
    t = Small()
    gpu, h, d = t.backend(), t.host(), t.device()
    copy = upload(t, gpu, h, d)
    sync = t.op(Kind.STREAM_SYNC, actor=gpu)
    seen = t.op(Kind.HOST_WRITE, t.write(h, 0, 32))
    unseen = t.op(Kind.HOST_WRITE, t.access(h, Mode.WRITE, 32, 64, origin=Origin.SYNTHETIC))
    rows = t.judge(tmp_path).needed.to_pylist()
    counts = {(r["first_op"], r["second_op"], r["needed"], r["proven"]) for r in rows}
    assert counts == {(copy, seen, 1, 0), (copy, seen, 0, 1), (copy, unseen, 1, 0)}
    session = Session(
        open_trace(tmp_path / "t.synctrace"), {"_needed": pa.Table.from_pylist(rows, NEEDED)}
    )
    found = session.rows("SELECT site, second_op, needed, proven FROM need_pair ORDER BY ALL")
    assert found == [(sync, seen, 1, 1), (sync, unseen, 1, 0)]


def test_pairs_are_kept_where_asked_for(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    t = Small()
    gpu, h, d = t.backend(), t.host(), t.device()
    upload(t, gpu, h, d)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert t.judge(tmp_path).needed.num_rows == 1
    trace = open_trace(tmp_path / "t.synctrace")
    asked: list[int] = []
    tables = Engine.needed_pairs

    def watched(self: Engine) -> pa.Table:
        asked.append(tables(self).num_rows)
        return tables(self)

    monkeypatch.setattr(Engine, "needed_pairs", watched)
    check(trace, ("ggml-contract",), select=("RACE", "SYNC01"))
    check(trace, ("ggml-contract",))
    assert asked == [0, 1]
