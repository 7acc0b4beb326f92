"""Random programs small enough to be run in every way, a few features in each."""

import random
from typing import Any

from random_traces import Access, Op, Program

from synctrace.tracer.kinds import Flag, Kind, MemoryKind, StreamFlag

SIGNAL, OTHER_SIGNAL = 4, 5  # events 1 and 2 are recorded
FEATURES = (
    "events", "syncs", "queries", "legacy", "copies", "peer", "across", "loose", "staged", "graphs",
    "pdl", "programmatic", "owners", "frees", "callbacks", "signals", "releases", "effectless",
    "blocking",
)  # fmt: skip
# Of calls of this kind some carry the flag, in programs that have the feature.
FLAGS = {
    Kind.KERNEL: ("pdl", Flag.PDL),
    Kind.EVENT_RECORD: ("programmatic", Flag.PROGRAMMATIC),
    Kind.FREE: ("frees", Flag.IMPLICIT_SYNC),
    Kind.MEMCPY_ASYNC_H2D: ("loose", Flag.UNSTAGED),
}
SIGNALS = (
    Kind.THREAD_SIGNAL, Kind.THREAD_WAIT, Kind.THREAD_START, Kind.THREAD_JOIN, Kind.MUTEX_UNLOCK,
    Kind.MUTEX_LOCK, Kind.RELEASE, Kind.ACQUIRE, Kind.HOST_FUNC,
)  # fmt: skip
EVENTS = (Kind.EVENT_RECORD, Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.EVENT_QUERY)
BLOCKS = (Kind.CACHE_ALLOC, Kind.CACHE_FREE, Kind.RECORD_STREAM)
COPIES = (Kind.TENSOR_COPY_ASYNC, Kind.MEMCPY_ASYNC_PEER, Kind.MEMCPY_PEER, Kind.MEMCPY_ASYNC_D2D)
UPLOADS = (Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_H2D)
MEMORIES = (MemoryKind.PAGEABLE, MemoryKind.PAGEABLE, MemoryKind.PINNED)
SYNCS = {*EVENTS, *SIGNALS, Kind.STREAM_SYNC, Kind.STREAM_QUERY, Kind.STREAM_DESTROY}
SYNCS = (SYNCS | {Kind.DEVICE_SYNC}) - {Kind.HOST_FUNC}
WITHOUT_STREAM = {*SIGNALS, Kind.EVENT_SYNC, Kind.EVENT_QUERY, Kind.DEVICE_SYNC, Kind.CACHE_FREE}
WITHOUT_STREAM = (WITHOUT_STREAM | {Kind.HOST_READ, Kind.HOST_WRITE, Kind.FREE}) - {Kind.HOST_FUNC}


def small_program(seed: int, *, threads: int = 1) -> Program:
    """Three to eight calls of that many threads on two or three streams."""
    rng = random.Random(seed)
    chosen = {"events", *rng.sample(FEATURES, rng.choice([1, 2, 3]))}
    if threads > 1:
        chosen |= {rng.choice(["signals", "callbacks", "releases"])}
        chosen -= {"owners"}  # who frees and who takes a block is ordered by the allocator's lock
    streams = 2 if "programmatic" in chosen else rng.choice([2, 2, 3])
    flags = [rng.choice([StreamFlag(0), StreamFlag.NONBLOCKING])] * streams
    if chosen & {"legacy", "across"}:
        kinds = [StreamFlag.BLOCKING, StreamFlag.BLOCKING, StreamFlag.PER_THREAD]
        flags = [rng.choice([*kinds, StreamFlag.NONBLOCKING]) for _ in range(streams)]
        if "across" not in chosen or rng.random() < 0.5:
            flags[0] = StreamFlag.LEGACY
    if "blocking" in chosen and rng.random() < 0.5:
        flags[-1] |= StreamFlag.SYNCHRONOUS
    several = chosen & {"peer", "across"} or rng.random() < 0.2
    devices = [rng.choice([0, 0, 0, 1, 1, 2]) if several else 0 for _ in range(streams)]
    made = Program(threads, streams, flags, devices)
    _Maker(rng, made, chosen).run(rng.choice([4, 5, 6, 7, 8] if threads == 1 else [4, 5, 6, 6, 7]))
    return made


class _Maker:
    def __init__(self, rng: random.Random, made: Program, chosen: set[str]) -> None:
        self.rng, self.made, self.chosen = rng, made, chosen
        self.ticket = 0
        self.open: dict[int, int] = {}  # by thread: index of the op that has not returned
        self.rows: list[dict[str, Any]] = []
        self.streams = range(made.threads + 1, made.threads + made.streams + 1)
        self.last = self.streams[0]  # stream of the last work
        self.syncs = rng.choice([0.2, 0.35, 0.5])

    def run(self, count: int) -> None:
        rng = self.rng
        threads = list(range(1, self.made.threads + 1))
        for index in range(count):
            thread = self.next_thread(threads)
            self.leave(thread)
            row = self.next()
            flags = row.pop("flags", Flag(0))
            if "effectless" in self.chosen and rng.random() < 0.1:
                flags |= rng.choice([Flag.FAILED, Flag.NOOP, Flag.CAPTURED, Flag.REFUSED])
            if "blocking" in self.chosen and rng.random() < 0.2:
                flags |= Flag.BLOCKING
            self.ticket += 1
            fixed = {"id": index + 1, "ticket_c": self.ticket, "thread": thread, "flags": flags}
            self.rows.append({**row, **fixed, "site": index + 1})
            self.open[thread] = index
            if rng.random() < 0.75:
                self.leave(thread)
            elif rng.random() < 0.5:
                self.leave(rng.choice(threads))
        for thread in threads:
            self.leave(thread)
        self.made.ops.extend(Op(**row) for row in self.rows)

    def next_thread(self, threads: list[int]) -> int:
        """Often another one after a signal, and the one that waited for it."""
        rng = self.rng
        if len(threads) == 1 or not self.rows or rng.random() < 0.4:
            return rng.choice(threads)
        last = self.rows[-1]
        if last["kind"] in (Kind.THREAD_SIGNAL, Kind.RELEASE, Kind.HOST_FUNC):
            return rng.choice([thread for thread in threads if thread != last["thread"]])
        return (
            last["thread"]
            if last["kind"] in (Kind.THREAD_WAIT, Kind.ACQUIRE)
            else rng.choice(threads)
        )

    def next(self) -> dict[str, Any]:
        """Often what makes the last call matter: random calls alone seldom do."""
        rng = self.rng
        last = self.rows[-1] if self.rows else {}
        kind = last.get("kind") if rng.random() < 0.7 else None
        if kind is Kind.EVENT_RECORD:
            if rng.random() < 0.3:
                return {**self.call(Kind.EVENT_SYNC), "event": last["event"]}
            other = rng.choice([s for s in self.streams if s != last["actor"]])
            return {**self.call(Kind.EVENT_WAIT, other), "event": last["event"]}
        if kind in (Kind.EVENT_WAIT, Kind.CACHE_ALLOC):
            return self.work(last["actor"])
        if kind in (Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC):
            return self.work()
        if kind in (Kind.THREAD_WAIT, Kind.ACQUIRE):
            return self.call(rng.choice([Kind.HOST_READ, Kind.HOST_WRITE, Kind.KERNEL]))
        if kind is Kind.KERNEL and "syncs" in self.chosen and rng.random() < 0.6:
            return self.call(Kind.DEVICE_SYNC)
        if kind is Kind.KERNEL and "owners" in self.chosen:
            return self.call(Kind.RECORD_STREAM, last["actor"])
        if kind is Kind.MEMSET_ASYNC and "programmatic" in self.chosen:
            return self.call(Kind.KERNEL, last["actor"])
        if kind is Kind.HOST_WRITE and "releases" in self.chosen:
            return self.call(Kind.RELEASE)
        if kind in (Kind.THREAD_SIGNAL, Kind.RELEASE, Kind.HOST_FUNC):
            wait = Kind.ACQUIRE if kind is Kind.RELEASE else Kind.THREAD_WAIT
            return {**self.call(wait), "event": last["event"]}
        if kind in (Kind.RECORD_STREAM, Kind.CACHE_FREE):
            then = Kind.CACHE_FREE if kind is Kind.RECORD_STREAM else Kind.CACHE_ALLOC
            return {**self.call(then), "accesses": last["accesses"]}
        if kind is Kind.KERNEL and rng.random() < (0.9 if "programmatic" in self.chosen else 0.5):
            return self.call(Kind.EVENT_RECORD, last["actor"])
        return self.sync() if rng.random() < self.syncs else self.work()

    def leave(self, thread: int) -> None:
        if thread in self.open:
            self.ticket += 1
            self.rows[self.open.pop(thread)]["ticket_r"] = self.ticket

    def sync(self) -> dict[str, Any]:
        has = self.chosen
        kinds = [Kind.EVENT_RECORD] * 3 + [Kind.EVENT_WAIT] * 3 + [Kind.EVENT_SYNC]
        kinds += [Kind.STREAM_SYNC, Kind.DEVICE_SYNC] * (2 * ("syncs" in has))
        kinds += [Kind.STREAM_SYNC] * ("legacy" in has)
        kinds += [Kind.STREAM_QUERY, Kind.EVENT_QUERY, Kind.STREAM_DESTROY] * ("queries" in has)
        if "owners" in has:
            kinds = [Kind.CACHE_ALLOC, Kind.CACHE_FREE, Kind.RECORD_STREAM, Kind.STREAM_SYNC]
        kinds += [Kind.THREAD_SIGNAL, Kind.THREAD_WAIT, Kind.THREAD_WAIT] * (2 * ("signals" in has))
        if "releases" in has:
            kinds += [Kind.RELEASE] * 3 + [Kind.ACQUIRE] * 4 + [Kind.THREAD_SIGNAL]
        kinds += [Kind.THREAD_WAIT] * (4 * ("callbacks" in has))
        return self.call(self.rng.choice(kinds))

    def work(self, stream: int = 0) -> dict[str, Any]:
        has = self.chosen
        kinds = [Kind.KERNEL] * 4 + [Kind.MEMSET_ASYNC, Kind.HOST_WRITE, Kind.HOST_READ]
        kinds += [Kind.MEMSET_ASYNC] * (3 * ("programmatic" in has))
        kinds += [Kind.TENSOR_COPY_ASYNC, Kind.MEMCPY_ASYNC_PEER] * (2 * ("copies" in has))
        kinds += [Kind.MEMCPY_PEER] * (3 * ("peer" in has))
        kinds += [Kind.MEMCPY_ASYNC_D2D] * (4 * ("across" in has))
        kinds += [Kind.MEMCPY_ASYNC_D2H, Kind.MEMCPY_ASYNC_H2D] * (2 * ("loose" in has))
        kinds += [Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_H2D, Kind.MEMCPY_H2D] * ("staged" in has)
        kinds += [Kind.MEMCPY_H2H, Kind.MEMCPY_D2D] * ("staged" in has)
        kinds += [Kind.GRAPH_LAUNCH] * (4 * ("graphs" in has))
        kinds += [Kind.FREE] * (3 * ("frees" in has))
        kinds += [Kind.HOST_FUNC] * (4 * ("callbacks" in has))
        kinds += [Kind.KERNEL] * (4 * ("pdl" in has or "programmatic" in has))
        return self.call(self.rng.choice(kinds), stream)

    def call(self, kind: Kind, stream: int = 0) -> dict[str, Any]:
        """All that a call of this kind needs."""
        rng, row = self.rng, {"kind": kind}
        if kind in SIGNALS:
            row["event"] = SIGNAL if rng.random() < 0.8 else OTHER_SIGNAL
        if kind in EVENTS:
            row["event"] = rng.choice([1, 1, 1, 2])
        if kind is Kind.DEVICE_SYNC:
            row["device"] = rng.choice([-1, 0, 0, 1])
        if kind is Kind.GRAPH_LAUNCH:
            row["graph"] = rng.choice([1, 1, 2])
        if kind in BLOCKS:
            row["accesses"] = (self.access(whole=True),)
        elif kind not in SYNCS:
            memory = rng.choice(MEMORIES) if kind in UPLOADS else MemoryKind.UNKNOWN
            row["accesses"] = tuple(self.access(memory) for _ in range(rng.choice([1, 1, 1, 2])))
        if kind not in WITHOUT_STREAM:
            near = kind is Kind.EVENT_RECORD and rng.random() < 0.7
            row["actor"] = stream or (self.last if near else rng.choice(self.streams))
            if kind not in SYNCS:
                self.last = row["actor"]
        if kind in COPIES and rng.random() < 0.9:
            row["peer"] = rng.choice(self.streams)
        feature, flag = FLAGS.get(kind, ("", Flag(0)))
        row["flags"] = flag if feature in self.chosen and rng.random() < 0.7 else Flag(0)
        return row

    def access(self, memory: MemoryKind = MemoryKind.UNKNOWN, whole: bool = False) -> int:
        """One of a few bytes, mostly written."""
        rng = self.rng
        lo = rng.choice([0, 0, 0, 1])
        lo, hi = (0, 16) if whole else (lo, lo + rng.choice([1, 1, 2]))
        mode = rng.choice(
            [(True, False), (True, False), (False, True), (False, True), (True, True)]
        )
        storage = rng.choice([1, 1, 1, 1, 2])
        self.made.accesses.append(Access(storage, lo, hi, *mode, memory))
        return len(self.made.accesses)
