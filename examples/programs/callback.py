"""Host callback: a function on a stream announces the logits, but it is not on their stream.

The callback lets the host go on, as it should: it is a real order between the stream's work and the
host's next step. Only it is the order of the stream `notify`, and the copy of the logits runs on
`compute`. The fix: the callback on `compute`, behind the copy.

Race: RACE04
Fix: silent
"""

import sys

import options
from words import ADD_ONE, SIZE, words

import synctrace
from synctrace.tracer.scheduler.device import Device
from synctrace.tracer.scheduler.handover import Handover

TOKENS = 8


def decode(device: Device, fixed: bool) -> list[bytes]:
    """The logits of each token, as the host read them."""
    compute, notify = device.stream("compute"), device.stream("notify")
    hidden, logits = device.memory("hidden", SIZE), device.pinned("logits", SIZE)
    arrived = Handover("logits arrived")

    read = []
    compute.fill(hidden.slice(), 0)
    for _ in range(TOKENS):
        compute.launch(ADD_ONE, [hidden.slice()], [hidden.slice()])
        compute.copy(logits.slice(), hidden.slice())
        stream = compute if fixed else notify
        stream.host_call(lambda reads, writes: None, signal=arrived)
        arrived.wait()
        read.append(logits.load())
    compute.synchronize()
    return read


def main() -> None:
    """Record it and say whether the tokens are right."""
    given = options.parse(__doc__)
    with given.device() as device, synctrace.record(given.trace, overwrite=True) as recording:
        logits = decode(device, given.fixed)
    right = [words(token + 1) for token in range(TOKENS)]
    options.say(given, "tokens", logits, right, recording)


if __name__ == "__main__":
    sys.exit(options.run(main))
