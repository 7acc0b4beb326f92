"""Verdicts that differ by pass: guessed ranges, unknown modes, host order, lost records."""

from pathlib import Path

import pytest
from small import Small, needless, races

from synctrace.analyzer import passes
from synctrace.analyzer.profile import load
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import (
    ActorKind,
    Extent,
    Flag,
    Kind,
    Level,
    MemoryKind,
    Mode,
    Origin,
)


def two_streams(t: Small, first: int, second: int) -> None:
    """Two unordered launches."""
    t.op(Kind.GRAPH_LAUNCH, first, actor=t.backend())
    t.op(Kind.GRAPH_LAUNCH, second, actor=t.backend())


def test_disjoint_bytes_do_not_meet(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    two_streams(t, t.write(d, 0, 32), t.write(d, 32, 64))
    assert races(t.judge(tmp_path)) == []


def test_neighbouring_storages_do_not_meet(tmp_path: Path) -> None:
    t = Small()
    two_streams(t, t.write(t.device()), t.write(t.device()))
    assert races(t.judge(tmp_path)) == []


def test_overlap_is_told_in_bytes_of_the_storage(tmp_path: Path) -> None:
    t = Small()
    t.device()
    d = t.device()
    two_streams(t, t.write(d, 8, 40), t.read(d, 24, 64))
    row = t.judge(tmp_path).conflicts.to_pylist()[0]
    assert (row["storage"], row["lo"], row["hi"]) == (d, 24, 40)
    assert (row["first_actor"], row["second_actor"], row["count"]) == (2, 3, 1)
    assert (row["known_op"], row["present_op"]) == (None, None)


def test_known_and_present_op_are_told(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h = t.host()
    known = t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu)
    present = t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h))
    row = t.judge(tmp_path).conflicts.to_pylist()[0]
    assert (row["known_op"], row["present_op"]) == (known, present)


def test_upper_bounds_that_meet_are_a_guess(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    bound = {"extent": Extent.UPPER_BOUND, "upper_lo": 0, "upper_hi": 64}
    two_streams(t, t.write(d, 0, 0, **bound), t.read(d, 32, 40))
    assert races(t.judge(tmp_path)) == [(1, 2, "range-guess")]


def test_unknown_mode_is_a_guess(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    two_streams(t, t.access(d, Mode.MAY), t.read(d))
    assert races(t.judge(tmp_path)) == [(1, 2, "mode-unknown")]


def test_assumed_access_proves_no_race(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    two_streams(t, t.write(d, origin=Origin.SYNTHETIC), t.read(d))
    assert races(t.judge(tmp_path)) == []


@pytest.mark.parametrize("what", ["assumed", "unknown memory"])
def test_what_proves_no_race_may_need_a_sync(what: str, tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    d = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    seen = t.write(d, origin=Origin.SYNTHETIC) if what == "assumed" else t.write(0, 0, 0)
    t.op(Kind.HOST_WRITE, seen)
    assert needless(t.judge(tmp_path)) == set()


def test_strided_rows_between_each_other(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    left = t.write(d, 0, 64, pitch=16, width=8, height=4)
    right = t.write(d, 8, 64, pitch=16, width=8, height=4)
    two_streams(t, left, right)
    assert races(t.judge(tmp_path)) == []


def test_strided_row_that_is_met(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    two_streams(t, t.write(d, 0, 64, pitch=16, width=8, height=4), t.read(d, 50, 52))
    assert races(t.judge(tmp_path)) == [(1, 2, "certain")]


def two_threads(t: Small) -> tuple[int, int]:
    """A write of one thread and, after it returned, a read of another."""
    h, other = t.host(), t.actor(ActorKind.THREAD)
    first = t.op(Kind.HOST_WRITE, t.write(h))
    return first, t.op(Kind.HOST_READ, t.read(h), thread=other)


def test_observed_order_is_an_assumption(tmp_path: Path) -> None:
    t = Small()
    first, second = two_threads(t)
    assert races(t.judge(tmp_path)) == [(first, second, "host-order-assumed")]


def test_strict_order_trusts_signals_alone(tmp_path: Path) -> None:
    t = Small()
    first, second = two_threads(t)
    assert races(t.judge(tmp_path, host_order="strict")) == [(first, second, "certain")]


def test_signal_orders_threads(tmp_path: Path) -> None:
    t = Small()
    h, other = t.host(), t.actor(ActorKind.THREAD)
    t.op(Kind.HOST_WRITE, t.write(h))
    t.op(Kind.THREAD_SIGNAL, event=1)
    t.op(Kind.THREAD_WAIT, event=1, thread=other)
    t.op(Kind.HOST_READ, t.read(h), thread=other)
    assert races(t.judge(tmp_path, host_order="strict")) == []


def test_calls_that_overlap_are_not_ordered(tmp_path: Path) -> None:
    t = Small()
    h, other = t.host(), t.actor(ActorKind.THREAD)
    t.op(Kind.HOST_WRITE, t.write(h), ticket_c=0, ticket_r=3)
    t.op(Kind.HOST_READ, t.read(h), thread=other, ticket_c=1, ticket_r=2)
    assert races(t.judge(tmp_path)) == [(1, 2, "certain")]


def test_signal_while_the_other_waits_for_it(tmp_path: Path) -> None:
    t = Small()
    h, other = t.host(), t.actor(ActorKind.THREAD)
    t.op(Kind.HOST_WRITE, t.write(h), ticket_c=0, ticket_r=1)
    t.op(Kind.THREAD_WAIT, event=1, thread=other, ticket_c=2, ticket_r=5)
    t.op(Kind.THREAD_SIGNAL, event=1, ticket_c=3, ticket_r=4)
    t.op(Kind.HOST_READ, t.read(h), thread=other, ticket_c=6, ticket_r=7)
    assert races(t.judge(tmp_path, host_order="strict")) == []


def test_rows_of_threads_written_a_batch_each(tmp_path: Path) -> None:
    """The rows of one thread come after all of the other's: they are put in order first."""
    t = Small()
    h, other = t.host(), t.actor(ActorKind.THREAD)
    for n in range(4):
        t.op(Kind.HOST_WRITE, t.write(h, n, n + 1), thread=other if n % 2 else t.thread)
    t.rows["op"].sort(key=lambda row: row["thread"])
    order = t.judge(tmp_path)
    assert races(order) == []
    assert order.ops == 4


def test_rows_in_reverse(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h = t.host()
    t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h))
    t.rows["op"].reverse()
    assert races(t.judge(tmp_path)) == []


def test_ids_that_contradict_tickets_are_an_error(tmp_path: Path) -> None:
    t = Small()
    t.actor(ActorKind.THREAD)
    t.op(Kind.HOST_WRITE, id=2)
    t.op(Kind.HOST_WRITE, id=1)
    with pytest.raises(SynctraceError, match="no order"):
        t.judge(tmp_path)


def test_lost_records_order_everything(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h = t.host()
    t.op(Kind.TENSOR_SET_ASYNC, t.read(h), actor=gpu)
    t.gap()
    t.op(Kind.HOST_WRITE, t.write(h))
    assert races(t.judge(tmp_path)) == []


def test_ops_of_another_level_do_not_count(tmp_path: Path) -> None:
    t = Small(Level.API)
    d = t.device()
    two_streams(t, t.write(d), t.write(d))
    assert races(t.judge(tmp_path, "ggml-contract")) == []
    assert races(t.judge(tmp_path, "catalogue")) == [(1, 2, "certain")]


def test_parent_leaves_everything_to_its_children(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h, d = t.host(), t.device()
    copy = (t.read(h), t.write(d))
    t.op(Kind.TENSOR_SET_ASYNC, *copy, actor=gpu, flags=Flag.PARENT)
    t.op(Kind.TENSOR_SET, *copy, parent=1)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert races(t.judge(tmp_path)) == []


def test_memory_that_is_registered_is_staged_no_more(tmp_path: Path) -> None:
    t = Small(Level.API)
    stream = t.actor(ActorKind.STREAM)
    h, d = t.memory(MemoryKind.PAGEABLE), t.device()
    copy, rewrite = (t.read(h), t.write(d)), t.write(h)
    t.op(Kind.MEMCPY_ASYNC_H2D, *copy, actor=stream)
    t.op(Kind.HOST_WRITE, rewrite)
    t.becomes(h, MemoryKind.REGISTERED)
    pinned = t.op(Kind.MEMCPY_ASYNC_H2D, *copy, actor=stream)
    late = t.op(Kind.HOST_WRITE, rewrite)
    assert races(t.judge(tmp_path, "catalogue")) == [(pinned, late, "certain")]


def test_dependent_launch_does_not_wait_for_the_kernel_before(tmp_path: Path) -> None:
    t = Small(Level.API)
    stream = t.actor(ActorKind.STREAM)
    d = t.device()
    first = t.op(Kind.KERNEL, t.write(d), actor=stream)
    second = t.op(Kind.KERNEL, t.read(d), actor=stream, flags=Flag.PDL)
    t.op(Kind.KERNEL, t.write(d), actor=stream)
    assert races(t.judge(tmp_path, "catalogue")) == [(first, second, "certain")]


def test_trace_that_lost_its_names(tmp_path: Path) -> None:
    """Storages that a torn trace names no more are told apart; its other names prove nothing."""
    t = Small()
    d, gpu = t.device(), t.backend()
    first = t.op(Kind.GRAPH_LAUNCH, t.write(9), actor=gpu)
    second = t.op(Kind.GRAPH_LAUNCH, t.read(9), t.read(d), actor=t.backend())
    t.op(Kind.GRAPH_LAUNCH, 99, actor=gpu, access_set=5)
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=7)
    t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=8)
    t.op(Kind.HOST_WRITE, t.write(d), thread=9)
    assert races(t.judge(tmp_path)) == [(first, second, "certain")]


def test_empty_trace(tmp_path: Path) -> None:
    order = Small().judge(tmp_path)
    assert (order.ops, order.conflicts.num_rows, order.needs.num_rows) == (0, 0, 0)


def test_passes_that_cannot_differ_are_not_run(tmp_path: Path) -> None:
    t = Small()
    upload = t.op(Kind.TENSOR_SET, t.read(t.host()), t.write(t.device()))
    assert upload == 1
    assert t.judge(tmp_path).passes == ("ggml-contract/certain",)
    assert t.judge(tmp_path, "ggml-contract", "catalogue").passes == (
        "ggml-contract/certain",
        "catalogue/certain",
    )


def test_plan_of_everything() -> None:
    seen = passes.Seen(2, True, True, True, True, list(Kind), Flag(0))
    names = [each.name for each in passes.plan(load("ggml-contract"), seen, "observed")]
    assert names == ["certain", "must", "habits", "strict", "wide", "guess", "observed", "needs"]


@pytest.mark.parametrize(
    ("wait", "write", "verdict"),
    [
        ((2, 5), (4, 6), "certain"),
        ((2, 3), (4, 5), "host-order-assumed"),
        ((4, 5), (2, 3), "host-order-assumed"),
    ],
    ids=["during", "before", "after"],
)
def test_result_read_at_a_wait_that_was_left_out(
    wait: tuple[int, int], write: tuple[int, int], verdict: str, tmp_path: Path
) -> None:
    """The read is a part of the call, beside another thread's write."""
    t = Small()
    gpu, h, other = t.backend(), t.host(), t.actor(ActorKind.THREAD)
    t.op(Kind.TENSOR_GET_ASYNC, t.write(h), actor=gpu)
    calls = [(wait, Kind.STREAM_SYNC, {"actor": gpu, "flags": Flag.SKIPPED})]
    calls += [(write, Kind.HOST_WRITE, {"accesses": [t.write(h)], "thread": other})]
    pair = [
        t.op(kind, ticket_c=entered, ticket_r=returned, **more)
        for (entered, returned), kind, more in sorted(calls, key=lambda call: call[0])
    ]
    assert (*pair, verdict) in races(t.judge(tmp_path))
