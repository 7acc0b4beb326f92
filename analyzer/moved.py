"""Latent pairs that no edge by itself hides: accesses that happen elsewhere by habit."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer.profile import Profile
from synctrace.analyzer.statement import Statement
from synctrace.analyzer.stream import World
from synctrace.tracer.kinds import Flag, Kind, MemoryKind

_COLUMNS = ("id", "kind", "flags", "ticket_c", "accesses", "access_set")
# What the first and the second op of a pair do to the bytes.
_SIDES = {
    "read-after-write": ("writes", "reads"),
    "write-after-read": ("reads", "writes"),
    "write-after-write": ("writes", "writes"),
}
SEVERAL = "more than one habit"  # none of which is needed, or none of which suffices


def hiding(world: World, model: Profile, pairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """For each latent pair (rows of table conflict) the habits that move its accesses, in words.

    SEVERAL where there are none: then edges of several habits order it.
    """
    kinds: Mapping[int, tuple[Kind, Statement]] = {}
    if any(statement.moved for statement in model.statements):
        wanted = {row[side] for row in pairs for side in ("first_op", "second_op")}
        kinds = _statements(world, model, wanted)
    return [_words(row, kinds) or SEVERAL for row in pairs]


def _words(row: Mapping[str, Any], kinds: Mapping[int, tuple[Kind, Statement]]) -> str:
    told = []
    for op, verb in zip((row["first_op"], row["second_op"]), _SIDES[row["hazard"]], strict=True):
        if op not in kinds:
            continue
        kind, statement = kinds[op]
        if moved := statement.moved.get(verb):
            where = f"{kind.name.lower()} {verb} at {moved.place.name.lower()}"
            told.append(f"{where} ({moved.klass}): {moved.source}")
    return "; ".join(dict.fromkeys(told))


def _statements(
    world: World, model: Profile, ops: Collection[int]
) -> dict[int, tuple[Kind, Statement]]:
    """Kind of these ops and the statement that holds for them."""
    found = {}
    wanted = pa.array(sorted(ops), pa.uint64())
    for batch in world.trace.batches("op", _COLUMNS):
        for row in batch.filter(pc.is_in(batch["id"], wanted)).to_pylist():
            kind = Kind(row["kind"])
            touched = [*row["accesses"], *_members(world, row["access_set"])]
            touched = [access for access in touched if access < len(world.extents.bytes)]
            memory = _memory(world, touched, row["ticket_c"])
            size = max((world.extents.bytes[a].as_py() for a in touched), default=0)
            index = model.statement(kind, memory, Flag(row["flags"]), size)
            if index is not None:
                found[row["id"]] = kind, model.statements[index]
    return found


def _members(world: World, number: int) -> list[int]:
    """Accesses of an access set."""
    if world.set_offsets is None or world.set_members is None:
        return []
    if not 0 < number < len(world.set_offsets) - 1:
        return []
    lo, hi = (world.set_offsets[number + end].as_py() for end in (0, 1))
    members: list[int] = world.set_members[lo:hi].to_pylist()
    return members


def _memory(world: World, accesses: Sequence[int], ticket: int) -> MemoryKind:
    """Kind of an op's host-side memory when the call was entered."""
    for access in accesses:
        changes = world.extents.changes
        past = [kind for since, name, kind in changes if name == access and since <= ticket]
        kind = past[-1] if past else world.extents.memory[access].as_py()
        if kind:
            return MemoryKind(kind)
    return MemoryKind.UNKNOWN
