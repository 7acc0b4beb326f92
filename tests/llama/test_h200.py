"""Traces of llama.cpp on an NVIDIA H200 (tests/gpu/), checked again.

They prove what the analyzer says of a run on real CUDA streams; that the recorder still
records such a run is proven only where there is such a machine.
"""

from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.analyzer.query import Questions, saved
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


def path(name: str) -> Path:
    return TRACES / f"h200-llama-{name}.synctrace"


def ask(name: str, query: str) -> list[dict[str, Any]]:
    answer = Questions(open_trace(path(name))).ask(saved()[query])
    return [dict(zip(answer.names, row, strict=True)) for row in answer.rows]


@pytest.fixture(params=SIGNATURES)
def checked(request: pytest.FixtureRequest) -> Checked:
    return check(open_trace(path(request.param)), shape=True)


def test_every_trace_here_is_checked() -> None:
    assert {path(name) for name in SIGNATURES} == set(TRACES.iterdir())


def test_no_race(checked: Checked) -> None:
    assert checked.complete
    assert [f for f in checked.findings if f.family in ("race", "life")] == []
    assert bool(checked.faults) == ("copies" in checked.trace)


def test_some_syncs_are_needless_and_the_last_is_not(checked: Checked) -> None:
    assert checked.syncs is not None
    assert checked.syncs.needed >= 1
    assert checked.syncs.needless >= 1


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature_of_a_token(name: str) -> None:
    patterns = {row["signature"]: row["iterations"] for row in ask(name, "signature")}
    assert SIGNATURES[name].replace(" ", "") in patterns
    assert len(patterns) == (1 if name != "0.3.36-copies" else 2)


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
