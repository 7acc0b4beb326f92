"""Brute force: what is before what, by sets of everything known, from the words of internals.md.

Nothing is shared with the engine: sets instead of clocks, every pair instead of trees, and a run
without each sync instead of avoidance clocks.
"""

from collections.abc import Callable

from everything import JUDGED, WITHOUT_EFFECT, is_judged, memory, size
from oracle_edges import Edges
from oracle_state import Anchors, Run, Touch
from oracle_streams import AFTER, ISSUED, ISSUES
from random_traces import Access, Op, Program

from synctrace.analyzer.abi import BY_TICKET
from synctrace.tracer.kinds import Flag, Kind

__all__ = ["JUDGED", "Run", "Touch", "overlap", "run"]


def run(
    program: Program,
    *,
    strict: bool,
    habits: bool,
    fences: bool = True,
    issue: int = BY_TICKET,
    removed: Callable[[int], bool] = lambda op: False,
    emptied: Callable[[int], bool] = lambda op: False,
    rewrites: bool = False,
    anchors: Anchors | None = None,
) -> Run:
    """Play the program.

    `removed`: judged ops (by index) that are not there; `emptied`: those that wait for nothing;
    `rewrites`: the host writes what work has read of host memory once it has waited for that work;
    `anchors`: of the whole program, since a sync left out still anchors what the host does then.
    """
    order = (strict, habits, fences, issue)
    return Player(program, *order, removed, emptied, rewrites, anchors).play()


class Player(Edges):
    """Plays a program, moment by moment."""

    def play(self) -> Run:
        moments = [(op.ticket_c, 0, i) for i, op in enumerate(self.p.ops)]
        moments += [(op.ticket_r, 1, i) for i, op in enumerate(self.p.ops)]
        moments += [(ticket, 2 + end, 0) for gap in self.p.gaps for end, ticket in enumerate(gap)]
        for _, what, i in sorted(moments):
            if what >= 2:
                self.in_gap = what == 2
                self.losses += 1
                if not self.in_gap:
                    self.join_all()
                    self.batch_of, self.batches = {}, {}
                continue
            op = self.p.ops[i]
            if what == 0:
                self.see_batch(i, op)
            if not op.flags & WITHOUT_EFFECT:
                self.enter(i, op) if what == 0 else self.leave(i, op)
            elif op.flags & Flag.SKIPPED:
                if what == 0:
                    self.skipped(i, op)
                self.returned |= self.host[op.thread] if what == 1 else 0
        return self.run

    def join_all(self) -> None:
        everything = self.returned
        devices = self.views.values()
        for known in (*self.host.values(), *(stream.known for stream in devices)):
            everything |= known
        self.returned = everything
        self.host = dict.fromkeys(self.host, everything)
        for stream in devices:
            stream.known, stream.kernel_start, stream.forks = everything, None, 0
            stream.begun = None
        self.results = []

    def decided(self, op: Op) -> bool:
        if op.kind is Kind.CACHE_ALLOC and self.owner(op) in self.unsure:
            return False
        known = bool(memory(self.p, op)) and size(self.p, op) > 0
        return op.kind not in (Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_H2D) or known

    def enter(self, i: int, op: Op) -> None:
        if self.losses and not self.decided(op):
            self.undecided.add(i)
            self.join_all()
            return
        self.viewed = set()
        does = self.plans[i]
        gone = is_judged(op) and self.removed(i)
        self.end_batch(op, does)
        if not self.strict:
            self.host[op.thread] |= self.returned
        issues = self.issue != BY_TICKET and op.actor and does.edges & ISSUES and not gone
        if issues:
            self.host[op.thread] |= 1 << (ISSUED + i)
        first = {"host-waits-prior"} | (AFTER if does.on_host else set())
        if does.edges & first:
            self.host[op.thread] |= self.prior(op, does)
            if does.on_host:
                self.host[op.thread] |= self.others(op, does)
            self.read_results(i, op, self.host[op.thread], False)
        self.read_given(i, op, False)
        self.viewed = set()
        if does.on_host and (not does.waits or does.source_first):
            behind = does.source_first and "host-waits-actor" in does.edges
            self.touch_on_host(i, op, does, self.stream_of(op, does) if behind else 0)
        if op.actor and not gone:
            self.on_stream(i, op, does)
        elif not op.actor:
            self.stand(op, does, self.host[op.thread])
        self.owners(op, does)
        self.bound[i] = self.sources(op, does)

    def leave(self, i: int, op: Op) -> None:
        if i in self.undecided:
            return
        does = self.plans[i]
        known, recorded = self.bound.pop(i)
        if "host-waits-signal" in does.edges:
            recorded &= op.event in self.events
            known |= self.events.get(op.event, 0)
        if is_judged(op) and (self.removed(i) or self.emptied(i)):
            known = 0
        if does.waits:
            if is_judged(op):
                self.note(i, recorded, known & ~self.host[op.thread])
            self.host[op.thread] |= known
            self.read_results(i, op, self.host[op.thread], True)
        self.read_given(i, op, True)
        if does.waits and not does.source_first:
            self.touch_on_host(i, op, does)
        self.returned |= self.host[op.thread]

    def skipped(self, i: int, op: Op) -> None:
        self.viewed = set()
        if not self.strict:
            self.host[op.thread] |= self.returned
        known = self.sources(op, self.plans[i])[0] | self.prior(op, self.plans[i])
        if "host-waits-signal" in self.plans[i].edges:
            known |= self.events.get(op.event, 0)
        self.read_results(i, op, known, False)
        self.read_given(i, op, False)


def overlap(a: Access, b: Access) -> bool:
    """Whether the bytes meet; unknown memory meets everything."""
    if a.storage == 0 or b.storage == 0:
        return True
    return a.storage == b.storage and a.lo < b.hi and b.lo < a.hi
