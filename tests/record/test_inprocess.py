"""Programs that record themselves: `synctrace.record()` and what instrumented classes tell."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import synctrace
from synctrace.tracer import binding, tell
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Flag, Kind, MemoryKind, ScopeKind
from synctrace.tracer.recording import Recording


class Loop:
    """A token loop told by hand: the host fills a pinned buffer that a stream copies from."""

    def __init__(self) -> None:
        self.lane = tell.Timeline("GPU0", 0)
        self.copied = tell.Signal("copied", 0)
        self.source = tell.Memory("h_tokens", 4096, MemoryKind.PINNED)
        self.target = tell.Memory("d_tokens", 4096, MemoryKind.DEVICE, device=0)

    def token(self, wait: bool) -> None:
        with tell.scope(ScopeKind.DECODE, "decode"):
            with tell.call(Kind.HOST_WRITE, accesses=(self.source.write(0, 4096),)):
                pass
            copied = (self.source.read(0, 4096), self.target.write(0, 4096))
            with tell.call(Kind.MEMCPY_ASYNC_H2D, self.lane, accesses=copied, name="copy"):
                pass
            with tell.call(Kind.EVENT_RECORD, self.lane, event=self.copied):
                pass
            if wait:
                with tell.call(Kind.EVENT_SYNC, event=self.copied):
                    pass


def rows(trace: Path | None, sql: str) -> list[dict[str, object]]:
    assert trace
    found: list[dict[str, object]] = synctrace.open(trace).query(sql).to_pylist()
    return found


def rules(trace: Path | None) -> list[str]:
    assert trace
    return [finding.rule for finding in synctrace.check(trace).findings]


def test_ops_are_in_their_scopes(tmp_path: Path) -> None:
    loop = Loop()
    with synctrace.record(tmp_path / "before.synctrace"), synctrace.range("counted anew"):
        loop.token(wait=True)
    recording, prompt = synctrace.record(tmp_path / "run.synctrace"), ScopeKind.RANGE
    with recording, tell.scope(prompt, "prompt"):
        for _ in range(2):
            loop.token(wait=True)
    found = rows(recording.path, "SELECT name, number, signature FROM iteration ORDER BY number")
    assert found == [{"name": "decode", "number": n, "signature": "iarE"} for n in range(2)]
    number = "SELECT number FROM scope WHERE name = 'prompt'"
    assert rows(recording.path, number) == [{"number": 0}]
    parents = "SELECT p.name FROM scope AS s JOIN scope AS p ON p.id = s.parent"
    assert rows(recording.path, parents) == [{"name": "prompt"}] * 2


@pytest.mark.parametrize("wait", [True, False])
def test_a_token_loop_is_recorded_and_judged(tmp_path: Path, wait: bool) -> None:
    loop = Loop()
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        for _ in range(3):
            loop.token(wait)
    assert recording.path == tmp_path / "run.synctrace"
    assert recording.lost == ()
    assert rules(recording.path) == ([] if wait else ["RACE04"])
    assert synctrace.open(recording.path).meta["complete"] is True
    assert synctrace.open(recording.path).meta["level"] == ["app"]
    kinds = rows(recording.path, "SELECT kind, call, level FROM op ORDER BY id")
    assert [row["kind"] for row in kinds][:3] == ["host_write", "memcpy_async_h2d", "event_record"]
    assert kinds[1]["call"] == "copy"
    assert {row["level"] for row in kinds} == {"app"}


def test_call_sites_are_python_frames_without_those_that_record(tmp_path: Path) -> None:
    loop = Loop()
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        loop.token(True)
    stack = rows(
        recording.path,
        "SELECT function, file, line FROM frame JOIN op ON op.site = frame.site"
        " WHERE kind = 'event_sync' ORDER BY depth",
    )
    assert [row["function"] for row in stack][:2] == [
        "Loop.token",
        "test_call_sites_are_python_frames_without_those_that_record",
    ]
    assert {row["file"] for row in stack[:2]} == {__file__}
    assert Path(__file__).read_text().splitlines()[int(str(stack[0]["line"])) - 1].strip() == (
        "with tell.call(Kind.EVENT_SYNC, event=self.copied):"
    )


def test_a_site_has_the_same_name_in_the_next_run(tmp_path: Path) -> None:
    """Findings keep their id: baselines and suppressions hang on it."""
    found = []
    for name in ("one", "two"):
        loop = Loop()
        with synctrace.record(tmp_path / f"{name}.synctrace") as recording:
            for _ in range(2):
                loop.token(False)
        assert recording.path
        found.append([f.id for f in synctrace.check(recording.path).findings])
    assert found[0] == found[1] != []


def test_nothing_is_told_while_nothing_records(tmp_path: Path) -> None:
    loop = Loop()
    loop.token(True)
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        pass
    loop.token(True)
    assert rows(recording.path, "FROM op") == []
    assert binding.epoch == 0
    assert loop.source.read() == 0


def test_objects_are_told_anew_in_each_recording(tmp_path: Path) -> None:
    loop = Loop()
    for name in ("one", "two", "three"):
        with synctrace.record(tmp_path / f"{name}.synctrace") as recording:
            loop.token(True)
        streams = rows(recording.path, "SELECT name FROM stream WHERE kind = 'stream'")
        assert streams == [{"name": "GPU0"}]
        assert rules(recording.path) == []


def test_a_call_left_by_an_exception_failed(tmp_path: Path) -> None:
    loop = Loop()
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        with pytest.raises(ZeroDivisionError), tell.call(Kind.STREAM_SYNC, loop.lane):
            raise ZeroDivisionError
        loop.token(True)
    flags = rows(recording.path, "SELECT flags FROM op ORDER BY id")
    assert flags[0]["flags"] == Flag.FAILED.name.lower()
    assert flags[1]["flags"] == ""


def test_an_exception_of_the_program_passes_and_the_trace_is_whole(tmp_path: Path) -> None:
    loop = Loop()
    recording = synctrace.record(tmp_path / "run.synctrace")
    with pytest.raises(ZeroDivisionError), recording:
        loop.token(True)
        raise ZeroDivisionError
    assert recording.lost == ()
    assert len(rows(recording.path, "FROM op")) == 4


def two_tokens(loop: Loop) -> None:
    for _ in range(2):
        loop.token(True)


def test_threads_have_timelines_of_their_own(tmp_path: Path) -> None:
    loops = [Loop() for _ in range(4)]
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        threads = [threading.Thread(target=two_tokens, args=(loop,)) for loop in loops]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert recording.lost == ()
    counts = rows(recording.path, "SELECT thread, count(*) AS ops FROM op GROUP BY thread")
    assert sorted(str(row["ops"]) for row in counts) == ["8"] * 4
    assert rules(recording.path) == []


def test_many_accesses_of_one_call_are_kept(tmp_path: Path) -> None:
    loop = Loop()
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        touched = [loop.target.write(8 * i, 8 * i + 8) for i in range(100)]
        with tell.call(Kind.KERNEL, loop.lane, accesses=touched):
            pass
    assert rows(recording.path, "SELECT len(accesses) AS n FROM op") == [{"n": 100}]


def test_a_graph_has_versions(tmp_path: Path) -> None:
    loop = Loop()
    plan = tell.Plan("split GPU0")
    plan.captured(lambda: [loop.source.read(), loop.target.write()], 2, "copy, layer")
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        for size in (4096, 4096, 64):
            if size == 64:
                plan.captured(lambda: [loop.target.write(0, 64)], 1, "layer")
            with tell.call(Kind.GRAPH_LAUNCH, loop.lane, graph=plan):
                pass
    versions = rows(recording.path, "SELECT version FROM op ORDER BY id")
    assert [row["version"] for row in versions] == [0, 0, 1]
    graphs = rows(recording.path, "SELECT name, nodes, operations FROM graph ORDER BY version")
    assert graphs == [
        {"name": "split GPU0", "nodes": 2, "operations": "copy, layer"},
        {"name": "split GPU0", "nodes": 1, "operations": "layer"},
    ]


def test_a_decorator_records_each_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["loop.py"])
    loop = Loop()

    @synctrace.record()
    def decode(wait: bool) -> str:
        loop.token(wait)
        return "token"

    assert decode(True) == decode(wait=True) == "token"
    first = f"synctrace-loop-{os.getpid()}"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{first}.2.synctrace",
        f"{first}.synctrace",
    ]


def test_a_decorator_without_arguments_and_on_a_coroutine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    loop = Loop()

    @synctrace.record
    def decode() -> int:
        loop.token(True)
        return 1

    @synctrace.record("run.synctrace")
    async def decode_later() -> int:
        await asyncio.sleep(0)
        loop.token(True)
        return 2

    assert decode() == 1
    assert asyncio.run(decode_later()) == 2
    traces = sorted(tmp_path.iterdir())
    assert [len(rows(trace, "FROM op")) for trace in traces] == [4, 4]
    with pytest.raises(SynctraceError, match="is a generator"):
        synctrace.record(generator)


def generator() -> Iterator[int]:
    yield 1


def test_what_is_there_is_kept(tmp_path: Path) -> None:
    for _ in range(2):
        with synctrace.record(tmp_path / "run.synctrace", overwrite=True):
            Loop().token(True)
    with (
        pytest.raises(SynctraceError, match="exists"),
        synctrace.record(tmp_path / "run.synctrace"),
    ):
        raise AssertionError("the program ran")
    assert len(rows(tmp_path / "run.synctrace", "FROM op")) == 4
    assert binding.epoch == 0


def test_two_recordings_at_once_are_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "one.synctrace") as first:
        Loop().token(True)
        with pytest.raises(SynctraceError, match="on already"), Recording(tmp_path / "two"):
            raise AssertionError("the program ran")
        Loop().token(True)
    assert len(rows(first.path, "FROM op")) == 8
    assert not (tmp_path / "two").exists()


def test_a_ring_that_is_too_small_loses_and_says_so(tmp_path: Path) -> None:
    loop = Loop()
    recording = synctrace.record(tmp_path / "run.synctrace", ring_kb=16)
    with pytest.warns(RuntimeWarning, match="records dropped"), recording:
        for _ in range(20_000):
            loop.token(True)
    assert recording.lost
    assert synctrace.open(tmp_path / "run.synctrace").meta["complete"] is False


def run(code: str, *wrapper: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A Python program, with this file's Loop in it."""
    setup = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    return subprocess.run(
        [*wrapper, sys.executable, "-c", f"{setup}{code}"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **variables},
    )


PROGRAM = """
import synctrace
from test_inprocess import Loop
with synctrace.record({own!r}) as recording:
    Loop().token(True)
    synctrace.mark("there")
print(recording.path)
"""


def test_under_record_there_is_one_trace_and_it_is_that_ones(tmp_path: Path) -> None:
    trace, own = tmp_path / "outer.synctrace", tmp_path / "own.synctrace"
    record = [sys.executable, "-m", "synctrace", "record", "-o", str(trace), "--"]
    done = run(PROGRAM.format(own=str(own)), *record)
    assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr
    assert not own.exists()
    kinds = [row["kind"] for row in rows(trace, "SELECT kind FROM op ORDER BY id")]
    assert kinds == ["host_write", "memcpy_async_h2d", "event_record", "event_sync", "mark"]
    assert rules(trace) == []


def test_a_program_that_ends_within_leaves_a_whole_trace(tmp_path: Path) -> None:
    own = tmp_path / "own.synctrace"
    code = f"""
import synctrace
from test_inprocess import Loop
recording = synctrace.record({str(own)!r})
recording.__enter__()
Loop().token(True)
"""
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")
    assert synctrace.open(own).meta["complete"] is True
    assert len(rows(own, "FROM op")) == 4


def test_a_killed_program_leaves_what_was_flushed_and_is_not_called_complete(
    tmp_path: Path,
) -> None:
    own = tmp_path / "own.synctrace"
    code = f"""
import os, signal, time, synctrace
from test_inprocess import Loop
with synctrace.record({str(own)!r}):
    Loop().token(True)
    time.sleep(1.5)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert run(code).returncode == -9
    assert synctrace.open(own).meta["complete"] is False
    assert len(rows(own, "FROM op")) == 4


@pytest.mark.parametrize("end", ["os._exit(0)", "raise SystemExit"])
def test_a_forked_child_has_a_trace_of_its_own(tmp_path: Path, end: str) -> None:
    own = tmp_path / "own.synctrace"
    code = f"""
import os, time, synctrace
from test_inprocess import Loop
loop = Loop()
with synctrace.record({str(own)!r}) as recording:
    loop.token(True)
    child = os.fork()
    if not child:
        loop.token(True)
        {end}
    os.waitpid(child, 0)
    loop.token(True)
print(recording.path, recording.lost)
"""
    done = run(code)
    assert done.stdout == f"{own} ()\n", done.stderr
    assert len(rows(own, "FROM op")) == 8
    (other,) = [path for path in tmp_path.iterdir() if path != own]
    assert len(rows(other, "FROM op")) == 4


@pytest.mark.parametrize("size", [-1, 1 << 62, 1 << 64])
def test_memory_of_no_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="a memory has 0 to"):
        tell.Memory("m", size, MemoryKind.PINNED)


def test_bytes_beyond_a_memory_are_refused(tmp_path: Path) -> None:
    memory = tell.Memory("m", 64, MemoryKind.PINNED)
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        for lo, hi in ((0, 65), (-1, 4), (8, 4)):
            with pytest.raises(ValueError, match="of m, which has 64"):
                memory.write(lo, hi)
        assert memory.write(0, 64) and memory.write(64, 64)
    assert recording.lost == ()


def test_memory_is_found_by_its_address_while_it_lives() -> None:
    from synctrace.tracer.told import memory_at

    kept = tell.Memory("kept", 4096, MemoryKind.PINNED, base=0x7000_0000_0000)
    other = tell.Memory("other", 64, MemoryKind.PINNED, base=0x7000_0000_2000)
    assert memory_at(0x7000_0000_0010, 16) is kept
    assert memory_at(0x7000_0000_0FF8, 16) is None
    assert memory_at(0x7000_0000_2000, 64) is other
    assert memory_at(0x6FFF_FFFF_FFFF, 1) is None
    other.gone()
    assert memory_at(0x7000_0000_2000, 64) is None
    del kept
    gc.collect()
    assert memory_at(0x7000_0000_0010, 16) is None
