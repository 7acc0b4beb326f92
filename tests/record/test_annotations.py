"""What only the program knows, told from Python and from C."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from machines import NATIVE

import synctrace
from synctrace.tracer import tell
from synctrace.tracer.annotations import bytes_of
from synctrace.tracer.kinds import Kind, MemoryKind

from .test_inprocess import rows, rules

SYNCTRACE = [sys.executable, "-m", "synctrace"]


class Staging:
    """A host buffer by its address, which a stream copies from."""

    def __init__(self, size: int = 4096) -> None:
        self.buffer = bytearray(size)
        self.lane, self.copied = tell.Timeline("GPU0", 0), tell.Signal("copied", 0)
        where = bytes_of(self.buffer)
        self.source = tell.Memory("staging", size, MemoryKind.PINNED, base=where[0])
        self.target = tell.Memory("d", size, MemoryKind.DEVICE, device=0)

    def copy(self) -> None:
        with tell.call(
            Kind.MEMCPY_ASYNC_H2D, self.lane, accesses=(self.source.read(), self.target.write())
        ):
            pass

    def wait(self) -> None:
        with tell.call(Kind.STREAM_SYNC, self.lane):
            pass


@pytest.mark.parametrize("wait", [True, False])
def test_a_host_write_meets_the_copy_of_the_same_bytes(tmp_path: Path, wait: bool) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        staging = Staging()
        for _ in range(2):
            synctrace.host_write(staging.buffer, 0, 64, "tokens")
            staging.copy()
            if wait:
                staging.wait()
    assert rules(recording.path) == ([] if wait else ["RACE04"])
    buffers = rows(recording.path, "SELECT name FROM buffer ORDER BY name")
    assert [row["name"] for row in buffers] == ["d", "staging", "tokens"]


def test_host_reads_of_other_bytes_are_silent(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        staging = Staging()
        view = memoryview(staging.buffer)
        synctrace.host_write(view[:2048])
        staging.copy()
        synctrace.host_read(view[:2048])
        staging.wait()
    assert rules(recording.path) == []


def test_memory_that_nobody_told_is_host_memory(tmp_path: Path) -> None:
    other = bytearray(16)
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        synctrace.host_write(other, name="other")
        synctrace.host_read(other, name="other")
    assert rules(recording.path) == []
    assert rows(recording.path, "SELECT name FROM storage") == [{"name": "host memory"}]


@pytest.mark.parametrize("handed_over", [True, False])
def test_a_token_orders_two_threads(tmp_path: Path, handed_over: bool) -> None:
    shared, queue = bytearray(64), threading.Event()

    def write() -> None:
        synctrace.host_write(shared)
        if handed_over:
            synctrace.release(queue)
        queue.set()

    def read() -> None:
        queue.wait()
        if handed_over:
            synctrace.acquire(queue)
        synctrace.host_read(shared)

    with synctrace.record(tmp_path / "run.synctrace") as recording:
        threads = [threading.Thread(target=write), threading.Thread(target=read)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    # The catalogue's host order is strict: that one thread was later is no order.
    assert rules(recording.path) == ([] if handed_over else ["RACE01"])


def test_tokens_of_any_kind(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        for token in ("a", 1, ("a", 1), [], object()):
            synctrace.release(token)
            synctrace.acquire(token)
    pairs = rows(recording.path, "SELECT event, count(*) AS n FROM op GROUP BY event")
    assert [row["n"] for row in pairs] == [2] * 5


def test_a_token_that_cannot_be_looked_at_hurts_nobody(tmp_path: Path) -> None:
    class Token:
        def __hash__(self) -> int:
            raise ValueError("no hash")

        __repr__ = __str__ = __hash__  # type: ignore[assignment]

    tokens = [Token(), [Token()], {1: Token()}]
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        for token in tokens:
            synctrace.release(token)
            synctrace.acquire(token)
    found = rows(recording.path, "SELECT count(DISTINCT event) AS n FROM op")
    assert found == [{"n": len(tokens)}]


def test_marks_and_ranges_have_names(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording, synctrace.range("prefill"):
        synctrace.mark("begin")
        with synctrace.range("layer"):
            Staging().copy()
    scopes = rows(recording.path, "SELECT kind, name FROM scope ORDER BY id")
    assert [(row["kind"], row["name"]) for row in scopes] == [
        ("range", "prefill"),
        ("mark", "begin"),
        ("range", "layer"),
    ]


def test_they_do_nothing_where_nothing_records() -> None:
    synctrace.host_write("not even bytes")
    synctrace.host_read(None)
    synctrace.release([])
    synctrace.acquire([])
    synctrace.mark("nothing")
    with synctrace.range("nothing"):
        pass


def test_what_has_no_bytes_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        with pytest.raises(TypeError, match="str has no bytes to watch"):
            synctrace.host_write("text")
        with pytest.raises(ValueError, match=r"bytes \[0, 17\) of 16"):
            synctrace.host_read(bytearray(16), 0, 17)
    assert rows(recording.path, "FROM op") == []


PROGRAM = r"""
#include <synctrace.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static char shared[64];
static sem_t full;

static void *reader(void *ordered) {
    sem_wait(&full);
    if (ordered)
        synctrace_acquire(&full);
    synctrace_host_read(shared, sizeof shared, "shared");
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread;
    sem_init(&full, 0, 0);
    synctrace_range_push("work");
    synctrace_mark("begin");
    pthread_create(&thread, NULL, reader, argc > 1 ? argv[1] : NULL);
    synctrace_host_write(shared, sizeof shared, "shared");
    if (argc > 1)
        synctrace_release(&full);
    sem_post(&full);
    pthread_join(thread, NULL);
    synctrace_range_pop();
    puts("done");
    return 3;
}
"""


@pytest.fixture(scope="module", params=["c", "c++"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, compiled as either language against the installed header, and nothing linked."""
    folder = tmp_path_factory.mktemp("annotated")
    source, built = folder / "program.c", folder / "program"
    source.write_text(PROGRAM)
    command = [NATIVE.cc, "-x", request.param, "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
    include = ["-I", synctrace.get_include()]
    subprocess.run([*command, *include, source, "-o", built], check=True)
    return built


def test_c_programs_run_without_a_recorder(program: Path) -> None:
    done = subprocess.run([program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (3, "done\n", "")


@pytest.mark.parametrize("ordered", [[], ["ordered"]])
def test_c_programs_are_recorded(program: Path, tmp_path: Path, ordered: list[str]) -> None:
    trace = tmp_path / "run.synctrace"
    command = [*SYNCTRACE, "record", "-o", trace, "--", program, *ordered]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "done\n"), done.stderr
    calls = [row["call"] for row in rows(trace, "SELECT call FROM op ORDER BY id")]
    between = ["synctrace_release", "synctrace_acquire"] if ordered else []
    assert calls == [
        "synctrace_mark",
        "synctrace_host_write",
        *between,
        "synctrace_host_read",
    ]
    assert rules(trace) == ([] if ordered else ["RACE01"])
    spans = rows(trace, "SELECT kind, name FROM scope ORDER BY id")
    assert [(row["kind"], row["name"]) for row in spans] == [("range", "work"), ("mark", "begin")]
    places = rows(trace, "SELECT DISTINCT function, line FROM frame WHERE depth = 0")
    lines = PROGRAM.splitlines()
    told = {(row["function"], lines[row["line"] - 1].strip()) for row in places}
    assert {function.partition("(")[0] for function, _ in told} == {"main", "reader"}
    assert all(line.startswith("synctrace_") for _, line in told)


def test_threads_of_one_name_are_told_apart(program: Path, tmp_path: Path) -> None:
    trace = tmp_path / "run.synctrace"
    subprocess.run([*SYNCTRACE, "record", "-q", "-o", trace, "--", program], capture_output=True)
    [race] = synctrace.check(trace).findings
    assert [touch.timeline for touch in race.touches] == ["HOST program #1", "HOST program #2"]
    said = subprocess.run([*SYNCTRACE, "check", trace], capture_output=True, text=True).stdout
    assert "HOST program #2 knows nothing of HOST program #1, needs op" in said
    assert "help    order the two threads" in said
    assert "tell it: release there, acquire here" in said


def test_streams_of_one_name_are_told_apart(tmp_path: Path) -> None:
    buffer = tell.Memory("d", 64, MemoryKind.DEVICE, device=0)
    with synctrace.record(tmp_path / "run.synctrace") as recording:
        for lane in (tell.Timeline("copies", 0), tell.Timeline("copies", 0)):
            with tell.call(Kind.MEMSET_ASYNC, lane, accesses=(buffer.write(),)):
                pass
    assert recording.path
    [race] = synctrace.check(recording.path).findings
    first, second = (touch.timeline for touch in race.touches)
    assert first != second and first.startswith("copies #") and second.startswith("copies #")
    assert race.edge and (race.edge.of, race.edge.knower) == (first, second)


@pytest.mark.parametrize("an_item", [True, False])
def test_an_acquire_takes_in_every_release_so_far(tmp_path: Path, an_item: bool) -> None:
    """Why the token is the item: by the queue, the write of a later one is before the copy."""
    queue, items = object(), [object(), object()]

    def fill(staging: Staging) -> None:
        for item in items:
            synctrace.host_write(staging.buffer)
            synctrace.release(item if an_item else queue)

    with synctrace.record(tmp_path / "run.synctrace") as recording:
        staging = Staging()
        thread = threading.Thread(target=fill, args=[staging])
        thread.start()
        thread.join()
        synctrace.acquire(items[0] if an_item else queue)
        staging.copy()
        staging.wait()
    assert rules(recording.path) == (["RACE04"] if an_item else [])
