"""What `check` says of every policy is what its docstring says; the wrong ones spoil real bytes.

The devices are simulated (`CpuDevice`): asynchronous for real, with the promises of CUDA's streams
and events and no habit of any driver. What is shown here is the order of the calls and that the
bytes follow it, not what a GPU's timing makes of a race: that is seen in `tests/gpu`.
"""

from pathlib import Path

import pytest
from policies import ALL_RIGHT, WRONG, PolicyClass, promised, rules, simulated

import synctrace
from synctrace.analyzer.check import check
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scheduler.history import CpuOutputNotRotated, WaitOnOwnEvent
from synctrace.tracer.scheduler.model import build
from synctrace.tracer.scheduler.scheduler import Scheduler
from synctrace.tracer.scheduler.token_loop import run, tokens

RIGHT_RUNS, WRONG_RUNS = 100, 20
TOKENS = 6
HAZARDS = ("race", "life", "trace")
VENDORS = ["cuda-doc", "hip-doc"]
# Average time of a kernel on each device, s. A race is won by who is fast: here a source that
# refills a slot before its slow reader has read it, and a host that runs ahead of a slow device.
EVEN, FAST_SOURCE, SLOW_FIRST = (5e-4,) * 3, (1e-4, 1e-4, 2e-3), (5e-3, 1e-4, 1e-4)
SPEEDS = {WaitOnOwnEvent: FAST_SOURCE, CpuOutputNotRotated: SLOW_FIRST}
SLOTS = {WaitOnOwnEvent: 2}


@pytest.mark.slow
@pytest.mark.parametrize("policy", ALL_RIGHT)
def test_a_right_policy_is_right_in_every_run(policy: PolicyClass, tmp_path: Path) -> None:
    """One recording of all runs; the ring of slots goes on from run to run."""
    model = build(3)
    expected = [model.expected(number) for number in range(TOKENS)]
    with simulated((5e-5,) * 3) as devices, synctrace.record(tmp_path / "t") as recording:
        sched = Scheduler(devices, model.graph, model.placement, policy(), rows=TOKENS)
        for number in range(RIGHT_RUNS):
            outputs, _ = run(sched, model, range(TOKENS))
            assert outputs == expected, f"run {number}"
        sched.close()
    assert recording.path
    checked = synctrace.check(recording.path)
    assert checked.complete and checked.dropped == 0
    assert rules(checked, *HAZARDS) == promised(policy, "Verdict") == set()
    assert rules(checked, "sync", "copy") == promised(policy, "Syncs")
    checked = check(open_trace(recording.path), VENDORS, select=["RACE", "LIFE"])
    assert rules(checked, *HAZARDS) == set()


@pytest.mark.slow
@pytest.mark.parametrize("policy", WRONG)
def test_a_wrong_policy_is_told_in_every_run(policy: PolicyClass, tmp_path: Path) -> None:
    """Also in the runs whose bytes came out right. In some they did not."""
    model = build(3)
    expected = [model.expected(number) for number in range(TOKENS)]
    wrong = 0
    for seed in range(WRONG_RUNS):
        recording = synctrace.record(tmp_path / str(seed))
        with simulated(SPEEDS.get(policy, EVEN), seed) as devices, recording:
            outputs, _ = tokens(policy(SLOTS.get(policy)), devices, TOKENS, model)
        wrong += outputs != expected
        assert recording.path
        # The rest is asked once: it takes longer than the run.
        select = ["RACE"] if seed else []
        checked = check(open_trace(recording.path), select=select)
        assert rules(checked, *HAZARDS) == promised(policy, "Verdict") != set(), f"seed {seed}"
        if not seed:
            assert rules(checked, "sync", "copy") == promised(policy, "Syncs")
            checked = check(open_trace(recording.path), VENDORS, select=["RACE", "LIFE"])
            assert rules(checked, *HAZARDS) == promised(policy, "Verdict")
    assert wrong > 0
