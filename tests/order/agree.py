"""The engine against every legal schedule, program by program."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import schedules
from judge import Judgement, judge
from random_traces import Program
from schedules import Answer, Pair
from small_programs import small_program

from synctrace.analyzer import abi
from synctrace.tracer.kinds import Kind

PROFILE = Path(__file__).with_name("operational.toml")
JUDGED = (Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC)
ENOUGH = 8  # programs in which an edge matters: it is not tried in more


@dataclass(frozen=True)
class Setting:
    """One way to look at the random program of a seed."""

    seed: int
    threads: int
    strict: bool
    without: frozenset[str] = frozenset()  # edges that no statement of the profile has

    def program(self) -> Program:
        return small_program(self.seed, threads=self.threads)

    def run(self, program: Program, **options: Any) -> Answer:
        """What all legal schedules say."""
        return schedules.run(program, PROFILE, strict=self.strict, without=self.without, **options)

    def judge(self, program: Program, without: frozenset[str] = frozenset()) -> Judgement:
        """What the engine says."""
        return judge(
            program,
            strict=self.strict,
            habits=True,
            profile=str(PROFILE),
            without=self.without | without,
            issue=abi.BY_HOST if self.strict and self.threads > 1 else abi.BY_TICKET,
        )


def check(setting: Setting, counts: Counter[str]) -> None:
    """Compare on one program; raises AssertionError with the setting where they differ."""
    program = setting.program()
    answer = setting.run(program)
    said = setting.judge(program)
    found = _pairs(program, said)
    false = found - answer.unordered
    told = not false
    if false and answer.contradicted:
        counts["contradicted"] += 1
        false -= setting.run(program, passing=True).unordered
    assert not false, f"{setting}: false {false}"
    for pair in answer.unordered - found:
        # The engine keeps of each timeline the last access: it may stand before an earlier one.
        alone = only(program, pair)
        assert pair in _pairs(alone, setting.judge(alone)), f"{setting}: missed {pair}"
    counts["programs"] += 1
    counts["states"] += answer.states
    counts["ordered pairs"] += len(answer.ordered)
    counts["unordered pairs"] += len(answer.unordered)
    if setting.strict and told:
        _check_needs(setting, program, answer, said, counts)


def _pairs(program: Program, said: Judgement) -> set[Pair]:
    index = {op.id: n for n, op in enumerate(program.ops)}
    return {(index[a], index[b], x, y) for a, b, x, y in said.pairs}


def only(program: Program, pair: Pair) -> Program:
    """The program in which these two accesses alone touch memory."""
    nothing = [replace(a, reads=False, writes=False) for a in program.accesses]
    for number in pair[2:]:
        nothing[number - 1] = program.accesses[number - 1]
    return replace(program, accesses=nothing)


def _check_needs(
    setting: Setting, program: Program, answer: Answer, said: Judgement, counts: Counter[str]
) -> None:
    """A sync is needless if no ordered pair comes apart where it does nothing."""
    for i, op in enumerate(program.ops):
        told = said.needs.get(op.site)
        if op.kind not in JUDGED or told is None or not told["instances"]:
            continue
        left = setting.run(program, removed=frozenset({i}))
        needless = answer.ordered <= left.ordered
        assert needless or told["needed"], f"{setting}: op {i} is needed"
        if not answer.unordered:
            assert not (needless and told["needed"]), f"{setting}: op {i} is not needed"
        counts["syncs"] += 1
        counts["needed syncs"] += not needless
        counts["needless syncs found"] += not told["needed"]


def try_edges(setting: Setting, tried: Counter[str], mattered: Counter[str]) -> None:
    """Count the edges that the program's ops have, and those without which other pairs race."""
    program = setting.program()
    present = frozenset().union(*(law.words for law in schedules.laws(program, PROFILE)))
    wanted = [edge for edge in present if mattered[edge] < ENOUGH]
    if not wanted:
        return
    answer, said = setting.run(program), setting.judge(program)
    for edge in wanted:
        lacking = frozenset({edge})
        if edge == "launch":  # no machine starts work before the call
            other = setting.judge(program, lacking).pairs != said.pairs
        else:
            other = replace(setting, without=lacking).run(program).unordered != answer.unordered
        tried[edge] += 1
        mattered[edge] += other
