"""Scenario cases as a database would hold the same program: one that both can tell.

A kernel's bytes are in no database. Here it is a fill of what it writes, or a copy of what it reads
to memory of its own, in both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hip_runs import VARIABLE, Hip
from rocpd_builder import CPU, GPU

CaseOp = dict[str, Any]

_COPIES = {
    "h2d": "HostToDevice",
    "d2h": "DeviceToHost",
    "d2d": "DeviceToDevice",
    "h2h": "HostToHost",
}
_ALLOCATIONS = {
    "alloc_device": ("hipMalloc", None),
    "alloc_pinned": ("hipHostMalloc", 0),
    "alloc_write_combined": ("hipHostMalloc", 4),
    "alloc_managed": ("hipMallocManaged", 1),
    "alloc_async": ("hipMallocAsync", None),
}
_FREES = {"free": "hipFree", "free_host": "hipHostFree", "free_async": "hipFreeAsync"}
_OF_EVENT = {
    "event_sync": "hipEventSynchronize",
    "event_query": "hipEventQuery",
    "event_destroy": "hipEventDestroy",
}
_OF_STREAM = {
    "stream_sync": "hipStreamSynchronize",
    "stream_query": "hipStreamQuery",
    "stream_destroy": "hipStreamDestroy",
}
_SILENT = ("alloc_pageable", "stream_create", "event_create")  # no call, or none with a handle
_ATTRIBUTES = {"flags", "device", "implicit_sync", "pool", "overlaps"}
_PAGE = 1 << 24


@dataclass(frozen=True)
class Told:
    """A case that both can tell, and which of its ops a database has: op.id by place."""

    case: dict[str, Any]
    ids: Mapping[int, int]


def told(case: Mapping[str, Any]) -> Told | None:
    """The case without kernels; None: a database cannot hold it."""
    ops: list[CaseOp] = []
    scratch: list[CaseOp] = []
    for op in case["ops"]:
        if not set(op.get("attrs", {})) <= _ATTRIBUTES:
            return None
        one = _without_kernel(op, scratch) if op["op"] == "kernel" else dict(op)
        if one is None or not _is_known(one["op"]):
            return None
        ops.append(one)
    ops = scratch + ops
    if not _can_be(ops):
        return None
    calls = [place for place, op in enumerate(ops) if op["op"] not in _SILENT]
    ids = {place: number for number, place in enumerate(calls, 1)}
    return Told({"id": case["id"], "ops": ops}, ids)


def _without_kernel(op: CaseOp, scratch: list[CaseOp]) -> CaseOp | None:
    reads, writes = op.get("reads") or [], op.get("writes") or []
    if len(reads) + len(writes) != 1 or set(op.get("attrs", {})):
        return None
    if writes:
        return {**op, "op": "memset_async"}
    name, size = f"own{len(scratch)}", _bytes(reads[0])
    scratch.append({"thread": op["thread"], "op": "alloc_device", "writes": [[name, 0, size]]})
    return {**op, "op": "memcpy_async_d2d", "writes": [[name, 0, size]]}


def _bytes(touched: Sequence[Any]) -> int:
    return int(touched[2]) if len(touched) == 3 else int(touched[2]) * int(touched[3])


def _is_known(name: str) -> bool:
    known = {*_ALLOCATIONS, *_FREES, *_OF_EVENT, *_OF_STREAM, *_SILENT}
    known |= {"memset", "memset_async", "event_record", "event_wait", "device_sync"}
    known |= {"host_register", "host_unregister"}
    copies = {f"memcpy{kind}_{way}" for kind in ("", "_async") for way in (*_COPIES, "peer")}
    return name in known | copies


def _can_be(ops: Sequence[CaseOp]) -> bool:
    """Memory that HIP allocated, streams of one kind; what both take for the same."""
    born = {op["writes"][0][0]: op["op"] for op in ops if op["op"].startswith("alloc")}
    flags = {op["attrs"]["flags"] for op in ops if op["op"] == "stream_create"}
    created = {op["stream"] for op in ops if op["op"] == "stream_create"}
    named = {op["stream"] for op in ops if op.get("stream") and "LEGACY" not in op["stream"]}
    if named - created:
        flags.add("nonblocking")
    if len(flags) > 1 or "per_thread" in flags:
        return False
    for op in ops:
        touched = [*(op.get("reads") or []), *(op.get("writes") or [])]
        if any(each[0] not in born for each in touched):
            return False
        if "pool" in op.get("attrs", {}) and born[touched[0][0]] != "alloc_async":
            return False
        if op["op"] == "free_host" and born[touched[0][0]] == "alloc_pageable":
            return False
        on_host = any(born[each[0]] not in ("alloc_device", "alloc_async") for each in touched)
        if op["op"] in ("memcpy_async_d2d", "memcpy_d2d", "memset_async") and on_host:
            return False
    return True


class Writer:
    """Makes the calls of a case."""

    def __init__(self, hip: Hip, ops: Sequence[CaseOp]) -> None:
        self._hip, self._ops = hip, ops
        self._buffers: dict[str, int] = {}
        self._handles: dict[str, int] = {}
        self._threads: dict[str, int] = {}
        self._devices = {op["stream"]: op["attrs"].get("device", 0) for op in ops
                         if op["op"] == "stream_create"}  # fmt: skip
        self._memory = {op["writes"][0][0]: op for op in ops if op["op"].startswith("alloc")}
        self._current: dict[str, int] = {}

    def write(self) -> None:
        """All of them. A call takes 900 ns; the next begins 100 ns later, or if told before."""
        created = [op["attrs"]["flags"] for op in self._ops if op["op"] == "stream_create"]
        for flags in created or ["nonblocking"]:
            self._hip.streams(int(flags == "nonblocking"))
        begin = 1 << 30
        for place, op in enumerate(self._ops):
            following = self._ops[place + 1] if place + 1 < len(self._ops) else {}
            end = 1_100 if following.get("attrs", {}).get("overlaps") else 900
            times = {"start": begin + 1_000 * place, "end": begin + 1_000 * place + end}
            if op["op"] not in _SILENT:
                self._call(op, times)

    def _call(self, op: CaseOp, times: dict[str, int]) -> None:
        thread = self._threads.setdefault(op["thread"], 4711 + len(self._threads))
        device = self._device(op)
        if self._current.get(op["thread"], 0) != device:
            self._current[op["thread"]] = device
            moment = times["start"] - 50
            self._hip.call("hipSetDevice", deviceId=device, thread=thread, start=moment, end=moment)
        name, arguments = self._told(op)
        allocated = []
        if op["op"] in _ALLOCATIONS:
            buffer, _, size = op["writes"][0]
            agent = CPU if "host" in name.lower() else GPU + device
            allocated = [(self._address(buffer), size, agent)]
        self._hip.call(name, thread=thread, allocated=allocated, **times, **arguments)

    def _device(self, op: CaseOp) -> int:
        stream = op.get("stream")
        if stream and stream.startswith("LEGACY"):
            return int(stream.removeprefix("LEGACY") or 0)
        device = op.get("attrs", {}).get("device", self._devices.get(stream, 0))
        return int(device)

    def _told(self, op: CaseOp) -> tuple[str, dict[str, Any]]:
        name = op["op"]
        stream = {"stream": self._stream(op.get("stream"))}
        if name.startswith("memcpy"):
            return self._copy(op, stream)
        if name.startswith("memset"):
            return self._fill(op, stream)
        if name in _ALLOCATIONS:
            function, flags = _ALLOCATIONS[name]
            more = {} if flags is None else {"flags": flags}
            given = stream if name == "alloc_async" else {}
            return function, {"ptr": VARIABLE, "size": op["writes"][0][2], **more, **given}
        if name in _FREES:
            given = stream if name == "free_async" else {}
            return _FREES[name], {"ptr": self._address(op["writes"][0][0]), **given}
        if name == "host_register":
            address = {"hostPtr": self._address(op["writes"][0][0])}
            return "hipHostRegister", {**address, "sizeBytes": op["writes"][0][2], "flags": 0}
        if name == "host_unregister":
            return "hipHostUnregister", {"hostPtr": self._address(op["writes"][0][0])}
        if name in _OF_STREAM:
            return _OF_STREAM[name], stream
        if name == "device_sync":
            return "hipDeviceSynchronize", {}
        event = {"event": self._handle(op["event"])}
        if name in _OF_EVENT:
            return _OF_EVENT[name], event
        if name == "event_record":
            return "hipEventRecord", {**event, **stream}
        return "hipStreamWaitEvent", {**stream, **event, "flags": 0}

    def _copy(self, op: CaseOp, stream: dict[str, int]) -> tuple[str, dict[str, Any]]:
        way = op["op"].rsplit("_", 1)[1]
        is_async = "_async" in op["op"]
        source, target = op["reads"][0], op["writes"][0]
        ends = {"dst": self._at(target), "src": self._at(source)}
        suffix = "Async" if is_async else ""
        given = stream if is_async or op.get("stream", "LEGACY")[:6] != "LEGACY" else {}
        if way == "peer":
            ids = (
                self._memory[each[0]].get("attrs", {}).get("device", 0) for each in (source, target)
            )
            more = dict(zip(("srcDeviceId", "dstDeviceId"), ids, strict=True))
            return f"hipMemcpyPeer{suffix}", {**ends, **more, "sizeBytes": _bytes(source), **given}
        kind = {"kind": _COPIES[way]}
        if len(source) == len(target) == 3:
            name = f"hipMemcpy{suffix}" if is_async or not given else "hipMemcpyWithStream"
            return name, {**ends, "sizeBytes": source[2], **kind, **given}
        rows = source if len(source) > 3 else target
        pitches = {"spitch": source[4] if len(source) > 3 else rows[2],
                   "dpitch": target[4] if len(target) > 3 else rows[2]}  # fmt: skip
        shape = {"width": rows[2], "height": rows[3]}
        return f"hipMemcpy2D{suffix}", {**ends, **pitches, **shape, **kind, **given}

    def _fill(self, op: CaseOp, stream: dict[str, int]) -> tuple[str, dict[str, Any]]:
        is_async = op["op"] == "memset_async"
        suffix, given = ("Async", stream) if is_async else ("", {})
        target = op["writes"][0]
        if len(target) == 3:
            shape = {"value": 0, "sizeBytes": target[2]}
            return f"hipMemset{suffix}", {"dst": self._at(target), **shape, **given}
        shape = {"pitch": target[4], "value": 0, "width": target[2], "height": target[3]}
        return f"hipMemset2D{suffix}", {"dst": self._at(target), **shape, **given}

    def _at(self, touched: Sequence[Any]) -> int:
        return self._address(touched[0]) + int(touched[1])

    def _address(self, buffer: str) -> int:
        return self._buffers.setdefault(buffer, (0x7000 + len(self._buffers)) * _PAGE)

    def _stream(self, name: str | None) -> int:
        return 0 if name is None or name.startswith("LEGACY") else self._handle(name)

    def _handle(self, name: str) -> int:
        return self._handles.setdefault(name, 0x5550_0000 + 16 * len(self._handles))
