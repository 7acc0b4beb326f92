"""A latent pair names the habit that alone orders it, be it an edge or where an access happens."""

import json
from pathlib import Path

import pytest
from small import Small, races

from synctrace.analyzer.order import Order, run
from synctrace.tracer.kinds import ActorKind, Kind, Level, MemoryKind, StreamFlag
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

STAGED = "memcpy_async_h2d reads at host (impl): CUDA 13.0, driver 580, H200: "


def api() -> tuple[Small, int]:
    """An empty trace of API calls and a non-blocking stream."""
    t = Small(Level.API)
    return t, t.actor(ActorKind.STREAM, StreamFlag.NONBLOCKING)


def refilled(kind: MemoryKind, *, waited: bool = False, size: int = 64) -> Small:
    """The host refills the source of an asynchronous copy, perhaps after a wait."""
    t, s = api()
    h, d = t.memory(kind, size), t.device(size)
    t.op(Kind.MEMCPY_ASYNC_H2D, t.read(h, 0, size), t.write(d, 0, size), actor=s)
    if waited:
        t.op(Kind.STREAM_SYNC, actor=s)
    t.op(Kind.HOST_WRITE, t.write(h, 0, size))
    return t


def told(order: Order) -> list[str | None]:
    return [row["hidden_by"] for row in order.conflicts.to_pylist()]


@pytest.mark.parametrize("size", [64, 2 << 20, 4 << 20])
def test_a_place_is_named_with_its_class_and_source(size: int, tmp_path: Path) -> None:
    order = refilled(MemoryKind.PAGEABLE, size=size).judge(tmp_path, "cuda-13")
    assert races(order) == [(1, 2, "latent")]
    [hidden] = told(order)
    assert hidden is not None
    assert hidden.startswith(STAGED)


def test_what_may_be_is_named_as_that(tmp_path: Path) -> None:
    order = refilled(MemoryKind.PAGEABLE).judge(tmp_path, "cuda-doc")
    assert races(order) == [(1, 2, "latent")]
    assert str(told(order)[0]).startswith("host-waits-actor (may): CUDA 13.0 API synchronization")


def test_a_promise_hides_nothing(tmp_path: Path) -> None:
    assert races(refilled(MemoryKind.PAGEABLE).judge(tmp_path, "hip-doc", "hip-6.3")) == []


@pytest.mark.parametrize("profile", ["cuda-doc", "cuda-13", "hip-6.3"])
def test_pinned_memory_has_no_such_habit(profile: str, tmp_path: Path) -> None:
    order = refilled(MemoryKind.PINNED).judge(tmp_path, profile)
    assert races(order) == [(1, 2, "certain")]
    assert told(order) == [None]


@pytest.mark.parametrize("kind", [MemoryKind.PAGEABLE, MemoryKind.PINNED])
@pytest.mark.parametrize("profile", ["cuda-doc", "cuda-13", "hip-doc", "hip-7"])
def test_a_wait_needs_no_habit(kind: MemoryKind, profile: str, tmp_path: Path) -> None:
    assert races(refilled(kind, waited=True).judge(tmp_path, profile)) == []


def test_memory_is_of_the_kind_it_had_at_the_call(tmp_path: Path) -> None:
    """Pageable at the first copy, registered at the second."""
    t = refilled(MemoryKind.PAGEABLE)
    t.becomes(1, MemoryKind.REGISTERED)
    t.op(Kind.MEMCPY_ASYNC_H2D, 1, 2, actor=2)
    t.op(Kind.HOST_WRITE, 3)
    order = t.judge(tmp_path, "cuda-13")
    assert races(order) == [(1, 2, "latent"), (3, 4, "certain")]


def test_more_than_one_habit(tmp_path: Path) -> None:
    """Each of two frees waits for the kernel: neither is what alone orders the read."""
    t, s = api()
    h, a, b = t.memory(MemoryKind.MAPPED), t.device(), t.memory(MemoryKind.PINNED)
    t.op(Kind.KERNEL, t.write(h), actor=s)
    t.op(Kind.FREE, t.write(a))
    t.op(Kind.FREE_HOST, t.write(b))
    t.op(Kind.HOST_READ, t.read(h))
    order = t.judge(tmp_path, "cuda-13")
    assert races(order) == [(1, 4, "latent")]
    assert told(order) == ["more than one of host-waits-all (impl), host-waits-all (may)"]


OPS: list[dict[str, object]] = [
    {"thread": "T0", "op": "alloc_device", "writes": [["d", 0, 64]]},
    {"thread": "T0", "op": "alloc_pinned", "writes": [["h", 0, 64]]},
    {"thread": "T0", "op": "memcpy_async_d2h", "stream": "S1", "reads": [["d", 0, 64]],
     "writes": [["h", 0, 64]]},
    {"thread": "T0", "op": "stream_sync", "stream": "S1"},
    {"thread": "T0", "op": "host_write", "writes": [["h", 0, 64]]},
]  # fmt: skip


@pytest.mark.parametrize("profile", ["cuda-doc", "hip-6.3"])
def test_a_result_is_read_where_it_is_waited_for(profile: str, tmp_path: Path) -> None:
    """By recorded calls: without the wait, what the host reads would be missing from the trace."""
    t, s = api()
    h, d = t.memory(MemoryKind.PINNED), t.device()
    t.op(Kind.MEMCPY_ASYNC_D2H, t.read(d), t.write(h), actor=s)
    t.op(Kind.STREAM_SYNC, actor=s)
    order = t.judge(tmp_path, profile)
    assert [row["needed"] for row in order.needs.to_pylist()] == [1]


@pytest.mark.parametrize(("ops", "needed"), [(OPS, 1), (OPS[:-1], 0)])
@pytest.mark.parametrize("profile", ["cuda-doc", "hip-6.3"])
def test_a_scenario_states_every_host_read(
    profile: str, ops: list[dict[str, object]], needed: int, tmp_path: Path
) -> None:
    """A result that no op reads again needs no wait."""
    file = tmp_path / "result.jsonl"
    file.write_text(json.dumps({"id": "result", "ops": ops}))
    [path] = import_cases(file, tmp_path / "traces")
    order = run(open_trace(path), [profile])
    assert [row["needed"] for row in order.needs.to_pylist()] == [needed]
