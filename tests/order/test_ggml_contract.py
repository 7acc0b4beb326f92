"""What ggml-backend.h promises, call by call. Most of these traces are right and must be silent."""

from pathlib import Path

from small import Small, needless, races

from synctrace.tracer.kinds import Flag, Kind, Mode, StreamFlag


def upload(t: Small, gpu: int, *, async_: bool) -> tuple[int, int]:
    """A host write, its upload and a graph that reads it; the host storage and the upload."""
    h, d, out = t.host(), t.device(), t.device()
    t.op(Kind.HOST_WRITE, t.write(h))
    kind = Kind.TENSOR_SET_ASYNC if async_ else Kind.TENSOR_SET
    copy = t.op(kind, t.read(h), t.write(d), actor=gpu if async_ else 0)
    t.op(Kind.GRAPH_LAUNCH, t.read(d), t.write(out), actor=gpu)
    return h, copy


def test_blocking_upload_frees_its_source(tmp_path: Path) -> None:
    t = Small()
    h, _ = upload(t, t.backend(), async_=False)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert races(t.judge(tmp_path)) == []


def test_async_upload_holds_its_source_until_a_synchronize(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h, copy = upload(t, gpu, async_=True)
    late = t.op(Kind.HOST_WRITE, t.write(h))
    order = t.judge(tmp_path)
    assert races(order) == [(copy, late, "certain")]
    assert order.conflicts["hazard"].to_pylist() == ["write-after-read"]


def test_synchronize_gives_the_source_back_and_is_needed(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h, _ = upload(t, gpu, async_=True)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(h))
    order = t.judge(tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_event_gives_the_source_back(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h, _ = upload(t, gpu, async_=True)
    t.op(Kind.EVENT_RECORD, actor=gpu, event=1)
    t.op(Kind.EVENT_SYNC, event=1)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert races(t.judge(tmp_path)) == []


def test_event_recorded_too_early_does_not(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    t.op(Kind.EVENT_RECORD, actor=gpu, event=1)
    h, copy = upload(t, gpu, async_=True)
    t.op(Kind.EVENT_SYNC, event=1)
    late = t.op(Kind.HOST_WRITE, t.write(h))
    assert races(t.judge(tmp_path)) == [(copy, late, "certain")]


def test_refused_copy_does_nothing(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    h, d = t.host(), t.device()
    cpu = t.backend(StreamFlag.SYNCHRONOUS)
    t.op(Kind.HOST_WRITE, t.write(h))
    copy = (t.read(h), t.write(d))
    t.op(Kind.TENSOR_COPY_ASYNC, *copy, actor=gpu, peer=cpu, flags=Flag.REFUSED)
    t.op(Kind.TENSOR_COPY, *copy)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert races(t.judge(tmp_path)) == []


def test_synchronous_backend_is_done_at_return(tmp_path: Path) -> None:
    t = Small()
    cpu = t.backend(StreamFlag.SYNCHRONOUS)
    h = t.host()
    t.op(Kind.GRAPH_LAUNCH, t.write(h), actor=cpu)
    t.op(Kind.HOST_READ, t.read(h))
    assert races(t.judge(tmp_path)) == []


def peer_copy(t: Small, one: int, two: int) -> tuple[int, int]:
    """A graph on `two` that reads a slot, then a copy from `one` into it."""
    source, slot = t.device(), t.device()
    reader = t.op(Kind.GRAPH_LAUNCH, t.read(slot), actor=two)
    t.op(Kind.GRAPH_LAUNCH, t.write(source), actor=one)
    copy = t.op(Kind.TENSOR_COPY_ASYNC, t.read(source), t.write(slot), actor=two, peer=one)
    t.op(Kind.GRAPH_LAUNCH, t.read(slot), actor=two)
    return reader, copy


def test_copy_into_a_slot_still_read_is_latent(tmp_path: Path) -> None:
    """The header does not make the copy wait for the destination's earlier reads; a habit does."""
    t = Small()
    reader, copy = peer_copy(t, t.backend(), t.backend())
    order = t.judge(tmp_path)
    assert races(order) == [(reader, copy, "latent")]
    assert "after-actor" in order.conflicts["hidden_by"][0].as_py()


def copy_then_rewrite(t: Small, one: int, two: int, *, event: bool = False) -> tuple[int, int]:
    """A copy from `one` to `two`, then a graph on `one` that rewrites the source."""
    source, slot = t.device(), t.device()
    t.op(Kind.GRAPH_LAUNCH, t.write(source), actor=one)
    copy = t.op(Kind.TENSOR_COPY_ASYNC, t.read(source), t.write(slot), actor=two, peer=one)
    t.op(Kind.GRAPH_LAUNCH, t.read(slot), actor=two)
    if event:
        t.op(Kind.EVENT_RECORD, actor=two, event=1)
        t.op(Kind.EVENT_WAIT, actor=one, event=1)
    return copy, t.op(Kind.GRAPH_LAUNCH, t.write(source), actor=one)


def test_source_rewritten_under_a_copy_is_latent(tmp_path: Path) -> None:
    """The header does not make the source wait for the copy that reads it; a habit does."""
    t = Small()
    copy, rewrite = copy_then_rewrite(t, t.backend(), t.backend())
    order = t.judge(tmp_path)
    assert races(order) == [(copy, rewrite, "latent")]
    hidden = order.conflicts["hidden_by"][0].as_py()
    assert hidden.startswith(
        "peer-waits (impl): ggml-cuda.cu: the copy runs on the source's stream"
    )


def test_source_rewritten_after_an_event_of_the_copy(tmp_path: Path) -> None:
    t = Small()
    copy_then_rewrite(t, t.backend(), t.backend(), event=True)
    order = t.judge(tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_source_of_a_copy_that_is_only_read(tmp_path: Path) -> None:
    t = Small()
    one, source, slot = t.backend(), t.device(), t.device()
    t.op(Kind.TENSOR_COPY_ASYNC, t.read(source), t.write(slot), actor=t.backend(), peer=one)
    t.op(Kind.GRAPH_LAUNCH, t.read(source), actor=one)
    assert races(t.judge(tmp_path)) == []


def test_copy_after_the_host_waited_for_the_slot_is_certain(tmp_path: Path) -> None:
    t = Small()
    one, two = t.backend(), t.backend()
    slot = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.read(slot), actor=two)
    t.op(Kind.STREAM_SYNC, actor=two)
    t.op(Kind.TENSOR_COPY_ASYNC, t.write(slot), actor=two, peer=one)
    order = t.judge(tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_waiting_for_ones_own_event_is_needless(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    slot = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.write(slot), actor=gpu)
    t.op(Kind.EVENT_RECORD, actor=gpu, event=1)
    wait = t.op(Kind.EVENT_WAIT, actor=gpu, event=1)
    t.op(Kind.GRAPH_LAUNCH, t.write(slot), actor=gpu)
    order = t.judge(tmp_path)
    assert needless(order) == {wait}
    assert order.needs["implied"].to_pylist() == [1]


def download(t: Small, gpu: int) -> int:
    """A graph and the download of its result."""
    d, h = t.device(), t.host()
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=gpu)
    t.op(Kind.TENSOR_GET_ASYNC, t.read(d), t.write(h), actor=gpu)
    return h


def test_result_is_read_when_the_host_has_waited(tmp_path: Path) -> None:
    """No trace holds the host's read of the logits: the synchronize before it is needed still."""
    t = Small()
    gpu = t.backend()
    download(t, gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(t.host()))  # so that the sync is not the program's last
    order = t.judge(tmp_path)
    assert races(order) == []
    assert needless(order) == set()
    assert order.needs["needed"].to_pylist() == [1]


def test_second_sync_of_a_result_is_needless(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    download(t, gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    again = t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.HOST_WRITE, t.write(t.host()))
    assert needless(t.judge(tmp_path)) == {again}


def test_skipped_sync_lets_the_read_race(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    download(t, gpu)
    skipped = t.op(Kind.STREAM_SYNC, actor=gpu, flags=Flag.SKIPPED)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    assert races(t.judge(tmp_path)) == [(2, skipped, "certain")]


def test_next_result_goes_where_the_last_was_read(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    d, h = t.device(), t.host()
    for _ in range(3):
        t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=gpu)
        t.op(Kind.TENSOR_GET_ASYNC, t.read(d), t.write(h), actor=gpu)
        t.op(Kind.STREAM_SYNC, actor=gpu)
    order = t.judge(tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_programs_last_sync_is_not_judged(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    t.op(Kind.GRAPH_LAUNCH, t.access(t.device(), Mode.READ_WRITE), actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    assert needless(t.judge(tmp_path)) == set()


def test_waits_of_a_rings_first_lap_are_not_judged(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    for slot in range(2):
        t.op(Kind.EVENT_SYNC, event=slot + 1)
        t.op(Kind.GRAPH_LAUNCH, t.write(t.device()), actor=gpu)
        t.op(Kind.EVENT_RECORD, actor=gpu, event=slot + 1)
    order = t.judge(tmp_path)
    assert needless(order) == set()
    assert order.needs["unrecorded"].to_pylist() == [1, 1]


def test_freed_while_read_and_used_no_more(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    d = t.device()
    launch = t.op(Kind.GRAPH_LAUNCH, t.read(d, 8, 16), actor=gpu)
    free = t.op(Kind.FREE, t.write(d))
    assert races(t.judge(tmp_path)) == [(launch, free, "certain")]


def test_freed_after_a_synchronize(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    d = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.read(d, 8, 16), t.write(d, 32, 40), actor=gpu)
    t.op(Kind.STREAM_SYNC, actor=gpu)
    t.op(Kind.FREE, t.write(d))
    order = t.judge(tmp_path)
    assert races(order) == []
    assert needless(order) == set()


def test_blocked_time_is_summed(tmp_path: Path) -> None:
    t = Small()
    gpu = t.backend()
    for _ in range(3):
        t.op(Kind.GRAPH_LAUNCH, t.write(t.device()), actor=gpu)
        t.op(Kind.STREAM_SYNC, actor=gpu, site=99)
    row = t.judge(tmp_path).needs.to_pylist()[0]
    assert (row["instances"], row["blocked_ns"]) == (3, 1500)
    assert (row["first_op"], row["last_op"]) == (2, 6)
