"""Recordings that cannot begin, or begin or end at once: one sentence, and the program goes on."""

import resource
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import synctrace
from synctrace.tracer import binding, tell
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Kind

LANE = tell.Timeline("GPU0", 0)


def work() -> None:
    for _ in range(5):
        with tell.call(Kind.STREAM_SYNC, LANE):
            pass


def ops(trace: Path | None) -> int:
    assert trace
    return len(synctrace.open(trace).query("SELECT id FROM op"))


@pytest.fixture(autouse=True)
def _another_can_begin(tmp_path: Path) -> Any:
    yield
    assert binding.epoch == 0
    with synctrace.record(tmp_path / "another.synctrace") as recording:
        work()
    assert (ops(recording.path), recording.lost) == (5, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"ring_kb": 0},
        {"ring_kb": 1.5},
        {"ring_kb": 2**70},
        {"sample": -1},
        {"sample": float("nan")},
        {"sample": "often"},
        {"profile": 5},
        {"path": b"run"},
        {"path": "a\0b"},
        {"path": ""},
        {"path": "x" * 300},
    ],
    ids=str,
)
def test_wrong_options_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SynctraceError), synctrace.record(**{"path": "run.synctrace", **wrong}):
        pass
    assert list(tmp_path.iterdir()) == []


def test_without_room_for_the_rings_it_does_not_begin(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(SynctraceError, match="there is no room for the rings"):
            synctrace.record(tmp_path / "run.synctrace").__enter__()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_without_a_thread_of_its_own_it_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start)
        with pytest.raises(SynctraceError, match="own thread cannot begin"):
            synctrace.record(tmp_path / "run.synctrace").__enter__()


def at_once(work: Any, threads: int = 4) -> None:
    started = threading.Barrier(threads)

    def run() -> None:
        started.wait()
        work()

    all_of_them = [threading.Thread(target=run) for _ in range(threads)]
    for thread in all_of_them:
        thread.start()
    for thread in all_of_them:
        thread.join()


def test_of_threads_that_begin_at_once_each_records_or_is_refused(tmp_path: Path) -> None:
    told: list[object] = []

    def begin() -> None:
        try:
            with synctrace.record(tmp_path / f"{threading.get_ident()}.synctrace") as recording:
                work()
            told.append(ops(recording.path))
        except SynctraceError as error:
            told.append(str(error))

    at_once(begin)
    assert 5 in told
    assert set(told) <= {5, "a recording is on already: end it before another begins"}


def test_of_threads_that_end_it_at_once_one_does(tmp_path: Path) -> None:
    raised: list[BaseException] = []
    recording = synctrace.record(tmp_path / "run.synctrace")
    recording.__enter__()
    work()

    def end() -> None:
        try:
            recording.stop()
        except BaseException as error:
            raised.append(error)

    at_once(end)
    assert (raised, ops(recording.path)) == ([], 5)


def test_names_of_calls_begin_anew(tmp_path: Path) -> None:
    """There is room for some 65,000 in a recording."""
    with pytest.warns(RuntimeWarning), synctrace.record(tmp_path / "run.synctrace", stacks=False):
        for n in range(66_000):
            synctrace.mark(f"mark {n}")
    with synctrace.record(tmp_path / "next.synctrace") as recording:
        work()
    assert recording.path
    names = synctrace.open(recording.path).query("SELECT DISTINCT call FROM op").to_pylist()
    assert names == [{"call": "stream_sync"}]


def test_a_second_interpreter_of_the_program_takes_nothing_over(tmp_path: Path) -> None:
    """What the recorder keeps are objects of the main one: those of another end with it."""
    interpreters = pytest.importorskip(
        "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    )
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        other = interpreters.create()
        interpreters.run_string(other, f"import sys; sys.path[:] = {sys.path}")
        interpreters.run_string(other, "from synctrace.tracer import tell")
        interpreters.run_string(other, "with tell.call(1): pass")
        interpreters.destroy(other)
        with tell.call(Kind.STREAM_SYNC, LANE, name="not known before"):
            pass
    assert (ops(recording.path), recording.lost) == (1, ())
