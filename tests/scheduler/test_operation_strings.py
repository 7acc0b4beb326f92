"""One token of each policy in the letters of llama.cpp's discussions, from the trace.

i inputs set, s synchronize, E event_synchronize, w event_wait, r event_record, a asynchronous copy,
c blocking copy, g[BACKEND] graph launch, d output read back; a space before each split.

What ggml's calls do within is left out, as the ggml level does not see it either: the event by
which CUDA's cpy_tensor_async orders two devices, and the wait that makes a copy a blocking one.
"""

import re
from pathlib import Path

import pytest
from policies import ALL_RIGHT, WRONG, PolicyClass, simulated

import synctrace
from synctrace.tracer.scheduler import history
from synctrace.tracer.scheduler.history import FIXES
from synctrace.tracer.scheduler.model import build
from synctrace.tracer.scheduler.policy import EventPipelined, Saaasg, Sassassasg
from synctrace.tracer.scheduler.token_loop import tokens

# The letters of each split, and of what a token does before and behind its splits.
LETTERS = """
SELECT number, min(op) AS first, string_agg(letter, '' ORDER BY op) AS letters
FROM (
  SELECT
    i.number, o.scope, l.op, o.kind = 'memcpy_async_d2h' AS is_output,
    CASE
      WHEN o.kind = 'memcpy_async_d2h' THEN 'd'
      WHEN a.name LIKE '% thread' THEN if(o.kind = 'stream_sync', '', 'c')
      ELSE l.letter
    END AS letter
  FROM letter AS l
  JOIN op AS o ON o.id = l.op
  JOIN scope_iteration AS s ON s.scope = o.scope
  JOIN iteration AS i ON i.id = s.iteration
  LEFT JOIN event AS e ON e.id = o.event
  LEFT JOIN actor AS a ON a.id = o.actor
  WHERE l.letter IS NOT NULL AND coalesce(e.name, '') NOT LIKE 'copy_event%'
)
GROUP BY number, scope, is_output
"""

# One device and three inputs of the split (inp_tokens, which the embedding reads, is no fourth).
# The sheet's strings, recorded from llama.cpp on one GPU: `ii g[CPU] s aaaaaa s g d` of #17795 and
# #20793, and `sassassasg`, as #20793 spells what was before.
ON_ONE = {
    Sassassasg: "iii g[CPU] sassassasg[SIM0] d",
    Saaasg: "iii g[CPU] saaasg[SIM0] d",
    EventPipelined: "Eiii g[CPU] aaarg[SIM0]r d",
    history.SourceOverwritten: "iii g[CPU] saaag[SIM0] d",
    history.WaitForCopies: "Eiii g[CPU] saaarg[SIM0] d",
    history.InputsInPlace: "iii g[CPU] g[SIM0]r d",
    history.WaitForGraphs: "Eiii g[CPU] g[SIM0]r d",
}
# Two devices. The sheet's, with `S:ss` where graphs are reused (#20927): before #17795
# `S:ss ii g[CPU] wa Ec Ec Ec Ec g r w..`, #17795 `S:ss ii g[CPU] wa Ea Ea Ea Ea g r w..`, #20793
# `s wa Ea Ea Ea Ea s g r` a split.
ON_TWO = {
    Sassassasg: "iii g[CPU] sassasg[SIM0] sassassasg[SIM1] d",
    Saaasg: "iii g[CPU] saasg[SIM0] saaasg[SIM1] d",
    EventPipelined: "EEiii g[CPU] aarg[SIM0]r aarwag[SIM1]r d",
    history.InputsRewritten: "iii g[CPU] waEag[SIM0]r waEaEag[SIM1]r d",
    history.SynchronizedBeforeInputs: "ssiii g[CPU] waEag[SIM0]r waEaEag[SIM1]r d",
    history.SourceOverwritten: "iii g[CPU] saag[SIM0] saaag[SIM1] d",
    history.WaitForCopies: "EEiii g[CPU] saarg[SIM0] saaarg[SIM1] d",
    history.CpuOutputNotRotated: "iii g[CPU] arEcg[SIM0]r EcEcwag[SIM1]r d",
    history.CpuOutputRotated: "Eiii g[CPU] arEcg[SIM0]r EcEcwag[SIM1]r d",
    history.WaitOnOwnEvent: "EEiii g[CPU] aarg[SIM0]r aarwag[SIM1]r d",
    history.InputsInPlace: "iii g[CPU] g[SIM0]r wag[SIM1]r d",
    history.WaitForGraphs: "EEiii g[CPU] g[SIM0]r wag[SIM1]r d",
}


@pytest.mark.parametrize("policy", ON_TWO, ids=lambda policy: policy.__name__)
def test_a_docstring_begins_with_these_letters(policy: PolicyClass) -> None:
    told = (policy.__doc__ or "").split("`")[1]
    before, cpu, splits = told.rpartition(" g[CPU] ")
    inputs, _, *devices, _ = re.sub(r"\[SIM\d\]", "", ON_TWO[policy]).split(" ")
    *first, later = [split.replace(" ", "") for split in splits.split("  ")]
    assert later == devices[-1]
    assert first in ([], devices[:1])
    if cpu:
        many = {" ": "", "E..": "EE", "S": "ss", "i": "iii"}
        for short, long in many.items():
            before = before.replace(short, long)
        assert before == inputs


def strings(policy: PolicyClass, devices: int, folder: Path) -> set[str]:
    """Of every token of a run, the different ones."""
    with simulated([0] * devices) as on, synctrace.record(folder / "t") as recording:
        tokens(policy(), on, 5, build(devices, inputs=3))
    assert recording.path
    rows = synctrace.open(recording.path).query(LETTERS).to_pylist()
    found: dict[int, list[str]] = {}
    for row in sorted(rows, key=lambda row: (row["number"], row["first"])):
        found.setdefault(row["number"], []).append(row["letters"])
    return {" ".join(parts) for parts in found.values()}


@pytest.mark.parametrize("policy", ON_ONE)
def test_on_one_device(policy: PolicyClass, tmp_path: Path) -> None:
    assert strings(policy, 1, tmp_path) == {ON_ONE[policy]}


@pytest.mark.parametrize("policy", ON_TWO)
def test_on_two_devices(policy: PolicyClass, tmp_path: Path) -> None:
    assert strings(policy, 2, tmp_path) == {ON_TWO[policy]}


def test_every_policy_has_its_string() -> None:
    assert {*ON_TWO} == {*ALL_RIGHT, *WRONG} == {*ALL_RIGHT, *FIXES}


def short(string: str) -> str:
    """Letters alone, without places, and everything once that comes several times in a row."""
    letters = re.sub(r"\[\w+\]|[ .d]", "", string).replace("S", "s")
    for length in range(1, len(letters)):
        letters = re.sub(rf"(.{{{length}}})\1+", r"\1", letters)
    return letters


def test_docstrings_begin_with_the_string() -> None:
    """That of `WaitOnOwnEvent` names the policy whose string it has; inputs may be left out."""
    for policy, string in ON_TWO.items():
        told = re.match(r"`([^`]+)`", policy.__doc__ or "")
        assert told, policy
        if told[1] == EventPipelined.__name__:
            assert string == ON_TWO[EventPipelined]
        else:
            assert short(string) in (short(told[1]), "ig" + short(told[1])), policy
