"""Accesses that start at the call, whatever their stream has still to do."""

from pathlib import Path

import pytest
from models import profile, statement
from small import Small, needless, races

from synctrace.analyzer.order import Order
from synctrace.tracer.kinds import Flag, Kind, Level, StreamFlag

LOOSE = (
    statement("memcpy_async_h2d", "launch legacy", reads="loose", writes="stream"),
    statement("memset", "launch legacy", writes="loose"),
    statement("memcpy_h2h", "launch", reads="loose", writes="loose"),
)
COPY, FILL, MOVE = Kind.MEMCPY_ASYNC_H2D, Kind.MEMSET, Kind.MEMCPY_H2H


def api() -> Small:
    return Small(Level.API)


def judge(t: Small, path: Path) -> Order:
    return t.judge(path, profile(path, *LOOSE))


def copy(t: Small, stream: int, source: int) -> int:
    return t.op(COPY, t.read(source), t.write(t.device()), actor=stream)


def test_what_the_host_wrote_before_the_call(tmp_path: Path) -> None:
    t = api()
    h = t.host()
    t.op(Kind.HOST_WRITE, t.write(h))
    copy(t, t.stream(), h)
    assert races(judge(t, tmp_path)) == []


def test_what_the_host_writes_after_the_call(tmp_path: Path) -> None:
    t = api()
    h = t.host()
    read = copy(t, t.stream(), h)
    late = t.op(Kind.HOST_WRITE, t.write(h))
    assert races(judge(t, tmp_path)) == [(read, late, "certain")]


@pytest.mark.parametrize("wait", [Kind.STREAM_SYNC, Kind.EVENT_SYNC])
def test_whoever_waits_for_the_stream_waits_for_it(wait: Kind, tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    copy(t, s, h)
    t.op(Kind.EVENT_RECORD, actor=s, event=1)
    t.op(wait, actor=0 if wait is Kind.EVENT_SYNC else s, event=1)
    t.op(Kind.HOST_WRITE, t.write(h))
    order = judge(t, tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_later_work_of_the_stream_comes_after_it(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    copy(t, s, h)
    t.op(Kind.KERNEL, t.write(h), actor=s)
    assert races(judge(t, tmp_path)) == []


def test_dependent_kernel_behind_the_next_comes_after_it(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    copy(t, s, h)
    t.op(Kind.KERNEL, actor=s)
    t.op(Kind.KERNEL, t.write(h), actor=s, flags=Flag.PDL)
    assert races(judge(t, tmp_path)) == []


def test_earlier_work_of_its_own_stream(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    kernel = t.op(Kind.KERNEL, t.write(h), actor=s)
    read = copy(t, s, h)
    assert races(judge(t, tmp_path)) == [(kernel, read, "certain")]


def test_earlier_work_that_the_host_has_waited_for(tmp_path: Path) -> None:
    """The sync is needed, though the stream's own order would do for any other work."""
    t = api()
    s, h = t.stream(), t.host()
    t.op(Kind.KERNEL, t.write(h), actor=s)
    t.op(Kind.STREAM_SYNC, actor=s)
    copy(t, s, h)
    order = judge(t, tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_an_event_that_its_stream_waits_for_is_none_for_it(tmp_path: Path) -> None:
    t = api()
    s, other, h = t.stream(), t.stream(), t.host()
    kernel = t.op(Kind.KERNEL, t.write(h), actor=other)
    t.op(Kind.EVENT_RECORD, actor=other, event=1)
    t.op(Kind.EVENT_WAIT, actor=s, event=1)
    read = copy(t, s, h)
    assert races(judge(t, tmp_path)) == [(kernel, read, "certain")]


def test_the_rest_of_the_op_is_in_its_streams_order(tmp_path: Path) -> None:
    t = api()
    s, d = t.stream(), t.device()
    t.op(Kind.KERNEL, t.read(d), actor=s)
    t.op(COPY, t.read(t.host()), t.write(d), actor=s)
    assert races(judge(t, tmp_path)) == []


def test_parts_of_one_op_are_no_pair(tmp_path: Path) -> None:
    t = api()
    s, d = t.stream(), t.device()
    t.op(COPY, t.read(d), t.write(d), actor=s)
    t.op(MOVE, t.read(t.host()), t.write(d, 0, 32), t.write(d, 16, 64), actor=t.stream(), site=1)
    order = t.judge(tmp_path, profile(tmp_path, *LOOSE))
    assert {(row[0], row[1]) for row in races(order)} == {(1, 2)}


def test_two_reads_do_not_conflict(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    copy(t, s, h)
    copy(t, s, h)
    assert races(judge(t, tmp_path)) == []


def test_two_writes_of_one_stream(tmp_path: Path) -> None:
    t = api()
    s, d = t.stream(), t.device()
    first = t.op(FILL, t.write(d), actor=s)
    second = t.op(FILL, t.write(d), actor=s)
    assert races(judge(t, tmp_path)) == [(first, second, "certain")]


def test_two_writes_with_a_wait_between(tmp_path: Path) -> None:
    t = api()
    s, d = t.stream(), t.device()
    t.op(FILL, t.write(d), actor=s)
    t.op(Kind.STREAM_SYNC, actor=s)
    t.op(FILL, t.write(d), actor=s)
    order = judge(t, tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_neighbours_within_one_range_do_not_hide_each_other(tmp_path: Path) -> None:
    """The op's own first access stands nowhere before its second is judged."""
    t = api()
    s, d = t.stream(), t.device()
    kernel = t.op(Kind.KERNEL, t.write(d, 32, 64), actor=s)
    t.op(Kind.KERNEL, t.read(d, 0, 64), actor=s)
    late = t.op(MOVE, t.write(d, 0, 48), t.write(d, 24, 64), actor=s)
    found = races(judge(t, tmp_path))
    assert (kernel, late, "certain") in found
    assert (2, late, "certain") in found


def test_it_does_not_wait_for_the_default_stream(tmp_path: Path) -> None:
    t = api()
    legacy, s, h = t.stream(StreamFlag.LEGACY), t.stream(StreamFlag.BLOCKING), t.host()
    kernel = t.op(Kind.KERNEL, t.write(h), actor=legacy)
    read = copy(t, s, h)
    assert races(judge(t, tmp_path)) == [(kernel, read, "certain")]


def test_the_default_stream_waits_for_it(tmp_path: Path) -> None:
    t = api()
    legacy, s, h = t.stream(StreamFlag.LEGACY), t.stream(StreamFlag.BLOCKING), t.host()
    copy(t, s, h)
    t.op(Kind.KERNEL, t.write(h), actor=legacy)
    assert races(judge(t, tmp_path)) == []


def test_a_call_that_blocks_is_the_hosts(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    t.op(COPY, t.read(h), t.write(t.device()), actor=s, flags=Flag.BLOCKING)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert races(judge(t, tmp_path)) == []


def test_a_loss_before_it_invents_no_race(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    t.op(Kind.KERNEL, t.write(h), actor=s)
    t.gap(t.lose())
    copy(t, s, h)
    assert races(judge(t, tmp_path)) == []
