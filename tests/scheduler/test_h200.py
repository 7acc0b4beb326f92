"""Traces of every policy on NVIDIA H200s (tests/gpu/scheduler.py), checked again.

Four devices with streams and memory of their own that share one GPU, and (x2) two devices, a GPU
each, with peer copies over NVLink. They prove what the analyzer says of runs on real CUDA streams;
that recording still gives such traces is proven only where there is such a machine.
"""

from pathlib import Path

import pytest
from policies import ALL_RIGHT, WRONG, PolicyClass, promised, rules

from synctrace.analyzer.check import check
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scheduler.history import SynchronizedBeforeInputs, WaitForCopies
from synctrace.tracer.scheduler.policy import EventPipelined, Saaasg, Sassassasg

TRACES = Path(__file__).parents[1] / "data/h200"
PROFILES = ([], ["cuda-13"], ["hip-7"], ["catalogue"])
HAZARDS = ("race", "life", "trace")
TOKENS = 16


@pytest.mark.parametrize("machine", ["h200", "h200-x2"])
@pytest.mark.parametrize("policy", [*ALL_RIGHT, *WRONG])
def test_the_verdict_is_the_docstrings(policy: PolicyClass, machine: str) -> None:
    trace = open_trace(TRACES / f"{machine}-scheduler-{policy.__name__}.synctrace")
    assert len(trace.meta["devices"]) == (1 if machine == "h200" else 2)
    assert trace.complete and not trace.lost
    assert trace.meta["profile"] == "cuda-doc"
    assert trace.meta["versions"]["CUDA"] == "13.2"
    for profiles in PROFILES:
        checked = check(trace, profiles, select=["RACE", "LIFE"])
        assert rules(checked, *HAZARDS) == promised(policy, "Verdict"), profiles
    assert set(trace.table("op")["level"].to_pylist()) == {0}  # app


@pytest.mark.parametrize("policy", [Sassassasg, Saaasg, EventPipelined, SynchronizedBeforeInputs])
def test_serialised_stages_are_told_of_two_gpus(policy: PolicyClass) -> None:
    """One wait a token: that of the second GPU's split, which waits for the first."""
    trace = open_trace(TRACES / f"h200-x2-scheduler-{policy.__name__}.synctrace")
    found = check(trace, select=["SYNC08"]).findings
    is_serialised = policy in (Sassassasg, Saaasg)
    assert sum(finding.count for finding in found) == (TOKENS if is_serialised else 0)


@pytest.mark.parametrize("policy", [*ALL_RIGHT, *WRONG])
def test_the_syncs_are_the_docstrings(policy: PolicyClass) -> None:
    """By the profile of simulated devices; CUDA promises less, so that two policies have less."""
    trace = open_trace(TRACES / f"h200-scheduler-{policy.__name__}.synctrace")
    told = promised(policy, "Syncs")
    unproven = {"SYNC02"} if policy in (SynchronizedBeforeInputs, WaitForCopies) else set()
    for profile, expected in (("catalogue", told), ("cuda-doc", told - unproven)):
        checked = check(trace, [profile], select=["SYNC01", "SYNC02"])
        assert rules(checked, "sync") == expected, profile


def test_every_trace_of_the_scheduler_is_checked() -> None:
    names = {policy.__name__ for policy in (*ALL_RIGHT, *WRONG)}
    named = {f"{machine}-scheduler-{name}" for machine in ("h200", "h200-x2") for name in names}
    assert {trace.stem for trace in TRACES.glob("*-scheduler-*")} == named
