"""Order that makes nothing visible to the host or another device, and what hides a latent pair."""

from pathlib import Path

import pytest
from models import profile, statement
from small import Small, needless, races

from synctrace.analyzer.order import Order
from synctrace.tracer.kinds import Flag, Kind, Level

NO_FENCE = (
    statement("event_wait", "launch actor-waits-event:unfenced", with_=["no_fence"]),
    statement("event_sync", "host-waits-event:unfenced", with_=["no_fence"]),
)
BOTH = (*NO_FENCE, statement("memset", "launch", writes="stream"))


def api() -> Small:
    return Small(Level.API)


def judge(t: Small, path: Path, *statements: str) -> Order:
    return t.judge(path, profile(path, *NO_FENCE, *statements))


def handed_over(t: Small, to: int, *flags: Flag) -> tuple[int, int]:
    """A kernel of device 0, waits for its event on another stream, one a flag, and a read there."""
    s, d = t.stream(), t.device()
    first = t.op(Kind.KERNEL, t.write(d), actor=s)
    t.op(Kind.EVENT_RECORD, actor=s, event=1)
    for flag in flags:
        t.op(Kind.EVENT_WAIT, actor=to, event=1, flags=flag)
    return first, t.op(Kind.KERNEL, t.read(d), actor=to)


def test_event_without_a_fence_to_another_device(tmp_path: Path) -> None:
    t = api()
    pair = handed_over(t, t.stream(device=1), Flag.NO_FENCE)
    order = judge(t, tmp_path)
    assert races(order) == [(*pair, "ordered-not-visible")]
    hidden = order.conflicts["hidden_by"][0].as_py()
    assert hidden == "actor-waits-event (unfenced): says actor-waits-event"


def test_event_without_a_fence_on_the_same_device(tmp_path: Path) -> None:
    t = api()
    handed_over(t, t.stream(), Flag.NO_FENCE)
    assert races(judge(t, tmp_path)) == []


def test_event_with_a_fence_to_another_device(tmp_path: Path) -> None:
    t = api()
    handed_over(t, t.stream(device=1), Flag(0))
    order = judge(t, tmp_path)
    assert races(order) == []
    assert order.passes == ("mine/certain",), "no op is without a fence"


def test_no_event_at_all_is_a_race(tmp_path: Path) -> None:
    t = api()
    pair = handed_over(t, t.stream(device=1))
    assert races(judge(t, tmp_path)) == [(*pair, "certain")]


@pytest.mark.parametrize("fenced", [True, False])
def test_the_host_is_another_device(fenced: bool, tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    first = t.op(Kind.KERNEL, t.write(h), actor=s)
    t.op(Kind.EVENT_RECORD, actor=s, event=1)
    t.op(Kind.EVENT_SYNC, event=1, flags=Flag(0) if fenced else Flag.NO_FENCE)
    read = t.op(Kind.HOST_READ, t.read(h))
    expected = [] if fenced else [(first, read, "ordered-not-visible")]
    assert races(judge(t, tmp_path)) == expected


def test_a_wait_that_alone_makes_visible_is_needed(tmp_path: Path) -> None:
    """The first wait orders, the second adds nothing to that: but only it has the fence."""
    t = api()
    handed_over(t, t.stream(device=1), Flag.NO_FENCE, Flag(0))
    order = judge(t, tmp_path)
    assert races(order) == []
    assert needless(order) == {3}, "the one without a fence: the other orders too"
    assert [row["implied"] for row in order.needs.to_pylist()] == [0, 0]


def test_on_one_device_a_second_wait_is_needless_whatever_its_fence(tmp_path: Path) -> None:
    t = api()
    handed_over(t, t.stream(), Flag.NO_FENCE, Flag(0))
    assert len(needless(judge(t, tmp_path))) == 2, "either can go while the other stays"


def test_two_waits_without_a_fence_make_nothing_visible(tmp_path: Path) -> None:
    """Each orders without the other: what the trace's ops give is told."""
    t = api()
    other = t.stream(device=1)
    s, d = t.stream(), t.device()
    first = t.op(Kind.KERNEL, t.write(d), actor=s)
    t.op(Kind.EVENT_RECORD, actor=s, event=1)
    t.op(Kind.EVENT_WAIT, actor=other, event=1, flags=Flag.NO_FENCE)
    t.op(Kind.EVENT_SYNC, event=1, flags=Flag.NO_FENCE)
    late = t.op(Kind.KERNEL, t.read(d), actor=other)
    order = judge(t, tmp_path)
    assert races(order) == [(first, late, "ordered-not-visible")]
    hidden = order.conflicts["hidden_by"][0].as_py()
    several = "actor-waits-event (unfenced), host-waits-event (unfenced)"
    assert hidden == f"more than one of {several}"


@pytest.mark.parametrize("klass", ["impl", "may"])
def test_a_habit_without_which_it_races_is_latent(klass: str, tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    first = t.op(Kind.KERNEL, t.write(h), actor=s)
    t.op(Kind.STREAM_DESTROY, actor=s)
    read = t.op(Kind.HOST_READ, t.read(h))
    order = judge(t, tmp_path, statement("stream_destroy", f"host-waits-actor:{klass}"))
    assert races(order) == [(first, read, "latent")]
    hidden = order.conflicts["hidden_by"][0].as_py()
    assert hidden == f"host-waits-actor ({klass}): says host-waits-actor"


def test_only_the_edge_that_hides_it_is_told(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    t.op(Kind.KERNEL, t.write(h), actor=s)
    t.op(Kind.MEMSET, t.write(t.device()), actor=s)
    t.op(Kind.HOST_READ, t.read(h))
    both = statement("memset", "launch host-waits-prior:impl peer-waits:impl", writes="stream")
    hidden = judge(t, tmp_path, both).conflicts["hidden_by"].to_pylist()
    assert hidden == ["host-waits-prior (impl): says host-waits-prior"]


STAGED = """
[[habit]]
kind = ["memcpy_async_h2d"]
reads = { place = "host", class = "impl", source = "staged at the call" }
"""


def test_a_place_by_habit_is_told(tmp_path: Path) -> None:
    t = api()
    h = t.host()
    copy = t.op(Kind.MEMCPY_ASYNC_H2D, t.read(h), t.write(t.device()), actor=t.stream())
    rewrite = t.op(Kind.HOST_WRITE, t.write(h))
    told = statement("memcpy_async_h2d", "launch", reads="stream", writes="stream")
    order = judge(t, tmp_path, told, STAGED)
    assert races(order) == [(copy, rewrite, "latent")]
    [hidden] = order.conflicts["hidden_by"].to_pylist()
    assert hidden == "memcpy_async_h2d reads at host (impl): staged at the call"
