"""Placements by size, memory and flags: which statement holds for an op of so many bytes."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from models import profile, statement
from small import Small, races

from synctrace.analyzer.passes import ALL
from synctrace.analyzer.placements import (
    Placements,
    flags_of,
    memory_classes,
    placements,
    sizes_of,
)
from synctrace.analyzer.profile import Profile, load, shipped
from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind

COPY = Kind.MEMCPY_ASYNC_H2D
WAITS = "launch host-waits-actor"
WHOLE = {"reads": "stream", "writes": "stream"}
PAGEABLE = {"memory": ["pageable"]}


def copied(t: Small, size: int, memory: MemoryKind = MemoryKind.PINNED, **strided: int) -> int:
    """A copy of so many bytes and, at once, a write to its source; the copy."""
    h, d = t.memory(memory, 64), t.device()
    copy = t.op(COPY, t.read(h, 0, size, **strided), t.write(d, 0, size), actor=t.stream())
    t.op(Kind.HOST_WRITE, t.write(h))
    return copy


def waited(t: Small, path: Path, *statements: str) -> bool:
    """Whether the copy was waited for."""
    model = profile(path, statement("memcpy_async_h2d", "launch", **WHOLE), *statements)
    return races(t.judge(path, model)) == []


@pytest.mark.parametrize(("size", "holds"), [(15, False), (16, True), (32, True), (33, False)])
def test_both_bounds_are_within(size: int, holds: bool, tmp_path: Path) -> None:
    t = Small(Level.API)
    copied(t, size)
    sized = statement("memcpy_async_h2d", WAITS, **WHOLE, min_bytes=16, max_bytes=32)
    assert waited(t, tmp_path, sized) is holds


@pytest.mark.parametrize(("size", "holds"), [(8, False), (40, True)])
def test_size_and_memory_together(size: int, holds: bool, tmp_path: Path) -> None:
    sized = statement("memcpy_async_h2d", WAITS, **WHOLE, **PAGEABLE, min_bytes=16)
    t = Small(Level.API)
    copied(t, size, MemoryKind.PAGEABLE)
    assert waited(t, tmp_path, sized) is holds


def test_size_of_other_memory_does_not_matter(tmp_path: Path) -> None:
    sized = statement("memcpy_async_h2d", WAITS, **WHOLE, **PAGEABLE, min_bytes=16)
    t = Small(Level.API)
    copied(t, 40, MemoryKind.PINNED)
    assert not waited(t, tmp_path, sized)


def test_last_of_two_sizes_holds(tmp_path: Path) -> None:
    t = Small(Level.API)
    copied(t, 40)
    small = statement("memcpy_async_h2d", WAITS, **WHOLE, min_bytes=16)
    large = statement("memcpy_async_h2d", "launch", **WHOLE, min_bytes=40)
    assert not waited(t, tmp_path, small, large)
    assert waited(t, tmp_path, large, small)


def test_largest_access_is_the_size(tmp_path: Path) -> None:
    """One side of a copy may be of unknown size."""
    t = Small(Level.API)
    h, d = t.memory(MemoryKind.PINNED), t.device()
    t.op(COPY, t.read(h, 0, 4), t.write(d, 0, 64), actor=t.stream())
    t.op(Kind.HOST_WRITE, t.write(h))
    assert waited(t, tmp_path, statement("memcpy_async_h2d", WAITS, **WHOLE, min_bytes=64))


def test_bytes_of_the_rows_are_the_size(tmp_path: Path) -> None:
    """Not those between them."""
    t = Small(Level.API)
    h, d = t.memory(MemoryKind.PINNED), t.device()
    rows = t.read(h, 0, 64, pitch=16, width=4, height=4)
    t.op(COPY, rows, t.write(d, 0, 16), actor=t.stream())
    t.op(Kind.HOST_WRITE, t.write(h))
    assert waited(t, tmp_path, statement("memcpy_async_h2d", WAITS, **WHOLE, max_bytes=16))


def test_a_guessed_range_is_of_its_upper_size_in_every_pass(tmp_path: Path) -> None:
    t = Small(Level.API)
    h, d = t.memory(MemoryKind.PINNED), t.device()
    guess = t.read(h, 0, 1, upper_lo=0, upper_hi=64)
    t.op(COPY, guess, t.write(d, 0, 4), actor=t.stream())
    t.op(Kind.HOST_WRITE, t.write(h))
    assert waited(t, tmp_path, statement("memcpy_async_h2d", WAITS, **WHOLE, min_bytes=64))


def test_memory_that_changes_is_of_the_new_class_from_then_on(tmp_path: Path) -> None:
    t = Small(Level.API)
    h, d, s = t.memory(MemoryKind.PAGEABLE), t.device(), t.stream()
    copy, rewrite = (t.read(h), t.write(d)), t.write(h)
    copies = []
    for kind in (MemoryKind.PAGEABLE, MemoryKind.REGISTERED, MemoryKind.PAGEABLE):
        t.becomes(h, kind)
        copies.append(t.op(COPY, *copy, actor=s))
        t.op(Kind.HOST_WRITE, rewrite)
    sized = statement("memcpy_async_h2d", WAITS, **WHOLE, **PAGEABLE, min_bytes=64)
    model = profile(tmp_path, statement("memcpy_async_h2d", "launch", **WHOLE), sized)
    assert races(t.judge(tmp_path, model)) == [(copies[1], copies[1] + 1, "certain")]


@pytest.mark.parametrize("known", [True, False])
def test_lost_size_orders_everything(known: bool, tmp_path: Path) -> None:
    """An op whose accesses were lost may have been one that waits."""
    t = Small(Level.API)
    s, h = t.stream(), t.memory(MemoryKind.PINNED)
    t.gap(t.lose())
    kernel = t.op(Kind.KERNEL, t.write(h), actor=s)
    t.op(COPY, *([t.read(h, 0, 4)] if known else []), actor=s)
    late = t.op(Kind.HOST_WRITE, t.write(h))
    sized = statement("memcpy_async_h2d", WAITS, **WHOLE, min_bytes=16)
    model = profile(tmp_path, statement("memcpy_async_h2d", "launch", **WHOLE), sized)
    found = races(t.judge(tmp_path, model))
    assert ((kernel, late, "certain") in found) is known


def test_only_what_is_told_apart_has_a_placement() -> None:
    catalogue = load("catalogue")
    copies = catalogue.speaking_of(Kind.MEMCPY_ASYNC_H2D)
    assert flags_of(copies) == [Flag.UNSTAGED, Flag.BATCHED]
    assert sizes_of(copies) == []
    classes = memory_classes(copies)
    assert classes[MemoryKind.UNKNOWN] == 0
    assert {m for m in MemoryKind if classes[m]} == {MemoryKind.PAGEABLE}
    assert memory_classes(catalogue.speaking_of(Kind.KERNEL)) == [0] * len(MemoryKind)


@pytest.mark.parametrize("name", shipped())
def test_table_is_small_and_says_what_the_profile_does(name: str) -> None:
    model = load(name)
    table = placements(model, ALL)
    assert len(table.rows) < 500
    for kind in Kind:
        told = model.speaking_of(kind)
        sizes = [size + more for size in (0, *sizes_of(told)) for more in (0, 1)]
        flags = [Flag(0), *flags_of(told), *Flag]
        for memory, size, flag in product(MemoryKind, sizes, flags):
            index = model.statement(kind, memory, flag, size)
            row = _row(model, table, kind, memory, size, flag)
            assert (row.habit if row.reads or row.writes or row.edges else index) == index


def _row(
    model: Profile, table: Placements, kind: Kind, memory: MemoryKind, size: int, flags: Flag
) -> Any:
    """The engine's look-up, again."""
    k = table.kinds[kind]
    bucket = sum(size >= t for t in table.sizes[k.first_size : k.first_size + k.sizes])
    own = table.flags[k.first_flag : k.first_flag + k.flags]
    variant = sum(1 << bit for bit, flag in enumerate(own) if flags & flag)
    at = (k.memory[memory] * (k.sizes + 1) + bucket) << k.flags
    return table.rows[k.first + at + variant]
