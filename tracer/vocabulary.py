"""The words of the scenario notation: every operation, what it takes, every attribute.

docs/scenarios.md tells the same in prose; a test holds the two together.
"""

from dataclasses import dataclass
from typing import Literal

from synctrace.tracer.kinds import Kind, MemoryKind

MAX_BYTES = 1 << 40  # end of the largest buffer, so that all lie side by side in 64 bits
LEGACY = "LEGACY"  # name of the legacy default stream

_ANY = 1 << 16  # more ranges than anybody writes by hand


@dataclass(frozen=True)
class Word:
    """What one operation takes. `reads` and `writes`: least and most number of ranges."""

    kind: Kind
    stream: Literal["none", "needed", "optional"] = "none"
    event: bool = False
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


# Values of each attribute; None: any name.
ATTRIBUTES: dict[str, tuple[object, ...] | None] = {
    "flags": ("blocking", "nonblocking"),
    "graph": None,
    "captured_in": None,
    "implicit_sync": (True, False),
    "mem": ("pinned", "device"),
    "pdl": (True, False),
    "staged": (True, False),
    "failed": (True, False),
    "suspect": (True, False),
    "narrow_to": None,
}
# Attributes of any operation. The last two are for the reader and the catalogue's tests.
EVERYWHERE = ("failed", "suspect", "narrow_to")

_ONE, _SOME, _FREE = (1, 1), (1, _ANY), (0, _ANY)
_CAPTURE = ("captured_in",)


def _alloc(kind: Kind, memory: MemoryKind) -> Word:
    return Word(kind, writes=_ONE, memory=memory, whole=True)


def _copy(kind: Kind, *attrs: str) -> Word:
    return Word(kind, "needed", reads=_SOME, writes=_SOME, own_attrs=(*attrs, *_CAPTURE))


def _graph(kind: Kind, stream: Literal["none", "needed", "optional"]) -> Word:
    return Word(kind, stream, own_attrs=("graph",), needs=("graph",))


WORDS: dict[str, Word] = {
    "alloc_pinned": _alloc(Kind.ALLOC_PINNED, MemoryKind.PINNED),
    "alloc_pageable": _alloc(Kind.ALLOC_PAGEABLE, MemoryKind.PAGEABLE),
    "alloc_device": _alloc(Kind.ALLOC_DEVICE, MemoryKind.DEVICE),
    "free_host": Word(Kind.FREE_HOST, writes=_ONE, whole=True),
    "free": Word(
        Kind.FREE,
        writes=_ONE,
        whole=True,
        own_attrs=("implicit_sync",),
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
        own_attrs=("mem",),
    ),
    "cache_free": Word(Kind.CACHE_FREE, "optional", writes=_ONE, whole=True),
    "record_stream": Word(Kind.RECORD_STREAM, "needed", writes=_ONE, whole=True),
    "stream_create": Word(Kind.STREAM_CREATE, "needed", own_attrs=("flags",), needs=("flags",)),
    "host_write": Word(Kind.HOST_WRITE, writes=_SOME),
    "host_read": Word(Kind.HOST_READ, reads=_SOME),
    "memcpy_async_h2d": _copy(Kind.MEMCPY_ASYNC_H2D, "staged"),
    "memcpy_async_d2h": _copy(Kind.MEMCPY_ASYNC_D2H),
    "memcpy_async_d2d": _copy(Kind.MEMCPY_ASYNC_D2D),
    "memcpy_async_peer": _copy(Kind.MEMCPY_ASYNC_PEER),
    "memcpy_h2d": Word(Kind.MEMCPY_H2D, "optional", reads=_SOME, writes=_SOME),
    "memset_async": Word(Kind.MEMSET_ASYNC, "needed", writes=_SOME, own_attrs=_CAPTURE),
    "kernel": Word(Kind.KERNEL, "needed", reads=_FREE, writes=_FREE, own_attrs=("pdl", *_CAPTURE)),
    "graph_launch": Word(
        Kind.GRAPH_LAUNCH, "needed", reads=_FREE, writes=_FREE, own_attrs=("graph", *_CAPTURE)
    ),
    "host_func": Word(Kind.HOST_FUNC, "needed", reads=_FREE, writes=_FREE, own_attrs=_CAPTURE),
    "event_record": Word(Kind.EVENT_RECORD, "needed", event=True, own_attrs=_CAPTURE),
    "event_wait": Word(Kind.EVENT_WAIT, "needed", event=True, own_attrs=_CAPTURE),
    "event_sync": Word(Kind.EVENT_SYNC, event=True),
    "event_destroy": Word(Kind.EVENT_DESTROY, event=True),
    "stream_sync": Word(Kind.STREAM_SYNC, "needed"),
    "device_sync": Word(Kind.DEVICE_SYNC),
    "capture_begin": _graph(Kind.CAPTURE_BEGIN, "needed"),
    "capture_end": _graph(Kind.CAPTURE_END, "needed"),
    "graph_destroy": _graph(Kind.GRAPH_DESTROY, "none"),
    "thread_signal": Word(Kind.THREAD_SIGNAL, event=True),
    "thread_wait": Word(Kind.THREAD_WAIT, event=True),
}
