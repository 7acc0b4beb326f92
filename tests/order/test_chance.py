"""Syncs that a thread needs for what another does after it by no more than the observed order.

What made the threads keep that order (a mutex, a queue) is not in the trace, so a sync that such a
pair hangs on is not called needless, whether the second access was seen or not.
"""

from pathlib import Path

import pytest
from models import profile, statement
from small import Small, needless

from synctrace.analyzer.order import Order
from synctrace.tracer.kinds import ActorKind, Extent, Flag, Kind, Level, Mode, Origin

UNFENCED = statement("event_sync", "host-waits-event:unfenced", with_=["no_fence"])
HABIT = statement("memset_async", "launch legacy host-waits-actor:impl", writes="stream")


class Handover(Small):
    """A stream a thread, and a buffer that the first one's stream writes and its thread waits for.
    After that, or before its return, the other thread launches a kernel on its own stream."""

    def __init__(self, kind: Kind = Kind.KERNEL) -> None:
        super().__init__(Level.API)
        self.buffer = self.device()
        self.mine, self.stream_of_other = self.stream(), self.stream(device=1)
        self.other = self.actor(ActorKind.THREAD)
        self.op(kind, self.write(self.buffer), actor=self.mine)

    def sync(self, kind: Kind = Kind.STREAM_SYNC, **more: int) -> int:
        return self.op(kind, **{"actor": self.mine, **more})

    def use(self, access: int, **more: int) -> int:
        return self.op(Kind.KERNEL, access, actor=self.stream_of_other, thread=self.other, **more)

    def judged(self, path: Path, *statements: str, host_order: str = "observed") -> Order:
        self.use(self.write(self.device()))  # so that no sync is the last that matters
        return self.judge(path, profile(path, *statements), host_order=host_order)

    def needless(self, path: Path, *statements: str, host_order: str = "observed") -> set[int]:
        order = self.judged(path, *statements, host_order=host_order)
        proven = {row["first_op"] for row in order.needs.to_pylist() if row["proven"]}
        return needless(order) - proven


def seen(t: Small, storage: int) -> int:
    return t.read(storage)


def mode_not_seen(t: Small, storage: int) -> int:
    return t.access(storage, Mode.UNKNOWN)


def range_not_seen(t: Small, storage: int) -> int:
    return t.read(storage, 0, 0, upper_hi=64, extent=Extent.UPPER_BOUND)


def only_assumed(t: Small, storage: int) -> int:
    return t.read(storage, origin=Origin.SYNTHETIC)


def memory_not_seen(t: Small, _: int) -> int:
    return t.read(0, 0, 0)


ACCESSES = [seen, mode_not_seen, range_not_seen, only_assumed, memory_not_seen]


@pytest.mark.parametrize("host_order", ["observed", "strict"])
@pytest.mark.parametrize("access", ACCESSES)
def test_sync_for_another_threads_access(access, host_order: str, tmp_path: Path) -> None:
    t = Handover()
    t.sync()
    t.use(access(t, t.buffer))
    assert t.needless(tmp_path, host_order=host_order) == set()


@pytest.mark.parametrize("host_order", ["observed", "strict"])
@pytest.mark.parametrize("access", ACCESSES[:-1])
def test_sync_before_an_access_to_other_bytes(access, host_order: str, tmp_path: Path) -> None:
    t = Handover()
    sync = t.sync()
    t.use(access(t, t.device()))
    assert t.needless(tmp_path, host_order=host_order) == {sync}


@pytest.mark.parametrize("access", ACCESSES)
def test_sync_that_was_still_waiting(access, tmp_path: Path) -> None:
    """The other thread's kernel is not behind it in any order."""
    t = Handover()
    sync = t.sync(ticket_c=2, ticket_r=5)
    t.use(access(t, t.buffer), ticket_c=3, ticket_r=4)
    assert t.needless(tmp_path) == {sync}


@pytest.mark.parametrize("told", [True, False])
def test_sync_that_a_habit_stands_in_for(told: bool, tmp_path: Path) -> None:
    """The fill is over when its call returns, by habit: the documents want the sync."""
    t = Handover(Kind.MEMSET_ASYNC)
    sync = t.sync()
    t.use(t.read(t.buffer if told else t.device()))
    assert t.needless(tmp_path, HABIT) == (set() if told else {sync})


@pytest.mark.parametrize("fenced", [True, False])
def test_sync_that_alone_makes_visible(fenced: bool, tmp_path: Path) -> None:
    """The event orders the other thread's kernel too, but shows another device nothing."""
    t = Handover()
    t.op(Kind.EVENT_RECORD, actor=t.mine, event=1)
    flags = Flag(0) if fenced else Flag.NO_FENCE
    first = t.sync(Kind.EVENT_SYNC, actor=0, event=1, flags=flags)
    t.sync()
    t.use(t.read(t.buffer))
    second = first + 1
    expected = {first, second} if fenced else {first}
    assert t.needless(tmp_path, UNFENCED) == expected


def test_passes_of_threads_with_all_seen(tmp_path: Path) -> None:
    """The order seen is that of `certain` itself where nothing has to be assumed."""
    t = Handover()
    t.use(seen(t, t.buffer))
    ran = [name.partition("/")[2] for name in t.judged(tmp_path).passes]
    assert ran == ["certain", "strict", "needs"]


def test_one_thread_pays_for_no_other_order(tmp_path: Path) -> None:
    t = Small(Level.API)
    t.op(Kind.KERNEL, mode_not_seen(t, t.device()), actor=t.stream())
    ran = [name.partition("/")[2] for name in t.judge(tmp_path, "catalogue").passes]
    assert ran == ["certain", "guess", "needs"]
