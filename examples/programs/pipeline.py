"""Four-device pipeline: llama.cpp's scheduler, four tokens in flight, inputs rewritten under them.

The scheduler is that of synctrace.tracer.scheduler; what waits for what is up to a policy. The race
is the one of llama.cpp #17795 (`InputsRewritten`): input copies have four slots, but their source
on the host is one, and nothing waits for the copies before the next token's inputs are set. The fix
is `EventPipelined`: the source has slots too, and an event for each. Try others by --policy: all of
docs/scheduler.md are there.

Race: RACE04 RACE05
Fix: silent
"""

import sys

import options

import synctrace
from synctrace.tracer.scheduler.busy import Busy, overlap
from synctrace.tracer.scheduler.history import FIXES, InputsRewritten
from synctrace.tracer.scheduler.model import build
from synctrace.tracer.scheduler.policy import RIGHT, EventPipelined
from synctrace.tracer.scheduler.token_loop import tokens

DEVICES, TOKENS = 4, 16
POLICIES = {each.__name__: each for each in (*RIGHT, *FIXES, *FIXES.values())}


def main() -> None:
    """Record it and say whether the tokens are right and how many devices worked at once."""
    parser = options.parser(__doc__)
    parser.add_argument("--policy", choices=POLICIES, help="another one than these two")
    args = parser.parse_args()
    given = options.options(args, "pipeline")
    policy = POLICIES.get(args.policy) or (EventPipelined if given.fixed else InputsRewritten)

    model, busy = build(DEVICES, layers=6 * DEVICES), list[Busy]()
    recording = synctrace.record(given.trace, overwrite=True)
    with given.pipeline(DEVICES, busy) as devices, recording:
        outputs, stats = tokens(policy(), devices, TOKENS, model)
    right = [model.expected(token) for token in range(TOKENS)]
    at_once = overlap(work for work in busy if work.label != "copy")
    print(
        f"{policy.__name__}: {at_once:.1f} of {DEVICES} devices at work at once, "
        f"{stats.syncs_per_token:.1f} host waits a token"
    )
    options.say("tokens", outputs, right, recording)


if __name__ == "__main__":
    sys.exit(options.run(main))
