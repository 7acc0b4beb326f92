"""A profile as the engine reads it: what ops of a kind do, by their memory, size and flags.

Only what the profile's statements tell apart has a placement of its own: of each kind the classes
of memory, the sizes between thresholds and the flags that they name.
"""

from collections.abc import Collection
from functools import lru_cache
from itertools import product

from synctrace.analyzer import abi
from synctrace.analyzer.abi import KindRow, Placement
from synctrace.analyzer.conditions import MOST_BYTES
from synctrace.analyzer.engine import Placements
from synctrace.analyzer.profile import JUDGED, Profile
from synctrace.analyzer.statement import EDGES, Class, Place, Statement
from synctrace.tracer.kinds import FREES, POOL, Flag, Kind, MemoryKind

# Copies whose host-side destination the host reads once it has waited for them (at-sync).
_RESULTS = (Kind.TENSOR_GET_ASYNC, Kind.MEMCPY_ASYNC_D2H)
# Work that reads host memory in place or copies from it, which the host may rewrite then.
SOURCED = (Kind.MEMCPY_ASYNC_H2D, Kind.KERNEL, Kind.GRAPH_LAUNCH)


# The passes over a trace and the traces of one command ask for few tables, each many times, and a
# small trace is judged in less time than its table takes to make.
@lru_cache(maxsize=32)
def placements(
    profile: Profile, classes: frozenset[Class], *, rewrites: bool = False
) -> Placements:
    """The profile as the engine's table, with the edges of these classes.

    `rewrites`: host memory that work read is taken to be written once that was waited for.
    """
    rows = [Placement()]
    kinds = [KindRow() for _ in range(abi.KINDS)]
    flags: list[int] = []
    sizes: list[int] = []
    for kind in Kind:
        told = profile.speaking_of(kind)
        if not told:
            continue
        own_flags, own_sizes = flags_of(told), sizes_of(told)
        numbers = memory_classes(told)
        row = kinds[kind]
        row.first, row.first_flag, row.first_size = len(rows), len(flags), len(sizes)
        row.flags, row.sizes = len(own_flags), len(own_sizes)
        row.memory[:] = numbers
        flags += own_flags
        sizes += own_sizes
        memories = [numbers.index(number) for number in sorted(set(numbers))]
        variants = range(1 << len(own_flags))
        for memory, size, variant in product(memories, (0, *own_sizes), variants):
            chosen = Flag(sum(flag for bit, flag in enumerate(own_flags) if variant >> bit & 1))
            index = profile.statement(kind, MemoryKind(memory), chosen, size)
            rows.append(
                Placement()
                if index is None
                else _placement(profile, kind, index, classes, rewrites=rewrites)
            )
    return Placements(tuple(kinds), tuple(rows), tuple(flags), tuple(sizes))


def flags_of(statements: Collection[Statement]) -> list[Flag]:
    """Flags that they tell apart."""
    named = Flag(0)
    for statement in statements:
        named |= statement.with_flags | statement.without_flags
    return [flag for flag in Flag if flag & named]


def sizes_of(statements: Collection[Statement]) -> list[int]:
    """Sizes from which on another of them may hold, ascending."""
    found = {statement.min_bytes for statement in statements}
    found |= {statement.max_bytes + 1 for statement in statements}
    return sorted(found - {0, MOST_BYTES + 1})


def memory_classes(statements: Collection[Statement]) -> list[int]:
    """Number of the class of each MemoryKind; kinds of one class are told apart by none of them."""
    by_memory = [tuple(memory in s.memory for s in statements if s.memory) for memory in MemoryKind]
    numbers = {told: number for number, told in enumerate(dict.fromkeys(by_memory))}
    return [numbers[told] for told in by_memory]


def _placement(
    profile: Profile, kind: Kind, index: int, classes: Collection[Class], *, rewrites: bool
) -> Placement:
    statement = profile.statements[index]
    edges = [edge for edge in statement.edges if edge.klass in classes]
    bits = sum({1 << EDGES.index(edge.edge) for edge in edges})
    sure = sum({1 << EDGES.index(edge.edge) for edge in edges if edge.klass is Class.MUST})
    reads, writes = statement.places(classes)
    return Placement(
        reads=reads,
        writes=writes,
        judged=kind in JUDGED,
        results=profile.host_reads == "at-sync" and kind in _RESULTS and writes is not Place.HOST,
        rewrites=rewrites and kind in SOURCED and reads not in (Place.NONE, Place.HOST),
        frees=kind in FREES and profile.lives == "distinct",
        pool=kind in POOL and profile.lives == "distinct",
        edges=bits,
        habit_edges=bits & ~sure,
        habit=index,
    )
