"""What a profile says of some ops: where their accesses happen and which edges they give."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from synctrace.analyzer.conditions import Conditions


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
HABITS = (Class.IMPL, Class.MAY)  # classes of what is no promise


@dataclass(frozen=True)
class Edge:
    """One reason why one instant is before another, and who says so."""

    edge: str
    klass: Class
    source: str


@dataclass(frozen=True)
class Moved:
    """Where accesses happen by habit, and who says so."""

    place: Place
    klass: Class
    source: str


@dataclass(frozen=True, kw_only=True)
class Statement(Conditions):
    """What ops do. The last statement that matches an op holds."""

    reads: Place = Place.NONE
    writes: Place = Place.NONE
    edges: tuple[Edge, ...] = ()
    habit_reads: Moved | None = None
    habit_writes: Moved | None = None

    def places(self, classes: Collection[Class]) -> tuple[Place, Place]:
        """Where its reads and its writes happen, if these classes count."""
        reads, writes = (
            moved.place if moved and moved.klass in classes else promised
            for moved, promised in (
                (self.habit_reads, self.reads),
                (self.habit_writes, self.writes),
            )
        )
        return reads, writes

    @property
    def classes(self) -> frozenset[Class]:
        """Those of all that it says, but for where accesses happen by promise."""
        moved = (place.klass for place in self.moved.values())
        return frozenset({*(edge.klass for edge in self.edges), *moved})

    @property
    def moved(self) -> dict[str, Moved]:
        """Which of its accesses happen elsewhere by habit: `reads`, `writes`."""
        sides = {"reads": self.habit_reads, "writes": self.habit_writes}
        return {name: moved for name, moved in sides.items() if moved}


@dataclass(frozen=True, kw_only=True)
class Habit(Conditions):
    """What an implementation does besides: added to whatever statement holds for an op."""

    reads: Moved | None = None
    writes: Moved | None = None
    edges: tuple[Edge, ...] = ()


def with_habit(statements: Iterable[Statement], habit: Habit) -> Iterator[Statement]:
    """The statements as they hold with the habit: each is followed by its part that has it."""
    for statement in statements:
        both = statement.meet(habit)
        if both is None:
            yield statement
            continue
        if not statement.same_ops(both):
            yield statement
        yield replace(
            statement.only(both),
            habit_reads=habit.reads or statement.habit_reads,
            habit_writes=habit.writes or statement.habit_writes,
            edges=statement.edges + habit.edges,
        )
