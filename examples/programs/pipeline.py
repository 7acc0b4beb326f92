"""Four-device pipeline: llama.cpp's scheduler, four tokens in flight, inputs rewritten under them.

The scheduler is that of synctrace.tracer.scheduler; what waits for what is up to a policy. The race
is the one of llama.cpp #17795 (`InputsRewritten`): input copies have four slots, but their source
on the host is one, and nothing waits for the copies before the next token's inputs are set. The fix
is `EventPipelined`: the source has slots too, and an event for each. --policy runs any other of
docs/scheduler.md.

Race: RACE04 RACE05
Fix: silent
"""

import sys
from dataclasses import dataclass

import options

import synctrace
from synctrace.tracer.recording import Recording
from synctrace.tracer.scheduler.busy import Busy, overlap
from synctrace.tracer.scheduler.history import POLICIES, InputsRewritten
from synctrace.tracer.scheduler.model import build
from synctrace.tracer.scheduler.policy import EventPipelined, OneSlot
from synctrace.tracer.scheduler.token_loop import tokens

DEVICES, TOKENS = 4, 16
BY_NAME = {policy.__name__: policy for policy in POLICIES}


@dataclass(frozen=True)
class Decoded:
    """What a policy made of TOKENS tokens."""

    outputs: list[dict[str, bytes]]
    right: list[dict[str, bytes]]
    at_once: float  # devices at work at the same time, on average
    waits: float  # of the host, a token
    recording: Recording


def decode(given: options.Options, policy: type[OneSlot]) -> Decoded:
    """Run and record the policy."""
    model, busy = build(DEVICES, layers=6 * DEVICES), list[Busy]()
    recording = synctrace.record(given.trace, overwrite=True)
    with given.pipeline(DEVICES, busy) as devices, recording:
        outputs, stats = tokens(policy(), devices, TOKENS, model)
    right = [model.expected(token) for token in range(TOKENS)]
    at_once = overlap(work for work in busy if work.label != "copy")
    return Decoded(outputs, right, at_once, stats.syncs_per_token, recording)


def main() -> None:
    """Say whether the tokens are right and how many devices worked at once."""
    parser = options.parser(__doc__)
    parser.add_argument("--policy", choices=BY_NAME, help="another one than these two")
    args = parser.parse_args()
    given = options.options(args, "pipeline")
    policy = BY_NAME.get(args.policy) or (EventPipelined if given.fixed else InputsRewritten)
    done = decode(given, policy)
    print(
        f"{policy.__name__}: {done.at_once:.1f} of {DEVICES} devices at work at once, "
        f"{done.waits:.0f} host waits a token"
    )
    options.say(given, "tokens", done.outputs, done.right, done.recording)


if __name__ == "__main__":
    sys.exit(options.run(main))
