"""What the profiles of vendors and ggml backends must have: each promise kept, each call told.

Calls are every kind with every kind of memory, at every size that matters, without a flag and with
each one.
"""

from collections.abc import Iterator
from itertools import product

import pytest

from synctrace.analyzer.placements import flags_of, sizes_of
from synctrace.analyzer.profile import Profile, load, shipped
from synctrace.analyzer.statement import HABITS, Class, Edge, Place, Statement
from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind

DOCUMENTED = ("cuda-doc", "hip-doc")
VENDORS = (*DOCUMENTED, "cuda-13", "hip-6.3", "hip-7")
BACKENDS = ("ggml-cpu", "ggml-cuda", "ggml-metal", "ggml-sycl", "ggml-vulkan")
# Of these a profile of CUDA or HIP says nothing: they are no calls of theirs, nor work of the host.
UNTOLD = {Kind.NONE, Kind.MARK}

Call = tuple[Kind, MemoryKind, Flag, int]


def calls(*profiles: Profile) -> Iterator[Call]:
    """Every call that one of them may tell apart from another."""
    for kind in Kind:
        told = [s for profile in profiles for s in profile.speaking_of(kind)]
        told += [h for p in profiles for h in p.habits if kind in h.kinds]  # type: ignore[misc]
        flags = (Flag(0), *flags_of(told))
        yield from product([kind], MemoryKind, flags, [0, *sizes_of(told)])


def of(profile: Profile, call: Call) -> Statement:
    """What holds for a call; nothing if the profile does not speak of it."""
    index = profile.statement(*call)
    return Statement(kinds=(call[0],)) if index is None else profile.statements[index]


def promises(statement: Statement) -> tuple[Place, Place, set[Edge]]:
    edges = {edge for edge in statement.edges if edge.klass not in HABITS}
    return statement.reads, statement.writes, edges


@pytest.mark.parametrize("name", shipped())
def test_every_source_is_told(name: str) -> None:
    profile = load(name)
    assert profile.name == name
    for part in (*profile.statements, *profile.habits):
        assert all(edge.source.strip() for edge in part.edges)
    for statement in profile.statements:
        assert all(moved.source.strip() for moved in statement.moved.values())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_documents_have_no_habits(name: str) -> None:
    profile = load(name)
    assert profile.habits == ()
    assert {klass for s in profile.statements for klass in s.classes} <= set(Class) - {Class.IMPL}
    assert not any(statement.moved for statement in profile.statements)


@pytest.mark.parametrize("name", VENDORS[2:])
def test_implementations_keep_what_is_documented(name: str) -> None:
    profile = load(name)
    base = load(profile.base)
    assert base.name in DOCUMENTED
    for call in calls(base, profile):
        assert promises(of(profile, call)) == promises(of(base, call)), call
    assert any(Class.IMPL in statement.classes for statement in profile.statements)


@pytest.mark.parametrize("name", BACKENDS)
def test_backends_promise_no_more_than_the_contract(name: str) -> None:
    profile, contract = load(name), load("ggml-contract")
    assert profile.base == contract.name
    assert profile.levels == (Level.APP, Level.GGML)
    for call in calls(contract, profile):
        reads, writes, edges = promises(of(profile, call))
        assert (reads, writes) == promises(of(contract, call))[:2], call
        assert edges <= promises(of(contract, call))[2], call


@pytest.mark.parametrize("name", shipped())
def test_habits_are_added_to_whatever_statement_holds(name: str) -> None:
    """The statements with habits, call by call, are the written statement and all its habits."""
    profile = load(name)
    for call in calls(profile):
        stated = [s for s in profile.stated if s.matches(*call)]
        habits = [h for h in profile.habits if h.matches(*call)]
        held = of(profile, call)
        if not stated:
            assert not held.edges
            continue
        assert held.edges == sum((h.edges for h in habits), stated[-1].edges), call
        for side in ("reads", "writes"):
            moved = [place for h in habits if (place := getattr(h, side))]
            assert held.moved.get(side) == (moved[-1] if moved else None), call


@pytest.mark.parametrize("name", VENDORS)
def test_vendors_speak_of_every_call(name: str) -> None:
    """A call without order and access is stated to be one."""
    profile = load(name)
    told = {kind for statement in profile.statements for kind in statement.kinds}
    assert set(Kind) - told == UNTOLD
    assert profile.levels == (Level.APP, Level.API)
    assert (profile.host_reads, profile.host_writes) == ("at-sync", "at-sync")
    assert profile.lives == "distinct"


def edges(name: str, kind: Kind, memory: MemoryKind, size: int = 0) -> set[str]:
    """`edge class` of a call."""
    return {f"{e.edge} {e.klass}" for e in of(load(name), (kind, memory, Flag(0), size)).edges}


@pytest.mark.parametrize(
    ("name", "size", "waits"),
    [
        ("cuda-13", 2 << 20, set()),
        ("cuda-13", (2 << 20) + 1, {"host-waits-prior may"}),
        ("cuda-13", (3 << 20) - 1, {"host-waits-prior may"}),
        ("cuda-13", 3 << 20, {"host-waits-prior impl"}),
        ("hip-6.3", 1 << 20, set()),
        ("hip-6.3", (1 << 20) + 1, {"host-waits-actor may"}),
        ("hip-6.3", (1 << 20) + 4096, {"host-waits-actor may"}),
        ("hip-6.3", (1 << 20) + 4097, {"host-waits-actor may", "host-waits-actor impl"}),
        ("hip-7", 1 << 20, set()),
        ("hip-7", 64 << 20, {"host-waits-actor may"}),
    ],
)
def test_thresholds_of_pageable_sources(name: str, size: int, waits: set[str]) -> None:
    told = edges(name, Kind.MEMCPY_ASYNC_H2D, MemoryKind.PAGEABLE, size)
    assert {edge for edge in told if edge.startswith("host-waits")} == waits
    pinned = edges(name, Kind.MEMCPY_ASYNC_H2D, MemoryKind.PINNED, size)
    assert not any(edge.startswith("host-waits") for edge in pinned)


@pytest.mark.parametrize("name", VENDORS)
def test_frees_of_host_memory_that_no_runtime_allocated_wait_for_nothing(name: str) -> None:
    assert edges(name, Kind.FREE_HOST, MemoryKind.PAGEABLE) == set()
    assert edges(name, Kind.FREE_HOST, MemoryKind.PINNED)
