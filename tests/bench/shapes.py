"""Synthetic traces of the two shapes of an inference engine, written through TraceWriter.

Per token: host writes and their copies to the device, D stages that each run many kernels (eager)
or one graph launch, a row written to and a prefix read from each layer's cache, the copy of the
result back and the host's read of the result before. Some waits are left out, some made twice.
"""

import random
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from synctrace.tracer.kinds import ActorKind, Extent, Kind, Level, MemoryKind, Mode, StreamFlag
from synctrace.tracer.schema import OP
from synctrace.tracer.writer import TraceWriter

SLOTS, INPUTS, LAYERS, CONTEXT, ROW = 2, 10, 8, 4096, 2048
MEGA = 1 << 20
BATCH = 1 << 16


@dataclass(frozen=True)
class Shape:
    """What a synthetic trace looks like. Timelines: contexts * (2 + 2 * devices)."""

    name: str
    graph: bool
    contexts: int = 1
    devices: int = 4
    races: float = 1e-3  # share of tokens that leave a wait out
    repeats: float = 0.2  # share of tokens that make a wait twice

    @property
    def kernels(self) -> int:
        """Kernels a stage, eager."""
        return 1500 // self.devices


@dataclass
class _Rows:
    """Columns of op while they grow."""

    kind: list[int] = field(default_factory=list)
    actor: list[int] = field(default_factory=list)
    event: list[int] = field(default_factory=list)
    graph: list[int] = field(default_factory=list)
    site: list[int] = field(default_factory=list)
    thread: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    accesses: list[int] = field(default_factory=list)

    def op(self, kind: Kind, thread: int, actor: int, site: int, *accesses: int,
           event: int = 0, graph: int = 0) -> None:  # fmt: skip
        self.kind.append(int(kind))
        self.thread.append(thread)
        self.actor.append(actor)
        self.event.append(event)
        self.graph.append(graph)
        self.site.append(site)
        self.lengths.append(len(accesses))
        self.accesses += accesses

    def extend(self, other: "_Rows") -> None:
        self.kind += other.kind
        self.thread += other.thread
        self.actor += other.actor
        self.event += other.event
        self.graph += other.graph
        self.site += other.site
        self.lengths += other.lengths
        self.accesses += other.accesses

    def __len__(self) -> int:
        return len(self.kind)


class _Maker:
    def __init__(self, shape: Shape, seed: int) -> None:
        self.shape = shape
        self.random = random.Random(seed)
        self.accesses: dict[tuple[int, int, int, Mode], int] = {}
        self.storages: dict[tuple[object, ...], int] = {}
        self.stages: dict[tuple[int, int, int], tuple[_Rows, list[int]]] = {}

    def at(self, storage: tuple[object, ...], lo: int, size: int, mode: Mode) -> int:
        number = self.storages.setdefault(storage, len(self.storages) + 1)
        key = (number, lo, lo + size, mode)
        return self.accesses.setdefault(key, len(self.accesses) + 1)

    def token(self, rows: _Rows, number: int, g: int) -> None:
        """One token of context g."""
        shape, slot = self.shape, number % SLOTS
        host = 1 + g * (2 + 2 * shape.devices)
        aux, copies, first = host + 1, host + 2, host + 3
        events = 1 + g * (8 + 4 * shape.devices)
        copied, computed, done = events + slot, events + 2 + slot, events + 4
        racy = [self.random.random() < shape.races for _ in range(3)]
        if number >= SLOTS and not racy[0]:
            rows.op(Kind.EVENT_SYNC, host, 0, 1, event=copied)
        sizes = [(slot * INPUTS + i, 4096 * (i + 1)) for i in range(INPUTS)]
        for i, (at, size) in enumerate(sizes):
            source = self.at((g, "source"), at * MEGA, size, Mode.WRITE)
            rows.op(Kind.HOST_WRITE, host, 0, 10 + i, source)
        if number >= SLOTS:
            rows.op(Kind.EVENT_WAIT, host, copies, 2, event=computed)
        for i, (at, size) in enumerate(sizes):
            source = self.at((g, "source"), at * MEGA, size, Mode.READ)
            target = self.at((g, "input"), at * MEGA, size, Mode.WRITE)
            rows.op(Kind.MEMCPY_ASYNC_H2D, host, copies, 20 + i, source, target)
        rows.op(Kind.EVENT_RECORD, host, copies, 3, event=copied)
        for _ in range((not racy[1]) * (1 + (self.random.random() < shape.repeats))):
            rows.op(Kind.EVENT_WAIT, host, first, 4, event=copied)
        for d in range(shape.devices):
            self.stage(rows, number, g, d, host)
            if d == 0:
                rows.op(Kind.EVENT_RECORD, host, first, 30, event=computed)
                if racy[2]:
                    part = self.at((g, "work", 0), 2 * 16384 - 100, 200, Mode.WRITE)
                    rows.op(Kind.MEMSET_ASYNC, host, aux, 41, part)
        last = host + 3 + 2 * (shape.devices - 1)
        rows.op(Kind.EVENT_WAIT, host, aux, 31, event=copied)
        rows.op(Kind.KERNEL, host, aux, 42, self.at((g, "aux"), 0, 4096, Mode.WRITE))
        result = self.at((g, "act", shape.devices - 1), 0, 16384, Mode.READ)
        out = self.at((g, "out"), slot * MEGA, 16384, Mode.WRITE)
        rows.op(Kind.MEMCPY_ASYNC_D2H, host, last, 43, result, out)
        rows.op(Kind.EVENT_RECORD, host, last, 32, event=done + slot)
        if number:
            before = (number - 1) % SLOTS
            rows.op(Kind.EVENT_SYNC, host, 0, 33, event=done + before)
            read = self.at((g, "out"), before * MEGA, 16384, Mode.READ)
            rows.op(Kind.HOST_READ, host, 0, 44, read)
        if number % 256 == 255:
            rows.op(Kind.STREAM_SYNC, host, last, 34)
            rows.op(Kind.DEVICE_SYNC, host, 0, 35)

    def stage(self, rows: _Rows, number: int, g: int, d: int, host: int) -> None:
        """The part of a token on device d."""
        shape = self.shape
        stream = host + 3 + 2 * d
        events = 1 + g * (8 + 4 * shape.devices) + 8
        ready, taken = events + d, events + shape.devices + d
        if d:
            rows.op(Kind.EVENT_WAIT, host, stream, 6, event=ready - 1)
            source = self.at((g, "act", d - 1), 0, 16384, Mode.READ)
            target = self.at((g, "work", d), 0, 16384, Mode.WRITE)
            rows.op(Kind.MEMCPY_ASYNC_PEER, host, stream, 40, source, target)
            rows.op(Kind.EVENT_RECORD, host, stream, 7, event=taken)
        if d < shape.devices - 1 and number:
            rows.op(Kind.EVENT_WAIT, host, stream, 8, event=taken + 1)
        row = number % CONTEXT
        cache = []
        for layer in range(LAYERS):
            base = layer * CONTEXT * ROW
            cache.append(self.at((g, "cache", d), base + row * ROW, ROW, Mode.WRITE))
            prefix = (row // 256 + 1) * 256 * ROW
            cache.append(self.at((g, "cache", d), base, prefix, Mode.READ))
        if shape.graph:
            inputs = self.inputs(g, number % SLOTS) if d == 0 else []
            weights = self.at((g, "weights", d), 0, shape.kernels * 65536, Mode.READ)
            work = self.at((g, "work", d), 0, 8 * 16384, Mode.WRITE)
            act = self.at((g, "act", d), 0, 16384, Mode.WRITE)
            graph = 1 + g * shape.devices + d
            ranges = (*inputs, weights, work, *cache, act)
            rows.op(Kind.GRAPH_LAUNCH, host, stream, 50, *ranges, graph=graph)
        else:
            template, holes = self.kernels(g, d, number % SLOTS, host)
            for hole, access in zip(holes, cache, strict=True):
                template.accesses[hole] = access
            rows.extend(template)
        rows.op(Kind.EVENT_RECORD, host, stream, 9, event=ready)

    def inputs(self, g: int, slot: int) -> list[int]:
        lo = [(slot * INPUTS + i) * MEGA for i in range(INPUTS)]
        return [self.at((g, "input"), lo[i], 4096 * (i + 1), Mode.READ) for i in range(INPUTS)]

    def kernels(self, g: int, d: int, slot: int, host: int) -> tuple[_Rows, list[int]]:
        """The kernels of a stage, and where the cache accesses of the token go."""
        key = (g, d, slot)
        if key in self.stages:
            return self.stages[key]
        made, holes = _Rows(), []
        count, stream = self.shape.kernels, host + 3 + 2 * d
        every = max(1, count // (2 * LAYERS))
        for k in range(count):
            accesses = []
            if k % every == 1 and k // every < 2 * LAYERS:
                holes.append(len(made.accesses))
                accesses.append(0)
            else:
                accesses.append(self.at((g, "weights", d), k * 65536, 65536, Mode.READ))
            if k == 0 and d == 0:
                accesses += self.inputs(g, slot)
            else:
                accesses.append(self.at((g, "work", d), k % 8 * 16384, 16384, Mode.READ))
            if k == count - 1:
                accesses.append(self.at((g, "act", d), 0, 16384, Mode.WRITE))
            else:
                accesses.append(self.at((g, "work", d), (k + 1) % 8 * 16384, 16384, Mode.WRITE))
            made.op(Kind.KERNEL, host, stream, 60 + k % 200, *accesses)
        self.stages[key] = made, holes
        return self.stages[key]


def write(shape: Shape, ops: int, path: Path) -> None:
    """Write a trace of about so many ops of this shape."""
    maker = _Maker(shape, seed=1)
    meta = {"profile": "catalogue", "level": ["api"], "source": "import", "program": shape.name}
    with TraceWriter(path, meta, overwrite=True) as writer:
        first = 0
        for rows in _tokens(maker, ops):
            writer.write_batch("op", _batch(rows, first))
            first += len(rows)
        _write_names(writer, maker)


def _tokens(maker: _Maker, ops: int) -> Iterator[_Rows]:
    rows, number, made = _Rows(), 0, 0
    while made + len(rows) < ops:
        for g in range(maker.shape.contexts):
            maker.token(rows, number, g)
        number += 1
        if len(rows) >= BATCH:
            made += len(rows)
            yield rows
            rows = _Rows()
    if len(rows):
        yield rows


def _batch(rows: _Rows, first: int) -> pa.RecordBatch:
    count = len(rows)
    numbers = array("Q", range(first, first + count))
    offsets = array("i", [0])
    at = 0
    for length in rows.lengths:
        at += length
        offsets.append(at)
    given = {
        "id": pa.array(numbers, pa.uint64()),
        "ticket_c": pa.array(range(2 * first, 2 * (first + count), 2), pa.uint64()),
        "ticket_r": pa.array(range(2 * first + 1, 2 * (first + count) + 1, 2), pa.uint64()),
        "kind": pa.array(rows.kind, pa.uint8()),
        "level": pa.repeat(pa.scalar(int(Level.API), pa.uint8()), count),
        **{n: pa.array(getattr(rows, n), pa.uint32()) for n in ("thread", "actor", "event")},
        **{n: pa.array(getattr(rows, n), pa.uint32()) for n in ("graph", "site")},
        "accesses": pa.ListArray.from_arrays(
            pa.array(offsets, pa.int32()),
            pa.array(rows.accesses, pa.uint32()),
            OP.schema.field("accesses").type,
        ),
        "device": pa.repeat(pa.scalar(-1, pa.int32()), count),
        "t_c": pa.array(range(2000 * first, 2000 * (first + count), 2000), pa.int64()),
        "t_r": pa.array(
            range(2000 * first + 1000, 2000 * (first + count) + 1000, 2000), pa.int64()
        ),
    }
    arrays = []
    for column in OP.schema:
        if column.name in given:
            arrays.append(given[column.name])
        elif column.nullable:
            arrays.append(pa.nulls(count, column.type))
        else:
            arrays.append(pa.repeat(pa.scalar(0, column.type), count))
    return pa.record_batch(arrays, schema=OP.schema)


def _write_names(writer: TraceWriter, maker: _Maker) -> None:
    shape = maker.shape
    per = 2 + 2 * shape.devices
    actors = range(1, shape.contexts * per + 1)
    threads = [(actor - 1) % per == 0 for actor in actors]
    writer.append("actor", {
        "id": list(actors),
        "kind": [ActorKind.THREAD if t else ActorKind.STREAM for t in threads],
        "name": [f"T{a}" if t else f"S{a}" for a, t in zip(actors, threads, strict=True)],
        "device": [-1 if t else 0 for t in threads],
        "flags": [0 if t else StreamFlag.NONBLOCKING for t in threads],
        "generation": [1] * len(actors),
    })  # fmt: skip
    size = dict.fromkeys(maker.storages.values(), 0)
    for storage, _, hi, _ in maker.accesses:
        size[storage] = max(size[storage], hi)
    on_host = [name[1] in ("source", "out") for name in maker.storages]
    count = len(size)
    writer.append("storage", {
        "id": list(size), "name": [str(name) for name in maker.storages],
        "device": [-1 if host else 0 for host in on_host], "size": list(size.values()),
        "base": [n << 44 for n in size], "generation": [1] * count,
    })  # fmt: skip
    writer.append("memory", {
        "storage": list(size), "hi": list(size.values()),
        "kind": [MemoryKind.PINNED if host else MemoryKind.DEVICE for host in on_host],
    })  # fmt: skip
    keys = list(maker.accesses)
    writer.append("access", {
        "id": list(maker.accesses.values()), "storage": [k[0] for k in keys],
        "lo": [k[1] for k in keys], "hi": [k[2] for k in keys],
        "upper_lo": [k[1] for k in keys], "upper_hi": [k[2] for k in keys],
        "mode": [k[3] for k in keys], "extent": [Extent.EXACT] * len(keys),
    })  # fmt: skip
    events = range(1, shape.contexts * (8 + 4 * shape.devices) + 1)
    writer.append("event", {"id": list(events), "name": [f"e{e}" for e in events]})
    writer.append(
        "site", {"id": list(range(1, 301)), "label": [f"site {n}" for n in range(1, 301)]}
    )
