"""Random loops that are kept in order by host waits broader than they must be.

A body of random calls is run a few times; where two accesses race, a wait for a stream or for the
device is put in between, until nothing races.
"""

import random
from dataclasses import replace
from itertools import combinations

import oracle
from oracle import overlap
from random_traces import Access, Op, Program

from synctrace.tracer.kinds import Kind, MemoryKind, StreamFlag

STREAMS, EVENTS, LANES = 3, 2, 4
THREAD, FIRST_STREAM = 1, 2
_SYNCS = (Kind.STREAM_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC)


def program(seed: int, waits: int = 12) -> Program:
    """Without a race, if so many waits are enough for it."""
    rng = random.Random(seed)
    laps = rng.choice([1, 1, 2, 3])
    results = rng.random() < 0.3
    body = [_call(rng, results) for _ in range(rng.choice([6, 9, 12]))]
    for _ in range(waits):
        made = _program(body, laps)
        racing = _first_race(made)
        if racing is None:
            return made
        first, second = (made.ops[i] for i in racing)
        kind = rng.choice(_SYNCS) if first.actor else Kind.DEVICE_SYNC
        wait = Op(0, 0, 0, kind, THREAD, actor=first.actor * (kind is Kind.STREAM_SYNC))
        earliest = first.site if first.site < second.site else second.site - 1
        body.insert(rng.randint(earliest, second.site - 1), wait)
    return _program(body, laps)


def _call(rng: random.Random, results: bool) -> Op:
    stream = FIRST_STREAM + rng.randrange(STREAMS)
    lane = rng.randrange(1, 2 * LANES + 1)  # access: reads of each lane, then writes
    kinds = [Kind.KERNEL] * 5 + [Kind.EVENT_RECORD] * 4 + [Kind.HOST_READ] * rng.choice([1, 6])
    kinds += [Kind.HOST_WRITE, Kind.EVENT_WAIT] + [Kind.MEMCPY_ASYNC_D2H] * (2 * results)
    kind = rng.choice(kinds)
    op = Op(0, 0, 0, kind, THREAD)
    if kind in (Kind.EVENT_RECORD, Kind.EVENT_WAIT):
        return replace(op, actor=stream, event=rng.randrange(1, EVENTS + 1))
    if kind in (Kind.HOST_READ, Kind.HOST_WRITE):
        reads = kind is Kind.HOST_READ
        return replace(op, accesses=((lane - 1) % LANES + 1 + LANES * (not reads),))
    if kind is Kind.MEMCPY_ASYNC_D2H:
        return replace(op, actor=stream, accesses=((lane - 1) % LANES + 1 + LANES,))
    both = (lane, rng.randrange(1, 2 * LANES + 1))
    return replace(op, actor=stream, accesses=both[: rng.choice([1, 1, 2])])


def _program(body: list[Op], laps: int) -> Program:
    made = Program(1, STREAMS, [StreamFlag(0)] * STREAMS, [0] * STREAMS)
    for reads in (True, False):
        for lane in range(LANES):
            span = (1, 4 * lane, 4 * lane + 4)
            made.accesses.append(Access(*span, reads, not reads, MemoryKind.PINNED))
    for n, (site, op) in enumerate((s, op) for _ in range(laps) for s, op in enumerate(body, 1)):
        made.ops.append(replace(op, id=n, ticket_c=2 * n, ticket_r=2 * n + 1, site=site))
    return made


def _first_race(made: Program) -> tuple[int, int] | None:
    """Indexes of two ops; the second is one before which a wait can stand."""
    run = oracle.run(made, strict=True, habits=False)
    racy = [
        (b.op, a.op)
        for (n, a), (_, b) in combinations(enumerate(run.touches), 2)
        if a.op != b.op
        and (a.writes or b.writes)
        and overlap(made.accesses[a.access - 1], made.accesses[b.access - 1])
        and not b.before >> n & 1
    ]
    second, first = min(racy, default=(-1, -1))
    return (first, second) if racy else None
