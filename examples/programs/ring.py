"""Four-slot ring: inputs take four slots in turn, with an event for each, recorded too early.

Slots alone give no order: before the host fills a slot again, the copy that read it four tokens ago
must be done. The wait for the slot's event is there, but the event was recorded in front of the
copy, so that it stands for the token before. The fix is the same call, a line further down.

Race: RACE04
Fix: silent
"""

import sys

import options
from words import ADD_ONE, SIZE, words

import synctrace
from synctrace.tracer.scheduler.device import Device

TOKENS, SLOTS = 24, 4


def decode(device: Device, fixed: bool) -> list[bytes]:
    """The outputs of all tokens."""
    stream, logits = device.stream("decode"), device.pinned("logits", TOKENS * SIZE)
    inputs = [device.pinned(f"inp_tokens#{slot}", SIZE) for slot in range(SLOTS)]
    copies = [device.memory(f"copy#{slot}", SIZE) for slot in range(SLOTS)]
    copied = [device.event(f"copied[{slot}]") for slot in range(SLOTS)]
    out = device.memory("out", SIZE)

    for token in range(TOKENS):
        slot = token % SLOTS
        copied[slot].synchronize()
        inputs[slot].store(words(token))
        if not fixed:
            stream.record(copied[slot])
        stream.copy(copies[slot].slice(), inputs[slot].slice())
        if fixed:
            stream.record(copied[slot])
        stream.launch(ADD_ONE, [copies[slot].slice()], [out.slice()])
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
