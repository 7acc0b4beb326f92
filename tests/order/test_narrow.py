"""Narrower waits by brute force: those told are enough, and an edit breaks what it must.

The oracle plays the program with the narrower waits in it; it shares no code with the engine, and
none of how calls are put in.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import broad_programs
import oracle
from as_trace import fitted, write
from compare import _racy
from judge import PROFILE
from random_traces import Op, Program

from synctrace.analyzer import skeleton, stream
from synctrace.analyzer.examine import Examined, examine
from synctrace.analyzer.narrow import Candidate, How, NeededPair, candidates
from synctrace.analyzer.profile import load
from synctrace.analyzer.replay import Call, Edit, Replay
from synctrace.analyzer.stream import World
from synctrace.tracer.kinds import Flag

MODEL = load(PROFILE)
Touched = tuple[int, int, str]  # op, access, timeline


class Examples:
    """A program as a trace, its waits, and the pairs that need them."""

    def __init__(self, made: Program, path: Path) -> None:
        self.made = fitted(made)
        self.world = stream.read_world(write(self.made, path / "t"), [MODEL])
        self.replay = Replay(self.world, MODEL)
        self.needed = dict(self._needed())

    def _needed(self) -> Iterator[tuple[int, list[NeededPair]]]:
        sites = {op.id: op.site for op in self.made.ops}
        waits: dict[int, list[int]] = {}
        for op in self.made.ops:
            if op.kind in oracle.JUDGED and not op.flags:
                waits.setdefault(op.site, []).append(op.id)
        for site, ids in waits.items():
            pairs = self.replay.new_pairs(Edit(tuple(ids)), 1000)
            if pairs:
                yield (
                    site,
                    [
                        NeededPair(
                            *(p.first_op, p.second_op, sites[p.first_op], sites[p.second_op]),
                            *(p.first_actor, p.second_actor, p.hazard),
                        )
                        for p in pairs
                    ],
                )

    def candidates(self) -> Iterator[Candidate]:
        places = {pair.second_site for pairs in self.needed.values() for pair in pairs}
        bones = skeleton.read(self.world.trace, self.needed, places)
        for site, pairs in self.needed.items():
            yield from candidates(bones, site, pairs, lambda actor: actor <= self.made.threads)

    def examined(self, most_work: int | None = None) -> Examined:
        return examined(self.world, self.needed, most_work, len(self.made.ops))


def examined(
    world: World, needed: dict[int, list[NeededPair]], most_work: int | None, ops: int
) -> Examined:
    return examine(world, [MODEL], needed, most_work=most_work, ops=ops)


def edited(made: Program, edit: Edit) -> Program:
    """The program with the edit in it: tickets between two are no whole numbers."""
    calls: dict[int, list[Call]] = {}
    for call in edit.put_in:
        calls.setdefault(call.before, []).append(call)
    ops: list[Op] = []
    for op in made.ops:
        here = calls.get(op.id, [])
        for n, call in enumerate(here, 1):
            entered = op.ticket_c - 1 + n / (len(here) + 1)
            returned = entered + 0.5 / (len(here) + 1)
            new = Op(op.id, 0, 0, call.kind, call.thread, actor=call.actor, event=call.event)
            ops.append(replace(new, ticket_c=entered, ticket_r=returned))  # type: ignore[arg-type]
        gone = op.id in edit.left_out
        ops.append(replace(op, flags=op.flags | Flag.SKIPPED) if gone else op)
    return replace(made, ops=ops)


def races(made: Program) -> set[tuple[Touched, Touched]]:
    run = oracle.run(made, strict=True, habits=False)
    named = [(made.ops[t.op].id, t.access, str(t.timeline)) for t in run.touches]
    return {(min(pair), max(pair)) for pair in ((named[a], named[b]) for a, b in _racy(made, run))}


def test_every_candidate_is_judged_as_by_brute_force(tmp_path: Path) -> None:
    """Programs without a race: an edit breaks one by the engine if and only if by the oracle."""
    counts: Counter[tuple[How, bool]] = Counter()
    for seed in range(120):
        example = Examples(broad_programs.program(seed), tmp_path)
        assert races(example.made) == set(), seed
        for one in example.candidates():
            broken = example.replay.breaks(one.edit)
            assert broken == bool(races(edited(example.made, one.edit))), (seed, one)
            counts[one.how, broken] += 1
    for how in How:
        assert counts[how, False] > 10, counts
        assert counts[how, True] > 3, counts


def test_what_is_told_is_enough_in_programs_that_race(tmp_path: Path) -> None:
    """No race comes but those that are there, and none behind them."""
    counts: Counter[bool] = Counter()
    for seed in range(300):
        made = broad_programs.program(seed, waits=2)
        before = races(made)
        if not before:
            continue
        example = Examples(made, tmp_path)
        for one in example.candidates():
            broken = example.replay.breaks(one.edit)
            new = races(edited(example.made, one.edit)) - before
            assert broken or not new, (seed, one, new)
            counts[broken] += 1
    assert counts[False] > 30, counts
    assert counts[True] > 3, counts
