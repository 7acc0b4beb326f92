"""Where two memory models differ: what each says of a call, for who ports from one to the other."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from synctrace.analyzer.conditions import MOST_BYTES
from synctrace.analyzer.placements import flags_of, memory_classes, sizes_of
from synctrace.analyzer.profile import Profile
from synctrace.analyzer.profile_text import WIDTH, names, sizes
from synctrace.analyzer.statement import Class, Place
from synctrace.tracer.kinds import Flag, Kind, MemoryKind

_NO_FLAGS = Flag(0)
# What an edge says, of the stream, thread and event of the call.
EDGE_WORDS = {
    "launch": "its work comes after what the thread knows at the call",
    "after-peer": "its work comes after the source's earlier work",
    "after-actor": "its work comes after the destination's earlier work",
    "actor-waits": "the destination's later work comes after it",
    "records": "the event stands for the stream's earlier work",
    "actor-waits-event": "the stream's later work comes after the event",
    "host-waits-event": "the host waits for the event",
    "host-waits-actor": "the host waits for the stream, this call's work included",
    "host-waits-device": "the host waits for all streams of the device",
    "host-waits-all": "the host waits for all streams",
    "signals": "the event stands for what the thread knows",
    "host-waits-signal": "the thread learns what the signal stands for",
    "graph-order": "it comes after earlier launches of the same graph, on any stream",
    "legacy": "it takes part in the legacy default stream's rule",
    "owner-record": "the block's next owner waits for this stream",
    "owner-free": "the block's next owner waits for the streams recorded on it",
    "owner-alloc": "waits for the streams recorded on the block",
    "peer-waits": "the source's later work comes after it",
    "host-waits-prior": "the host waits for the stream's earlier work",
    "after-devices": "its work comes after all earlier work of the devices concerned",
    "devices-wait": "later work of the devices concerned comes after it",
    "legacy-of-peer": "it takes part in the legacy rule of the memory's device",
    "records-start": "the event stands for what is before the stream's last kernel",
    "releases": "the event stands for what the thread knows, too",
}
PLACE_WORDS = {
    Place.NONE: "nothing",
    Place.HOST: "during the call",
    Place.STREAM: "in the order of the stream",
    Place.QUEUE: "in the order of the copies between the two backends",
    Place.LOOSE: "at any time from the call to the end of the work",
}


@dataclass(frozen=True)
class Call:
    """Calls of one kind that two models tell apart from others; both sizes inclusive."""

    memory: tuple[MemoryKind, ...]  # empty: any
    flags: Flag
    least: int = 0
    most: int = MOST_BYTES


# What each of the two says, where they differ.
Difference = tuple[tuple[str, ...], tuple[str, ...]]
NOTHING: Difference = ((), ())


def difference_lines(one: Profile, other: Profile) -> Iterator[str]:
    """Every call of which the two say different things, and what each says of it."""
    found: dict[tuple[tuple[Call, Difference], ...], list[Kind]] = {}
    for kind in Kind:
        if calls := tuple(_differences(one, other, kind)):
            found.setdefault(calls, []).append(kind)
    if one.levels != other.levels:
        levels = f"{one.name} speaks of levels {names(one.levels)}"
        yield from textwrap.wrap(f"{levels}, {other.name} of {names(other.levels)}.", WIDTH)
    if not found:
        yield f"{one.name} and {other.name} say the same of every call."
        return
    yield f"Where {one.name} and {other.name} differ; what both say is left out."
    yield "must: promised; impl: a habit; may: can be; -: nothing more than the other."
    for calls, kinds in found.items():
        for call, difference in calls:
            yield ""
            yield from textwrap.wrap(_call(kinds, call), WIDTH, subsequent_indent="  ")
            for name, told in zip((one.name, other.name), difference, strict=True):
                yield from _side(name, max(len(one.name), len(other.name)), told or ("-",))


def _side(name: str, width: int, told: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(told):
        lead = f"  {'' if number else name:<{width}}  "
        rest = " " * (len(lead) + 6)
        yield from textwrap.wrap(line, WIDTH, initial_indent=lead, subsequent_indent=rest)


def _differences(one: Profile, other: Profile, kind: Kind) -> Iterator[tuple[Call, Difference]]:
    """Calls of a kind of which the two say different things."""
    told = (*one.speaking_of(kind), *other.speaking_of(kind))
    plain: dict[tuple[MemoryKind, int], Difference] = {}
    bounds = [0, *sizes_of(told)]
    for flags in (_NO_FLAGS, *flags_of(told)):
        by_memory: dict[tuple[Difference | None, ...], list[MemoryKind]] = {}
        for memories in _classes(memory_classes(told)):
            column: list[Difference | None] = []
            for size in bounds:
                found = _difference(one, other, kind, memories[0], flags, size)
                if not flags:
                    plain[memories[0], size] = found
                seen = bool(flags) and _is_part(found, plain[memories[0], size])
                column.append(None if seen or found == NOTHING else found)
            by_memory.setdefault(tuple(column), []).extend(memories)
        for differences, memory in by_memory.items():
            yield from _by_size(Call(_named(memory), flags), bounds, differences)


def _is_part(flagged: Difference, plain: Difference) -> bool:
    """Whether what a flag leaves of a difference is told by the calls without it."""
    sides = list(zip(flagged, plain, strict=True))
    return all(set(less) <= set(more) and bool(less) == bool(more) for less, more in sides)


def _classes(numbers: Sequence[int]) -> Iterator[list[MemoryKind]]:
    for number in dict.fromkeys(numbers):
        yield [memory for memory in MemoryKind if numbers[memory] == number]


def _named(memory: Sequence[MemoryKind]) -> tuple[MemoryKind, ...]:
    """Kinds of memory to name; none if they are all."""
    return () if len(memory) == len(MemoryKind) else tuple(sorted(memory))


def _memory(memory: Sequence[MemoryKind]) -> str:
    """Kinds of memory, or those that are not meant if they are fewer."""
    others = [kind for kind in MemoryKind if kind not in memory]
    fewer = len(others) < len(memory)
    return f"memory other than {names(others)}" if fewer else f"memory {names(memory)}"


def _by_size(
    call: Call, bounds: Sequence[int], differences: Sequence[Difference | None]
) -> Iterator[tuple[Call, Difference]]:
    """Neighbouring sizes of which the same is said are one."""
    ends = [end - 1 for _, end in pairwise([*bounds, MOST_BYTES + 1])]
    spans = zip(bounds, ends, differences, strict=True)
    for difference, group in groupby(spans, key=lambda span: span[2]):
        if difference is not None:
            sizes_ = list(group)
            yield replace(call, least=sizes_[0][0], most=sizes_[-1][1]), difference


def _difference(
    one: Profile, other: Profile, kind: Kind, memory: MemoryKind, flags: Flag, size: int
) -> Difference:
    left = _says(one, kind, memory, flags, size)
    right = _says(other, kind, memory, flags, size)
    return tuple(x for x in left if x not in right), tuple(x for x in right if x not in left)


def _says(
    profile: Profile, kind: Kind, memory: MemoryKind, flags: Flag, size: int
) -> tuple[str, ...]:
    """Everything a model says of such a call, but for its sources."""
    index = profile.statement(kind, memory, flags, size)
    if index is None:
        return ()
    statement = profile.statements[index]
    lines = [
        f"must  {verb} {PLACE_WORDS[place]} ({names([place])})"
        for verb, place in (("reads", statement.reads), ("writes", statement.writes))
        if place is not Place.NONE
    ]
    lines += [
        f"{moved.klass:<4}  {verb} {PLACE_WORDS[moved.place]} ({names([moved.place])})"
        for verb, moved in statement.moved.items()
    ]
    surest = list(Class)
    by_edge: dict[str, Class] = {}
    for edge in statement.edges:
        known = by_edge.setdefault(edge.edge, edge.klass)
        by_edge[edge.edge] = min(known, edge.klass, key=surest.index)
    lines += [f"{klass:<4}  {EDGE_WORDS[edge]} ({edge})" for edge, klass in by_edge.items()]
    return tuple(lines)


def _call(kinds: Sequence[Kind], call: Call) -> str:
    words = [names(kinds)]
    words += [_memory(call.memory)] if call.memory else []
    words += [f"with {names(call.flags)}"] if call.flags else []
    size = sizes(call.least, call.most)
    return "; ".join([*words, size] if size else words)
