"""Reads the files that the recorder shares with its parent, as drawn in native/record.h."""

import mmap
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

PAGE = 4096
CONTROL_MAGIC = 0x31746E6F63637473
RING_MAGIC = 0x31676E6972637473


class Record(IntEnum):
    """Type of a record: enum record_type."""

    PAD = 0
    OP = 1
    GAP = 2
    ACTOR = 3
    STORAGE = 4
    EVENT = 5
    STACK = 6
    MODULE = 7
    SCOPE = 8
    RENAME = 9
    RANGES = 10
    GRAPH = 11
    CALL = 12
    ACCESS = 13
    OP_LONG = 14
    FRAME = 15
    MEMORY = 16
    NODE = 17
    NODE_EDGES = 18
    KERNEL = 19
    NAME = 24
    DEVICE_OPS = 30
    DEVICE_TIMES = 31


# The fixed part of each record, head included.
HEAD = struct.Struct("<IHH")
FIXED = {
    Record.OP: struct.Struct("<8xQQqqqQIIIIIIIIiiBBHIII32x"),
    Record.GAP: struct.Struct("<8xQQQ"),
    Record.ACTOR: struct.Struct("<8xQQIiII"),
    Record.STORAGE: struct.Struct("<8xQQQQIiII"),
    Record.EVENT: struct.Struct("<8xQQIi"),
    Record.STACK: struct.Struct("<8xII"),
    Record.MODULE: struct.Struct("<8xQQQ"),
    Record.SCOPE: struct.Struct("<8xQQIIII"),
    Record.RENAME: struct.Struct("<8xII"),
    Record.RANGES: struct.Struct("<8xII"),
    Record.GRAPH: struct.Struct("<8xQIIII"),
    Record.CALL: struct.Struct("<8xII"),
    Record.ACCESS: struct.Struct("<8xII136x"),
    Record.FRAME: struct.Struct("<8xQII"),
    Record.MEMORY: struct.Struct("<8xIIQQQ"),
    Record.NODE: struct.Struct("<8xIIB7x"),
    Record.NODE_EDGES: struct.Struct("<8xII"),
    Record.KERNEL: struct.Struct("<8xQIIII"),
    Record.NAME: struct.Struct("<8xQII"),
}
NAMED_THREAD, NAMED_ACTOR, NAMED_EVENT = 1, 2, 3  # enum named
KERNEL_LAYOUT_KNOWN = 1  # enum kernel_flag
# Counters of the control page by their place: enum coverage. These are their names in meta.json.
COVERAGE = (
    "kernels_without_layout",
    "guessed_pointers",
    "unresolved_pointers",
    "unwatched_kernels_host_memory",
    "foreign_handles",
    "unwatched_managed_bytes",
    "unbound_value_waits",
    "unread_nodes",
    "ranges_not_tracked",
    "ranges_not_protected",
    "ranges_without_free",
    "kernels_not_unpacked",
    "calls_with_more_ranges",
    "device_records_lost",
    "repeated_queries",
)
DEVICE_OP = struct.Struct("<QII")
DEVICE_TIME = struct.Struct("<IIqq")
OP_SIZE = FIXED[Record.OP].size
RANGE = struct.Struct("<IBBBBQQQQQQQII64s")
# Words that both sides use at once are native ones: those are read and written whole, while the
# other formats may go byte by byte.
_U64 = struct.Struct("@Q")
_RING_START = struct.Struct("@QQqII")
_RING_WRITER = struct.Struct("@QQQQQ")  # head, dropped, reported, open, first
_RING_WRITER_AT, _RING_TAIL_AT = 64, 128
_CONTROL = struct.Struct("@QQqqqQQQQQQQQQQQQQ256s512s16Q2Q4Q")


_order = threading.Lock()


def _barrier() -> None:
    """What follows is not served before reads ahead of it.

    A lock taken and given back once is no such thing where memory is weakly ordered: what is ahead
    may slip in behind the taking, what follows before the giving back, and there pass each other.
    A second taking is not served before the first giving back, on aarch64 either.
    """
    for _ in range(2):
        with _order:
            pass


@dataclass(frozen=True)
class ControlState:
    """A copy of a process's control page."""

    ticket: int
    pid: int
    started_ns: int
    lost: int
    untracked: int
    unwatched: int
    unread: int
    reentrant: int
    layout: int
    abandoned: int
    skipped: int
    faults_hit: int
    copies: int
    unfreed: int
    blind: int
    unrecorded_forks: int
    other_libraries: int
    device_times: int
    cupti: int
    cuda_needed: int
    cupti_answer: int
    coverage: dict[str, int]  # by the names of COVERAGE
    versions: dict[str, str]
    program: str


class Control:
    """The control page of a recorded process."""

    def __init__(self, path: Path) -> None:
        """Map it. Raises OSError or ValueError if it is not (yet) there in full."""
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), PAGE, access=mmap.ACCESS_READ)
        if _U64.unpack_from(self._map)[0] != CONTROL_MAGIC:
            self._map.close()
            raise ValueError(f"{path} is no control page")
        _barrier()  # the magic is written last, so it is read first

    def ticket(self) -> int:
        """The next ticket to be taken. What is read afterwards is no older."""
        ticket = int(_U64.unpack_from(self._map, 8)[0])
        _barrier()
        return ticket

    def state(self) -> ControlState:
        """All of it, now."""
        values = _CONTROL.unpack_from(self._map)
        pairs = (pair.split("=", 1) for pair in text_of(values[18]).split(";") if "=" in pair)
        return ControlState(
            ticket=values[1],
            pid=values[2],
            started_ns=values[4],
            lost=values[6],
            untracked=values[7],
            unwatched=values[8],
            unread=values[9],
            reentrant=values[10],
            layout=values[11],
            abandoned=values[12],
            skipped=values[13],
            faults_hit=values[14],
            copies=values[15],
            unfreed=values[16],
            blind=values[17],
            unrecorded_forks=values[36],
            other_libraries=values[37],
            device_times=values[38],
            cupti=values[39],
            cuda_needed=values[40],
            cupti_answer=values[41],
            coverage=dict(zip(COVERAGE, values[20:36], strict=False)),
            versions={name: value for name, value in pairs if value},
            program=text_of(values[19]),
        )

    def close(self) -> None:
        """Unmap it."""
        self._map.close()


@dataclass(frozen=True)
class Writer:
    """A copy of the words that a ring's thread writes."""

    head: int
    dropped: int
    reported: int
    open: int  # lower bound of the tickets of its unfinished ops; 0: none
    first: int  # ticket at which the untold loss began


class Ring:
    """One thread's ring, read by one reader."""

    def __init__(self, path: Path) -> None:
        """Map it. Raises OSError or ValueError if it is not (yet) there in full."""
        self.path = path
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        if len(self._map) < PAGE or _U64.unpack_from(self._map)[0] != RING_MAGIC:
            self._map.close()
            raise ValueError(f"{path} is no ring")
        _barrier()  # the magic is written last, so it is read first
        _, self.size, self.thread, self.actor, _ = _RING_START.unpack_from(self._map)
        self._tail = memoryview(self._map)[_RING_TAIL_AT : _RING_TAIL_AT + 8].cast("Q")

    def writer(self) -> Writer:
        """What the thread says now."""
        state = Writer(*_RING_WRITER.unpack_from(self._map, _RING_WRITER_AT))
        _barrier()
        return state

    def closed(self) -> bool:
        """The thread has ended: what is read from here on is all of it."""
        closed = bool(_RING_START.unpack_from(self._map)[4])
        _barrier()
        return closed

    def held(self) -> float:
        """How full it is, 0 to 1."""
        full: float = (self.writer().head - self._tail[0]) / self.size
        return full

    def take(self) -> list[bytes]:
        """Copy out what was written since the last call, and make room for more."""
        head = self.writer().head
        tail = self._tail[0]
        parts = []
        while tail < head:
            at = tail % self.size
            length = min(head - tail, self.size - at)
            parts.append(self._map[PAGE + at : PAGE + at + length])
            tail += length
        if parts:
            _barrier()
            self._set_tail(tail)
        return parts

    def _set_tail(self, tail: int) -> None:
        """In one store: Struct.pack_into writes zeros first, and the writer may look then."""
        self._tail[0] = tail

    def close(self, *, remove: bool) -> None:
        """Unmap it; with `remove`, also give its memory back."""
        self._tail.release()
        self._map.close()
        if remove:
            self.path.unlink(missing_ok=True)


def records(part: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Type, count, start and end of each record of a part. Raises ValueError at a senseless one."""
    at, end = 0, len(part)
    head, least, op, op_size = HEAD.unpack_from, HEAD.size, int(Record.OP), OP_SIZE
    while at + least <= end:
        size, kind, count = head(part, at)
        if size < least or at + size > end or (kind == op and size != op_size):
            raise ValueError("a record of a senseless size")
        yield kind, count, at, at + size
        at += size


def two_texts_of(raw: bytes) -> tuple[str, str]:
    """Two strings of a record, one behind the other."""
    first, _, rest = raw.partition(b"\0")
    return first.decode("utf-8", "replace"), text_of(rest)


def text_of(raw: bytes) -> str:
    """A string of a record: up to its first 0."""
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")
