"""What each op of a program does under a profile file, read from its text alone."""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from random_traces import Op, Program

from synctrace.tracer.kinds import NO_EFFECT, Flag, MemoryKind, StreamFlag


@dataclass(frozen=True)
class Law:
    """Where an op touches memory, and the edge words of its statement."""

    reads: str = "none"
    writes: str = "none"
    words: frozenset[str] = frozenset()


NOTHING = Law()


def laws(
    program: Program, profile: Path, *, habits: bool = True, without: Collection[str] = ()
) -> list[Law]:
    """Of every op. `without`: edge words that no statement has; `habits` false: must alone."""
    return [_law(program, op, _read(profile), habits, without) for op in program.ops]


@cache
def _read(profile: Path) -> list[dict]:
    return tomllib.loads(profile.read_text(encoding="utf-8"))["statement"]


def _law(
    program: Program, op: Op, statements: list[dict], habits: bool, without: Collection[str]
) -> Law:
    if op.flags & (NO_EFFECT | Flag.CAPTURED):
        return NOTHING
    kinds = [program.accesses[a - 1].memory for a in program.accesses_of(op)]
    memory = next((kind for kind in kinds if kind), MemoryKind.UNKNOWN).name.lower()
    flags = {flag.name.lower() for flag in Flag if flag in op.flags and flag.name}
    law = NOTHING
    for each in statements:
        if (
            op.kind.name.lower() in each["kind"]
            and ("memory" not in each or memory in each["memory"])
            and flags.issuperset(each.get("with", ()))
            and flags.isdisjoint(each.get("without", ()))
        ):
            edges = [e for e in each.get("edges", ()) if habits or e["class"] == "must"]
            words = frozenset(e["edge"] for e in edges) - set(without)
            law = Law(each.get("reads", "none"), each.get("writes", "none"), words)
    if op.flags & Flag.BLOCKING or _synchronous(program, op):
        places = ("none" if place == "none" else "host" for place in (law.reads, law.writes))
        law = Law(*places, law.words)
    return law


def _synchronous(program: Program, op: Op) -> bool:
    stream = op.actor - program.threads - 1
    return stream >= 0 and bool(program.stream_flags[stream] & StreamFlag.SYNCHRONOUS)
