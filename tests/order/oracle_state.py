"""What the oracle keeps of a program as it plays it: what is known where, as sets of touches."""

from collections.abc import Callable
from dataclasses import dataclass, field

from everything import plan
from random_traces import Program

from synctrace.analyzer.abi import BY_TICKET
from synctrace.tracer.kinds import Flag

# By op, at its entry (False) or its return: accesses that the host reads or (True) writes then.
Anchors = dict[tuple[int, bool], list[tuple[int, bool]]]


@dataclass(frozen=True)
class Touch:
    """One access that happened: on which timeline, and what was known (a set of touches) before."""

    op: int
    access: int
    reads: bool
    writes: bool
    timeline: object
    before: int  # bit n: touch n is before this one


@dataclass
class Run:
    """What a program did. Touches are in the order in which they are met."""

    touches: list[Touch] = field(default_factory=list)
    implied: set[int] = field(default_factory=set)
    unrecorded: set[int] = field(default_factory=set)
    anchors: Anchors = field(default_factory=dict)


@dataclass
class Stream:
    """What a stream or a copy queue has in it."""

    known: int = 0
    kernel_start: int | None = None  # known but for the last kernel, and dependent ones since
    forks: int = 0  # dependent launches since that kernel
    begun: int | None = None  # what the last kernel came after, whatever else has come since

    def learn(self, known: int) -> None:
        self.known |= known
        if self.kernel_start is not None:
            self.kernel_start |= known

    def join(self, known: int, start: int) -> None:
        """What another thread has given to the stream; `start`: without its last kernel."""
        if self.kernel_start is None and known & ~self.known:
            self.kernel_start = self.known
        if self.kernel_start is not None:
            self.kernel_start |= start
        self.known |= known


@dataclass
class Issue:
    """Something given to a stream, and what the stream had then."""

    op: int
    thread: int
    ticket_r: int
    known: int
    start: int


class State:
    """Of the host threads, the streams and what is like one, events, owners and results."""

    def __init__(
        self,
        program: Program,
        strict: bool,
        habits: bool,
        fences: bool,
        issue: int,
        removed: Callable[[int], bool],
        emptied: Callable[[int], bool],
        rewrites: bool,
        anchors: Anchors | None,
    ) -> None:
        self.p, self.strict = program, strict
        self.issue = issue if program.threads > 1 else BY_TICKET
        self.plans = [plan(program, op, habits=habits, fences=fences) for op in program.ops]
        self.removed, self.emptied = removed, emptied
        self.rewrites, self.given = rewrites, anchors
        self.run = Run()
        looked_at = Flag.PDL | Flag.PROGRAMMATIC
        self.dependent = any(op.flags & looked_at for op in program.ops)
        self.host = dict.fromkeys(range(1, program.threads + 1), 0)
        actors = range(program.threads + 1, program.threads + 1 + program.streams)
        self.flags = dict(zip(actors, program.stream_flags, strict=True))
        self.device: dict[object, int] = dict(zip(actors, program.stream_devices, strict=True))
        # Streams, copy queues and legacy default streams without a name; each as the thread finds
        # it, unless work of all threads is ordered by ticket (thread 0).
        self.views: dict[tuple[object, int], Stream] = {}
        self.viewed: set[object] = set()  # as the call being played finds them
        self.issues: dict[object, list[Issue]] = {}
        self.events: dict[int, int] = {}
        # The batch of each thread; of each stream the batch being given to it, and its touches.
        self.batch_of: dict[int, int] = {}
        self.batches: dict[object, tuple[int, int]] = {}
        self.marks: dict[int, set[int]] = {}
        self.closed: dict[int, int] = {}
        self.returned = 0  # what returned calls of any thread knew
        # Touches that the host has not waited for yet: results and, written then, sources.
        self.results: list[tuple[int, bool]] = []
        self.bound: dict[int, tuple[int, bool]] = {}
        self.in_gap = False
        self.losses = 0  # gaps begun and ended
        self.freed: dict[int, int] = {}  # of each owner: losses at its last free
        self.unsure: set[int] = set()  # owners whose marks may be lost
        self.undecided: set[int] = set()  # ops of which what was lost may say what they order
