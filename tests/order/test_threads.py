"""Threads that give work to one stream: what the order of their calls proves, and what not."""

from pathlib import Path

import pytest
from judge import PROFILE
from small import Small, needless, races

from synctrace.tracer.kinds import ActorKind, Kind, Level, MemoryKind


class Two(Small):
    """Two threads, a stream and a buffer on the device."""

    def __init__(self) -> None:
        super().__init__(Level.API)
        self.other = self.actor(ActorKind.THREAD)
        self.stream = self.actor(ActorKind.STREAM)
        self.buffer = self.device()

    def kernel(self, access: int, **more: int) -> int:
        return self.op(Kind.KERNEL, access, **{"actor": self.stream, **more})

    def tell(self, event: int = 9) -> None:
        """The first thread tells the other what it has done."""
        self.op(Kind.THREAD_SIGNAL, event=event)
        self.op(Kind.THREAD_WAIT, event=event, thread=self.other)

    def found(self, path: Path, host_order: str) -> list[tuple[int, int, str]]:
        return races(self.judge(path, "cuda-doc", host_order=host_order))


def write_then_read(t: Two, *, told: bool, overlap: bool = False) -> tuple[int, int]:
    """A kernel of one thread, then one of the other on the same stream."""
    at = {"ticket_c": 0, "ticket_r": 3} if overlap else {}
    first = t.kernel(t.write(t.buffer), **at)
    if told:
        t.tell()
    at = {"ticket_c": 1, "ticket_r": 2} if overlap else {}
    return first, t.kernel(t.read(t.buffer), thread=t.other, **at)


@pytest.mark.parametrize("host_order", ["observed", "strict"])
def test_work_after_a_signal_is_ordered(host_order: str, tmp_path: Path) -> None:
    t = Two()
    write_then_read(t, told=True)
    assert t.found(tmp_path, host_order) == []


def test_work_by_chance_in_this_order_is_not(tmp_path: Path) -> None:
    t = Two()
    pair = write_then_read(t, told=False)
    assert t.found(tmp_path, "strict") == [(*pair, "certain")]


def test_calls_one_after_the_other_are_trusted_if_observed(tmp_path: Path) -> None:
    t = Two()
    write_then_read(t, told=False)
    assert t.found(tmp_path, "observed") == []


def test_calls_that_overlap_are_ambiguous(tmp_path: Path) -> None:
    t = Two()
    pair = write_then_read(t, told=False, overlap=True)
    assert t.found(tmp_path, "observed") == [(*pair, "host-order-assumed")]


def record_beside_kernel(t: Two, *, overlap: bool) -> tuple[int, int]:
    """Another thread records an event on the stream of a kernel; a second stream waits for it."""
    at = {"ticket_c": 0, "ticket_r": 3} if overlap else {}
    first = t.kernel(t.write(t.buffer), **at)
    at = {"ticket_c": 1, "ticket_r": 2} if overlap else {}
    t.op(Kind.EVENT_RECORD, actor=t.stream, event=1, thread=t.other, **at)
    second = t.actor(ActorKind.STREAM)
    t.op(Kind.EVENT_WAIT, actor=second, event=1, thread=t.other)
    return first, t.kernel(t.read(t.buffer), actor=second, thread=t.other)


def test_record_after_a_kernel_of_another_thread(tmp_path: Path) -> None:
    t = Two()
    record_beside_kernel(t, overlap=False)
    assert t.found(tmp_path, "observed") == []


def test_record_that_overlaps_a_kernel_of_another_thread(tmp_path: Path) -> None:
    t = Two()
    pair = record_beside_kernel(t, overlap=True)
    assert t.found(tmp_path, "observed") == [(*pair, "host-order-assumed")]


def test_one_thread_alone_needs_no_signal(tmp_path: Path) -> None:
    t = Two()
    t.kernel(t.write(t.buffer))
    t.op(Kind.STREAM_SYNC, actor=t.stream, thread=t.other)
    t.kernel(t.read(t.buffer))
    assert t.found(tmp_path, "strict") == []


@pytest.mark.parametrize("told", [True, False])
def test_sync_counts_what_its_thread_knows_of(told: bool, tmp_path: Path) -> None:
    t = Two()
    first = t.kernel(t.write(t.buffer))
    if told:
        t.tell()
    t.op(Kind.STREAM_SYNC, actor=t.stream, thread=t.other)
    read = t.op(Kind.HOST_READ, t.read(t.buffer), thread=t.other)
    assert t.found(tmp_path, "strict") == ([] if told else [(first, read, "certain")])


def test_issue_is_learnt_by_a_sync(tmp_path: Path) -> None:
    """Who has waited for a thread's later work knows of what it gave to another stream before."""
    t = Two()
    marker = t.actor(ActorKind.STREAM)
    t.kernel(t.write(t.buffer))
    t.op(Kind.EVENT_RECORD, actor=marker, event=1)
    t.op(Kind.EVENT_SYNC, event=1, thread=t.other)
    t.kernel(t.read(t.buffer), thread=t.other)
    assert t.found(tmp_path, "strict") == []


def test_issue_later_than_what_was_told(tmp_path: Path) -> None:
    t = Two()
    t.kernel(t.write(t.buffer, 0, 32))
    t.tell()
    late = t.kernel(t.write(t.buffer, 32, 64))
    t.kernel(t.read(t.buffer, 0, 32), thread=t.other)
    read = t.kernel(t.read(t.buffer, 32, 64), thread=t.other)
    assert t.found(tmp_path, "strict") == [(late, read, "certain")]


def test_sync_that_only_chance_makes_useful_is_not_called_needless(tmp_path: Path) -> None:
    t = Two()
    t.kernel(t.write(t.buffer))
    sync = t.op(Kind.STREAM_SYNC, actor=t.stream, thread=t.other)
    t.op(Kind.HOST_READ, t.read(t.buffer), thread=t.other)
    assert sync not in needless(t.judge(tmp_path, "cuda-doc", host_order="strict"))


def test_passes_of_a_trace_whose_threads_keep_to_their_streams(tmp_path: Path) -> None:
    t = Two()
    t.kernel(t.write(t.buffer))
    t.kernel(t.write(t.device()), actor=t.actor(ActorKind.STREAM), thread=t.other)
    assert "cuda-doc/observed" not in t.judge(tmp_path, "cuda-doc").passes


@pytest.mark.parametrize("profile", ["cuda-doc", "hip-doc"])
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("host_order", ["observed", "strict"])
def test_graph_launched_by_threads(
    profile: str, told: bool, host_order: str, tmp_path: Path
) -> None:
    """On streams of their own: CUDA puts the launches in order, but only the threads in which."""
    t = Two()
    first = t.op(Kind.GRAPH_LAUNCH, t.write(t.buffer), actor=t.stream, graph=1)
    if told:
        t.tell()
    own = t.actor(ActorKind.STREAM)
    second = t.op(Kind.GRAPH_LAUNCH, t.read(t.buffer), actor=own, graph=1, thread=t.other)
    ordered = profile == "cuda-doc" and (told or host_order == "observed")
    found = races(t.judge(tmp_path, profile, host_order=host_order))
    assert found == ([] if ordered else [(first, second, "certain")])


@pytest.mark.parametrize(
    ("what", "prior", "racy"),
    [("result", False, True), ("result", True, False), ("source", False, False)],
)
def test_host_reads_of_one_call(what: str, prior: bool, racy: bool, tmp_path: Path) -> None:
    """A copy from pageable memory: the host reads its source at once, and what it has waited for
    when the copy returns, or before the copy if it waits first. Another thread's kernel, behind the
    copy on its stream, is after what is before the copy alone."""
    t = Two()
    result, source = t.memory(MemoryKind.PINNED), t.memory(MemoryKind.PAGEABLE)
    t.op(Kind.MEMCPY_ASYNC_D2H, t.write(result), actor=t.stream)
    copy = t.op(Kind.MEMCPY_H2D, t.read(source, 0, 8 if prior else 2), actor=t.stream)
    kernel = t.kernel(t.write(result if what == "result" else source), thread=t.other)
    order = t.judge(tmp_path, PROFILE)
    assert races(order) == [(copy, kernel, "host-order-assumed")] * racy
