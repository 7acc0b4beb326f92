"""What each word orders under `catalogue`: a race without it, none with it."""

import json
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.order import run
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

H, P, D, E = ([[name, 0, 64]] for name in ("h", "p", "d", "e"))
OTHER = [["f", 0, 64]]
FIELDS = ("thread", "stream", "reads", "writes", "event")


def op(name: str, **more: Any) -> dict[str, Any]:
    attrs = {key: more.pop(key) for key in list(more) if key not in FIELDS}
    return {"thread": "T0", "op": name, **more, "attrs": attrs}


def races(
    path: Path, *ops: dict[str, Any], profile: str = "catalogue"
) -> list[tuple[int, int, str]]:
    """First op, second op and verdict of each racy pair."""
    file = path / "case.jsonl"
    file.write_text(json.dumps({"id": "case", "ops": ops}))
    [folder] = import_cases(file, path / "t", "case", overwrite=True)
    rows = run(open_trace(folder), [profile]).conflicts.to_pylist()
    return sorted((row["first_op"], row["second_op"], row["verdict"]) for row in rows)


def kernel(stream: str, **ranges: Any) -> dict[str, Any]:
    return op("kernel", stream=stream, **ranges)


ALLOC = [op("alloc_pinned", writes=H), op("alloc_pageable", writes=P), op("alloc_device", writes=D)]
FILL = kernel("S1", writes=D)
RECORD = op("event_record", stream="S1", event="x")
USE = kernel("S2", reads=D)
LOOK = op("host_read", reads=H)
FETCH = op("memcpy_async_d2h", stream="S1", reads=D, writes=H)


# What comes first, what orders, what comes last. Without the middle the outer two race.
ORDERED: dict[str, tuple[list[Any], list[Any], list[Any]]] = {
    "event_query": ([FETCH], [RECORD, op("event_query", event="x")], [LOOK]),
    "stream_query": ([FETCH], [op("stream_query", stream="S1")], [LOOK]),
    "device_sync of the device": ([FETCH], [op("device_sync", device=0)], [LOOK]),
    "memset of pinned memory": (
        [op("memset", stream="S1", writes=H)],
        [op("alloc_pinned", writes=E), op("memset", stream="S1", writes=E)],
        [LOOK],
    ),
    "sync_memops": (
        [FETCH],
        [op("memcpy_d2d", stream="S1", reads=D, writes=E, sync_memops=True)],
        [LOOK],
    ),
    "memcpy_d2h": ([FETCH], [op("memcpy_d2h", stream="S1", reads=D, writes=P)], [LOOK]),
    "memcpy_h2h": ([FETCH], [op("memcpy_h2h", stream="S1", reads=P, writes=E)], [LOOK]),
    "legacy stream of device 1": (
        [op("stream_create", stream="B", flags="blocking", device=1), kernel("B", writes=D)],
        [op("event_record", stream="LEGACY1", event="l"),
         op("event_wait", stream="S2", event="l")],
        [USE],
    ),
    "per-thread stream": (
        [op("stream_create", stream="B", flags="per_thread"), kernel("B", writes=D)],
        [op("event_record", stream="LEGACY", event="l"),
         op("event_wait", stream="S2", event="l")],
        [USE],
    ),
    "memcpy_peer": (
        [kernel("S1", writes=D)],
        [op("memcpy_peer", reads=E, writes=OTHER)],
        [kernel("S2", reads=D)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ORDERED)
def test_with_it_they_are_ordered(tmp_path: Path, name: str) -> None:
    first, between, last = ORDERED[name]
    assert races(tmp_path, *ALLOC, *first, *between, *last) == []


@pytest.mark.parametrize("name", ORDERED)
def test_without_it_they_race(tmp_path: Path, name: str) -> None:
    first, between, last = ORDERED[name]
    if name == "memset of pinned memory":
        between = [between[0], {**between[1], "op": "memset_async"}]
        first = [{**first[0], "op": "memset_async"}]
    else:
        between = []
    assert len(races(tmp_path, *ALLOC, *first, *between, *last)) == 1


@pytest.mark.parametrize(
    "nothing",
    [
        op("event_query", event="x", failed=True),
        op("stream_query", stream="S1", failed=True),
        op("stream_query", stream="S2"),
        op("stream_destroy", stream="S1"),
        op("event_create", event="z"),
        op("event_destroy", event="x"),
        op("device_sync", device=1),
        op("host_register", writes=P),
        op("memcpy_d2d", stream="S1", reads=D, writes=E),
        op("memcpy_async_d2d", stream="S1", reads=D, writes=E, sync_memops=True),
        op("memset", stream="S1", writes=E),
        op("memcpy_peer", stream="S1", reads=D, writes=E),
        op("graph_destroy", graph="G"),
        op("alloc_managed", writes=E),
        op("release", event="y"),
        op("acquire", event="y"),
    ],
    ids=lambda each: each["op"] + " ".join(each["attrs"]),
)
def test_what_the_host_does_not_wait_for(tmp_path: Path, nothing: dict[str, Any]) -> None:
    found = races(tmp_path, *ALLOC, FETCH, RECORD, nothing, LOOK)
    assert found == [(3, 6, "certain")]


THREADS = {
    "thread_signal": "thread_wait",
    "thread_start": "thread_wait",
    "mutex_unlock": "mutex_lock",
    "release": "acquire",
}


@pytest.mark.parametrize("tells", [*THREADS, "thread_join"])
def test_threads(tmp_path: Path, tells: str) -> None:
    hears = THREADS.get(tells, "thread_join")
    tells = "thread_signal" if tells == "thread_join" else tells
    write = op("host_write", writes=H)
    read = {**LOOK, "thread": "T1"}
    tell, hear = op(tells, event="e"), {**op(hears, event="e"), "thread": "T1"}
    other = {**hear, "event": "f"}
    assert races(tmp_path, write, tell, hear, read) == []
    assert races(tmp_path, tell, write, hear, read) == [(1, 3, "certain")]
    if hears == "thread_join":  # who joins waits for one that ends
        other["op"] = hear["op"] = "thread_wait"
    assert races(tmp_path, write, tell, other, read) == [(0, 3, "certain")]
    assert races(tmp_path, write, hear, tell, read) == [(0, 3, "certain")]


@pytest.mark.parametrize(("tells", "both"), [("release", True), ("thread_signal", False)])
def test_a_release_adds_and_a_signal_replaces(tmp_path: Path, tells: str, both: bool) -> None:
    ops = [
        op("host_write", writes=H),
        op(tells, event="e"),
        {**op("host_write", writes=P), "thread": "T1"},
        {**op(tells, event="e"), "thread": "T1"},
        {**op("acquire", event="e"), "thread": "T2"},
        {**op("host_read", reads=[*H, *P]), "thread": "T2"},
    ]
    assert races(tmp_path, *ops) == ([] if both else [(0, 5, "certain")])


def test_a_callback_signals_once_it_is_done(tmp_path: Path) -> None:
    callback = op("host_func", stream="S1", writes=P, event="done")
    hear = {**op("thread_wait", event="done"), "thread": "T1"}
    look = {**op("host_read", reads=[*H, *P]), "thread": "T1"}
    assert races(tmp_path, *ALLOC, FETCH, callback, hear, look) == []
    elsewhere = {**callback, "stream": "S2"}
    assert races(tmp_path, *ALLOC, FETCH, elsewhere, hear, look) == [(3, 6, "certain")]
    mute = {key: value for key, value in callback.items() if key != "event"}
    assert len(races(tmp_path, *ALLOC, FETCH, mute, hear, look)) == 2
    later = races(tmp_path, *ALLOC, callback, FETCH, hear, look)  # it comes after the callback
    assert later == [(4, 6, "certain")]


def test_a_programmatic_event_is_not_the_kernel_s_end(tmp_path: Path) -> None:
    earlier = kernel("S1", writes=E)
    wait, use = op("event_wait", stream="S2", event="x"), kernel("S2", reads=[*D, *E])
    early = {**RECORD, "attrs": {"programmatic": True}}
    assert races(tmp_path, earlier, FILL, RECORD, wait, use) == []
    assert races(tmp_path, earlier, FILL, early, wait, use) == [(1, 4, "certain")]


def test_memory_that_is_registered_for_a_while(tmp_path: Path) -> None:
    """From pageable memory a copy is staged, from registered memory it is not."""
    send = op("memcpy_async_h2d", stream="S1", reads=P, writes=D)
    refill = op("host_write", writes=P)
    register, back = op("host_register", writes=P), op("host_unregister", writes=P)
    sync = op("stream_sync", stream="S1")
    assert races(tmp_path, *ALLOC, send, refill) == []
    assert races(tmp_path, *ALLOC, register, send, refill) == [(4, 5, "certain")]
    assert races(tmp_path, *ALLOC, register, send, sync, back, send, refill) == []
    assert races(tmp_path, *ALLOC, register, send, back) == [(4, 5, "certain")]


def test_rows_of_strided_ranges(tmp_path: Path) -> None:
    left = op("memset_async", stream="S1", writes=[["d", 0, 8, 4, 16]])
    right = op("memset_async", stream="S2", writes=[["d", 8, 8, 4, 16]])
    both = op("memset_async", stream="S2", writes=[["d", 8, 9, 3, 16]])
    assert races(tmp_path, left, right) == []
    assert races(tmp_path, left, both) == [(0, 1, "certain")]
    assert races(tmp_path, left, op("kernel", stream="S2", reads=[["d", 60, 4]])) == []


def test_a_launch_touches_what_was_captured(tmp_path: Path) -> None:
    G, C = {"graph": "G"}, {"captured_in": "G"}
    graph = [
        op("capture_begin", stream="S1", **G),
        op("memcpy_async_h2d", stream="S1", reads=H, writes=D, **C),
        op("capture_end", stream="S1", **G),
        op("graph_launch", stream="S1", **G),
    ]
    refill, launch = op("host_write", writes=H), op("graph_launch", stream="S1", **G)
    assert races(tmp_path, *graph[:3], refill, graph[3]) == []
    assert races(tmp_path, *graph, refill) == [(3, 4, "certain")]
    update = op("graph_update", reads=P, writes=D, **G)
    assert races(tmp_path, *graph, update, op("host_write", writes=P), launch) == []
    assert races(tmp_path, *graph, update, refill, launch) == [(3, 5, "certain")]


@pytest.mark.parametrize("unsure", [{"may": True}, {}])
def test_what_may_happen_is_not_certain(tmp_path: Path, unsure: dict[str, Any]) -> None:
    write, read = kernel("S1", writes=D), kernel("S2", reads=D)
    may_write, may_read = kernel("S1", writes=D, **unsure), kernel("S2", reads=D, **unsure)
    verdicts = ("mode-unknown", "range-guess") if unsure else ("certain", "certain")
    assert races(tmp_path, may_write, read) == [(0, 1, verdicts[0])]
    assert races(tmp_path, write, may_read) == [(0, 1, verdicts[1])]
    assert races(tmp_path, kernel("S1", reads=D), may_read) == []


def test_a_conditional_launch(tmp_path: Path) -> None:
    launch = op("graph_launch", stream="S1", writes=D, graph="G", conditional=True)
    assert races(tmp_path, launch, USE) == [(0, 1, "mode-unknown")]
    wait = op("event_wait", stream="S2", event="x")
    assert races(tmp_path, launch, RECORD, wait, USE) == []


def test_calls_that_overlap_are_in_no_order(tmp_path: Path) -> None:
    """But one that returned before the other was entered is before it, as far as was observed."""
    write, read = op("host_write", writes=H), {**LOOK, "thread": "T1"}
    over = {**read, "attrs": {"overlaps": True}}
    assert races(tmp_path, write, read, profile="cuda-doc") == [(0, 1, "host-order-assumed")]
    assert races(tmp_path, write, over, profile="cuda-doc") == [(0, 1, "certain")]
    assert races(tmp_path, write, op("device_sync"), LOOK, profile="cuda-doc") == []


def test_an_event_without_a_fence(tmp_path: Path) -> None:
    """It orders under `catalogue` as any other; HIP makes nothing visible by it."""
    create = op("event_create", event="x", no_fence=True)
    sync = op("event_sync", event="x")
    assert races(tmp_path, *ALLOC, create, FETCH, RECORD, sync, LOOK) == []
    verdicts = [v for _, _, v in races(
        tmp_path, *ALLOC, create, FETCH, RECORD, sync, LOOK, profile="hip-doc"
    )]  # fmt: skip
    assert set(verdicts) == {"ordered-not-visible"}
    plain = {**create, "attrs": {}}
    assert races(tmp_path, *ALLOC, plain, FETCH, RECORD, sync, LOOK, profile="hip-doc") == []
