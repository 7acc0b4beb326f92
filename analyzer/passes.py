"""Which passes a trace needs under a profile, and what each counts.

A pass is profile x edge classes x host order x which ranges and modes count (docs/internals.md).
Passes that cannot differ from another are not made.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from synctrace.analyzer import abi
from synctrace.analyzer.profile import Profile
from synctrace.analyzer.statement import HABITS, Class
from synctrace.tracer.kinds import Flag, Kind

ALL = frozenset(Class)
MUST = frozenset({Class.MUST, Class.UNFENCED})
UNFENCED = frozenset({Class.UNFENCED})


@dataclass(frozen=True)
class Pass:
    """One run of the engine."""

    name: str
    classes: frozenset[Class] = ALL
    strict: bool = False
    issue: int = abi.BY_TICKET  # when another thread's work on a stream is before work given now
    upper: bool = False  # ranges: all that may be touched, else the certain part
    unknown: bool = False  # unknown and may modes count, as reads and writes
    assumed: bool = False  # synthetic accesses count, unknown ranges conflict with everything
    keys: int = abi.NO_KEYS
    across: bool = False  # only pairs on different devices count


# Which syncs may be needed: documented edges alone, all assumed that was not seen. The same by what
# makes visible, where that is less.
NEEDS = Pass("needs", MUST, strict=True, upper=True, unknown=True, assumed=True, keys=abi.SITES)
FENCED = replace(NEEDS, name="fenced", classes=MUST - UNFENCED, across=True)
# Where there are several threads: both in the order seen. What made the threads keep it (a mutex, a
# queue) is not in the trace, and a sync may be needed for what it puts behind.
OBSERVED = replace(NEEDS, name="observed", strict=False)
OBSERVED_FENCED = replace(FENCED, name="observed-fenced", strict=False)


@dataclass(frozen=True)
class Seen:
    """What a trace holds that makes passes differ."""

    threads: int  # host timelines
    guessed_ranges: bool  # some access may touch more than its certain part
    unknown_modes: bool  # some access has mode may or unknown
    assumed: bool  # some access is synthetic or of unknown memory
    host_sources: bool  # some access reads host memory, and stores into that are not in the trace
    kinds: Collection[Kind]  # op kinds that occur, where some profile has edges of other classes
    flags: Flag  # of any op
    shared: bool = False  # several threads deal with one stream, or launch one graph


def plan(profile: Profile, seen: Seen, host_order: str) -> tuple[Pass, ...]:
    """The passes to run, `certain` first.

    The last of those whose keys are sites judge which syncs are needed, with all that was not
    seen assumed; the first, `certain`, says which are needed by what was seen alone.
    """
    strict = host_order_of(profile, host_order) == "strict" or seen.threads < 2
    habits = gives(profile, HABITS, seen.kinds, seen.flags)
    unfenced = gives(profile, UNFENCED, seen.kinds, seen.flags)
    by_host, by_return = (abi.BY_HOST, abi.BY_RETURN) if seen.shared else (abi.BY_TICKET,) * 2
    certain = Pass("certain", strict=strict, issue=by_host if strict else abi.BY_TICKET)
    passes = [replace(certain, keys=abi.SITES)]
    if habits:
        passes.append(replace(certain, name="must", classes=MUST))
    if unfenced:
        passes.append(replace(certain, name="visible", classes=ALL - UNFENCED, across=True))
    if habits or unfenced:
        passes.append(replace(certain, name="habits", keys=abi.HABITS))
    if not strict:
        passes.append(replace(certain, name="strict", strict=True, issue=by_return))
    if seen.guessed_ranges:
        passes.append(replace(certain, name="wide", upper=True))
    if seen.unknown_modes:
        passes.append(replace(certain, name="guess", upper=True, unknown=True))
    rewritten = seen.host_sources and profile.host_writes == "at-sync"
    assumes = seen.guessed_ranges or seen.unknown_modes or seen.assumed or rewritten
    more = habits or unfenced or assumes  # than `certain` sees
    if seen.threads > 1 or more:
        passes += judging(profile, seen)
    if not (strict or more or seen.shared):
        passes.remove(OBSERVED)
    return tuple(passes)


def judging(profile: Profile, seen: Seen) -> tuple[Pass, ...]:
    """Those that judge the need of syncs with all assumed; `needs` last."""
    unfenced = gives(profile, UNFENCED, seen.kinds, seen.flags)
    observed = (OBSERVED, OBSERVED_FENCED) if unfenced else (OBSERVED,)
    strict = (FENCED, NEEDS) if unfenced else (NEEDS,)
    if seen.threads < 2:
        return strict
    issue = abi.BY_HOST if seen.shared else abi.BY_TICKET
    return *observed, *(replace(each, issue=issue) for each in strict)


def host_order_of(profile: Profile, asked: str) -> str:
    """How the threads of a trace are ordered under a profile: `strict` if either says so."""
    return "strict" if "strict" in (asked, profile.host_order) else asked


def gives(
    profile: Profile, classes: Collection[Class], kinds: Collection[Kind], flags: Flag
) -> bool:
    """Whether ops of these kinds, with these flags at most, do what is of one of these classes."""
    return any(
        not statement.classes.isdisjoint(classes)
        for statement in profile.statements
        if statement.with_flags & flags == statement.with_flags
        and not set(kinds).isdisjoint(statement.kinds)
    )
