"""Runs a small program in every legal way. What this proves, and about what:

A *program* is what a trace has recorded: for each thread its calls in their order, and what every
wait is bound to: the record that an event wait or sync found at its call, the signals that a host
wait had found at its return, the free whose block an allocation took, the streams that were marked
when a block was freed. A *legal schedule* is any complete run of these calls and of the work that
they start, such that

- a thread enters a call when its last one has returned;
- a call returns when what it waits for is finished: the work it found at its entry, or the record
  or signal it is bound to, which may be called later in this schedule (a wait stands for what it
  was bound to, and the recorded order of the two calls is not a promise of the program);
- work stands in its queue at the place at which it was called, starts when what it waits for is
  finished, and ends any time after (`machine`);
- `strict`: nothing else. Which of two threads calls first is free, and with it the order of their
  work on a shared stream. A run that can come to no end is none: its bindings contradict it (a
  wait called first stands before its record in one queue). What is ordered for that reason alone
  may be told either way: the engine does not see it, and really such a wait would be bound to
  nothing. `passing` says which pairs these can be;
- `observed`: calls are entered in the recorded order, and a call that had returned before another
  was entered does so in every schedule.

An access has a first and a last instant: within [call, return] on the host, from start to end of
the work on a stream or copy queue (no rule waits for a source alone, so a read lasts as long as the
work), from the call to the end of the work where it is loose. Two accesses are *ordered* if in all
legal schedules the same one of them is over before the other begins. All reachable states are
visited, so that one schedule against it is found if there is one.

`instants` false leaves out states that cannot tell more: whatever may begin, return or be entered
without being seen by another thread does so at once. Nothing is disabled by that, and a begin that
comes earlier lies before all ends it lay before.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from laws import NOTHING, Law, laws
from machine import Board, Machine
from random_traces import Program

PLACES = {"host": {"host"}, "device": {"stream", "queue"}, "loose": {"loose"}}


@dataclass(frozen=True)
class Window:
    """Accesses of one op that happen in the same interval."""

    op: int
    place: str  # host, device, loose
    accesses: tuple[tuple[int, bool, bool], ...]  # id, whether it reads here, whether it writes


def windows(program: Program, each: list[Law]) -> list[Window]:
    """All that touch memory, by op."""
    found = []
    for i, (op, law) in enumerate(zip(program.ops, each, strict=True)):
        for place, names in PLACES.items():
            touched = []
            for number in program.accesses_of(op):
                access = program.accesses[number - 1]
                reads = access.reads and law.reads in names
                writes = access.writes and law.writes in names
                if reads or writes:
                    touched.append((number, reads, writes))
            if touched:
                found.append(Window(i, place, tuple(touched)))
    return found


@dataclass
class State:
    """Sets of ops and windows, beside the devices."""

    board: Board
    returned: int = 0
    begun: int = 0
    ended: int = 0
    finished: int = 0  # commands

    def key(self) -> tuple[object, ...]:
        return id(self.board), self.returned, self.begun, self.ended, self.finished


class Schedules:
    """Every legal schedule of one program."""

    def __init__(
        self,
        program: Program,
        each: list[Law],
        *,
        strict: bool,
        instants: bool = False,
        passing: bool = False,
    ) -> None:
        self.windows = windows(program, each)
        self.machine = Machine(program, each)
        self.instants, self.passing = instants, passing
        self.contradicted = False  # some run comes to no end
        ops = program.ops
        self.all = range(len(ops))
        at = {"host": [0] * len(ops), "device": [0] * len(ops), "loose": [0] * len(ops)}
        for n, window in enumerate(self.windows):
            at[window.place][window.op] |= 1 << n
        self.on_host, self.on_device, self.loose = at["host"], at["device"], at["loose"]
        self.own = [sum(parts) for parts in zip(*at.values(), strict=True)]
        self.after_call, self.after_return = [0] * len(ops), [0] * len(ops)
        for i, op in enumerate(ops):
            for j, other in enumerate(ops):
                if other.ticket_c < op.ticket_c and not strict:
                    self.after_call[i] |= 1 << j
                if other.ticket_r < op.ticket_c and (not strict or other.thread == op.thread):
                    self.after_return[i] |= 1 << j
        self.free = strict and program.threads > 1  # calls may be entered in any order
        self.known: dict[tuple[object, ...], bool] = {}
        self.begun_at: dict[int, int] = {}  # by windows ended: those begun in some state
        self.complete = self._visit(State(Board(self.machine)))

    @property
    def states(self) -> int:
        """Visited."""
        return len(self.known)

    def overlapping(self) -> list[int]:
        """By window: those that in some schedule are not over when it begins."""
        late = [0] * len(self.windows)
        for ended, begun in self.begun_at.items():
            for n in range(len(late)):
                if begun >> n & 1:
                    late[n] |= ~ended
        return late

    # States

    def _visit(self, state: State) -> bool:
        """Whether a schedule through this state comes to an end."""
        self._finish(state)
        if not self.instants:
            self._settle(state)
        key = state.key()
        if key not in self.known:
            following = self._following(state)
            everything = (1 << len(self.all)) - 1
            ends = not following and state.returned == state.finished == everything
            if not following and not ends:
                self.contradicted = True
                following = self._passed(state) if self.passing else []
            for each in following:
                ends |= self._visit(each)
            self.known[key] = ends
            if ends:
                self.begun_at[state.ended] = self.begun_at.get(state.ended, 0) | state.begun
        return self.known[key]

    def _following(self, state: State) -> list[State]:
        board, returned, begun = state.board, state.returned, state.begun
        ended, finished = state.ended, state.finished
        found = []
        for n in range(len(self.windows)):
            if begun & ~ended & 1 << n:
                found.append(State(board, returned, begun, ended | 1 << n, finished))
            elif self.instants and self._may_begin(state, n):
                found.append(State(board, returned, begun | 1 << n, ended, finished))
        for i in self.all:
            if self._may_call(state, i):
                found.append(State(board.call(i), returned, begun, ended, finished))
            elif self.instants and self._may_return(state, i):
                found.append(State(board, returned | 1 << i, begun, ended, finished))
        return found

    def _passed(self, state: State) -> list[State]:
        """A wait for what stands behind it is passed."""
        bound = self.machine.bound
        found = []
        for i in self.all:
            waited = bound.record.get(i, 0) | bound.signals.get(i, 0)
            if state.board.called >> i & 1 and waited & ~state.finished:
                found.append(replace(state, finished=state.finished | waited))
        return found

    def _settle(self, state: State) -> None:
        """All that no other thread can see."""
        moved = True
        while moved:
            moved = False
            for i in self.all:
                if self._may_return(state, i):
                    state.returned |= 1 << i
                    moved = True
                if self._may_call(state, i) and (not self.free or self.machine.private[i]):
                    state.board = state.board.call(i)
                    self._finish(state)
                    moved = True
            for n in range(len(self.windows)):
                if self._may_begin(state, n):
                    state.begun |= 1 << n
                    moved = True

    def _finish(self, state: State) -> None:
        """Commands that are finished now."""
        moved = True
        while moved:
            moved = False
            for i, needs in state.board.needs.items():
                if state.finished >> i & 1 or self.own[i] & ~state.ended or needs & ~state.finished:
                    continue
                kernel = state.board.starts.get(i, i)
                if kernel == i or self._may_start(state, kernel):
                    state.finished |= 1 << i
                    moved = True

    # What may happen next

    def _may_call(self, state: State, i: int) -> bool:
        called = state.board.called
        return not (
            called >> i & 1
            or self.after_call[i] & ~called
            or self.after_return[i] & ~state.returned
        )

    def _may_return(self, state: State, i: int) -> bool:
        return (
            bool(state.board.called & ~state.returned & 1 << i)
            and not self.on_host[i] & ~state.ended
            and not state.board.waits[i] & ~state.finished
        )

    def _may_begin(self, state: State, n: int) -> bool:
        window, board = self.windows[n], state.board
        i = window.op
        if state.begun >> n & 1 or not board.called >> i & 1:
            return False
        if window.place == "host":
            return not board.first[i] & ~state.finished
        if window.place == "loose":
            return not self.on_host[i] & ~state.ended
        return self._may_start(state, i)

    def _may_start(self, state: State, i: int) -> bool:
        """The command of an op: what the call reads on the host is read, all else it needs done."""
        return not (self.on_host[i] & ~state.ended or state.board.needs[i] & ~state.finished)


Pair = tuple[int, int, int, int]  # first op, second op, access of each; ops by index


@dataclass(frozen=True)
class Answer:
    """What all legal schedules of a program say of its conflicting accesses."""

    ordered: frozenset[Pair]
    unordered: frozenset[Pair]
    states: int
    contradicted: bool  # some runs come to no end


def run(
    program: Program,
    profile: Path,
    *,
    strict: bool,
    habits: bool = True,
    without: frozenset[str] = frozenset(),
    removed: frozenset[int] = frozenset(),
    instants: bool = False,
    passing: bool = False,
) -> Answer:
    """Run it in every way. `removed`: ops, by index, that do nothing; `without`: edge words.

    `passing`: where a run could come to no end, a wait for what stands behind it is passed.
    """
    each = laws(program, profile, habits=habits, without=without)
    each = [NOTHING if i in removed else law for i, law in enumerate(each)]
    made = Schedules(program, each, strict=strict, instants=instants, passing=passing)
    if not made.complete:
        raise AssertionError("no schedule is legal, not even the recorded one")
    late = made.overlapping()
    found: dict[bool, set[Pair]] = {True: set(), False: set()}
    for a, b in combinations(range(len(made.windows)), 2):
        one, two = made.windows[a], made.windows[b]
        for pair in _conflicts(program, one, two):
            found[not (late[a] >> b & 1 and late[b] >> a & 1)].add(pair)
    ordered, unordered = frozenset(found[True] - found[False]), frozenset(found[False])
    return Answer(ordered, unordered, made.states, made.contradicted)


def _conflicts(program: Program, one: Window, two: Window) -> list[Pair]:
    """Accesses of different ops that meet, at least one a write."""
    if one.op == two.op:
        return []
    found = []
    for x, _, x_writes in one.accesses:
        for y, _, y_writes in two.accesses:
            a, b = program.accesses[x - 1], program.accesses[y - 1]
            meet = a.storage == b.storage and a.lo < b.hi and b.lo < a.hi
            if meet and (x_writes or y_writes):
                found.append((one.op, two.op, x, y))
    return found
