"""Where the streams and buffers of a scenario are, and what memory is at which time."""

from collections.abc import Iterator
from dataclasses import dataclass

from synctrace.tracer.case import Case
from synctrace.tracer.kinds import FREES, Flag, Kind, MemoryKind, StreamFlag
from synctrace.tracer.operation import CaseOp, Range
from synctrace.tracer.vocabulary import LEGACY, legacy_device, legacy_stream

# Calls that concern a buffer, and with it the device that it belongs to.
_OF_BUFFER = (
    *(Kind.HOST_UNREGISTER, Kind.FREE, Kind.FREE_HOST),
    *(Kind.CACHE_FREE, Kind.RECORD_STREAM),
)
_ON_A_DEVICE = (MemoryKind.DEVICE, MemoryKind.MANAGED)
_COPIES = (
    *(Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2H, Kind.MEMCPY_ASYNC_D2D),
    *(Kind.MEMCPY_ASYNC_PEER, Kind.MEMCPY_PEER),
    *(Kind.MEMCPY_H2D, Kind.MEMCPY_D2H, Kind.MEMCPY_D2D, Kind.MEMCPY_H2H),
)
_EVENT_KINDS = (Kind.EVENT_RECORD, Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.EVENT_QUERY)
_HOST = -1


@dataclass(frozen=True)
class MemoryChange:
    """From op `op` on (None: from the start) the buffer is memory of this kind.

    `after`: only once that call has returned.
    """

    buffer: str
    kind: MemoryKind
    op: int | None
    after: bool = False


def stream_of(op: CaseOp) -> str | None:
    """Stream that executes the op or is waited for; None: there is none."""
    return LEGACY if op.stream is None and op.word.stream == "legacy" else op.stream


class Resources:
    """Follows a case from its first op to its last."""

    def __init__(self, case: Case) -> None:
        self.stream_flags: dict[str, StreamFlag] = {}
        self.stream_devices: dict[str, int] = {}
        self.memory: list[MemoryChange] = []
        self._ops = case.ops
        self._kinds: dict[str, MemoryKind] = {}
        self._devices: dict[str, int] = {}  # of each buffer, as it was last given
        self._pools: set[str] = set()  # buffers of a stream-ordered pool
        self._freed: set[str] = set()  # buffers
        self._unfenced: set[str] = set()  # events
        self._foreign: set[str] = set()  # events
        self._see_streams()
        self._several = self._names_other_devices()
        # Of each op: device ordinal (-1: none), stream of its other device, flags.
        self.devices: list[int] = []
        self.peers: list[str | None] = []
        self.flags: list[Flag] = []
        self.storage_devices: dict[str, int] = {}
        for index, op in enumerate(case.ops):
            self._see(index, op)

    def stream_device(self, stream: str) -> int:
        """Device of a stream: 0 unless its name or a stream_create says otherwise."""
        legacy = legacy_device(stream)
        return self.stream_devices.get(stream, 0) if legacy is None else legacy

    def _see_streams(self) -> None:
        for op in self._ops:
            if op.word.kind is Kind.STREAM_CREATE and op.stream:
                self.stream_flags[op.stream] = StreamFlag[op.attrs["flags"].upper()]
                self.stream_devices[op.stream] = op.attrs.get("device", 0)

    def _names_other_devices(self) -> bool:
        streams = (self.stream_device(op.stream) for op in self._ops if op.stream)
        return any(streams) or any(op.attrs.get("device") for op in self._ops)

    def _see(self, index: int, op: CaseOp) -> None:
        if not op.has("failed"):
            self._see_memory(index, op)
            if op.word.kind is Kind.EVENT_CREATE:
                for name, events in (("no_fence", self._unfenced), ("foreign", self._foreign)):
                    (events.add if op.has(name) else events.discard)(str(op.event))
        self.devices.append(self._device(op))
        self.peers.append(self._peer(op))
        self.flags.append(self._flags(op))

    def _see_memory(self, index: int, op: CaseOp) -> None:
        if not op.writes:
            return
        buffer, word = op.writes[0].buffer, op.word
        if word.memory is not None:
            kind = MemoryKind.PINNED if op.attrs.get("mem") == "pinned" else word.memory
            self._devices[buffer] = self._allocated_on(op, kind)
            (self._pools.add if word.kind is Kind.ALLOC_ASYNC else self._pools.discard)(buffer)
            if kind in _ON_A_DEVICE:
                self.storage_devices.setdefault(buffer, self._devices[buffer])
            if buffer not in self._kinds:
                self._becomes(MemoryChange(buffer, kind, None))
            elif self._kinds[buffer] is not kind or buffer in self._freed:  # another life
                self._becomes(MemoryChange(buffer, kind, index))
            self._freed.discard(buffer)
        elif word.kind in FREES:
            self._freed.add(buffer)
        elif word.kind is Kind.HOST_REGISTER:
            self._devices[buffer] = op.attrs.get("device", 0)
            self._becomes(MemoryChange(buffer, MemoryKind.REGISTERED, index, after=True))
        elif word.kind is Kind.HOST_UNREGISTER:
            self._becomes(MemoryChange(buffer, MemoryKind.PAGEABLE, index, after=True))

    def _becomes(self, change: MemoryChange) -> None:
        self._kinds[change.buffer] = change.kind
        self.memory.append(change)

    def _allocated_on(self, op: CaseOp, kind: MemoryKind) -> int:
        if kind is MemoryKind.PAGEABLE:
            return _HOST
        stream = self.stream_device(op.stream) if op.stream else 0
        device: int = op.attrs.get("device", stream)
        return device

    def _device(self, op: CaseOp) -> int:
        kind, stream = op.word.kind, stream_of(op)
        if "device" in op.attrs:
            device: int = op.attrs["device"]
            return device
        if kind is Kind.DEVICE_SYNC:
            return 0 if self._several else _HOST
        if kind is Kind.MEMCPY_PEER:  # the two others are its stream's and its peer's
            return next(self._held_by(op.writes[:1]), self._on(stream))
        if kind in _OF_BUFFER or (op.word.whole and op.writes and not stream):
            return self._devices.get(op.writes[0].buffer, _HOST)
        return self._on(stream)

    def _on(self, stream: str | None) -> int:
        return self.stream_device(stream) if stream else _HOST

    def _held_by(self, ranges: tuple[Range, ...]) -> Iterator[int]:
        """Devices of those of the ranges that lie in device memory, in their order."""
        for each in ranges:
            if self._kinds.get(each.buffer) in _ON_A_DEVICE:
                yield self._devices[each.buffer]

    def _peer(self, op: CaseOp) -> str | None:
        """Legacy stream of the device whose memory a copy touches from another device's stream."""
        stream = stream_of(op)
        if op.word.kind not in _COPIES or not stream:
            return None
        here = self.stream_device(stream)
        others = (d for d in self._held_by((*op.reads, *op.writes)) if d != here)
        other = next(others, None)
        return None if other is None else legacy_stream(other)

    def _flags(self, op: CaseOp) -> Flag:
        told = {
            Flag.FAILED: op.has("failed"),
            Flag.CAPTURED: "captured_in" in op.attrs,
            Flag.PDL: op.has("pdl"),
            Flag.IMPLICIT_SYNC: op.has("implicit_sync"),
            Flag.UNSTAGED: op.attrs.get("staged") is False,
            Flag.EXTERNAL: op.has("external"),
            Flag.NO_FENCE: op.event in self._unfenced and op.word.kind in _EVENT_KINDS,
            Flag.PROGRAMMATIC: op.has("programmatic"),
            Flag.OFFSET: op.attrs.get("offset", self._has_offset(op)),
            Flag.ACROSS: op.attrs.get("across", self._is_across(op)),
            Flag.POOL: op.attrs.get("pool", self._is_of_pool(op)),
            Flag.SYNC_MEMOPS: op.has("sync_memops"),
            Flag.BATCHED: op.has("batched"),
            Flag.FOREIGN: op.event in self._foreign,
            Flag.IMPLIED: op.has("implied"),
        }
        flags = Flag(0)
        for flag, is_set in told.items():
            if is_set:
                flags |= flag
        return flags

    # What an attribute that is left out stands for

    def _has_offset(self, op: CaseOp) -> bool:
        return op.word.kind is Kind.MEMSET and op.writes[0].offset > 0

    def _is_across(self, op: CaseOp) -> bool:
        if op.word.kind is Kind.MEMCPY_PEER:
            return True
        return op.word.kind in _COPIES and len({*self._held_by((*op.reads, *op.writes))}) > 1

    def _is_of_pool(self, op: CaseOp) -> bool:
        return op.word.kind is Kind.FREE and op.writes[0].buffer in self._pools
