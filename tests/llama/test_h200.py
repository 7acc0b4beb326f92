"""Traces of llama.cpp on an NVIDIA H200 (tests/gpu/), checked again.

They prove what the analyzer says of a run on real CUDA streams; that the recorder still
records such a run is proven only where there is such a machine.
"""

from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.query import Questions
from synctrace.analyzer.saved_query import saved
from synctrace.tracer.reader import open_trace

TRACES = Path(__file__).parents[1] / "data/h200"
# The patterns that two sketches of other makes recorded on such machines, by scheduler.
SIGNATURES = {
    "0.3.36-decode": "g[CPU] sx sc sc sc sc sc sc g[CUDA0]",
    "0.3.36-copies": "g[CPU] wx Ec Ec Ec Ec Ec Ec g[CUDA0] r",
    "0.3.36-offload": "g[CPU] sx sc sx sc sc sc sc sc sc g[CUDA0]",
    "0.3.32-decode": "g[CPU] s aaaaaa s g[CUDA0]",
    "0.3.32-copies": "g[CPU] s wa Ea Ea Ea Ea Ea s g[CUDA0] r",
}
# Two GPUs, four pipeline copies of ggml's own making; `rotate`: no graph is reused.
NEWEST_X2 = "g[CPU] wx Ec Ec Ec Ec Ec g[CUDA0] r wa Ec Ec Ec Ec Ec g[CUDA1] r"
PR_X2 = "g[CPU] s wa Ea Ea Ea Ea s g[CUDA0] r s wa Ea Ea Ea Ea Ea s g[CUDA1] r"
SIGNATURES_X2 = {
    "0.3.36-x2-decode": NEWEST_X2,
    "0.3.36-x2-ubatches": NEWEST_X2,
    "0.3.36-x2-rotate": NEWEST_X2,
    "0.3.32-x2-decode": PR_X2,
    "0.3.32-x2-ubatches": PR_X2,
}
TWO_PATTERNS = {"0.3.36-copies", "0.3.36-x2-ubatches", "0.3.36-x2-rotate"}
# Rule and instances of the orders that hold by a habit of ggml-cuda alone.
LATENT_X2 = {
    "0.3.36-x2-ubatches": {"RACE02": 1},
    "0.3.36-x2-rotate": {"RACE02": 15, "RACE05": 12},
}


def path(name: str) -> Path:
    return TRACES / f"h200-llama-{name}.synctrace"


def ask(name: str, query: str) -> list[dict[str, Any]]:
    answer = Questions(open_trace(path(name))).ask(saved()[query])
    return [dict(zip(answer.names, row, strict=True)) for row in answer.rows]


@pytest.fixture(params=SIGNATURES)
def checked(request: pytest.FixtureRequest) -> Checked:
    return check(open_trace(path(request.param)), shape=True)


def test_every_trace_here_is_checked() -> None:
    ours = set(TRACES.glob("h200-llama-*"))
    assert {path(name) for name in SIGNATURES | SIGNATURES_X2} == ours


def test_no_race(checked: Checked) -> None:
    assert checked.complete
    assert [f for f in checked.findings if f.family in ("race", "life")] == []
    assert bool(checked.faults) == ("copies" in checked.trace)


def test_some_syncs_are_needless_and_the_last_is_not(checked: Checked) -> None:
    assert checked.syncs is not None
    assert checked.syncs.needed >= 1
    assert checked.syncs.needless >= 1


@pytest.mark.parametrize("name", SIGNATURES_X2)
def test_two_gpus_race_by_no_text_of_the_contract(name: str) -> None:
    """What the header leaves open between two GPUs is told as what it is: ordered by a habit.

    The copy runs on the source's stream: the header does not say that the source's next work waits
    for it, nor that it waits for the target's earlier reads of the slot.
    """
    checked = check(open_trace(path(name)))
    assert checked.complete
    assert not checked.faults
    found = [f for f in checked.findings if f.family in ("race", "life")]
    assert {f.rule: f.count for f in found} == LATENT_X2.get(name, {})
    assert {f.verdict for f in found} <= {"latent"}


def test_the_slot_and_the_source_are_named() -> None:
    found = {
        f.rule: f for f in check(open_trace(path("0.3.36-x2-rotate")), select=["RACE"]).findings
    }
    slot, source = found["RACE05"], found["RACE02"]
    assert slot.memory is not None
    assert slot.memory.name == "CUDA1#l_out-8#0"
    assert slot.edge is not None
    assert "after-actor" in str(slot.edge.hidden_by)
    assert source.memory is not None
    assert source.memory.name == "l_out-8"
    assert source.edge is not None
    assert "peer-waits" in str(source.edge.hidden_by)


@pytest.mark.parametrize("name", SIGNATURES | SIGNATURES_X2)
def test_signature_of_a_token(name: str) -> None:
    patterns = {row["signature"]: row["iterations"] for row in ask(name, "signature")}
    wanted = (SIGNATURES | SIGNATURES_X2)[name]
    assert wanted.replace(" ", "") in patterns
    # The first ubatches of a prompt may need one input less.
    assert len(patterns) == (2 if name in TWO_PATTERNS else 1)


@pytest.mark.parametrize(
    ("name", "after", "waits", "copies"),
    [
        ("0.3.36-decode", "GET_ROWS", 7, 6),
        ("0.3.32-decode", "GET_ROWS", 2, 6),
        ("0.3.36-offload", "324 nodes", 9, 7),
    ],
)
def test_what_a_token_pays_for_its_split(name: str, after: str, waits: int, copies: int) -> None:
    """llama.cpp#25700: one GET_ROWS on the CPU costs a token all these waits and copies."""
    (row,) = ask(name, "boundaries")
    assert (row["from_backend"], row["to_backend"]) == ("CPU", "CUDA0")
    assert (row["after"], row["waits"], row["copies"]) == (after, waits, copies)
    assert row["switches"] == row["iterations"] == 9
    assert row["host_ns"] > row["blocked_ns"] > 0
