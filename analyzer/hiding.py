"""Why two accesses do not race after all: which edge or place, no plain promise, orders them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer.engine import Engine
from synctrace.analyzer.profile import Profile
from synctrace.analyzer.statement import EDGES, HABITS, Class, Edge
from synctrace.analyzer.stream import World
from synctrace.tracer.kinds import Flag, Kind, MemoryKind

# Verdicts of pairs that are ordered after all, and the classes of what orders them.
BY_VERDICT = {"latent": HABITS, "ordered-not-visible": (Class.UNFENCED,)}
_COLUMNS = ("id", "ticket_c", "kind", "flags", "accesses", "access_set")

# What the first and the second op of a pair do to the bytes.
_VERBS = {
    "read-after-write": ("writes", "reads"),
    "write-after-read": ("reads", "writes"),
    "write-after-write": ("writes", "writes"),
}

# A group of racy pairs: first site, second site, storage, hazard.
Group = tuple[int, int, int, int]


@dataclass(frozen=True)
class _Op:
    """What selects the statement of an op."""

    kind: Kind
    memory: MemoryKind
    flags: Flag
    size: int


def told(
    world: World, model: Profile, habits: Engine, rows: Mapping[Group, Mapping[str, Any]]
) -> dict[Group, str]:
    """For each row of one of these verdicts: edge or place, class and source of what orders it."""
    wanted = {group: row for group, row in rows.items() if row["verdict"] in BY_VERDICT}
    by_group: dict[Group, set[int]] = {}
    for h in habits.hidden_pairs():
        group = (h.first_site, h.second_site, h.storage, h.hazard)
        by_group.setdefault(group, set()).add(h.habit)
    found = {}
    for group, row in wanted.items():
        classes = BY_VERDICT[row["verdict"]]
        alone = (edges_of(model, h, classes) for h in sorted(by_group.get(group, ())))
        found[group] = list(map(_edge, chain(*map(_surest, alone))))
    unnamed = [group for group in wanted if not found[group]]
    ops = _ops(world, {wanted[g][op] for g in unnamed for op in ("first_op", "second_op")})
    for group in unnamed:
        row = wanted[group]
        moved = _places(model, row, ops) if row["verdict"] == "latent" else []
        found[group] = moved or [_any_of(world, model, BY_VERDICT[row["verdict"]])]
    return {group: "; ".join(dict.fromkeys(words)) for group, words in found.items()}


def edges_of(model: Profile, habit: int, classes: Collection[Class]) -> list[Edge]:
    """What the engine tells as a habit, where it is of one of these classes."""
    statement, bit = divmod(habit, 32)
    edges = model.statements[statement].edges
    return [edge for edge in edges if edge.edge == EDGES[bit] and edge.klass in classes]


def _surest(edges: Sequence[Edge]) -> list[Edge]:
    """What an implementation does says more than what may be."""
    surest = next((klass for klass in Class if any(e.klass is klass for e in edges)), None)
    return [edge for edge in edges if edge.klass is surest]


def _edge(edge: Edge) -> str:
    return f"{edge.edge} ({edge.klass}): {edge.source}"


def _places(model: Profile, row: Mapping[str, Any], ops: Mapping[int, _Op]) -> list[str]:
    """Where the two accesses of a pair happen by habit."""
    told = []
    for id_, verb in zip((row["first_op"], row["second_op"]), _VERBS[row["hazard"]], strict=True):
        op = ops.get(id_)
        index = model.statement(op.kind, op.memory, op.flags, op.size) if op else None
        if op and index is not None and (moved := model.statements[index].moved.get(verb)):
            where = f"{op.kind.name.lower()} {verb} at {moved.place.name.lower()}"
            told.append(f"{where} ({moved.klass}): {moved.source}")
    return told


def _any_of(world: World, model: Profile, classes: Collection[Class]) -> str:
    """Several edges order the pair, each without the others: those that ops of the trace give."""
    edges = (
        f"{edge.edge} ({edge.klass})"
        for statement in model.statements
        if not set(world.seen.kinds).isdisjoint(statement.kinds)
        and statement.with_flags & world.seen.flags == statement.with_flags
        for edge in statement.edges
        if edge.klass in classes
    )
    return f"more than one of {', '.join(dict.fromkeys(edges))}"


def _ops(world: World, ids: Collection[int]) -> dict[int, _Op]:
    """Those of these ops that the trace has."""
    if not ids:
        return {}
    wanted = pa.array(sorted(ids), pa.uint64())
    found = {}
    for batch in world.trace.batches("op", _COLUMNS):
        for row in batch.filter(pc.is_in(batch["id"], wanted)).to_pylist():
            found[row["id"]] = _op(world, row)
    return found


def _op(world: World, row: Mapping[str, Any]) -> _Op:
    extents, accesses = world.extents, list(row["accesses"])
    if row["access_set"] and world.set_offsets is not None and world.set_members is not None:
        ends = world.set_offsets[row["access_set"] : row["access_set"] + 2].to_pylist()
        accesses += world.set_members[ends[0] : ends[1]].to_pylist()
    accesses = [access for access in accesses if access < len(extents.bytes)]
    memory = {a: extents.memory[a].as_py() for a in accesses}
    for ticket, access, kind in extents.changes:
        if access in memory and ticket <= row["ticket_c"]:
            memory[access] = kind
    return _Op(
        kind=Kind(row["kind"]),
        memory=MemoryKind(next(filter(None, memory.values()), 0)),
        flags=Flag(row["flags"]),
        size=max((extents.bytes[a].as_py() for a in accesses), default=0),
    )
