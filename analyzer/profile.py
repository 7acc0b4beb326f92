"""Memory models: which calls give which order.

A profile is a table (docs/profiles.md): per op kind, kind of host memory, flags and size, where
the accesses happen and which edges the call gives, each with its class and its source. Statements
say what is promised, habits what an implementation does besides.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from synctrace.analyzer.conditions import MOST_BYTES
from synctrace.analyzer.statement import (
    EDGES,
    HABITS,
    Class,
    Edge,
    Habit,
    Moved,
    Place,
    Statement,
    with_habit,
)
from synctrace.analyzer.toml_reader import TomlReader
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind

# Keys of the head that are one of some words.
WORDS = {
    "host_reads": ("stated", "at-sync"),
    "host_writes": ("stated", "at-sync"),
    "host_order": ("observed", "strict"),
    "lives": ("distinct", "shared"),
}

# Syncs whose need is judged: calls that do nothing but make order.
JUDGED = frozenset({Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC})


@dataclass(frozen=True)
class Profile:
    """One memory model."""

    name: str
    title: str
    levels: tuple[Level, ...] = (Level.APP, Level.API)  # whose ops it speaks of
    beside: tuple[Level, ...] = ()  # whose ops are work of the host, where no other call did it
    host_reads: str = "stated"  # the trace holds them; at-sync: a result is read once waited for
    host_writes: str = "stated"  # at-sync: what was read may be rewritten once waited for (needs)
    host_order: str = "observed"  # strict: never trust the observed order of threads
    lives: str = "distinct"  # shared: a storage may be used on after its free
    statements: tuple[Statement, ...] = ()  # with the habits put into them
    stated: tuple[Statement, ...] = ()  # as they are written, those of the base first
    habits: tuple[Habit, ...] = ()  # as they are written
    base: str = ""  # profile whose statements and habits it takes over

    def statement(self, kind: Kind, memory: MemoryKind, flags: Flag, size: int = 0) -> int | None:
        """Index of the statement that holds for such an op of `size` bytes."""
        for index in range(len(self.statements) - 1, -1, -1):
            if self.statements[index].matches(kind, memory, flags, size):
                return index
        return None

    @property
    def level(self) -> Level:
        """The level its findings are told at: the one nearest to the device."""
        return max(self.levels)

    def speaking_of(self, kind: Kind) -> tuple[Statement, ...]:
        """The statements that name a kind of op."""
        return tuple(statement for statement in self.statements if kind in statement.kinds)


def _folder() -> Traversable:
    return files("synctrace.analyzer") / "profiles"


def shipped() -> tuple[str, ...]:
    """Names of the shipped profiles."""
    names = (file.name for file in _folder().iterdir())
    return tuple(sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml")))


def load(name: str) -> Profile:
    """The shipped profile of this name, or the one in this .toml file as it is now.

    Raises SynctraceError for an unknown profile and for a file that says what no profile can.
    """
    return _read(_file(name)) if name.endswith(".toml") else _shipped(name)


@cache
def _shipped(name: str) -> Profile:
    return _read(_file(name))


def _file(name: str, beside: Path | None = None) -> Path | Traversable:
    """The file of a profile; a path is taken from the folder `beside`."""
    if name.endswith(".toml"):
        return Path(name) if beside is None else beside / name
    if name in shipped():
        return _folder() / f"{name}.toml"
    close = difflib.get_close_matches(name, shipped(), n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise SynctraceError(
        f"unknown profile {name!r}: {hint}shipped are {', '.join(shipped())}; "
        "a path to a .toml file works too"
    )


def _read(path: Path | Traversable, within: tuple[str, ...] = ()) -> Profile:
    """The profile of a file; `within`: the files whose base it is."""
    reader = _Reader(path, "profile")
    if str(path) in within:
        reader.fail("is its own base")
    return reader.profile(reader.read(), (*within, str(path)))


class _Reader(TomlReader):
    """Makes a profile of one file."""

    HEAD = ("name", "title", "base", "levels", "beside", *WORDS)
    CONDITIONS = ("kind", "memory", "with", "without", "min_bytes", "max_bytes")
    PART = (*CONDITIONS, "reads", "writes", "edges")
    OR_BASE = ', or start from a shipped profile by base = "cuda-doc" (or another name)'

    def profile(self, data: Mapping[str, Any], files: tuple[str, ...]) -> Profile:
        needed = {"name", "title"} if "base" in data else {"name", "title", "statement"}
        or_base = "" if "statement" not in needed - set(data) else self.OR_BASE
        self.keys(data, {*self.HEAD, "statement", "habit"}, needed, or_base)
        head = self.head(data, files)
        stated = [self.statement(i, s) for i, s in self.numbered(data, "statement")]
        statements = (*head.statements, *stated)
        habits = []
        for number, table in self.numbered(data, "habit"):
            habits.append(habit := self.habit(number, table))
            if not any(statement.meet(habit) for statement in statements):
                self.fail("adds to no statement: state first what such an op does")
            statements = tuple(with_habit(statements, habit))
        return replace(
            head,
            statements=statements,
            stated=(*head.stated, *stated),
            habits=(*head.habits, *habits),
        )

    def head(self, data: Mapping[str, Any], files: tuple[str, ...]) -> Profile:
        """The profile before its own statements: what it takes over from its base."""
        texts: dict[str, Any] = {
            "name": self.text(data["name"], "name", without=","),
            "title": self.text(data["title"], "title"),
        }
        start = Profile(**texts)
        if "base" in data:
            base = self.of_type(data["base"], str, "base")
            if not base.endswith(".toml"):
                self.one_of(base, shipped(), "base")
            found = _read(_file(base, Path(files[-1]).parent), files)
            start = replace(found, **texts, base=found.name)
        said: dict[str, Any] = {
            key: self.one_of(data[key], known, key) for key, known in WORDS.items() if key in data
        }
        if "levels" in data:
            said["levels"] = self.names(data["levels"], Level, "levels", least=1)
        if "beside" in data:
            said["beside"] = self.names(data["beside"], Level, "beside")
        made = replace(start, **said)
        if both := set(made.levels) & set(made.beside):
            self.fail(f"has {min(both).name.lower()} in levels and in beside: it is one of the two")
        return made

    def numbered(self, data: Mapping[str, Any], key: str) -> Iterable[tuple[int, Any]]:
        return enumerate(self.of_type(data.get(key, []), list, key), 1)

    def statement(self, number: int, data: Any) -> Statement:
        data = self.part("statement", number, data)
        places = {place.name.lower(): place for place in Place}
        return Statement(
            **self.conditions(data),
            reads=places[self.one_of(data.get("reads", "none"), places, "reads")],
            writes=places[self.one_of(data.get("writes", "none"), places, "writes")],
            edges=self.edges(data, tuple(Class)),
        )

    def habit(self, number: int, data: Any) -> Habit:
        data = self.part("habit", number, data)
        if not {"reads", "writes", "edges"} & set(data):
            self.fail("adds nothing: give it edges, or another place of reads or writes")
        return Habit(
            **self.conditions(data),
            reads=self.moved(data, "reads"),
            writes=self.moved(data, "writes"),
            edges=self.edges(data, HABITS),
        )

    def part(self, what: str, number: int, data: Any) -> dict[str, Any]:
        self.where = f"{what} {number}"
        data = self.of_type(data, dict, what)
        if isinstance(data.get("kind"), list):
            self.where += f" ({', '.join(map(str, data['kind']))})"
        self.keys(data, set(self.PART), {"kind"})
        table: dict[str, Any] = data
        return table

    def conditions(self, data: Mapping[str, Any]) -> dict[str, Any]:
        least = self.of_type(data.get("min_bytes", 0), int, "min_bytes")
        most = self.of_type(data.get("max_bytes", MOST_BYTES), int, "max_bytes")
        if not 0 <= least <= most <= MOST_BYTES:
            self.fail(f"has min_bytes = {least} and max_bytes = {most}: no size is both")
        flags = {
            key: _union(self.names(data.get(key, []), Flag, key)) for key in ("with", "without")
        }
        if flags["with"] & flags["without"]:
            self.fail("wants the same flag in with and in without: no op is both")
        return {
            "kinds": self.names(data["kind"], Kind, "kind", least=1),
            "memory": self.names(data.get("memory", []), MemoryKind, "memory"),
            "with_flags": flags["with"],
            "without_flags": flags["without"],
            "min_bytes": least,
            "max_bytes": most,
        }

    def moved(self, data: Mapping[str, Any], key: str) -> Moved | None:
        if key not in data:
            return None
        table = self.of_type(data[key], dict, key)
        self.keys(table, {"place", "class", "source"}, {"place", "class", "source"})
        places = {place.name.lower(): place for place in Place}
        return Moved(
            places[self.one_of(table["place"], places, "place")],
            Class(self.one_of(table["class"], HABITS, "class")),
            self.text(table["source"], "source"),
        )

    def edges(self, data: Mapping[str, Any], classes: tuple[Class, ...]) -> tuple[Edge, ...]:
        return tuple(
            self.edge(edge, classes) for edge in self.of_type(data.get("edges", []), list, "edges")
        )

    def edge(self, data: Any, classes: tuple[Class, ...]) -> Edge:
        data = self.of_type(data, dict, "edges")
        self.keys(data, {"edge", "class", "source"}, {"edge", "class", "source"})
        return Edge(
            edge=self.one_of(data["edge"], EDGES, "edge"),
            klass=Class(self.one_of(data["class"], classes, "class")),
            source=self.text(data["source"], "source"),
        )


def _union(flags: tuple[Flag, ...]) -> Flag:
    all_of = Flag(0)
    for flag in flags:
        all_of |= flag
    return all_of
