"""Writes a random program as a trace, for what is judged from files."""

from dataclasses import replace
from pathlib import Path

from random_traces import BYTES, STORAGES, Program

from synctrace.tracer.kinds import ActorKind, Extent, Level, MemoryKind, Mode, Origin
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.writer import TraceWriter

# Of each storage: in a trace the kind of memory is the storage's, not the access's.
MEMORY = [MemoryKind.UNKNOWN, MemoryKind.PINNED, MemoryKind.PAGEABLE]
assert len(MEMORY) == STORAGES + 1


def fitted(made: Program) -> Program:
    """The program with accesses of the memory that their storages are."""
    accesses = [replace(one, memory=MEMORY[one.storage]) for one in made.accesses]
    return replace(made, accesses=accesses)


def write(made: Program, path: Path) -> Trace:
    """Of a fitted program. The id of an op is its id, that of an access its number from 1."""
    kinds = [ActorKind.THREAD] * made.threads + [ActorKind.STREAM] * made.streams
    flags = [0] * made.threads + [int(flag) for flag in made.stream_flags]
    devices = [-1] * made.threads + made.stream_devices
    with TraceWriter(path, {}, overwrite=True) as writer:
        writer.append(
            "actor",
            {"id": list(range(1, len(kinds) + 1)), "kind": kinds, "flags": flags,
             "device": devices},
        )  # fmt: skip
        storages = list(range(1, STORAGES + 1))
        many = {"size": [BYTES] * STORAGES, "device": [-1] * STORAGES}
        writer.append("storage", {"id": storages, **many})
        writer.append("memory", {"storage": storages, "hi": [BYTES] * STORAGES, "kind": MEMORY[1:]})
        for number, one in enumerate(made.accesses, 1):
            mode = {(True, False): Mode.READ, (False, True): Mode.WRITE}.get(
                (one.reads, one.writes), Mode.READ_WRITE
            )
            row = {"lo": one.lo, "hi": one.hi, "upper_lo": one.lo, "upper_hi": one.hi}
            row |= {"id": number, "storage": one.storage, "mode": mode}
            row |= {"extent": Extent.EXACT, "origin": Origin.ARGUMENT}
            writer.append("access", {name: [value] for name, value in row.items()})
        for number, members in enumerate(made.sets, 1):
            writer.append("access_set", {"id": [number], "accesses": [list(members)]})
        for first, last in made.gaps:
            writer.append("gap", {"first": [first], "ticket": [last], "dropped": [1]})
        names = ("id", "ticket_c", "ticket_r", "kind", "thread", "actor", "peer", "event")
        names += ("graph", "access_set", "site", "device", "flags")
        columns = {name: [int(getattr(op, name)) for op in made.ops] for name in names}
        columns["level"] = [int(Level.API)] * len(made.ops)
        writer.append("op", columns | {"accesses": [list(op.accesses) for op in made.ops]})
    return open_trace(path)
