"""What the CPU device records is what a scenario of the same calls makes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cpu_programs import ADD_ONE, device
from recorded_rows import Row, rows

import synctrace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.scheduler.handover import Handover

MEMORY = """
SELECT DISTINCT s.name, s.device, s.size_bytes, m.kind
FROM storage s JOIN memory m ON m.storage = s.id ORDER BY ALL
"""


def op(word: str, stream: str | None = None, event: str | None = None, **more: Any) -> Row:
    told = {"thread": "T0", "op": word, "stream": stream, "event": event}
    told["reads"] = [[name, 0, size] for name, size in more.pop("reads", {}).items()]
    told["writes"] = [[name, 0, size] for name, size in more.pop("writes", {}).items()]
    return {**told, "attrs": more}


def as_scenario(folder: Path, ops: Sequence[Row]) -> Path:
    """The trace that these lines of the notation make."""
    file = folder / "case.json"
    file.write_text(json.dumps({"id": "case", "ops": ops}))
    (path,) = import_cases(file, folder / "case.synctrace", "case")
    return path


H, D, F = {"h": 8}, {"d": 8}, {"far": 8}
SCENARIO = [
    op("stream_create", "main", flags="nonblocking"),
    op("stream_create", "other", flags="nonblocking", device=1),
    op("event_create", event="done"),
    op("alloc_pinned", writes=H, device=0),
    op("alloc_pageable", writes={"plain": 8}),
    op("alloc_device", writes=D),
    op("alloc_managed", writes={"managed": 8}),
    op("alloc_device", writes=F, device=1),
    op("host_write", writes=H),
    op("host_write", writes={"plain": 8}),
    op("host_write", writes={"managed": 8}),
    op("memcpy_async_h2d", "main", reads=H, writes=D),
    op("memcpy_async_h2d", "main", reads={"plain": 8}, writes=D),
    op("memcpy_async_d2d", "main", reads=D, writes={"managed": 8}),
    op("memcpy_async_peer", "main", reads=D, writes=F),
    op("memcpy_async_peer", "other", reads=D, writes=F),
    op("memset_async", "main", writes=D),
    op("kernel", "main", reads=D, writes={"managed": 8}),
    op("event_record", "main", "done"),
    op("event_wait", "other", "done"),
    op("event_sync", event="done"),
    op("event_query", event="done"),
    op("memcpy_async_d2h", "main", reads=D, writes=H),
    op("memcpy_async_d2h", "main", reads=D, writes={"plain": 8}),
    op("host_func", "main", "announced", reads=H),
    op("thread_wait", event="announced"),
    op("stream_sync", "main"),
    op("stream_query", "main"),
    op("host_read", reads=H),
    op("capture_begin", "main", graph="step"),
    op("memcpy_async_h2d", "main", reads=H, writes=D, captured_in="step"),
    op("kernel", "main", reads=D, writes=D, captured_in="step"),
    op("capture_end", "main", graph="step"),
    op("graph_launch", "main", graph="step"),
    op("alloc_async", "main", writes={"block": 8}),
    op("free_async", "main", writes={"block": 8}),
    op("device_sync", device=0),
    op("memcpy_h2d", reads=H, writes=D),
    op("memcpy_d2h", reads=D, writes=H),
    op("memcpy_d2d", reads=D, writes={"managed": 8}),
    op("memcpy_d2d", reads=D, writes=F),
    op("memcpy_h2h", reads=H, writes={"plain": 8}),
    op("free_host", writes=H),
    op("free_host", writes={"plain": 8}),
    op("free", writes=D, implicit_sync=False),
    op("free", writes={"managed": 8}, implicit_sync=False),
    op("free", writes=F, implicit_sync=False),
]


def everything() -> None:
    """The calls of SCENARIO."""
    with device() as gpu, device(ordinal=1) as far:
        main, other, done = gpu.stream("main"), far.stream("other"), gpu.event("done")
        host, plain, data = gpu.pinned("h", 8), gpu.pageable("plain", 8), gpu.memory("d", 8)
        managed, away = gpu.managed("managed", 8), far.memory("far", 8)
        h, p, d, m, f = (each.slice() for each in (host, plain, data, managed, away))
        for memory in (host, plain, managed):
            memory.store(bytes(8))
        main.copy(d, h)
        main.copy(d, p)
        main.copy(m, d)
        main.copy(f, d)
        other.copy(f, d)
        main.fill(d, 3)
        main.launch(ADD_ONE, [d], [m])
        main.record(done)
        other.wait(done)
        done.synchronize()
        assert done.query()
        main.copy(h, d)
        main.copy(p, d)
        announced = Handover("announced")
        main.host_call(lambda reads, writes: None, [h], signal=announced)
        announced.wait()
        main.synchronize()
        assert main.query()
        host.load()
        main.begin_capture()
        main.copy(d, h)
        main.launch(ADD_ONE, [d], [d])
        main.launch_graph(main.end_capture("step"))
        main.free_async(main.alloc_async("block", 8))
        gpu.synchronize()
        for to, source in ((d, h), (h, d), (m, d), (f, d), (p, h)):
            gpu.copy(to, source)
        for memory in (host, plain, data, managed, away):
            memory.free()


def test_every_call_is_told_as_the_scenario_has_it(tmp_path: Path) -> None:
    """But for the level, and the number of the device of host memory, which belongs to none."""
    with synctrace.record(tmp_path / "run.synctrace", profile="catalogue") as recording:
        everything()
    expected = as_scenario(tmp_path, SCENARIO)
    for mine, theirs in zip(rows(recording.path), rows(expected), strict=True):
        if theirs["kind"] in ("alloc_pinned", "free_host", "event_create"):
            mine["device"] = theirs["device"]
        assert mine == theirs
    assert rows(recording.path, MEMORY) == rows(expected, MEMORY)
