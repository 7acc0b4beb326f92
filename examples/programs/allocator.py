"""Allocator reuse: memory goes back to the pool while another stream still reads it.

`free_async` is in the order of its own stream. The copy of the activations to the host is on
another, and nothing holds the free back until it is done: the pool gives the block to the next
token, which writes it. The fix: the owner's stream waits for an event behind the copy. (In PyTorch:
`tensor.record_stream(stream)`.)

Race: LIFE01
Fix: silent
"""

import sys

import options
from words import ADD_ONE, SIZE, words

import synctrace
from synctrace.tracer.scheduler.device import Device

TOKENS = 12


def decode(device: Device, fixed: bool) -> list[bytes]:
    """The activations of each token, as they arrived on the host."""
    compute, copies = device.stream("compute"), device.stream("copies")
    made, read = device.event("made"), device.event("read")
    hidden, arrived = device.memory("hidden", SIZE), device.pinned("arrived", TOKENS * SIZE)

    compute.fill(hidden.slice(), 0)
    for token in range(TOKENS):
        compute.launch(ADD_ONE, [hidden.slice()], [hidden.slice()])
        activations = compute.alloc_async(f"activations {token}", SIZE)
        compute.copy(activations.slice(), hidden.slice())
        compute.record(made)
        copies.wait(made)
        copies.copy(arrived.slice(token * SIZE, (token + 1) * SIZE), activations.slice())
        copies.record(read)
        if fixed:
            compute.wait(read)
        compute.free_async(activations)
    copies.synchronize()
    return [arrived.load(token * SIZE, (token + 1) * SIZE) for token in range(TOKENS)]


def main() -> None:
    """Record it and say whether the activations are right."""
    given = options.parse(__doc__)
    with given.device() as device, synctrace.record(given.trace, overwrite=True) as recording:
        arrived = decode(device, given.fixed)
    right = [words(token + 1) for token in range(TOKENS)]
    options.say(given, "activations", arrived, right, recording)


if __name__ == "__main__":
    sys.exit(options.run(main))
