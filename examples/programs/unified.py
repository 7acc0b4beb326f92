"""Unified memory: the host reads what a kernel is still writing, in place.

Managed memory (and all memory of an integrated GPU) needs no copy, so nothing in the program looks
like a wait: the host reads the logits and sets the next token where the kernel works. The launch
returns before the kernel is done. The fix: an event behind the kernel, waited for before the read.

Race: RACE04
Fix: silent
"""

import sys

import options
from words import ADD_ONE, SIZE, words

import synctrace
from synctrace.tracer.scheduler.device import Device

TOKENS = 12


def decode(device: Device, fixed: bool) -> list[bytes]:
    """The logits of each token, as the host read them."""
    stream, done = device.stream("decode"), device.event("done")
    tokens, logits = device.managed("tokens", SIZE), device.managed("logits", SIZE)

    read = []
    for token in range(TOKENS):
        tokens.store(words(token))
        stream.launch(ADD_ONE, [tokens.slice()], [logits.slice()])
        stream.record(done)
        if fixed:
            done.synchronize()
        read.append(logits.load())
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
