"""What is missing from a trace hides findings and invents none.

Every test but those that say "still" is of a program without a fault, of which a trace that lost
records must not make one.
"""

from pathlib import Path

import pytest
from small import Small, needless, races

from synctrace.analyzer.order import Order
from synctrace.tracer.kinds import ActorKind, Kind, Level, MemoryKind, StreamFlag


def catalogue(t: Small, path: Path) -> Order:
    return t.judge(path, "catalogue")


def stream(t: Small, flags: StreamFlag = StreamFlag.NONBLOCKING) -> int:
    return t.actor(ActorKind.STREAM, flags)


@pytest.mark.parametrize("wait", [Kind.EVENT_WAIT, Kind.EVENT_SYNC])
def test_lost_record_of_an_event_that_another_thread_waits_for(wait: Kind, tmp_path: Path) -> None:
    """Its gap is told only when its thread goes on: the wait and the read come before that."""
    t = Small()
    gpu, other, reader = t.backend(), t.actor(ActorKind.THREAD), t.backend()
    d = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=gpu)
    lost = t.lose()
    t.op(wait, event=1, thread=other, actor=reader if wait is Kind.EVENT_WAIT else 0)
    t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=reader, thread=other)
    t.gap(lost)
    assert races(t.judge(tmp_path)) == []


def test_lost_signal_while_the_other_waits_for_it(tmp_path: Path) -> None:
    """The wait was entered before the loss and returned in it; the read comes after it."""
    t = Small()
    h, other = t.host(), t.actor(ActorKind.THREAD)
    t.op(Kind.HOST_WRITE, t.write(h), ticket_c=0, ticket_r=1)
    t.op(Kind.THREAD_WAIT, event=1, thread=other, ticket_c=2, ticket_r=5)
    t.op(Kind.HOST_READ, t.read(h), thread=other, ticket_c=6, ticket_r=7)
    t.ticket = 8
    t.gap(3)
    assert races(t.judge(tmp_path, host_order="strict")) == []


def test_access_at_the_return_of_a_call_that_spans_the_loss(tmp_path: Path) -> None:
    """A free that waits for all streams writes at its return, here within the loss."""
    t = Small(Level.API)
    s, other, d = stream(t), t.actor(ActorKind.THREAD), t.device()
    t.op(Kind.FREE, t.write(d), flags=0, thread=other, ticket_c=0, ticket_r=5)
    t.op(Kind.KERNEL, t.write(d), actor=s, ticket_c=3, ticket_r=4)
    t.ticket = 6
    t.gap(1)
    assert races(catalogue(t, tmp_path)) == []


def test_a_race_before_the_loss_is_still_told(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    first = t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=t.backend())
    second = t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=t.backend())
    t.gap(t.lose())
    assert races(t.judge(tmp_path)) == [(first, second, "certain")]


def test_a_race_after_the_loss_is_still_told(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    t.gap(t.lose())
    first = t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=t.backend())
    second = t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=t.backend())
    assert races(t.judge(tmp_path)) == [(first, second, "certain")]


def test_a_loss_without_a_beginning_began_with_the_trace(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=t.backend())
    t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=t.backend())
    t.gap(first=0)
    assert races(t.judge(tmp_path)) == []


def test_losses_of_threads_that_overlap_are_one(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    one, two = t.lose(), t.lose()
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=t.backend())
    t.gap(one)
    t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=t.backend())
    t.gap(two)
    t.rows["gap"].reverse()
    assert races(t.judge(tmp_path)) == []


def test_a_loss_that_ends_before_it_began_is_that_interval(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=t.backend())
    t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=t.backend())
    t.rows["gap"] = [{"first": 9, "ticket": 1, "dropped": 1}]
    assert races(t.judge(tmp_path)) == []


@pytest.mark.parametrize("lost", [False, True])
def test_lost_stream_of_a_block(lost: bool, tmp_path: Path) -> None:
    """The allocator waits for the streams recorded on a block; one was recorded in the loss."""
    t = Small(Level.API)
    owner, user, d = stream(t), stream(t), t.device()
    whole = t.write(d)
    t.op(Kind.CACHE_ALLOC, whole, actor=owner)
    if lost:
        t.gap(t.lose())
    else:
        t.op(Kind.RECORD_STREAM, whole, actor=user)
    t.op(Kind.KERNEL, t.read(d), actor=user)
    t.op(Kind.CACHE_FREE, whole)
    t.op(Kind.CACHE_ALLOC, whole, actor=owner)
    t.op(Kind.KERNEL, whole, actor=owner)
    assert races(catalogue(t, tmp_path)) == []


def test_a_block_that_lived_after_the_loss_is_still_judged(tmp_path: Path) -> None:
    t = Small(Level.API)
    owner, user, d = stream(t), stream(t), t.device()
    whole = t.write(d)
    t.gap(t.lose())
    t.op(Kind.CACHE_FREE, whole)
    t.op(Kind.CACHE_ALLOC, whole, actor=owner)
    used = t.op(Kind.KERNEL, t.read(d), actor=user)
    t.op(Kind.CACHE_FREE, whole)
    t.op(Kind.CACHE_ALLOC, whole, actor=owner)
    reused = t.op(Kind.KERNEL, whole, actor=owner)
    assert races(catalogue(t, tmp_path)) == [(used, reused, "certain")]


@pytest.mark.parametrize("kind", [MemoryKind.PAGEABLE, MemoryKind.UNKNOWN])
def test_lost_kind_of_memory(kind: MemoryKind, tmp_path: Path) -> None:
    """A copy from pageable memory has read it at its return. UNKNOWN: the row was lost."""
    t = Small(Level.API)
    s, d, h = stream(t), t.device(), t.memory(kind)
    t.gap(t.lose())
    t.op(Kind.MEMCPY_ASYNC_H2D, t.read(h), t.write(d), actor=s)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert races(catalogue(t, tmp_path)) == []


def test_unknown_memory_of_a_whole_trace_is_still_judged(tmp_path: Path) -> None:
    t = Small(Level.API)
    s, d, h = stream(t), t.device(), t.memory(MemoryKind.UNKNOWN)
    copy = t.op(Kind.MEMCPY_ASYNC_H2D, t.read(h), t.write(d), actor=s)
    rewrite = t.op(Kind.HOST_WRITE, t.write(h))
    assert races(catalogue(t, tmp_path)) == [(copy, rewrite, "certain")]


@pytest.mark.parametrize("named", [True, False])
def test_lost_name_of_a_synchronous_backend(named: bool, tmp_path: Path) -> None:
    """Every call on it is complete at its return, but only its row says so."""
    t = Small()
    cpu, d = t.backend(StreamFlag.SYNCHRONOUS), t.host()
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=cpu)
    t.op(Kind.HOST_READ, t.read(d))
    if not named:
        t.rows["actor"].pop()
    assert races(t.judge(tmp_path)) == []


def test_lost_name_of_the_default_stream(tmp_path: Path) -> None:
    """It is ordered with every blocking stream, both ways."""
    t = Small(Level.API)
    one, two, d = stream(t, StreamFlag.BLOCKING), stream(t, StreamFlag.BLOCKING), t.device()
    t.op(Kind.KERNEL, t.write(d), actor=one)
    t.op(Kind.KERNEL, actor=9)
    t.op(Kind.KERNEL, t.read(d), actor=two)
    assert races(catalogue(t, tmp_path)) == []


def sync_twice(t: Small, path: Path, *, gap: str = "") -> Order:
    """The second wait of each pair repeats the first; a loss somewhere."""
    gpu, h = t.backend(), t.host()
    for n in range(3):
        t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu, site=1)
        t.op(Kind.STREAM_SYNC, actor=gpu, site=2)
        if n == 1 and gap == "between":
            t.gap(t.lose())
        t.op(Kind.STREAM_SYNC, actor=gpu, site=3)
        t.op(Kind.HOST_WRITE, t.write(h), site=4)
        if n == 1 and gap == "around":
            t.gap(t.ticket - 4)
    if gap == "after":
        t.gap(t.lose())
    return t.judge(path)


def test_a_repeated_sync_of_a_whole_trace_is_needless(tmp_path: Path) -> None:
    order = sync_twice(Small(), tmp_path)
    assert len(needless(order)) == 2, "either can go while the other stays"
    assert {row["site"]: row["implied"] for row in order.needs.to_pylist()} == {2: 0, 3: 3}


@pytest.mark.parametrize("gap", ["between", "around", "after"])
def test_a_loss_makes_no_sync_needless(gap: str, tmp_path: Path) -> None:
    """Nor one that would be: the lost call may have been this one, and needed."""
    order = sync_twice(Small(), tmp_path, gap=gap)
    assert needless(order) == set()
    assert [row["implied"] for row in order.needs.to_pylist()] == [0, 0]


def test_a_sync_behind_lost_work_is_not_implied(tmp_path: Path) -> None:
    """The launch whose end it awaits was lost: the trace shows nothing that it could tell."""
    t = Small()
    gpu = t.backend()
    t.gap(t.lose())
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(t.host()))
    order = t.judge(tmp_path)
    assert needless(order) == set()
    [row] = order.needs.to_pylist()
    assert (row["implied"], row["proven"]) == (0, 0)


def test_a_sync_that_only_its_pair_across_the_loss_needs_is_not_proven(tmp_path: Path) -> None:
    """A lost call may have ordered them too."""
    t = Small()
    gpu, h = t.backend(), t.host()
    t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu)
    t.gap(t.lose())
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h))
    [row] = t.judge(tmp_path).needs.to_pylist()
    assert (row["needed"] > 0, row["proven"]) == (True, 0)


def test_a_sync_that_a_pair_after_the_loss_needs_is_still_proven(tmp_path: Path) -> None:
    t = Small()
    gpu, h = t.backend(), t.host()
    t.gap(t.lose())
    t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h))
    [row] = t.judge(tmp_path).needs.to_pylist()
    assert row["proven"] == 1


@pytest.mark.parametrize("missing", ["access", "actor"])
def test_a_trace_that_lacks_rows_calls_no_sync_needless(missing: str, tmp_path: Path) -> None:
    """Its needless sync may be the one that an access without a row needs."""
    t = Small()
    gpu, h = t.backend(), t.host()
    t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, *([99] if missing == "access" else []), thread=t.thread)
    if missing == "actor":
        t.op(Kind.GRAPH_LAUNCH, t.write(t.device()), actor=9)
    assert needless(t.judge(tmp_path)) == set()
