"""Edges one by one, each where it orders (silent) and where it does not (loud)."""

from pathlib import Path

import pytest
from models import profile, statement
from small import Small, needless, races

from synctrace.tracer.kinds import Flag, Kind, Level, StreamFlag

COPY, STAGED, PEER = Kind.MEMCPY_ASYNC_PEER, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_PEER
BLOCKING, LEGACY = StreamFlag.BLOCKING, StreamFlag.LEGACY
ON_STREAM = {"reads": "stream", "writes": "stream"}


def api() -> Small:
    return Small(Level.API)


def judged(t: Small, path: Path, *statements: str, host_order: str = "observed") -> list[object]:
    return list(races(t.judge(path, profile(path, *statements), host_order=host_order)))


# peer-waits

PEER_WAITS = statement("memcpy_async_peer", "launch peer-waits", **ON_STREAM)


@pytest.mark.parametrize("waits", [True, False])
def test_peer_rewrites_what_a_copy_reads(waits: bool, tmp_path: Path) -> None:
    t = api()
    peer, other, d = t.stream(), t.stream(), t.device()
    copy = t.op(COPY, t.read(d), actor=t.stream(), peer=peer)
    late = t.op(Kind.KERNEL, t.write(d), actor=peer if waits else other)
    assert judged(t, tmp_path, PEER_WAITS) == ([] if waits else [(copy, late, "certain")])


def test_peer_itself_is_the_stream_of_the_copy(tmp_path: Path) -> None:
    t = api()
    s, d = t.stream(), t.device()
    t.op(COPY, t.read(d), actor=s, peer=s)
    t.op(Kind.KERNEL, t.write(d), actor=s)
    assert judged(t, tmp_path, PEER_WAITS) == []


# host-waits-prior

PRIOR = statement(
    "memcpy_async_h2d", "launch legacy host-waits-prior", reads="host", writes="stream"
)


def staged(t: Small, stream: int, before: int) -> tuple[int, int, int, int]:
    """A kernel on `before`, a staged copy on `stream`; their ops and targets."""
    z, d = t.device(), t.device()
    kernel = t.op(Kind.KERNEL, t.write(z), actor=before)
    copy = t.op(STAGED, t.read(t.host()), t.write(d), actor=stream)
    return kernel, copy, z, d


def test_work_before_a_call_that_waits_for_it(tmp_path: Path) -> None:
    t = api()
    s = t.stream()
    _, _, z, _ = staged(t, s, s)
    t.op(Kind.HOST_READ, t.read(z))
    t.op(Kind.KERNEL, t.write(z), actor=t.stream())
    assert judged(t, tmp_path, PRIOR) == []


def test_the_call_does_not_wait_for_its_own_work(tmp_path: Path) -> None:
    t = api()
    s = t.stream()
    _, copy, _, d = staged(t, s, s)
    late = t.op(Kind.HOST_READ, t.read(d))
    assert judged(t, tmp_path, PRIOR) == [(copy, late, "certain")]


def test_the_call_does_not_wait_for_another_stream(tmp_path: Path) -> None:
    t = api()
    kernel, _, z, _ = staged(t, t.stream(), t.stream())
    late = t.op(Kind.HOST_READ, t.read(z))
    assert judged(t, tmp_path, PRIOR) == [(kernel, late, "certain")]


def test_the_source_is_read_after_the_wait(tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    t.op(Kind.KERNEL, t.write(h), actor=s)
    t.op(STAGED, t.read(h), t.write(t.device()), actor=s)
    t.op(Kind.HOST_WRITE, t.write(h))
    assert judged(t, tmp_path, PRIOR) == []


# A source read on the host for work that the call waits for

SYNCHRONOUS = statement(
    "memcpy_async_h2d", "launch host-waits-actor", reads="host", writes="stream"
)
BEHIND = statement("memcpy_h2h", "host-waits-prior", writes="host")


@pytest.mark.parametrize("waits", [True, False])
def test_who_knows_the_work_knows_that_its_source_is_read(waits: bool, tmp_path: Path) -> None:
    """Even if the call that waits for the work has not returned."""
    t = api()
    s, h, other = t.stream(), t.host(), t.other_thread()
    copy = t.op(STAGED, t.read(h), t.write(t.device()), actor=s, ticket_c=0, ticket_r=2)
    actor = s if waits else t.stream()
    times = {"ticket_c": 1, "ticket_r": 3}
    late = t.op(Kind.MEMCPY_H2H, t.write(h), actor=actor, thread=other, **times)
    verdict = "host-order-assumed" if waits else "certain"  # calls on one stream that overlap
    assert judged(t, tmp_path, SYNCHRONOUS, BEHIND) == [(copy, late, verdict)]


@pytest.mark.parametrize("same", [True, False])
def test_the_source_is_read_behind_what_the_stream_had(same: bool, tmp_path: Path) -> None:
    t = api()
    s, h = t.stream(), t.host()
    kernel = t.op(Kind.KERNEL, t.write(h), actor=s if same else t.stream())
    copy = t.op(STAGED, t.read(h), t.write(t.device()), actor=s)
    t.op(Kind.HOST_WRITE, t.write(t.host()))
    assert judged(t, tmp_path, SYNCHRONOUS) == ([] if same else [(kernel, copy, "certain")])


# Pools


POOL = [statement(kind, "launch", writes="stream") for kind in ("alloc_async", "free_async")]


@pytest.mark.parametrize("lives", ["distinct", "shared"])
def test_a_pool_gives_a_block_a_new_life(lives: str, tmp_path: Path) -> None:
    """In a new life only: the second allocation without a free between is a race."""
    t = api()
    d, streams = t.device(), [t.stream() for _ in range(3)]
    t.op(Kind.ALLOC_ASYNC, t.write(d), actor=streams[0])
    free = t.op(Kind.FREE_ASYNC, t.write(d), actor=streams[0])
    again = t.op(Kind.ALLOC_ASYNC, t.write(d), actor=streams[1])
    twice = t.op(Kind.ALLOC_ASYNC, t.write(d), actor=streams[2])
    path = Path(profile(tmp_path, *POOL))
    path.write_text(f'lives = "{lives}"\n' + path.read_text())
    found = {pair[:2] for pair in races(t.judge(tmp_path, str(path)))}
    assert found == {(again, twice)} | (
        {(free, again), (free, twice)} if lives == "shared" else set()
    )


@pytest.mark.parametrize(
    ("flags", "device", "waited"),
    [
        (BLOCKING, 0, True),
        (StreamFlag.PER_THREAD, 0, True),
        (StreamFlag.NONBLOCKING, 0, False),
        (BLOCKING, 1, False),
    ],
)
@pytest.mark.parametrize("edge", ["host-waits-prior", "host-waits-actor"])
def test_wait_for_the_legacy_stream(
    edge: str, flags: StreamFlag, device: int, waited: bool, tmp_path: Path
) -> None:
    """It is one for the blocking streams of its device too, by a call that is no work itself."""
    t = api()
    legacy, other, z = t.stream(LEGACY), t.stream(flags, device), t.device()
    kernel = t.op(Kind.KERNEL, t.write(z), actor=other)
    t.op(Kind.STREAM_QUERY, actor=legacy)
    late = t.op(Kind.HOST_READ, t.read(z))
    expected = [] if waited else [(kernel, late, "certain")]
    assert judged(t, tmp_path, statement("stream_query", f"{edge} legacy")) == expected


def test_wait_for_a_blocking_stream_is_none_for_the_legacy_one(tmp_path: Path) -> None:
    t = api()
    legacy, s, z = t.stream(LEGACY), t.stream(BLOCKING), t.device()
    kernel = t.op(Kind.KERNEL, t.write(z), actor=legacy)
    t.op(Kind.STREAM_SYNC, actor=s)
    late = t.op(Kind.HOST_READ, t.read(z))
    wait = statement("stream_sync", "host-waits-actor legacy")
    assert judged(t, tmp_path, wait) == [(kernel, late, "certain")]


def test_wait_for_the_legacy_stream_is_needed_for_another(tmp_path: Path) -> None:
    t = api()
    legacy, s, z = t.stream(LEGACY), t.stream(BLOCKING), t.device()
    t.op(Kind.KERNEL, t.write(z), actor=s)
    t.op(Kind.STREAM_SYNC, actor=legacy)
    again = t.op(Kind.STREAM_SYNC, actor=legacy, site=9)
    t.op(Kind.HOST_READ, t.read(z))
    wait = profile(tmp_path, statement("stream_sync", "host-waits-actor legacy"))
    found = t.judge(tmp_path, wait).needs.to_pylist()
    assert {row["first_op"]: row["implied"] for row in found} == {2: 0, again: 1}


def test_another_thread_during_the_wait(tmp_path: Path) -> None:
    """The waiting call knows the kernel's end; a call that was entered meanwhile does not."""
    t = api()
    s, z, other = t.stream(), t.device(), t.other_thread()
    kernel = t.op(Kind.KERNEL, t.write(z), actor=s)
    t.op(STAGED, t.read(t.host()), t.write(t.device()), actor=s, ticket_c=2, ticket_r=5)
    early = t.op(Kind.HOST_READ, t.read(z), thread=other, ticket_c=3, ticket_r=4)
    t.op(Kind.HOST_READ, t.read(z, 0, 32), thread=other, ticket_c=6, ticket_r=7)
    assert (kernel, early, "certain") in judged(t, tmp_path, PRIOR)
    assert len(judged(t, tmp_path, PRIOR)) == 2, "the later read is ordered but by thread timing"


# after-devices, devices-wait

BARRIER = statement("memcpy_peer", "launch after-devices devices-wait", **ON_STREAM)


@pytest.mark.parametrize(("device", "ordered"), [(0, True), (1, True), (2, True), (3, False)])
@pytest.mark.parametrize("before", [True, False])
def test_copy_that_is_a_barrier_of_devices(
    before: bool, device: int, ordered: bool, tmp_path: Path
) -> None:
    """Actor on 0, peer on 1, current device 2."""
    t = api()
    d, s, peer = t.device(), t.stream(LEGACY), t.stream(LEGACY, 1)
    other = t.stream(device=device)
    work: list[int] = []
    for copies in (False, True) if before else (True, False):
        if copies:
            work.append(t.op(PEER, t.write(d), actor=s, peer=peer, device=2))
        else:
            work.append(t.op(Kind.KERNEL, t.read(d), actor=other))
    assert judged(t, tmp_path, BARRIER) == ([] if ordered else [(*work, "certain")])


def test_barrier_of_devices_is_none_of_the_host(tmp_path: Path) -> None:
    t = api()
    d, s = t.device(), t.stream(LEGACY)
    copy = t.op(PEER, t.write(d), actor=s, peer=s)
    read = t.op(Kind.HOST_READ, t.read(d))
    assert judged(t, tmp_path, BARRIER) == [(copy, read, "certain")]


# legacy-of-peer

REDIRECTED = statement("memcpy_async_peer", "launch legacy-of-peer", **ON_STREAM)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize(
    ("flags", "device", "ordered"),
    [(BLOCKING, 1, True), (BLOCKING, 0, False), (StreamFlag.NONBLOCKING, 1, False)],
)
def test_copy_redirected_to_the_peers_default_stream(
    flags: StreamFlag, device: int, ordered: bool, before: bool, named: bool, tmp_path: Path
) -> None:
    """Whether the trace names that stream or not."""
    t = api()
    d, s, peer, other = t.device(), t.stream(), t.stream(device=1), t.stream(flags, device)
    if named:
        t.stream(LEGACY, 1)
    work: list[int] = []
    for copies in (False, True) if before else (True, False):
        if copies:
            work.append(t.op(COPY, t.write(d), actor=s, peer=peer))
        else:
            work.append(t.op(Kind.KERNEL, t.read(d), actor=other))
    assert judged(t, tmp_path, REDIRECTED) == ([] if ordered else [(*work, "certain")])


def test_wait_for_a_stream_that_a_redirected_copy_comes_after(tmp_path: Path) -> None:
    """The blocking stream has not taken the copy in: it has no later work."""
    t = api()
    d, blocking = t.device(), t.stream(BLOCKING, 1)
    copy = t.op(COPY, t.write(d), actor=t.stream(), peer=t.stream(device=1))
    t.op(Kind.STREAM_SYNC, actor=blocking)
    read = t.op(Kind.HOST_READ, t.read(d))
    assert judged(t, tmp_path, REDIRECTED) == [(copy, read, "certain")]


# records-start

START = statement("event_record", "launch records-start", with_=["programmatic"])


@pytest.mark.parametrize(
    ("reads", "between", "ordered"),
    [
        ("first", False, True),
        ("first", True, True),
        ("second", False, False),
        ("second", True, False),
    ],
)
def test_event_of_a_kernels_start(reads: str, between: bool, ordered: bool, tmp_path: Path) -> None:
    t = api()
    s, other, d = t.stream(), t.stream(), {"first": t.device(), "second": t.device()}
    t.op(Kind.KERNEL, t.write(d["first"]), actor=s)
    kernel = t.op(Kind.KERNEL, t.write(d["second"]), actor=s)
    if between:  # other work since makes it no event of the kernel's end
        t.op(Kind.MEMSET_ASYNC, t.write(t.device()), actor=s)
    t.op(Kind.EVENT_RECORD, actor=s, event=1, flags=Flag.PROGRAMMATIC)
    t.op(Kind.EVENT_WAIT, actor=other, event=1)
    late = t.op(Kind.KERNEL, t.read(d[reads]), actor=other)
    assert judged(t, tmp_path, START) == ([] if ordered else [(kernel, late, "certain")])


def test_event_of_a_dependent_kernels_start(tmp_path: Path) -> None:
    """The kernel before may be running still."""
    t = api()
    s, other, d = t.stream(), t.stream(), t.device()
    kernel = t.op(Kind.KERNEL, t.write(d), actor=s)
    t.op(Kind.KERNEL, actor=s, flags=Flag.PDL)
    t.op(Kind.EVENT_RECORD, actor=s, event=1, flags=Flag.PROGRAMMATIC)
    t.op(Kind.EVENT_WAIT, actor=other, event=1)
    late = t.op(Kind.KERNEL, t.read(d), actor=other)
    assert judged(t, tmp_path, START) == [(kernel, late, "certain")]


# signals of device work, releases

CALLBACK = statement("host_func", "launch signals", **ON_STREAM)


@pytest.mark.parametrize("late", [False, True])
def test_callback_signals_what_its_stream_did(late: bool, tmp_path: Path) -> None:
    t = api()
    s, d, other = t.stream(), t.device(), t.other_thread()
    write = t.write(d)
    ops = [(Kind.HOST_FUNC, {"event": 1}), (Kind.KERNEL, {"accesses": [write]})]
    made = [t.op(kind, actor=s, **more) for kind, more in (ops if late else ops[::-1])]
    t.op(Kind.THREAD_WAIT, event=1, thread=other)
    read = t.op(Kind.HOST_READ, t.read(d), thread=other)
    expected = [(made[1], read, "certain")] if late else []
    assert judged(t, tmp_path, CALLBACK, host_order="strict") == expected


def test_callback_signals_its_own_accesses(tmp_path: Path) -> None:
    t = api()
    s, h, other = t.stream(), t.host(), t.other_thread()
    t.op(Kind.HOST_FUNC, t.write(h), actor=s, event=1)
    t.op(Kind.THREAD_WAIT, event=1, thread=other)
    t.op(Kind.HOST_READ, t.read(h), thread=other)
    assert judged(t, tmp_path, CALLBACK, host_order="strict") == []


@pytest.mark.parametrize("edge", ["releases", "signals"])
def test_releases_of_two_threads_add_up(edge: str, tmp_path: Path) -> None:
    """A signal replaces what the event stood for, a release adds to it."""
    t = api()
    h, second, reader = t.host(), t.other_thread(), t.other_thread()
    first = t.op(Kind.HOST_WRITE, t.write(h, 0, 32))
    t.op(Kind.RELEASE, event=1)
    t.op(Kind.HOST_WRITE, t.write(h, 32, 64), thread=second)
    t.op(Kind.RELEASE, event=1, thread=second)
    t.op(Kind.THREAD_WAIT, event=1, thread=reader)
    read = t.op(Kind.HOST_READ, t.read(h), thread=reader)
    expected = [] if edge == "releases" else [(first, read, "certain")]
    assert judged(t, tmp_path, statement("release", edge), host_order="strict") == expected


def test_edges_that_are_no_sync_are_not_judged(tmp_path: Path) -> None:
    t = api()
    s = t.stream()
    staged(t, s, s)
    t.op(COPY, actor=s, peer=t.stream())
    t.op(PEER, actor=s, peer=s)
    t.op(Kind.HOST_FUNC, actor=s, event=1)
    order = t.judge(tmp_path, profile(tmp_path, PRIOR, PEER_WAITS, BARRIER, CALLBACK))
    assert (order.needs.num_rows, needless(order)) == (0, set())
