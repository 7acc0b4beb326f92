"""Every profile with one of its statements or edges taken away."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from synctrace.analyzer.profile import Profile, Statement


@dataclass(frozen=True)
class Mutant:
    """A profile that lacks one thing, and what that is, in words."""

    lacks: str
    kinds: frozenset[str]  # op kinds that it concerns
    profile: Profile


def mutants(profile: Profile) -> Iterator[Mutant]:
    """One for each statement and one for each edge of each."""
    for index, statement in enumerate(profile.statements):
        kinds = frozenset(kind.name.lower() for kind in statement.kinds)
        name = f"{profile.name}: statement {index + 1} ({', '.join(sorted(kinds))})"
        yield Mutant(name, kinds, _with(profile, index, ()))
        for edge in statement.edges:
            left = tuple(each for each in statement.edges if each is not edge)
            less = replace(statement, edges=left)
            yield Mutant(f"{name}: {edge.edge}", kinds, _with(profile, index, (less,)))


def _with(profile: Profile, index: int, instead: tuple[Statement, ...]) -> Profile:
    kept = profile.statements
    return replace(profile, statements=(*kept[:index], *instead, *kept[index + 1 :]))
