"""The words of the scenario notation: every operation, what it takes, every attribute.

docs/scenarios.md tells the same in prose; a test holds the two together.
"""

import re
from dataclasses import dataclass
from typing import Literal

from synctrace.tracer.kinds import Kind, MemoryKind

MAX_BYTES = 1 << 40  # end of the largest buffer, so that all lie side by side in 64 bits
MAX_ROWS = 1 << 20  # of a strided range: each row is looked at by itself
MAX_DEVICE = 255
LEGACY = "LEGACY"  # name of the legacy default stream of device 0; LEGACY1 that of device 1, …

_ANY = 1 << 16  # more ranges than anybody writes by hand


@dataclass(frozen=True)
class Word:
    """What one operation takes. `reads` and `writes`: least and most number of ranges.

    A stream of "legacy" may be left out: the operation is then on LEGACY.
    """

    kind: Kind
    stream: Literal["none", "needed", "optional", "legacy"] = "none"
    event: Literal["none", "needed", "optional"] = "none"
    reads: tuple[int, int] = (0, 0)
    writes: tuple[int, int] = (0, 0)
    own_attrs: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # attributes that must be there
    memory: MemoryKind | None = None  # kind of the memory that it brings to life
    whole: bool = False  # concerns the whole buffer, whatever range is written

    @property
    def attrs(self) -> tuple[str, ...]:
        """All attributes that it may have."""
        return (*self.own_attrs, *EVERYWHERE)


_YES_NO = (True, False)

# Values of each attribute: those listed, any name, or the ordinal of a device.
ATTRIBUTES: dict[str, tuple[object, ...] | Literal["name", "device"]] = {
    "flags": ("blocking", "nonblocking", "per_thread"),
    "device": "device",
    "graph": "name",
    "captured_in": "name",
    "conditional": _YES_NO,
    "implicit_sync": _YES_NO,
    "pool": _YES_NO,
    "mem": ("pinned", "device"),
    "may": _YES_NO,
    "pdl": _YES_NO,
    "staged": _YES_NO,
    "across": _YES_NO,
    "offset": _YES_NO,
    "sync_memops": _YES_NO,
    "no_fence": _YES_NO,
    "external": _YES_NO,
    "programmatic": _YES_NO,
    "batched": _YES_NO,
    "implied": _YES_NO,
    "foreign": _YES_NO,
    "overlaps": _YES_NO,
    "failed": _YES_NO,
    "suspect": _YES_NO,
    "narrow_to": "name",
}
# Attributes of any operation. The last two are for the reader and the catalogue's tests.
EVERYWHERE = ("failed", "overlaps", "suspect", "narrow_to")

_ONE, _SOME, _FREE = (1, 1), (1, _ANY), (0, _ANY)
_CAPTURE = ("captured_in",)
_FILL = ("offset", "sync_memops")
_COPY = ("across", *_FILL)


def _alloc(kind: Kind, memory: MemoryKind, *attrs: str) -> Word:
    return Word(kind, writes=_ONE, memory=memory, whole=True, own_attrs=attrs)


def _copy(kind: Kind, *attrs: str) -> Word:
    own = (*attrs, *_COPY, *_CAPTURE, "batched")
    return Word(kind, "needed", reads=_SOME, writes=_SOME, own_attrs=own)


def _copy_and_wait(kind: Kind) -> Word:
    """A copy of the synchronous name."""
    return Word(kind, "legacy", reads=_SOME, writes=_SOME, own_attrs=_COPY)


def _graph(kind: Kind, stream: Literal["none", "needed"]) -> Word:
    return Word(kind, stream, own_attrs=("graph",), needs=("graph",))


def _event(kind: Kind) -> Word:
    return Word(kind, event="needed")


MEMORY: dict[str, Word] = {
    "alloc_pinned": _alloc(Kind.ALLOC_PINNED, MemoryKind.PINNED, "device"),
    "alloc_mapped": _alloc(Kind.ALLOC_MAPPED, MemoryKind.MAPPED, "device"),
    "alloc_write_combined": _alloc(Kind.ALLOC_WRITE_COMBINED, MemoryKind.WRITE_COMBINED, "device"),
    "alloc_pageable": _alloc(Kind.ALLOC_PAGEABLE, MemoryKind.PAGEABLE),
    "alloc_managed": _alloc(Kind.ALLOC_MANAGED, MemoryKind.MANAGED, "device"),
    "alloc_device": _alloc(Kind.ALLOC_DEVICE, MemoryKind.DEVICE, "device"),
    "host_register": Word(Kind.HOST_REGISTER, writes=_ONE, whole=True, own_attrs=("device",)),
    "host_unregister": Word(Kind.HOST_UNREGISTER, writes=_ONE, whole=True),
    "free_host": Word(Kind.FREE_HOST, writes=_ONE, whole=True),
    "free": Word(
        Kind.FREE,
        writes=_ONE,
        whole=True,
        own_attrs=("implicit_sync", "pool"),
        needs=("implicit_sync",),
    ),
    "alloc_async": Word(
        Kind.ALLOC_ASYNC,
        "needed",
        writes=_ONE,
        whole=True,
        memory=MemoryKind.DEVICE,
        own_attrs=_CAPTURE,
    ),
    "free_async": Word(Kind.FREE_ASYNC, "needed", writes=_ONE, whole=True, own_attrs=_CAPTURE),
    # Device memory unless attrs.mem says pinned.
    "cache_alloc": Word(
        Kind.CACHE_ALLOC,
        "optional",
        writes=_ONE,
        whole=True,
        memory=MemoryKind.DEVICE,
        own_attrs=("mem", "device"),
    ),
    "cache_free": Word(Kind.CACHE_FREE, "optional", writes=_ONE, whole=True),
    "record_stream": Word(Kind.RECORD_STREAM, "needed", writes=_ONE, whole=True),
}

HOST: dict[str, Word] = {
    "host_write": Word(Kind.HOST_WRITE, writes=_SOME),
    "host_read": Word(Kind.HOST_READ, reads=_SOME),
    "thread_signal": _event(Kind.THREAD_SIGNAL),
    "thread_wait": _event(Kind.THREAD_WAIT),
    "thread_start": _event(Kind.THREAD_START),
    "thread_join": _event(Kind.THREAD_JOIN),
    "mutex_unlock": _event(Kind.MUTEX_UNLOCK),
    "mutex_lock": _event(Kind.MUTEX_LOCK),
    "release": _event(Kind.RELEASE),
    "acquire": _event(Kind.ACQUIRE),
}

WORK: dict[str, Word] = {
    "memcpy_async_h2d": _copy(Kind.MEMCPY_ASYNC_H2D, "staged"),
    "memcpy_async_d2h": _copy(Kind.MEMCPY_ASYNC_D2H),
    "memcpy_async_d2d": _copy(Kind.MEMCPY_ASYNC_D2D),
    "memcpy_async_peer": _copy(Kind.MEMCPY_ASYNC_PEER),
    "memcpy_h2d": _copy_and_wait(Kind.MEMCPY_H2D),
    "memcpy_d2h": _copy_and_wait(Kind.MEMCPY_D2H),
    "memcpy_d2d": _copy_and_wait(Kind.MEMCPY_D2D),
    "memcpy_h2h": _copy_and_wait(Kind.MEMCPY_H2H),
    "memcpy_peer": _copy_and_wait(Kind.MEMCPY_PEER),
    "memset_async": Word(Kind.MEMSET_ASYNC, "needed", writes=_SOME, own_attrs=(*_FILL, *_CAPTURE)),
    "memset": Word(Kind.MEMSET, "legacy", writes=_SOME, own_attrs=_FILL),
    "kernel": Word(
        Kind.KERNEL,
        "needed",
        reads=_FREE,
        writes=_FREE,
        own_attrs=("may", "pdl", *_CAPTURE, "batched"),
    ),
    "batch": Word(Kind.BATCH, "optional"),
    "graph_launch": Word(
        Kind.GRAPH_LAUNCH,
        "needed",
        reads=_FREE,
        writes=_FREE,
        own_attrs=("graph", "conditional", *_CAPTURE),
    ),
    "host_func": Word(
        Kind.HOST_FUNC,
        "needed",
        event="optional",
        reads=_FREE,
        writes=_FREE,
        own_attrs=("may", *_CAPTURE),
    ),
}

ORDER: dict[str, Word] = {
    "stream_create": Word(
        Kind.STREAM_CREATE, "needed", own_attrs=("flags", "device"), needs=("flags",)
    ),
    "stream_destroy": Word(Kind.STREAM_DESTROY, "needed"),
    "event_create": Word(Kind.EVENT_CREATE, event="needed", own_attrs=("no_fence", "foreign")),
    "event_record": Word(
        Kind.EVENT_RECORD,
        "needed",
        event="needed",
        own_attrs=("external", "programmatic", *_CAPTURE, "implied"),
    ),
    "event_wait": Word(
        Kind.EVENT_WAIT, "needed", event="needed", own_attrs=("external", *_CAPTURE, "implied")
    ),
    "event_sync": _event(Kind.EVENT_SYNC),
    "event_query": _event(Kind.EVENT_QUERY),
    "event_destroy": _event(Kind.EVENT_DESTROY),
    "stream_sync": Word(Kind.STREAM_SYNC, "needed"),
    "stream_query": Word(Kind.STREAM_QUERY, "needed"),
    "device_sync": Word(Kind.DEVICE_SYNC, own_attrs=("device",)),
    "value_write": Word(Kind.VALUE_WRITE, "needed", event="needed"),
    "value_wait": Word(Kind.VALUE_WAIT, "needed", event="needed"),
}

GRAPHS: dict[str, Word] = {
    "capture_begin": _graph(Kind.CAPTURE_BEGIN, "needed"),
    "capture_end": _graph(Kind.CAPTURE_END, "needed"),
    "graph_update": Word(
        Kind.GRAPH_UPDATE, reads=_FREE, writes=_FREE, own_attrs=("graph",), needs=("graph",)
    ),
    "graph_destroy": _graph(Kind.GRAPH_DESTROY, "none"),
}

WORDS: dict[str, Word] = MEMORY | HOST | WORK | ORDER | GRAPHS


def legacy_device(stream: str) -> int | None:
    """Device whose legacy default stream has this name; None: it is no such stream."""
    if stream == LEGACY:
        return 0
    found = re.fullmatch(rf"{LEGACY}([1-9][0-9]{{0,2}})", stream)
    return int(found[1]) if found else None


def legacy_stream(device: int) -> str:
    """Name of the legacy default stream of a device."""
    return f"{LEGACY}{device}" if device else LEGACY
