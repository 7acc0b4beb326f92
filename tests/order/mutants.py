"""Every profile with one of its own statements, habits or edges taken away."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from synctrace.analyzer.conditions import Conditions
from synctrace.analyzer.profile import Profile, load
from synctrace.analyzer.statement import Habit, Place, Statement, with_habit

Part = TypeVar("Part", Statement, Habit)


@dataclass(frozen=True)
class Mutant:
    """A profile that lacks one thing, and what that is, in words."""

    lacks: str
    part: Conditions  # the ops that it concerns
    profile: Profile


def mutants(profile: Profile) -> Iterator[Mutant]:
    """One for each part of what the profile says itself, without what it takes from its base."""
    taken = load(profile.base) if profile.base else replace(profile, stated=(), habits=())
    for index in range(len(taken.stated), len(profile.stated)):
        whole = profile.stated[index]
        if _says_nothing(whole) and not any(_meet(whole, s) for s in profile.stated[:index]):
            continue  # it only tells the reader that such a call orders nothing
        for lacks, less in _less(whole):
            stated = _instead(profile.stated, index, less)
            yield _mutant(profile, f"statement {index + 1}", whole, lacks, stated, profile.habits)
    for index in range(len(taken.habits), len(profile.habits)):
        habit = profile.habits[index]
        for lacks, left in _less(habit):
            habits = _instead(profile.habits, index, left)
            yield _mutant(profile, f"habit {index + 1}", habit, lacks, profile.stated, habits)


def _less(part: Part) -> Iterator[tuple[str, Part | None]]:
    """The part without each of its edges and moves, and none of it."""
    yield "all of it", None
    for edge in part.edges:
        left = tuple(each for each in part.edges if each is not edge)
        yield edge.edge, replace(part, edges=left)
    is_statement = isinstance(part, Statement)
    for name in ("habit_reads", "habit_writes") if is_statement else ("reads", "writes"):
        if getattr(part, name) is not None:
            yield name, replace(part, **{name: None})


def _says_nothing(statement: Statement) -> bool:
    return not statement.edges and statement.reads == statement.writes == Place.NONE


def _meet(one: Statement, other: Statement) -> bool:
    return not set(one.kinds).isdisjoint(other.kinds)


def _instead(parts: tuple[Part, ...], index: int, part: Part | None) -> tuple[Part, ...]:
    return (*parts[:index], *(() if part is None else (part,)), *parts[index + 1 :])


def _mutant(
    profile: Profile,
    where: str,
    part: Statement | Habit,
    lacks: str,
    stated: tuple[Statement, ...],
    habits: tuple[Habit, ...],
) -> Mutant:
    statements = stated
    for habit in habits:
        statements = tuple(with_habit(statements, habit))
    kinds = ", ".join(kind.name.lower() for kind in part.kinds)
    return Mutant(
        f"{profile.name}: {where} ({kinds}): {lacks}",
        part,
        replace(profile, statements=statements, stated=stated, habits=habits),
    )
