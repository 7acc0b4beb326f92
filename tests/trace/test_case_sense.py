"""Scenarios whose operations are right one by one and mean nothing together; and their neighbours.

Each refusal stands beside the nearest case that is taken.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.case import read_cases

Op = dict[str, Any]
KEYS = ("thread", "stream", "event", "reads", "writes")
H, D = [["h", 0, 64]], [["d", 0, 64]]


def op(name: str, **more: Any) -> Op:
    """Keys of the operation, all others are attributes."""
    keys = {key: more.pop(key) for key in KEYS if key in more}
    return {"thread": "T0", "op": name, **keys, "attrs": more}


def alloc(kind: str, buffer: str = "d", size: int = 64) -> Op:
    stream = {"stream": "S1"} if kind == "async" else {}
    return op(f"alloc_{kind}", writes=[[buffer, 0, size]], **stream)


def free(buffer: str = "d", **more: Any) -> Op:
    return op("free", writes=[[buffer, 0, 64]], implicit_sync=False, **more)


BEGIN, END = (op(f"capture_{x}", stream="S1", graph="G") for x in ("begin", "end"))
HELD = op("kernel", stream="S1", writes=D, captured_in="G")
ELSEWHERE = op("kernel", stream="S2", writes=D, captured_in="G")
JOINED = op("event_wait", stream="S2", event="e", captured_in="G")
FORK = op("event_record", stream="S1", event="e", captured_in="G")
GRAPH = [BEGIN, HELD, END]
LAUNCH = op("graph_launch", stream="S1", graph="G")
OWN = op("graph_launch", stream="S1", graph="G", writes=D)
UPDATE = op("graph_update", graph="G", writes=D)
DESTROY = op("graph_destroy", graph="G")
CREATE = op("stream_create", stream="S1", flags="blocking")
KERNEL = op("kernel", stream="S1", writes=D)
GONE = op("stream_destroy", stream="S1")
NEW_EVENT, OLD_EVENT = (op(f"event_{x}", event="e") for x in ("create", "destroy"))
RECORD = op("event_record", stream="S1", event="e")
WAIT = op("event_wait", stream="S2", event="e")
REGISTER, UNREGISTER = (op(f"host_{x}", writes=H) for x in ("register", "unregister"))
FREE_HOST = op("free_host", writes=H)
COPY = op("memcpy_async_h2d", stream="S1", reads=H, writes=D)
BATCH = op("batch", stream="S1")
CACHED = op("cache_alloc", writes=D)
UNCACHED = op("cache_free", writes=D)


def failed(one: Op) -> Op:
    return {**one, "attrs": {**one["attrs"], "failed": True}}


def by(thread: str, one: Op) -> Op:
    return {**one, "thread": thread}


def with_attrs(one: Op, **attrs: Any) -> Op:
    return {**one, "attrs": {**one["attrs"], **attrs}}


# What is refused: where and with which words.
REFUSED: dict[str, tuple[list[Op], str]] = {
    "captured outside of a capture": ([HELD], "ops[0].attrs.captured_in: G is not being captured"),
    "captured before": ([HELD, BEGIN, END], "ops[0].attrs.captured_in: G is not being captured"),
    "captured behind": ([BEGIN, END, HELD], "ops[2].attrs.captured_in: G is not being captured"),
    "captured in another": (
        [BEGIN, with_attrs(HELD, captured_in="H"), END],
        "ops[1].attrs.captured_in: H is not being captured here, expected a capture_begin before",
    ),
    "captured on a stream that takes no part": (
        [BEGIN, ELSEWHERE, END],
        "ops[1].stream: S2 takes no part in the capture of G, expected an event_wait of it with",
    ),
    "run on a stream that is being captured": (
        [BEGIN, KERNEL, END],
        "ops[1].attrs.captured_in: S1 is being captured into G since ops[0], expected it here",
    ),
    "never ended": (GRAPH[:2], "ops[0].attrs.graph: the capture of G never ends, expected a captu"),
    "ended without a begin": ([END], "ops[0].attrs.graph: G is not being captured, expected its"),
    "ended twice": ([*GRAPH, END], "ops[3].attrs.graph: G is not being captured, expected its"),
    "ended on another stream": (
        [BEGIN, {**END, "stream": "S2"}],
        "ops[1].stream: the capture of G began on S1 in ops[0], expected its end there",
    ),
    "begun twice": (
        [BEGIN, {**BEGIN, "stream": "S2"}],
        "ops[1].attrs.graph: G is being captured since ops[0], expected the capture_end of that",
    ),
    "a stream captured twice": (
        [BEGIN, with_attrs(BEGIN, graph="H")],
        "ops[1].stream: S1 is being captured into G since ops[0], expected its end before",
    ),
    "the default stream captured": (
        [{**BEGIN, "stream": "LEGACY1"}],
        "ops[0].stream: LEGACY1 cannot be captured, expected another stream",
    ),
    "update of what was never captured": (
        [UPDATE],
        "ops[0].attrs.graph: G was never captured or launched, expected that before its update",
    ),
    "update within the capture": (
        [BEGIN, UPDATE, END],
        "ops[1].attrs.graph: G is being captured since ops[0], expected its capture_end before",
    ),
    "launch within the capture": (
        [BEGIN, {**LAUNCH, "stream": "S2"}, END],
        "ops[1].attrs.graph: G is being captured since ops[0], expected its capture_end before",
    ),
    "launch of what was never captured": (
        [LAUNCH],
        "ops[0].attrs.graph: nothing was captured in G before, expected reads or writes",
    ),
    "launch behind the destruction": (
        [*GRAPH, DESTROY, LAUNCH],
        "ops[4].attrs.graph: G was destroyed in ops[3], expected another graph or a new capture",
    ),
    "destroyed twice": ([*GRAPH, DESTROY, DESTROY], "ops[4].attrs.graph: G was destroyed in ops["),
    "a stream created twice": (
        [CREATE, with_attrs(CREATE, flags="nonblocking")],
        "ops[1].stream: S1 is there since ops[0], expected another name or a stream_destroy before",
    ),
    "an element without a batch": (
        [with_attrs(COPY, batched=True)],
        "ops[0].attrs.batched: expected a batch of T0 before",
    ),
    "an element of another thread's batch": (
        [by("T1", BATCH), with_attrs(COPY, batched=True)],
        "ops[1].attrs.batched: expected a batch of T0 before",
    ),
    "an element of a batch that failed": (
        [failed(BATCH), with_attrs(COPY, batched=True)],
        "ops[1].attrs.batched: expected a batch of T0 before",
    ),
    "a batch that is captured": (
        [BEGIN, BATCH, with_attrs(HELD, batched=True), END],
        "ops[2].attrs.batched: expected no capture, of a batch",
    ),
    "a value that is an event of streams": (
        [RECORD, op("value_wait", stream="S1", event="e")],
        "ops[1].event: e is an event of streams in ops[0], expected another name",
    ),
    "a value that threads signal": (
        [op("value_write", stream="S1", event="v"), op("thread_wait", event="v")],
        "ops[1].event: v is a value in memory in ops[0], expected another name",
    ),
    "a stream created again as another": (
        [CREATE, GONE, with_attrs(CREATE, flags="nonblocking")],
        "ops[2].attrs: S1 had other flags or another device in ops[0], expected the same or",
    ),
    "a stream created again elsewhere": (
        [CREATE, GONE, with_attrs(CREATE, device=1)],
        "ops[2].attrs: S1 had other flags or another device in ops[0], expected the same or",
    ),
    "a stream created behind its use": (
        [KERNEL, CREATE],
        "ops[1].stream: S1 is used in ops[0], expected its stream_create before its first use",
    ),
    "a stream used behind its end": (
        [CREATE, GONE, KERNEL],
        "ops[2].stream: S1 was destroyed in ops[1], expected a use before that or a new stream_cre",
    ),
    "a stream destroyed twice": ([GONE, GONE], "ops[1].stream: S1 was destroyed in ops[0], expec"),
    "the default stream destroyed": (
        [{**GONE, "stream": "LEGACY"}],
        "ops[0].stream: LEGACY is always there, expected a created stream",
    ),
    "an event created twice": (
        [NEW_EVENT, NEW_EVENT],
        "ops[1].event: e is used in ops[0], expected its event_create before, or an event_destroy",
    ),
    "an event created behind its use": ([RECORD, NEW_EVENT], "ops[1].event: e is used in ops[0]"),
    "an event destroyed twice": (
        [RECORD, OLD_EVENT, OLD_EVENT],
        "ops[2].event: e was destroyed in ops[1], expected a new event_create before",
    ),
    "an event recorded behind its end": (
        [OLD_EVENT, RECORD],
        "ops[1].event: e was destroyed in ops[0], expected a new event_create before",
    ),
    "a join of nobody": (
        [op("thread_start", event="a"), op("thread_join", event="b")],
        "ops[1].event: no thread ends with b before this join, expected its thread_signal before",
    ),
    "a plain copy of two sizes": (
        [op("memcpy_h2d", reads=H, writes=[["d", 0, 32]])],
        "ops[0].writes: memcpy_h2d reads 64 bytes and writes 32, expected as many on both sides",
    ),
    "rows of two sizes": (
        [op("memcpy_d2d", reads=[["a", 0, 8, 4, 16]], writes=[["b", 0, 8, 5, 16]])],
        "ops[0].writes: memcpy_d2d reads 32 bytes and writes 40, expected as many on both sides",
    ),
    "rows into too little": (
        [op("memcpy_d2d", reads=[["a", 0, 8, 4, 16]], writes=[["b", 0, 31]])],
        "ops[0].writes: memcpy_d2d reads 32 bytes and writes 31",
    ),
    "rows out of too little": (
        [op("memcpy_d2d", reads=[["b", 0, 31]], writes=[["a", 0, 8, 4, 16]])],
        "ops[0].writes: memcpy_d2d reads 31 bytes and writes 32",
    ),
    "to the device out of device memory": (
        [alloc("device", "h"), COPY],
        "alloc_device in ops[0], memcpy_async_h2d expected host memory as its source",
    ),
    "to the device into pageable memory": (
        [alloc("pageable"), COPY],
        "alloc_pageable in ops[0], memcpy_async_h2d expected device memory as its target",
    ),
    "host memory freed as device memory": (
        [alloc("pinned"), free()],
        "alloc_pinned in ops[0], free expected memory of alloc_device or alloc_managed or alloc_",
    ),
    "device memory freed as host memory": (
        [alloc("device", "h"), FREE_HOST],
        "ops[1].writes[0]: h is memory of alloc_device in ops[0], free_host expected memory of",
    ),
    "host memory freed into the pool": (
        [alloc("mapped"), op("free_async", stream="S1", writes=D)],
        "ops[1].writes[0]: d is memory of alloc_mapped in ops[0], free_async expected memory of",
    ),
    "a block freed past its allocator": ([CACHED, free()], "d is memory of cache_alloc in ops[0]"),
    "a block that is none given back": (
        [alloc("device"), UNCACHED],
        "expected memory of cache_all",
    ),
    "a stream recorded on what is no block": (
        [alloc("device"), op("record_stream", stream="S1", writes=D)],
        "record_stream expected memory of cache_alloc",
    ),
    "pinned memory registered": (
        [alloc("pinned", "h"), REGISTER],
        "expected memory of alloc_pagea",
    ),
    "registered twice": (
        [REGISTER, REGISTER],
        "ops[1].writes[0]: h is registered since ops[0], expected a host_unregister before",
    ),
    "unregistered, never registered": (
        [alloc("pageable", "h"), UNREGISTER],
        "ops[1].writes[0]: h is not registered, expected a host_register before",
    ),
    "unregistered twice": ([REGISTER, UNREGISTER, UNREGISTER], "ops[2].writes[0]: h is not regist"),
    "unregistered behind its free": ([REGISTER, FREE_HOST, UNREGISTER], "h is not registered"),
    "freed twice": (
        [alloc("device"), free(), free()],
        "ops[2].writes[0]: d was freed in ops[1], expected an allocation before",
    ),
    "given back twice": ([CACHED, UNCACHED, UNCACHED], "ops[2].writes[0]: d was freed in ops[1]"),
    "allocated twice": (
        [alloc("device"), alloc("device")],
        "ops[1].writes[0]: d is there since ops[0], expected another name or a free before",
    ),
    "allocated behind its use": (
        [KERNEL, alloc("device")],
        "ops[1].writes[0]: d is used in ops[0], expected its allocation before its first use",
    ),
    "beyond the allocation": (
        [alloc("device", size=63), KERNEL],
        "ops[1].writes[0]: d ends at byte 63 by ops[0], expected a range within it, not one to 64",
    ),
    "rows beyond the allocation": (
        [alloc("device"), op("memset", writes=[["d", 0, 8, 5, 16]])],
        "ops[1].writes[0]: d ends at byte 64 by ops[0], expected a range within it, not one to 72",
    ),
    "beyond the new allocation": (
        [alloc("device"), free(), alloc("device", size=8), KERNEL],
        "ops[3].writes[0]: d ends at byte 8 by ops[2]",
    ),
}

# What is nearly that, and taken.
TAKEN: dict[str, list[Op]] = {
    "a graph": [*GRAPH, LAUNCH],
    "captured again": [*GRAPH, LAUNCH, *GRAPH, LAUNCH],
    "captured again behind its destruction": [*GRAPH, DESTROY, *GRAPH, LAUNCH],
    "two captures at once": [
        *(BEGIN, op("capture_begin", stream="S3", graph="H"), HELD, END),
        *(op("capture_end", stream="S3", graph="H"), LAUNCH),
    ],
    "a branch": [BEGIN, FORK, JOINED, ELSEWHERE, END, op("kernel", stream="S2"), LAUNCH],
    "other streams run on": [BEGIN, op("kernel", stream="S2"), END],
    "a wait of the thread": [BEGIN, op("device_sync"), END],
    "a failed end": [BEGIN, failed(END), KERNEL],
    "failed calls": [failed(END), failed(HELD), failed(LAUNCH), failed(UPDATE), failed(BEGIN)],
    "a graph with ranges of its own": [OWN, UPDATE, LAUNCH, DESTROY],
    "a graph that nobody made destroyed": [DESTROY],
    "updated": [*GRAPH, UPDATE, LAUNCH],
    "a stream again": [CREATE, KERNEL, GONE, CREATE, KERNEL, GONE],
    "a stream that nobody created": [KERNEL, GONE],
    "a stream that could not be created": [failed(CREATE), CREATE, failed(CREATE)],
    "a call that failed on it": [GONE, failed(KERNEL)],
    "an event again": [NEW_EVENT, RECORD, OLD_EVENT, NEW_EVENT, RECORD],
    "a wait for what was destroyed": [RECORD, OLD_EVENT, WAIT, op("event_sync", event="e")],
    "a wait for what was never recorded": [WAIT, op("event_query", event="e")],
    "a wait for a signal that never came": [op("thread_wait", event="s")],
    "a join": [
        *(op("thread_start", event="a"), by("T1", op("thread_wait", event="a"))),
        *(by("T1", op("thread_signal", event="b")), op("thread_join", event="b")),
    ],
    "rows packed": [op("memcpy_d2d", reads=[["a", 0, 8, 4, 16]], writes=[["b", 0, 32]])],
    "rows packed with room": [op("memcpy_d2d", reads=[["b", 0, 64]], writes=[["a", 0, 8, 4, 16]])],
    "rows of two pitches": [
        op("memcpy_d2d", reads=[["a", 0, 8, 4, 16]], writes=[["b", 0, 16, 2, 32]])
    ],
    "two ranges into one": [op("memcpy_h2d", reads=[["a", 0, 32], ["b", 0, 32]], writes=D)],
    "between host and managed memory": [alloc("pinned", "h"), alloc("managed"), COPY],
    "mapped memory on both sides": [alloc("mapped", "h"), alloc("mapped"), COPY],
    "a pinned block as a source": [op("cache_alloc", writes=H, mem="pinned"), COPY],
    "registered memory reached by the device": [
        *(alloc("pageable", "h"), REGISTER, op("memcpy_d2d", reads=H, writes=D)),
    ],
    "elements of two batches": [
        *(BATCH, with_attrs(COPY, batched=True), with_attrs(KERNEL, batched=True)),
        *(BATCH, with_attrs(COPY, batched=True), KERNEL),
    ],
    "a value that nobody writes": [op("value_wait", stream="S1", event="v")],
    "memory of unknown kind": [COPY, FREE_HOST, free()],
    "freed": [alloc("device"), free(), alloc("async"), free(), alloc("managed"), free()],
    "freed into the pool": [alloc("device"), op("free_async", stream="S1", writes=D)],
    "given back": [CACHED, op("record_stream", stream="S2", writes=D), UNCACHED, CACHED],
    "registered again": [alloc("pageable", "h"), REGISTER, UNREGISTER, REGISTER, FREE_HOST],
    "registered in a new life": [REGISTER, FREE_HOST, alloc("pageable", "h"), REGISTER],
    "used behind its free": [alloc("device"), free(), KERNEL],
    "freed in flight": [alloc("pinned", "h"), COPY, FREE_HOST],
    "unregistered in flight": [REGISTER, COPY, UNREGISTER],
    "freed by two threads": [alloc("device"), free(), by("T1", free())],
    "freed again after one that failed": [alloc("device"), failed(free()), free()],
    "a part of it freed": [alloc("device", size=128), free()],
    "smaller in a new life": [alloc("device"), KERNEL, free(), alloc("device", size=8)],
    "allocated and freed by a graph": [
        *(BEGIN, {**with_attrs(alloc("async"), captured_in="G")}, HELD),
        *(op("free_async", stream="S1", writes=D, captured_in="G"), END, LAUNCH, LAUNCH),
    ],
}


def file_of(path: Path, ops: list[Op]) -> Path:
    file = path / "cases.jsonl"
    file.write_text("\n" + json.dumps({"id": "a", "ops": ops}))
    return file


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, refuses: Any, name: str) -> None:
    ops, words = REFUSED[name]
    text = refuses(words, read_cases, file_of(tmp_path, ops))
    assert text.startswith(f"{tmp_path / 'cases.jsonl'}, line 2: ops[")
    assert "expected" in text


@pytest.mark.parametrize("name", TAKEN)
def test_taken(tmp_path: Path, name: str) -> None:
    assert len(read_cases(file_of(tmp_path, TAKEN[name]))[0].ops) == len(TAKEN[name])
