"""Memory, devices, streams, flags and time of an imported scenario."""

import json
from pathlib import Path
from typing import Any

import pytest
from imported import accesses, by_id, rows, trace_of

from synctrace.tracer.kinds import Extent, Flag, Kind, MemoryKind, Mode, Origin, StreamFlag
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.vocabulary import WORDS

B, D = [["b", 0, 8]], [["d", 0, 8]]


def op(name: str, **more: Any) -> dict[str, Any]:
    attrs = {key: more.pop(key) for key in list(more) if key not in FIELDS}
    return {"op": name, **more, "attrs": attrs}


FIELDS = ("thread", "stream", "reads", "writes", "event")


def flags(trace: Trace) -> list[int]:
    return [row["flags"] for row in rows(trace, "op")]


def memory(trace: Trace) -> dict[str, list[tuple[MemoryKind, int]]]:
    """Kind and first ticket of each span of each buffer."""
    names = {number: row["name"] for number, row in by_id(trace, "storage").items()}
    found: dict[str, list[tuple[MemoryKind, int]]] = {}
    for row in rows(trace, "memory"):
        assert (row["lo"], row["hi"]) == (0, by_id(trace, "storage")[row["storage"]]["size"])
        found.setdefault(names[row["storage"]], []).append((MemoryKind(row["kind"]), row["since"]))
    return found


def test_every_word_is_its_kind() -> None:
    assert {name: word.kind.name.lower() for name, word in WORDS.items()} == {n: n for n in WORDS}


def test_every_kind_of_a_cuda_or_hip_call_has_a_word() -> None:
    without = {Kind.NONE, Kind.GRAPH_CREATE, Kind.MARK}
    tensors = {kind for kind in Kind if kind.name.startswith(("TENSOR", "BUFFER"))}
    assert {word.kind for word in WORDS.values()} == set(Kind) - without - tensors


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("alloc_managed", MemoryKind.MANAGED),
        ("alloc_mapped", MemoryKind.MAPPED),
        ("alloc_write_combined", MemoryKind.WRITE_COMBINED),
    ],
)
def test_kinds_of_memory(tmp_path: Path, name: str, kind: MemoryKind) -> None:
    trace = trace_of(tmp_path, op(name, writes=B, device=2))
    assert memory(trace) == {"b": [(kind, 0)]}
    assert accesses(trace, 0) == []
    on_device = kind is MemoryKind.MANAGED
    assert rows(trace, "storage")[0]["device"] == (2 if on_device else -1)
    assert rows(trace, "op")[0]["device"] == 2


def test_registered_memory_over_time(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("alloc_pageable", writes=B),
        op("host_register", writes=B),
        op("host_register", writes=[["unknown", 0, 8]]),
        op("host_unregister", writes=[["b", 2, 4]]),
        op("host_register", writes=B, failed=True),
    )
    assert memory(trace) == {
        "b": [(MemoryKind.PAGEABLE, 0), (MemoryKind.REGISTERED, 3), (MemoryKind.PAGEABLE, 7)],
        "unknown": [(MemoryKind.UNKNOWN, 4), (MemoryKind.REGISTERED, 5)],
    }
    touched = [accesses(trace, i) for i in range(5)]
    assert touched == [[], [], [], [("b", 0, 8, Mode.WRITE, Origin.ARGUMENT)], []]


def test_a_name_that_is_allocated_again_as_other_memory(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("alloc_pageable", writes=B),
        op("host_write", writes=B),
        op("free_host", writes=B),
        op("alloc_pinned", writes=B),
    )
    assert memory(trace) == {"b": [(MemoryKind.PAGEABLE, 0), (MemoryKind.PINNED, 6)]}


def test_a_name_that_is_allocated_again_after_its_free_is_another_life(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("alloc_pageable", writes=B),
        op("free_host", writes=B),
        op("alloc_pageable", writes=B),
        op("host_write", writes=B),
    )
    assert memory(trace) == {"b": [(MemoryKind.PAGEABLE, 0), (MemoryKind.PAGEABLE, 4)]}


def test_the_device_of_a_call_is_that_of_its_stream_or_its_buffer(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("stream_create", stream="S", flags="blocking", device=3),
        op("alloc_device", writes=D, device=1),
        op("alloc_async", writes=[["pool", 0, 8]], stream="S"),
        op("alloc_pageable", writes=B),
        op("kernel", stream="S"),
        op("kernel", stream="T"),
        op("stream_sync", stream="LEGACY7"),
        op("free", writes=D, implicit_sync=False),
        op("free", writes=[["pool", 0, 8]], implicit_sync=False),
        op("free_host", writes=B),
        op("host_register", writes=B, device=4),
        op("host_unregister", writes=B),
        op("memcpy_h2d", reads=B, writes=D),
        op("host_read", reads=B),
        op("event_sync", event="e"),
    )
    devices = [row["device"] for row in rows(trace, "op")]
    assert devices == [3, 1, 3, -1, 3, 0, 7, 1, 3, -1, 4, 4, 0, -1, -1]
    held = {row["name"]: row["device"] for row in rows(trace, "storage")}
    assert held == {"d": 1, "pool": 3, "b": -1}


@pytest.mark.parametrize(
    ("others", "attrs", "device"),
    [
        ([], {}, -1),
        ([], {"device": 0}, 0),
        ([], {"device": 2}, 2),
        ([op("kernel", stream="LEGACY")], {}, -1),
        ([op("kernel", stream="LEGACY1")], {}, 0),
        ([op("alloc_pinned", writes=B, device=1)], {}, 0),
        ([op("alloc_pinned", writes=B, device=0)], {}, -1),
        ([op("stream_create", stream="S", flags="blocking", device=1)], {}, 0),
    ],
)
def test_what_a_device_sync_waits_for(
    tmp_path: Path, others: list[dict[str, Any]], attrs: dict[str, Any], device: int
) -> None:
    trace = trace_of(tmp_path, op("device_sync", **attrs), *others)
    assert rows(trace, "op")[0]["device"] == device


def test_streams_of_devices(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("stream_create", stream="A", flags="per_thread"),
        op("stream_create", stream="B", flags="blocking", device=1),
        op("kernel", stream="LEGACY"),
        op("kernel", stream="LEGACY1"),
        op("kernel", stream="LEGACY12"),
        op("kernel", stream="LEGACY_COPY"),
    )
    told = {a["name"]: (a["device"], a["flags"]) for a in rows(trace, "actor")}
    assert told == {
        "T0": (-1, 0),
        "A": (0, StreamFlag.PER_THREAD),
        "B": (1, StreamFlag.BLOCKING),
        "LEGACY": (0, StreamFlag.LEGACY),
        "LEGACY1": (1, StreamFlag.LEGACY),
        "LEGACY12": (12, StreamFlag.LEGACY),
        "LEGACY_COPY": (0, StreamFlag.NONBLOCKING),
    }


SYNCHRONOUS = ("memcpy_h2d", "memcpy_d2h", "memcpy_d2d", "memcpy_h2h", "memcpy_peer", "memset")


@pytest.mark.parametrize("name", SYNCHRONOUS)
def test_copies_of_a_synchronous_name_are_on_a_stream(tmp_path: Path, name: str) -> None:
    work = op(name, writes=D) | ({"reads": B} if name != "memset" else {})
    trace = trace_of(tmp_path, work, {**work, "stream": "S"})
    names = {number: row["name"] for number, row in by_id(trace, "actor").items()}
    assert [names[row["actor"]] for row in rows(trace, "op")] == ["LEGACY", "S"]


def three_devices(tmp_path: Path, name: str, stream: str) -> tuple[dict[str, Any], str | None]:
    """Row of a copy from memory of device 1 to memory of device 2, and its peer."""
    trace = trace_of(
        tmp_path,
        op("alloc_device", writes=B, device=1),
        op("alloc_device", writes=D, device=2),
        op(name, reads=B, writes=D, stream=stream),
    )
    row = rows(trace, "op")[2]
    return row, by_id(trace, "actor")[row["peer"]]["name"] if row["peer"] else None


@pytest.mark.parametrize(
    ("name", "stream", "device", "peer"),
    [
        ("memcpy_peer", "LEGACY", 2, "LEGACY1"),
        ("memcpy_peer", "LEGACY1", 2, "LEGACY2"),
        ("memcpy_peer", "LEGACY2", 2, "LEGACY1"),
        ("memcpy_async_peer", "S", 0, "LEGACY1"),
        ("memcpy_async_peer", "LEGACY1", 1, "LEGACY2"),
        ("memcpy_async_d2d", "LEGACY2", 2, "LEGACY1"),
    ],
)
def test_a_copy_names_the_devices_concerned(
    tmp_path: Path, name: str, stream: str, device: int, peer: str
) -> None:
    row, other = three_devices(tmp_path, name, stream)
    assert (row["device"], other) == (device, peer)
    assert row["flags"] == Flag.ACROSS


def test_the_peer_is_device_0_s_for_a_stream_of_another(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("alloc_device", writes=D),
        op("memcpy_async_h2d", reads=B, writes=D, stream="LEGACY1"),
    )
    assert by_id(trace, "actor")[rows(trace, "op")[1]["peer"]]["name"] == "LEGACY"


def test_a_copy_within_its_stream_s_device_has_no_peer(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("alloc_device", writes=D),
        op("alloc_pinned", writes=B, device=1),
        op("memcpy_async_h2d", reads=B, writes=D, stream="S"),
        op("memcpy_async_d2d", reads=[["x", 0, 8]], writes=D, stream="S"),
    )
    assert [row["peer"] for row in rows(trace, "op")] == [0, 0, 0, 0]
    assert flags(trace) == [0, 0, 0, 0]
    assert {row["name"] for row in rows(trace, "actor")} == {"T0", "S"}


COPY = {"op": "memcpy_async_d2d", "stream": "S", "reads": B, "writes": D}
TOLD = {
    "across": (COPY, Flag.ACROSS),
    "offset": (COPY, Flag.OFFSET),
    "sync_memops": (COPY, Flag.SYNC_MEMOPS),
    "external": ({"op": "event_wait", "stream": "S", "event": "e"}, Flag.EXTERNAL),
    "programmatic": ({"op": "event_record", "stream": "S", "event": "e"}, Flag.PROGRAMMATIC),
    "implied": ({"op": "event_record", "stream": "S", "event": "e"}, Flag.IMPLIED),
}


@pytest.mark.parametrize("name", TOLD)
def test_attributes_that_are_flags(tmp_path: Path, name: str) -> None:
    plain, flag = TOLD[name]
    with_it = {**plain, "attrs": {name: True}}
    trace = trace_of(tmp_path, plain, with_it, {**plain, "attrs": {name: False}})
    assert flags(trace) == [0, flag, 0]


def test_what_left_out_attributes_stand_for(tmp_path: Path) -> None:
    free = op("free", writes=D, implicit_sync=False)
    trace = trace_of(
        tmp_path,
        op("memset", writes=[["b", 4, 4]]),
        op("memset", writes=[["b", 4, 4]], offset=False),
        op("memset", writes=[["b", 0, 4]]),
        op("memset_async", writes=[["b", 4, 4]], stream="S"),
        op("alloc_async", writes=D, stream="S"),
        free,
        op("alloc_async", writes=D, stream="S"),
        {**free, "attrs": {"implicit_sync": False, "pool": False}},
        op("alloc_device", writes=D),
        free,
        op("alloc_device", writes=D),
        {**free, "attrs": {"implicit_sync": True, "pool": True}},
        op("memcpy_peer", reads=B, writes=D),
        op("memcpy_peer", reads=B, writes=D, across=False),
    )
    across, pool = Flag.ACROSS, Flag.POOL
    assert flags(trace) == [
        *(Flag.OFFSET, 0, 0, 0, 0, pool, 0, 0, 0, 0, 0, pool | Flag.IMPLICIT_SYNC, across, 0)
    ]


def test_an_event_without_a_fence_is_so_for_whoever_uses_it(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("event_record", stream="S", event="e"),
        op("event_destroy", event="e"),
        op("event_create", event="e", no_fence=True),
        op("event_create", event="f"),
        op("event_record", stream="S", event="e"),
        op("event_wait", stream="S", event="e"),
        op("event_sync", event="e"),
        op("event_query", event="e"),
        op("event_record", stream="S", event="f"),
        op("event_destroy", event="e"),
        op("event_create", event="e"),
        op("event_record", stream="S", event="e"),
    )
    no = Flag.NO_FENCE
    assert flags(trace) == [0, 0, 0, 0, no, no, no, no, 0, 0, 0, 0]


def test_an_event_of_another_process_is_so_for_whoever_uses_it(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("event_create", event="e", foreign=True),
        op("event_wait", stream="S", event="e"),
        op("event_sync", event="e"),
        op("event_record", stream="S", event="f"),
        op("event_destroy", event="e"),
        op("event_create", event="e"),
        op("event_record", stream="S", event="e"),
    )
    foreign = Flag.FOREIGN
    assert flags(trace) == [foreign, foreign, foreign, 0, foreign, 0, 0]


def test_elements_of_a_batch(tmp_path: Path) -> None:
    trace = trace_of(tmp_path, op("batch", stream="S"), {**COPY, "attrs": {"batched": True}})
    told = [(row["kind"], row["flags"], row["accesses"]) for row in rows(trace, "op")]
    assert told == [(Kind.BATCH, 0, []), (Kind.MEMCPY_ASYNC_D2D, Flag.BATCHED, [1, 2])]


def test_a_value_is_an_event(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        op("value_write", stream="S", event="v"),
        op("value_wait", stream="T", event="v"),
        op("event_record", stream="S", event="e"),
    )
    assert [(row["kind"], row["event"]) for row in rows(trace, "op")] == [
        (Kind.VALUE_WRITE, 1),
        (Kind.VALUE_WAIT, 1),
        (Kind.EVENT_RECORD, 2),
    ]


def test_a_query_that_says_not_ready_is_a_failed_call(tmp_path: Path) -> None:
    query = op("event_query", event="e")
    trace = trace_of(tmp_path, query, op("event_query", event="e", failed=True))
    assert [(row["flags"], row["rc"]) for row in rows(trace, "op")] == [(0, 0), (Flag.FAILED, 1)]


def test_a_callback_may_name_the_event_that_it_signals(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path, op("host_func", stream="S"), op("host_func", stream="S", event="arrived")
    )
    assert [row["event"] for row in rows(trace, "op")] == [0, 1]


def test_strided_ranges(tmp_path: Path) -> None:
    ranges = [["b", 4, 2, 3, 10], ["b", 0, 8, 4, 8], ["b", 0, 8, 1, 100]]
    trace = trace_of(tmp_path, op("kernel", stream="S", reads=ranges))
    shape = ("lo", "hi", "upper_lo", "upper_hi", "width", "height", "pitch")
    assert [tuple(row[c] for c in shape) for row in rows(trace, "access")] == [
        (4, 26, 4, 26, 2, 3, 10),
        (0, 32, 0, 32, 0, 0, 0),  # rows side by side are no rows
        (0, 8, 0, 8, 0, 0, 0),
    ]
    assert rows(trace, "buffer")[0]["hi"] == 32


def test_accesses_that_may_not_happen(tmp_path: Path) -> None:
    kernel = {"op": "kernel", "stream": "S", "reads": B, "writes": D}
    trace = trace_of(tmp_path, kernel, {**kernel, "attrs": {"may": True}})
    read, write, may_read, may_write = rows(trace, "access")
    assert [row["accesses"] for row in rows(trace, "op")] == [[1, 2], [3, 4]]
    assert (may_write["mode"], may_write["lo"], may_write["hi"]) == (Mode.MAY, 0, 8)
    # Two reads that may happen are no conflict, so a read stays one: of no certain byte.
    assert (may_read["mode"], may_read["extent"]) == (Mode.READ, Extent.UPPER_BOUND)
    assert [may_read[c] for c in ("lo", "hi", "upper_lo", "upper_hi")] == [0, 0, 0, 8]
    assert (read["extent"], write["extent"]) == (Extent.EXACT, Extent.EXACT)


def test_calls_that_overlap(tmp_path: Path) -> None:
    sync = op("device_sync")
    over = {**sync, "attrs": {"overlaps": True}}
    trace = trace_of(
        tmp_path, sync, {**over, "thread": "T1"}, over, {**sync, "thread": "T1"},
        {**sync, "attrs": {"overlaps": False}},
    )  # fmt: skip
    told = [(row["id"], row["ticket_c"], row["ticket_r"]) for row in rows(trace, "op")]
    assert told == [(0, 0, 2), (1, 1, 4), (2, 3, 5), (3, 6, 7), (4, 8, 9)]
    assert [row["t_c"] for row in rows(trace, "op")] == [0, 1000, 3000, 6000, 8000]
    tickets = [ticket for _, *both in told for ticket in both]
    assert len(set(tickets)) == len(tickets)


@pytest.mark.parametrize("profile", [None, "hip-6.3", "./my.toml"])
def test_the_profile_of_a_case(tmp_path: Path, profile: str | None) -> None:
    file = tmp_path / "case.jsonl"
    case = {"id": "case", "profile": profile, "ops": [{"thread": "T0", "op": "device_sync"}]}
    file.write_text(json.dumps(case))
    [folder] = import_cases(file, tmp_path / "t", "case")
    assert open_trace(folder).meta["profile"] == (profile or "catalogue")
