"""A memory model in words: by family of calls, each part with its classes and sources."""

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum

from synctrace.analyzer.conditions import MOST_BYTES, Conditions
from synctrace.analyzer.profile import Profile
from synctrace.analyzer.statement import Edge, Habit, Moved, Place, Statement
from synctrace.tracer.kinds import Kind

WIDTH = 98

# First kind of each family; a family ends where the next begins.
_FAMILIES = {
    Kind.HOST_READ: "Host accesses",
    Kind.ALLOC_PINNED: "Memory",
    Kind.STREAM_CREATE: "Streams, events and graphs: made and destroyed",
    Kind.MEMCPY_ASYNC_H2D: "Copies and memsets",
    Kind.KERNEL: "Work",
    Kind.EVENT_RECORD: "Order",
    Kind.THREAD_SIGNAL: "Host threads",
    Kind.TENSOR_SET: "ggml tensors",
    Kind.MARK: "Marks",
}


def profile_lines(profile: Profile) -> Iterator[str]:
    """The whole model: what holds of all calls, then its statements and habits."""
    yield from textwrap.wrap(f"{profile.name}: {profile.title}", WIDTH)
    if profile.base:
        yield f"base: {profile.base}"
    yield f"levels: {names(profile.levels)}"
    if profile.beside:
        yield f"work of the host: {names(profile.beside)}, where no call of these levels did it"
    yield f"host reads: {profile.host_reads}"
    yield f"host writes: {profile.host_writes}"
    yield f"host order: {profile.host_order}"
    yield f"lives: {profile.lives}"
    yield ""
    yield from textwrap.wrap(
        "Of several statements that speak of a call the last holds. Habits are added to it."
        " A source is told once; `as above` is the same promise.",
        WIDTH,
    )
    told: set[Edge] = set()
    everything: list[Statement | Habit] = [*profile.stated, *profile.habits]
    for family, kinds in families():
        parts = [part for part in everything if set(kinds) & {*part.kinds}]
        yield from ("", family) if parts else ()
        for part in parts:
            yield ""
            yield from _part(part, [kind for kind in part.kinds if kind in kinds], told)


def families() -> Iterator[tuple[str, list[Kind]]]:
    """Every family of calls and its kinds."""
    starts = sorted(_FAMILIES)
    for first, end in zip(starts, [*starts[1:], Kind.MARK + 1], strict=True):
        yield _FAMILIES[first], [kind for kind in Kind if first <= kind < end]


def _part(part: Statement | Habit, kinds: Sequence[Kind], told: set[Edge]) -> Iterator[str]:
    habit = "habit of " if isinstance(part, Habit) else ""
    yield from _wrapped(habit + names(kinds), 2)
    yield from (f"    {line}" for line in conditions(part))
    at = {"reads": part.reads, "writes": part.writes}
    promised = [f"{key} at {names([p])}" for key, p in at.items() if isinstance(p, Place) and p]
    yield from [f"    {', '.join(promised)}"] if promised else []
    for key, moved in at.items():
        if isinstance(moved, Moved):
            where = f"{key} at {names([moved.place])} ({moved.klass}): {moved.source}"
            yield from _wrapped(where, 4)
    again = [edge for edge in part.edges if edge in told]
    for edge in part.edges:
        if edge not in told:
            yield from _wrapped(f"{edge.edge} ({edge.klass}): {edge.source}", 4)
    if again:
        yield from _wrapped(", ".join(f"{e.edge} ({e.klass})" for e in again) + ": as above", 4)
    if not promised and not part.edges and not habit:
        yield "    no order, no access"
    told.update(part.edges)


def conditions(part: Conditions) -> Iterator[str]:
    """What an op must be for the part to speak of it, but for its kind."""
    listed: dict[str, Iterable[Enum]] = {
        "memory": part.memory,
        "with": part.with_flags,
        "without": part.without_flags,
    }
    yield from (f"{key} {names(values)}" for key, values in listed.items() if values)
    if size := sizes(part.min_bytes, part.max_bytes):
        yield size


def sizes(least: int, most: int) -> str:
    """A range of bytes, both ends inclusive; empty if it is any size."""
    lower = f"over {amount(least - 1)}" if least % 1024 == 1 else f"from {amount(least)}"
    upper = f"below {amount(most + 1)}" if most % 1024 == 1023 else f"up to {amount(most)}"
    if most == MOST_BYTES:
        return lower if least else ""
    return f"{lower} {upper}" if least else upper


def amount(size: int) -> str:
    """Bytes in the largest unit of which they are a whole number."""
    for unit, bytes_ in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size and size % bytes_ == 0:
            return f"{size // bytes_} {unit}"
    return f"{size} bytes"


def names(members: Collection[Enum] | Iterable[Enum]) -> str:
    """Members of enumerations as they are written in a profile."""
    return ", ".join(str(member.name).lower() for member in members)


def _wrapped(text: str, indent: int) -> list[str]:
    rest = " " * (indent + 2)
    return textwrap.wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=rest)
