"""Traces of every policy on one NVIDIA H200 (tests/gpu/scheduler.py), checked again.

Four devices with streams and memory of their own share the GPU. They prove what the analyzer says
of runs on real CUDA streams; that recording still gives such traces is proven only where there is
such a machine, and nothing here was run on two GPUs.
"""

from pathlib import Path

import pytest
from policies import ALL_RIGHT, WRONG, PolicyClass, promised, rules

from synctrace.analyzer.check import check
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scheduler.history import SynchronizedBeforeInputs, WaitForCopies

TRACES = Path(__file__).parents[1] / "data/h200"
PROFILES = ([], ["cuda-13"], ["hip-7"], ["catalogue"])
HAZARDS = ("race", "life", "trace")


@pytest.mark.parametrize("policy", [*ALL_RIGHT, *WRONG])
def test_the_verdict_is_the_docstrings(policy: PolicyClass) -> None:
    trace = open_trace(TRACES / f"h200-scheduler-{policy.__name__}.synctrace")
    assert trace.complete and not trace.lost
    assert trace.meta["profile"] == "cuda-doc"
    assert trace.meta["versions"]["CUDA"] == "13.2"
    for profiles in PROFILES:
        checked = check(trace, profiles, select=["RACE", "LIFE"])
        assert rules(checked, *HAZARDS) == promised(policy, "Verdict"), profiles
    assert set(trace.table("op")["level"].to_pylist()) == {0}  # app


@pytest.mark.parametrize("policy", [*ALL_RIGHT, *WRONG])
def test_the_syncs_are_the_docstrings(policy: PolicyClass) -> None:
    """By the profile of simulated devices; CUDA promises less, so that two policies have less."""
    trace = open_trace(TRACES / f"h200-scheduler-{policy.__name__}.synctrace")
    told = promised(policy, "Syncs")
    unproven = {"SYNC02"} if policy in (SynchronizedBeforeInputs, WaitForCopies) else set()
    for profile, expected in (("catalogue", told), ("cuda-doc", told - unproven)):
        checked = check(trace, [profile], select=["SYNC01", "SYNC02"])
        assert rules(checked, "sync") == expected, profile
