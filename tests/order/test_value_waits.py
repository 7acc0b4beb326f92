"""Between a wait for a value and what makes it true nothing is judged."""

from pathlib import Path

from small import Small, needless, races

from synctrace.analyzer.numbered import by_id
from synctrace.analyzer.value_waits import intervals
from synctrace.tracer.kinds import Flag, Kind, Level

VALUE = 5


class Streams(Small):
    """Two streams of one device, one of another, a value and a buffer."""

    def __init__(self) -> None:
        super().__init__(Level.API)
        self.one, self.two, self.far = self.stream(), self.stream(), self.stream(device=1)
        self._row("event")
        self.data = self.device()

    def wait(self, stream: int, value: int = VALUE, **more: int) -> int:
        return self.op(Kind.VALUE_WAIT, actor=stream, event=value, **more)

    def tell(self, stream: int, value: int = VALUE, **more: int) -> int:
        return self.op(Kind.VALUE_WRITE, actor=stream, event=value, **more)

    def found(self, path: Path) -> list[tuple[int, int]]:
        """Intervals by the ops with which they begin and end; the last of all: 0."""
        trace = self.written(path / "t")
        rows = self.rows["op"]
        begins = {row["ticket_c"]: row["id"] for row in rows}
        ends = {row["ticket_r"]: row["id"] for row in rows}
        spans = intervals(trace, by_id(trace, "actor"))
        return [(begins[first], ends.get(last, 0)) for first, last in spans]


def test_a_write_before_the_wait_leaves_no_interval(tmp_path: Path) -> None:
    t = Streams()
    t.tell(t.one)
    t.wait(t.two)
    assert t.found(tmp_path) == []


def test_from_the_wait_to_the_write(tmp_path: Path) -> None:
    t = Streams()
    wait = t.wait(t.two)
    t.op(Kind.KERNEL, actor=t.two)
    write = t.tell(t.one)
    t.op(Kind.KERNEL, actor=t.two)
    assert t.found(tmp_path) == [(wait, write)]


def test_each_wait_has_its_own(tmp_path: Path) -> None:
    t = Streams()
    first, second, other = t.wait(t.one), t.wait(t.two), t.wait(t.two, 6)
    write, more = t.tell(t.far), t.tell(t.far, 6)
    assert sorted(t.found(tmp_path)) == [(first, write), (second, write), (other, more)]


def test_without_a_write_to_the_host_s_wait_for_that_stream(tmp_path: Path) -> None:
    t = Streams()
    wait = t.wait(t.two)
    t.op(Kind.STREAM_SYNC, actor=t.one)
    t.op(Kind.DEVICE_SYNC, device=1)
    sync = t.op(Kind.STREAM_SYNC, actor=t.two)
    t.op(Kind.KERNEL, actor=t.two)
    assert t.found(tmp_path) == [(wait, sync)]


def test_or_for_its_device(tmp_path: Path) -> None:
    t = Streams()
    wait, far = t.wait(t.two), t.wait(t.far)
    sync, all_ = t.op(Kind.DEVICE_SYNC, device=0), t.op(Kind.DEVICE_SYNC)
    assert sorted(t.found(tmp_path)) == [(wait, sync), (far, all_)]


def test_else_to_the_end(tmp_path: Path) -> None:
    t = Streams()
    wait = t.wait(t.two)
    last = t.op(Kind.KERNEL, actor=t.two)
    assert t.found(tmp_path) == [(wait, last)]


def test_calls_without_effect_are_none(tmp_path: Path) -> None:
    t = Streams()
    t.wait(t.two, flags=Flag.FAILED)
    t.wait(t.two, flags=Flag.CAPTURED)
    assert t.found(tmp_path) == []
    wait = t.wait(t.two)
    t.tell(t.one, flags=Flag.FAILED)
    t.op(Kind.STREAM_QUERY, actor=t.two, flags=Flag.FAILED)  # not ready
    query = t.op(Kind.STREAM_QUERY, actor=t.two)
    assert t.found(tmp_path) == [(wait, query)]


def test_no_sync_is_called_needless_where_something_was_not_judged(tmp_path: Path) -> None:
    def made(early: bool) -> Streams:
        t = Streams()
        calls = [lambda: t.wait(t.two), lambda: t.tell(t.one)]
        for call in calls if early else reversed(calls):
            call()
        t.op(Kind.STREAM_SYNC, actor=t.one)
        t.op(Kind.KERNEL, t.write(t.data), actor=t.two)
        t.op(Kind.STREAM_SYNC, actor=t.two)
        t.op(Kind.MEMCPY_D2H, t.read(t.data), t.write(t.host()), actor=t.two)
        return t

    late, early = made(False), made(True)
    assert needless(late.judge(tmp_path / "late", "hip-doc")) >= {3}
    assert needless(early.judge(tmp_path / "early", "hip-doc")) == set()


def test_races_behind_it_are_found(tmp_path: Path) -> None:
    t = Streams()
    t.wait(t.two)
    t.op(Kind.KERNEL, t.read(t.data), actor=t.two)
    t.op(Kind.KERNEL, t.write(t.data), actor=t.one)
    t.tell(t.one)
    first = t.op(Kind.KERNEL, t.write(t.data), actor=t.one)
    second = t.op(Kind.KERNEL, t.read(t.data), actor=t.two)
    assert races(t.judge(tmp_path, "hip-doc")) == [(first, second, "certain")]
