"""Memory models: which calls give which order, read from profiles/NAME.toml.

A profile is a table (docs/internals.md): per op kind, kind of host memory and flags, where the
accesses happen and which edges the call gives, each with its class and its source.
"""

import difflib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum, StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind


class Place(IntEnum):
    """Where an access happens. Numbers of engine.h."""

    NONE = 0
    HOST = 1
    STREAM = 2
    QUEUE = 3
    LOOSE = 4  # from the call to the end of the work, with no stream's order at its start


class Class(StrEnum):
    """How sure an edge is."""

    MUST = "must"  # documented
    IMPL = "impl"  # a habit of this implementation
    MAY = "may"  # can be
    UNFENCED = "unfenced"  # documented order that makes nothing visible off the device


# Bit n of a placement's edges is the n-th of these. The order is that of engine.h.
EDGES = (
    "launch",
    "after-peer",
    "after-actor",
    "actor-waits",
    "records",
    "actor-waits-event",
    "host-waits-event",
    "host-waits-actor",
    "host-waits-device",
    "host-waits-all",
    "signals",
    "host-waits-signal",
    "graph-order",
    "legacy",
    "owner-record",
    "owner-free",
    "owner-alloc",
    "peer-waits",
    "host-waits-prior",
    "after-devices",
    "devices-wait",
    "legacy-of-peer",
    "records-start",
    "releases",
)
HOST_READS = ("stated", "at-sync")
HOST_ORDERS = ("observed", "strict")
LIVES = ("distinct", "shared")

# Syncs whose need is judged: calls that do nothing but make order.
JUDGED = frozenset({Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC})

Name = TypeVar("Name", Kind, MemoryKind, Flag, Level)


@dataclass(frozen=True)
class Edge:
    """One reason why one instant is before another, and who says so."""

    edge: str
    klass: Class
    source: str


@dataclass(frozen=True)
class Statement:
    """What ops of these kinds do. The last statement that matches an op holds."""

    kinds: tuple[Kind, ...]
    memory: tuple[MemoryKind, ...]  # of the host-side range; empty: any
    with_flags: Flag
    without_flags: Flag
    min_bytes: int  # of its largest access, both inclusive
    max_bytes: int | None
    reads: Place
    writes: Place
    edges: tuple[Edge, ...]

    def matches(self, kind: Kind, memory: MemoryKind, flags: Flag, size: int) -> bool:
        """Whether the statement speaks of such an op, of that many bytes."""
        return (
            kind in self.kinds
            and (not self.memory or memory in self.memory)
            and flags & self.with_flags == self.with_flags
            and not flags & self.without_flags
            and self.min_bytes <= size
            and (self.max_bytes is None or size <= self.max_bytes)
        )


@dataclass(frozen=True)
class Profile:
    """One memory model."""

    name: str
    title: str
    levels: tuple[Level, ...]  # whose ops it speaks of
    host_reads: str  # stated: the trace holds them; at-sync: a result is read once waited for
    host_order: str  # strict: never trust the observed order of threads
    lives: str  # shared: a storage may be used on after its free (caching allocators' blocks)
    statements: tuple[Statement, ...]

    def statement(
        self, kind: Kind, memory: MemoryKind, flags: Flag, size: int = 0
    ) -> int | None:
        """Index of the statement that holds for such an op, of that many bytes."""
        for index in range(len(self.statements) - 1, -1, -1):
            if self.statements[index].matches(kind, memory, flags, size):
                return index
        return None

    def speaking_of(self, kind: Kind) -> tuple[Statement, ...]:
        """The statements that name a kind of op."""
        return tuple(statement for statement in self.statements if kind in statement.kinds)

    @property
    def level(self) -> Level:
        """The level its findings are told at: the one nearest to the device."""
        return max(self.levels)


def _folder() -> Traversable:
    return files("synctrace.analyzer") / "profiles"


def shipped() -> tuple[str, ...]:
    """Names of the shipped profiles."""
    names = (file.name for file in _folder().iterdir())
    return tuple(sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml")))


@cache
def load(name: str) -> Profile:
    """The shipped profile of this name, or the one in this .toml file.

    Raises SynctraceError for an unknown profile and for a file that says what no profile can.
    """
    if name.endswith(".toml"):
        return _read(Path(name))
    if name in shipped():
        return _read(_folder() / f"{name}.toml")
    close = difflib.get_close_matches(name, shipped(), n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise SynctraceError(
        f"unknown profile {name!r}: {hint}shipped are {', '.join(shipped())}; "
        "a path to a .toml file works too"
    )


def _read(path: Path | Traversable) -> Profile:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SynctraceError(f"cannot read profile {path} ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SynctraceError(f"profile {path} is not TOML: {error}") from error
    return _Reader(path).profile(data)


class _Reader:
    """Checks one file; every error names it, the statement and what was expected."""

    def __init__(self, path: Path | Traversable) -> None:
        self.path = path
        self.where = "the head"

    def profile(self, data: Mapping[str, Any]) -> Profile:
        known = {f.name for f in fields(Profile)} - {"statements"} | {"statement"}
        self.keys(data, known, {"name", "title", "statement"})
        levels = self.names(data.get("levels", ["app", "api"]), Level, "levels")
        statements = self.of_type(data["statement"], list, "statement")
        return Profile(
            name=self.of_type(data["name"], str, "name"),
            title=self.of_type(data["title"], str, "title"),
            levels=levels,
            host_reads=self.one_of(data.get("host_reads", "stated"), HOST_READS, "host_reads"),
            host_order=self.one_of(data.get("host_order", "observed"), HOST_ORDERS, "host_order"),
            lives=self.one_of(data.get("lives", "distinct"), LIVES, "lives"),
            statements=tuple(self.statement(i, s) for i, s in enumerate(statements, 1)),
        )

    def statement(self, number: int, data: Any) -> Statement:
        self.where = f"statement {number}"
        data = self.of_type(data, dict, "statement")
        if isinstance(data.get("kind"), list):
            self.where += f" ({', '.join(map(str, data['kind']))})"
        known = {"kind", "memory", "with", "without", "min_bytes", "max_bytes"}
        self.keys(data, known | {"reads", "writes", "edges"}, {"kind"})
        low, high = self.bounds(data)
        places = {place.name.lower(): place for place in Place}
        edges = self.of_type(data.get("edges", []), list, "edges")
        return Statement(
            kinds=self.names(data["kind"], Kind, "kind"),
            memory=self.names(data.get("memory", []), MemoryKind, "memory"),
            with_flags=_union(self.names(data.get("with", []), Flag, "with")),
            without_flags=_union(self.names(data.get("without", []), Flag, "without")),
            min_bytes=low,
            max_bytes=high,
            reads=places[self.one_of(data.get("reads", "none"), places, "reads")],
            writes=places[self.one_of(data.get("writes", "none"), places, "writes")],
            edges=tuple(self.edge(edge) for edge in edges),
        )

    def bounds(self, data: Mapping[str, Any]) -> tuple[int, int | None]:
        low = self.size(data.get("min_bytes", 0), "min_bytes", 0)
        if "max_bytes" not in data:
            return low, None
        return low, self.size(data["max_bytes"], "max_bytes", low)

    def size(self, value: Any, key: str, least: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise SynctraceError(
                f"profile {self.path}: {self.where} has {key} = {value!r}: "
                f"expected a number of bytes, {least} or more"
            )
        return value

    def edge(self, data: Any) -> Edge:
        data = self.of_type(data, dict, "edges")
        self.keys(data, {"edge", "class", "source"}, {"edge", "class", "source"})
        classes = tuple(c.value for c in Class)
        return Edge(
            edge=self.one_of(data["edge"], EDGES, "edge"),
            klass=Class(self.one_of(data["class"], classes, "class")),
            source=self.of_type(data["source"], str, "source"),
        )

    def keys(self, data: Mapping[str, Any], known: set[str], needed: set[str]) -> None:
        for key in data:
            if key not in known:
                self.fail(f"has the unknown key {key!r}", sorted(known))
        if missing := sorted(needed - set(data)):
            names = ", ".join(map(repr, missing))
            raise SynctraceError(f"profile {self.path}: {self.where} has no key {names}: add it")

    def names(self, value: Any, of: type[Name], key: str) -> tuple[Name, ...]:
        values = self.of_type(value, list, key)
        by_name = {str(member.name).lower(): member for member in of}
        return tuple(by_name[self.one_of(v, by_name, key)] for v in values)

    def one_of(self, value: Any, known: Collection[str], key: str) -> str:
        if not isinstance(value, str) or value not in known:
            self.fail(f"has {key} = {value!r}", known)
        return str(value)

    def of_type(self, value: Any, of: type, key: str) -> Any:
        if not isinstance(value, of):
            names: dict[type, str] = {str: "text", list: "a list", dict: "a table"}
            raise SynctraceError(
                f"profile {self.path}: {self.where} has {key} = {value!r}: expected {names[of]}"
            )
        return value

    def fail(self, what: str, expected: Collection[str]) -> None:
        raise SynctraceError(
            f"profile {self.path}: {self.where} {what}: expected one of {', '.join(expected)}"
        )


def _union(flags: tuple[Flag, ...]) -> Flag:
    all_of = Flag(0)
    for flag in flags:
        all_of |= flag
    return all_of
