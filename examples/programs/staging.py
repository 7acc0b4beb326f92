"""Pinned staging: weights go to the device through one buffer, refilled while a copy reads it.

Pageable memory would be copied within the call. Pinned memory is read when the copy runs: the call
returns before, and the buffer is not free yet. The fix: an event behind each copy, waited for
before the refill. (llama.cpp's loader takes four buffers in turn and waits for the event of each.)

Race: RACE04
Fix: silent
"""

import sys

import options
from words import ADD_ONE, SIZE, words

import synctrace
from synctrace.tracer.scheduler.device import Device

CHUNKS = 16


def load(device: Device, fixed: bool) -> list[bytes]:
    """What the device holds in the end, chunk by chunk."""
    stream, copied = device.stream("load"), device.event("copied")
    staging = device.pinned("staging", SIZE)
    weights, scratch = device.memory("weights", CHUNKS * SIZE), device.memory("scratch", SIZE)

    stream.launch(ADD_ONE, [scratch.slice()], [scratch.slice()])  # a warm-up: copies come behind it
    for chunk in range(CHUNKS):
        if fixed:
            copied.synchronize()
        staging.store(words(chunk), name=f"chunk {chunk}")
        stream.copy(weights.slice(chunk * SIZE, (chunk + 1) * SIZE), staging.slice())
        stream.record(copied)

    loaded = device.pinned("loaded", CHUNKS * SIZE)
    stream.copy(loaded.slice(), weights.slice())
    stream.synchronize()
    return [loaded.load(chunk * SIZE, (chunk + 1) * SIZE) for chunk in range(CHUNKS)]


def main() -> None:
    """Record it and say whether the weights are right."""
    given = options.parse(__doc__)
    with given.device() as device, synctrace.record(given.trace, overwrite=True) as recording:
        chunks = load(device, given.fixed)
    options.say(given, "chunks", chunks, [words(chunk) for chunk in range(CHUNKS)], recording)


if __name__ == "__main__":
    sys.exit(options.run(main))
