"""How many of four devices a policy keeps at work, and whether `check` says why.

Measured on simulated devices, whose kernels sleep: it shows what the order of the calls allows, on
however few cores, and not what real GPUs make of it.
"""

from pathlib import Path

import pytest
from policies import PolicyClass, simulated

import synctrace
from synctrace.analyzer.check import check
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scheduler.busy import Busy, overlap
from synctrace.tracer.scheduler.history import SynchronizedBeforeInputs
from synctrace.tracer.scheduler.model import build
from synctrace.tracer.scheduler.policy import EventPipelined, Saaasg, Sassassasg
from synctrace.tracer.scheduler.token_loop import tokens

DEVICES, TOKENS = 4, 24
MODEL = build(DEVICES, layers=6 * DEVICES)


def at_once(policy: PolicyClass, folder: Path) -> tuple[float, Path]:
    """Devices that compute at the same time on average, and the trace of the run."""
    busy: list[Busy] = []
    recording = synctrace.record(folder / policy.__name__)
    with simulated([2e-3] * DEVICES, busy=busy) as devices, recording:
        outputs, _ = tokens(policy(), devices, TOKENS, MODEL)
    assert outputs == [MODEL.expected(number) for number in range(TOKENS)]
    assert recording.path
    return overlap(work for work in busy if work.label != "copy"), recording.path


@pytest.mark.parametrize(
    ("policy", "least", "most", "is_serialised"),
    [
        # The last stage of a token beside the first of the next, the others alone: 4/3.
        (Sassassasg, 1.0, 1.8, True),
        (Saaasg, 1.0, 1.8, True),
        # One token after the other. The host goes on to inputs and not to a launch: no SYNC08.
        (SynchronizedBeforeInputs, 1.0, 1.5, False),
        # All four, but for the first and last tokens, and since the last stage is the longest:
        # about 3. The machine may be busy.
        (EventPipelined, 2.0, 4.0, False),
    ],
)
def test_devices_at_once(
    policy: PolicyClass, least: float, most: float, is_serialised: bool, tmp_path: Path
) -> None:
    devices, trace = at_once(policy, tmp_path)
    assert least <= devices <= most
    found = check(open_trace(trace), select=["SYNC08"]).findings
    # At each split whose stream waits for another device: at all but the first of a token.
    told = sum(finding.count for finding in found)
    assert told == (TOKENS * (DEVICES - 1) if is_serialised else 0)
