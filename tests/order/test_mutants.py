"""Taking any one thing out of a profile changes a verdict: each has a test that needs it.

The score is printed (`pytest -s`) and must be whole, but for the parts named in SPARE.
"""

from collections.abc import Iterator

import pytest
from mutants import Mutant, mutants
from rows import PROFILES, Row, asked, pairs, rows, surest

from synctrace.analyzer import order
from synctrace.analyzer.profile import Profile, load
from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.reader import Trace

# What no verdict can hang on.
SPARE = {
    # What a thread knows, and what a blocking stream has, the stream gets with its next work too.
    "(event_wait): launch",
    "(event_wait): legacy",
    # The host waits for this copy: who comes later knows of it without the barrier.
    "statement 26 (memcpy_peer): devices-wait",
}

Told = tuple[str, frozenset[tuple[int, int]]]


def told(trace: Trace, name: str, profile: Profile, patch: pytest.MonkeyPatch) -> Told:
    """What a profile says of a trace; `name` may end in @strict."""
    patch.setattr(order, "load", {profile.name: profile}.__getitem__)
    judged = order.run(trace, [profile.name], asked(name)[1])
    return surest(judged), frozenset(pairs(judged))


Calls = dict[str, set[tuple[Kind, Flag]]]  # of each row


def calls(traces: dict[str, Trace]) -> Calls:
    """Kind and flags of the ops of each row."""
    return {
        id_: {
            (Kind(op["kind"]), Flag(op["flags"]))
            for op in trace.table("op").select(["kind", "flags"]).to_pylist()
        }
        for id_, trace in traces.items()
    }


def concerned(row: Row, made: Calls, mutant: Mutant) -> Iterator[str]:
    """Under which names the row asks this profile, if it makes such a call."""
    part = mutant.part
    if not any(
        kind in part.kinds
        and flags & part.with_flags == part.with_flags
        and not flags & part.without_flags
        for kind, flags in made[row.id]
    ):
        return
    for name in row.expected:
        if asked(name)[0] == mutant.profile.name:
            yield name


@pytest.mark.slow
@pytest.mark.parametrize("name", PROFILES)
def test_every_part_is_needed(
    name: str, traces: dict[str, Trace], monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = load(name)
    made_calls = calls(traces)
    usual: dict[tuple[str, str], Told] = {}
    alive = []
    made = list(mutants(profile))
    for mutant in made:
        for row in rows():
            for name_ in concerned(row, made_calls, mutant):
                key = (row.id, name_)
                if key not in usual:
                    usual[key] = told(traces[row.id], name_, profile, monkeypatch)
                if told(traces[row.id], name_, mutant.profile, monkeypatch) != usual[key]:
                    break
            else:
                continue
            break
        else:
            alive.append(mutant.lacks)
    print(f"{name}: {len(made) - len(alive)} of {len(made)} mutants found")
    assert [lacks for lacks in alive if not lacks.endswith(tuple(SPARE))] == []
