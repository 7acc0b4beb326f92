"""Calls and scopes that are left late, in another order, or not at all: tasks, generators, ends."""

import weakref
from collections import deque
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

import synctrace
from synctrace.tracer import tell
from synctrace.tracer.kinds import Kind, ScopeKind

LANE = tell.Timeline("GPU0", 0)


def rows(trace: Path | None, sql: str) -> list[dict[str, object]]:
    assert trace
    found: list[dict[str, object]] = synctrace.open(trace).query(sql).to_pylist()
    return found


def op_rows(trace: Path | None) -> list[dict[str, object]]:
    return rows(trace, "SELECT kind, call, flags, ticket_c, ticket_r FROM op ORDER BY ticket_c")


def test_a_call_that_outlives_its_recording_is_in_no_other(tmp_path: Path) -> None:
    first = synctrace.record(tmp_path / "first.synctrace")
    with pytest.warns(RuntimeWarning, match="inside a recorded call"), first:
        left_between = tell.call(Kind.STREAM_SYNC, LANE)
        left_between.__enter__()
        left_within = tell.call(Kind.DEVICE_SYNC, LANE)
        left_within.__enter__()
        entered_late = tell.call(Kind.EVENT_SYNC, LANE)
    left_between.__exit__(None, None, None)
    with synctrace.record(tmp_path / "second.synctrace") as second:
        with tell.call(Kind.HOST_FUNC, LANE):
            left_within.__exit__(None, None, None)
        with entered_late:
            pass
    assert op_rows(first.path) == []
    assert [row["kind"] for row in op_rows(second.path)] == ["host_func"]
    assert second.lost == ()


@pytest.mark.parametrize("twice", [False, True])
def test_each_task_leaves_its_own_call(tmp_path: Path, twice: bool) -> None:
    """One that began first fails first, while the other goes on."""
    kinds = (Kind.STREAM_SYNC, Kind.STREAM_SYNC if twice else Kind.EVENT_SYNC)
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        tasks = [tell.call(kind, LANE, name=str(n)) for n, kind in enumerate(kinds)]
        for task in tasks:
            task.__enter__()
        tasks[0].__exit__(ValueError, ValueError(), None)
        with tell.call(Kind.HOST_FUNC, LANE):
            pass
        tasks[1].__exit__(None, None, None)
        with tell.call(Kind.MARK):
            pass
    found = [tuple(row.values()) for row in op_rows(recording.path)]
    assert found == [
        (kinds[0].name.lower(), "0", "failed", 1, 3),
        (kinds[1].name.lower(), "1", "", 2, 6),
        ("host_func", "host_func", "", 4, 5),
        ("mark", "mark", "", 7, 8),
    ]
    assert recording.lost == ()


@pytest.mark.parametrize(("tasks", "lost"), [(20, False), (60, True)])
def test_tasks_that_overlap_leave_room_for_others(tmp_path: Path, tasks: int, lost: bool) -> None:
    """A thread has room for 32 open calls; those beyond take no other's place."""
    recording = synctrace.record(tmp_path / "run.synctrace")
    with pytest.warns(RuntimeWarning) if lost else nullcontext(), recording:
        opened: deque[AbstractContextManager[None]] = deque()
        for n in range(200):
            opened.append(tell.call(Kind.STREAM_SYNC, LANE, name=f"task {n % tasks}"))
            opened[-1].__enter__()
            if len(opened) == tasks:
                opened.popleft().__exit__(None, None, None)
        while opened:
            opened.popleft().__exit__(None, None, None)
        for _ in range(100):
            with tell.call(Kind.HOST_FUNC, LANE):
                pass
    found = [str(row["kind"]) for row in op_rows(recording.path)]
    assert found.count("host_func") == 100
    assert (found.count("stream_sync") == 200) is not lost
    assert not any("inside a recorded call" in one for one in recording.lost)


def test_each_task_closes_its_own_scope(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        one, other = synctrace.range("one"), synctrace.range("other")
        one.__exit__(None, None, None)
        with tell.call(Kind.HOST_FUNC, LANE):
            pass
        other.__exit__(None, None, None)
        with tell.call(Kind.MARK):
            pass
    found = rows(
        recording.path,
        "SELECT op.kind, scope.name FROM op LEFT JOIN scope ON scope.id = op.scope ORDER BY op.id",
    )
    assert [row["name"] for row in found] == ["other", None]


def test_more_scopes_than_have_room_are_closed_by_their_own(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        scopes = [synctrace.range(str(n)) for n in range(20)]
        for scope in reversed(scopes[10:]):
            scope.__exit__(None, None, None)
        with tell.call(Kind.HOST_FUNC, LANE):
            pass
    sql = "SELECT scope.name FROM op JOIN scope ON scope.id = op.scope"
    assert rows(recording.path, sql) == [{"name": "9"}]


def test_what_is_no_call_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        with pytest.raises(TypeError, match=r"call\(\) takes kind, lane and"):
            tell.call(Kind.MARK, speed=1)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="name of a call is a string, not int"):
            tell.call(Kind.MARK, name=10**6)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="300 is not a valid Kind"):
            tell.call(300)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="99 is not a valid ScopeKind"):
            tell.scope(99, "x")  # type: ignore[arg-type]
        with tell.scope(ScopeKind.RANGE, "x"), tell.call(Kind.MARK):
            pass
    assert [row["kind"] for row in op_rows(recording.path)] == ["mark"]


def test_what_calls_named_is_let_go_when_the_recording_ends(tmp_path: Path) -> None:
    lane = tell.Timeline("GPU1", 1)
    known = weakref.ref(lane)
    with synctrace.record(tmp_path / "run.synctrace"):
        with tell.call(Kind.STREAM_SYNC, lane):
            pass
        del lane
        assert known()
    assert known() is None
