"""Traces of JAX on an NVIDIA H200 (tests/gpu/cuda_counts.py OUT jax), checked again.

jax_train.py, a training step, by what XLA is told: `graphs` (as it is), `kernels` (no command
buffers), `cuda-async` and `platform` (each buffer an allocation of the driver's); jax_dlpack.py,
which shares arrays with CuPy: `race`, `fixed` and `blocked`.
"""

from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.tracer.kinds import Flag, Kind, Level
from synctrace.tracer.reader import Trace, open_trace

TRACES = Path(__file__).parents[1] / "data/h200"
PROFILES = ["cuda-doc", "cuda-13"]
# Calls of recorded functions, as CUPTI counted them in the same run.
CALLS = {"race": 280, "fixed": 280, "kernels": 1473, "cuda-async": 1520, "graphs": 1185}
# What is said of a right program: XLA hands its pinned memory out again once a host function has
# said that a copy is done, which other threads learn of unseen (host-order-assumed); and a store
# into a part of what a copy read before is looked for in all of that (range-guess).
ASSUMED = "host-order-assumed"
POOL = {(rule, ASSUMED) for rule in ("LIFE01", "RACE01", "RACE02", "RACE03", "RACE04")}
WARNINGS = {
    "fixed": {("LIFE01", ASSUMED), ("RACE01", ASSUMED)},
    "kernels": POOL | {("RACE03", "range-guess")},
    "cuda-async": POOL,
    "graphs": POOL | {("RACE03", "range-guess"), ("RACE04", "range-guess")},
}
RIGHT = [name for name in CALLS if name != "race"]


def trace_of(name: str) -> Trace:
    return open_trace(TRACES / f"h200-cuda-jax-{name}.synctrace")


@pytest.mark.parametrize("name", CALLS)
def test_the_trace_is_whole(name: str) -> None:
    trace = trace_of(name)
    assert trace.complete and not trace.lost and trace.meta["dropped"] == 0
    ops = trace.table("op").to_pylist()
    own = [op for op in ops if op["level"] == Level.API and not op["flags"] & Flag.BATCHED]
    assert len(own) + trace.meta["coverage"].get("repeated_queries", 0) == CALLS[name]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_has_no_error(name: str, profile: str) -> None:
    found = check(trace_of(name), [profile], select=["RACE", "LIFE"]).findings
    assert {(f.rule, f.verdict) for f in found} == WARNINGS.get(name, set())
    assert not [f for f in found if f.verdict == "certain" or f.severity == "error"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", [name for name in CALLS if name == "race"])
def test_arrays_shared_without_a_wait(name: str, profile: str) -> None:
    """At a call of CuPy's on its own stream that jax_dlpack.py makes."""
    found = check(trace_of(name), [profile], select=["RACE"]).findings
    verdict = {"cuda-doc": "latent", "cuda-13": "certain"}[profile]
    certain = [f for f in found if f.verdict == verdict]
    assert certain
    for finding in certain:
        places = [touch.op.place for touch in finding.touches]
        assert "jax_dlpack.py" in {p.frames[0].file for p in places if p.frames}


@pytest.mark.parametrize("name", [name for name in CALLS if name == "cuda-async"])
def test_command_buffers_are_graphs(name: str) -> None:
    kinds = [op["kind"] for op in trace_of(name).table("op").to_pylist()]
    assert kinds.count(Kind.GRAPH_LAUNCH) > 0
