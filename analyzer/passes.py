"""Which passes a trace needs under a profile, and what each counts.

A pass is profile x edge classes x host order x which ranges and modes count (docs/internals.md).
Passes that cannot differ from another are not made.
"""

import ctypes
from collections.abc import Collection
from dataclasses import dataclass, replace

from synctrace.analyzer import abi
from synctrace.analyzer.abi import Placement
from synctrace.analyzer.profile import JUDGED, Profile
from synctrace.analyzer.statement import EDGES, Class, Place, Statement
from synctrace.tracer.kinds import FREES, Flag, Kind, MemoryKind

ALL = frozenset(Class)
MUST = frozenset({Class.MUST})

# Copies whose host-side destination the host reads once it has waited for them (at-sync).
_RESULTS = (Kind.TENSOR_GET_ASYNC, Kind.MEMCPY_ASYNC_D2H)


@dataclass(frozen=True)
class Pass:
    """One run of the engine."""

    name: str
    classes: frozenset[Class] = ALL
    strict: bool = False
    upper: bool = False  # ranges: all that may be touched, else the certain part
    unknown: bool = False  # unknown and may modes count, as reads and writes
    assumed: bool = False  # synthetic accesses count, unknown ranges conflict with everything
    keys: int = abi.NO_KEYS


@dataclass(frozen=True)
class Seen:
    """What a trace holds that makes passes differ."""

    threads: int  # host timelines
    guessed_ranges: bool  # some access may touch more than its certain part
    unknown_modes: bool  # some access has mode may or unknown
    assumed: bool  # some access is synthetic or of unknown memory
    kinds: Collection[Kind]  # op kinds that occur, where some profile asked for has habits


def plan(profile: Profile, seen: Seen, host_order: str) -> tuple[Pass, ...]:
    """The passes to run, `certain` first.

    The last of those whose keys are sites judges which syncs are needed, with all that was not
    seen assumed; the first, `certain`, says which are needed by what was seen alone.
    """
    strict = host_order_of(profile, host_order) == "strict" or seen.threads < 2
    habits = has_habits(profile, seen.kinds)
    certain = Pass("certain", strict=strict)
    passes = [replace(certain, keys=abi.SITES)]
    if habits:
        passes.append(replace(certain, name="must", classes=MUST))
        passes.append(replace(certain, name="habits", keys=abi.HABITS))
    if not strict:
        passes.append(replace(certain, name="strict", strict=True))
    if seen.guessed_ranges:
        passes.append(replace(certain, name="wide", upper=True))
    if seen.unknown_modes:
        passes.append(replace(certain, name="guess", upper=True, unknown=True))
    same = strict and not (habits or seen.guessed_ranges or seen.unknown_modes or seen.assumed)
    if not same:
        passes.append(Pass("needs", MUST, True, True, True, True, abi.SITES))
    return tuple(passes)


def host_order_of(profile: Profile, asked: str) -> str:
    """How the threads of a trace are ordered under a profile: `strict` if either says so."""
    return "strict" if "strict" in (asked, profile.host_order) else asked


def has_habits(profile: Profile, kinds: Collection[Kind]) -> bool:
    """Whether ops of these kinds do what is no promise."""
    return any(
        statement.moved or any(edge.klass is not Class.MUST for edge in statement.edges)
        for statement in profile.statements
        if not set(kinds).isdisjoint(statement.kinds)
    )


def placements(
    profile: Profile, classes: Collection[Class]
) -> tuple["ctypes.Array[Placement]", list[int]]:
    """The profile as the engine's table, and the flags that select among its variants."""
    flags = profile.flags
    variants = 1 << len(flags)
    table = (Placement * (abi.KINDS * abi.MEMORIES * variants))()
    kinds = sorted({kind for statement in profile.statements for kind in statement.kinds})
    for kind in kinds:
        for memory in MemoryKind:
            for variant in range(variants):
                chosen = Flag(0)
                for bit, flag in enumerate(flags):
                    if variant >> bit & 1:
                        chosen |= flag
                index = profile.statement(kind, memory, chosen)
                if index is not None:
                    row = (kind * abi.MEMORIES + memory) * variants + variant
                    statement = profile.statements[index]
                    table[row] = _placement(profile, kind, statement, index, classes)
    return table, [int(flag) for flag in flags]


def _placement(
    profile: Profile, kind: Kind, statement: Statement, index: int, classes: Collection[Class]
) -> Placement:
    edges = [edge for edge in statement.edges if edge.klass in classes]
    bits = sum({1 << EDGES.index(edge.edge) for edge in edges})
    sure = sum({1 << EDGES.index(edge.edge) for edge in edges if edge.klass is Class.MUST})
    reads, writes = statement.places(classes)
    return Placement(
        reads=reads,
        writes=writes,
        judged=kind in JUDGED,
        results=profile.host_reads == "at-sync" and kind in _RESULTS and writes is not Place.HOST,
        frees=kind in FREES and profile.lives == "distinct",
        edges=bits,
        habit_edges=bits & ~sure,
        habit=index,
    )


def habit(profile: Profile, index: int) -> str:
    """The edges of a statement that are no promise, in words."""
    edges = [e for e in profile.statements[index].edges if e.klass is not Class.MUST]
    return "; ".join(f"{edge.edge}: {edge.source}" for edge in edges)
