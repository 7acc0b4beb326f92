"""Taking any one thing out of a profile changes a verdict: each has a test that needs it.

The score is printed (`pytest -s`) and must be whole, but for the parts named in SPARE.
"""

from collections.abc import Iterator, Sequence

import pytest
from mutants import Mutant, mutants
from rows import OTHERS, Row, asked, pairs, rows, surest

from synctrace.analyzer import order
from synctrace.analyzer.profile import Profile, load, shipped
from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.reader import Trace

ALL = (*rows(), *rows(*OTHERS))

_OF_NEXT = ("launch", "legacy")
# What no verdict can hang on, by profile.
SPARE = {
    # What a thread knows, and what a blocking stream has, the stream gets with its next work too.
    ("cuda-doc", "(event_wait): launch"),
    ("cuda-doc", "(event_wait): legacy"),
    ("hip-doc", "(event_wait): launch"),
    ("hip-doc", "(event_wait): legacy"),
    ("ggml-contract", "(event_wait): launch"),
    *((name, f"(value_wait): {edge}") for name in ("cuda-doc", "hip-doc") for edge in _OF_NEXT),
    # The host waits for this copy: who comes later knows of it without the barrier.
    ("cuda-doc", "statement 29 (memcpy_peer): devices-wait"),
    # The barrier holds for the blocking streams of the copy's devices, legacy stream or not.
    ("catalogue", "(memcpy_peer): legacy"),
    # The same calls keep the host waiting for the whole copy: a source read later is read by then.
    ("ggml-vulkan", "(tensor_set_async): reads"),
}

Told = tuple[str, frozenset[tuple[int, int]]]


def told(trace: Trace, name: str, profile: Profile, patch: pytest.MonkeyPatch) -> Told:
    """What a profile says of a trace; `name` may end in @strict."""
    patch.setattr(order, "load", {profile.name: profile}.__getitem__)
    judged = order.run(trace, [profile.name], asked(name)[1])
    return surest(judged), frozenset(pairs(judged))


Calls = dict[str, set[tuple[Kind, Flag]]]  # of each row


def calls(asking: Sequence[Row], traces: dict[str, Trace]) -> Calls:
    """Kind and flags of the ops of each row."""
    return {
        row.id: {
            (Kind(op["kind"]), Flag(op["flags"]))
            for op in traces[row.id].table("op").select(["kind", "flags"]).to_pylist()
        }
        for row in asking
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
@pytest.mark.parametrize("name", shipped())
def test_every_part_is_needed(
    name: str,
    traces: dict[str, Trace],
    other_traces: dict[str, Trace],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    profile = load(name)
    traces = traces | other_traces
    asking = [row for row in ALL if any(asked(each)[0] == name for each in row.expected)]
    made_calls = calls(asking, traces)
    usual: dict[tuple[str, str], Told] = {}
    alive = []
    made = list(mutants(profile))
    for mutant in made:
        for row in asking:
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
    spare = [ending for profile_, ending in SPARE if profile_ == name]
    assert [lacks for lacks in alive if not lacks.endswith(tuple(spare))] == []
    assert [each for each in spare if not any(lacks.endswith(each) for lacks in alive)] == []
