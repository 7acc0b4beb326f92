"""Token loop: the host sets the next token while the graph of this one is in flight.

The graph was captured once: a copy of the pinned input to the device, then a layer. A launch reads
the input when the device comes to it, not when the host makes the call. So the host, which goes on
at once, may have set the next token by then. The fix: an event behind each launch, waited for
before the input is set again.

Race: RACE05
Fix: silent
"""

import sys

import options
from words import ADD_ONE, SIZE, words

import synctrace
from synctrace.tracer.scheduler.device import Device

TOKENS = 16


def decode(device: Device, fixed: bool) -> list[bytes]:
    """The outputs of all tokens."""
    stream, done = device.stream("decode"), device.event("done")
    tokens, logits = device.pinned("inp_tokens", SIZE), device.pinned("logits", TOKENS * SIZE)
    hidden, out = device.memory("hidden", SIZE), device.memory("out", SIZE)

    stream.begin_capture()
    stream.copy(hidden.slice(), tokens.slice())
    stream.launch(ADD_ONE, [hidden.slice()], [out.slice()])
    graph = stream.end_capture("decode graph")

    for token in range(TOKENS):
        with synctrace.range("token"):
            if fixed:
                done.synchronize()
            tokens.store(words(token))
            stream.launch_graph(graph)
            stream.record(done)
            stream.copy(logits.slice(token * SIZE, (token + 1) * SIZE), out.slice())
    stream.synchronize()
    return [logits.load(token * SIZE, (token + 1) * SIZE) for token in range(TOKENS)]


def main() -> None:
    """Record it and say whether the tokens are right."""
    given = options.parse(__doc__)
    with given.device() as device, synctrace.record(given.trace, overwrite=True) as recording:
        outputs = decode(device, given.fixed)
    right = [words(token + 1) for token in range(TOKENS)]
    options.say(given, "tokens", outputs, right, recording)


if __name__ == "__main__":
    sys.exit(options.run(main))
