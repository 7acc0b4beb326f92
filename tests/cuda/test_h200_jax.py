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
CALLS: dict[str, int] = {}
# What is said of a right program, and why that is no error.
WARNINGS: dict[str, set[tuple[str, str]]] = {}
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
    certain = [f for f in found if f.verdict == "certain"]
    assert certain
    for finding in certain:
        places = [touch.op.place for touch in finding.touches]
        assert "jax_dlpack.py" in {p.frames[0].file for p in places if p.frames}


@pytest.mark.parametrize("name", [name for name in CALLS if name == "graphs"])
def test_command_buffers_are_graphs(name: str) -> None:
    kinds = [op["kind"] for op in trace_of(name).table("op").to_pylist()]
    assert kinds.count(Kind.GRAPH_LAUNCH) > 0
