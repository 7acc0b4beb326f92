"""Two threads: a loader fills a staging buffer, another thread copies it to the device.

The threads hand the buffer to each other correctly, and a race detector for threads sees nothing.
But the copier gives the buffer back when it has made the copy's call, and the copy is still to run.
The fix: it gives the buffer back when the copy is done.

Race: RACE04
Fix: silent
"""

import sys
import threading

import options
from words import ADD_ONE, SIZE, words

import synctrace
from synctrace.tracer.scheduler.device import Device
from synctrace.tracer.scheduler.handover import Handover

PROMPTS = 12


def serve(device: Device, fixed: bool) -> list[bytes]:
    """What came out for each prompt."""
    stream, results = device.stream("serve"), device.pinned("results", PROMPTS * SIZE)
    staging, hidden = device.pinned("staging", SIZE), device.memory("hidden", SIZE)
    filled, emptied = Handover("staging filled"), Handover("staging emptied")

    def load() -> None:
        for prompt in range(PROMPTS):
            staging.store(words(prompt), name=f"prompt {prompt}")
            filled.signal()
            emptied.wait()

    loader = threading.Thread(target=load, name="loader")
    loader.start()
    for prompt in range(PROMPTS):
        filled.wait()
        stream.copy(hidden.slice(), staging.slice())
        if fixed:
            stream.synchronize()
        emptied.signal()
        stream.launch(ADD_ONE, [hidden.slice()], [hidden.slice()])
        stream.copy(results.slice(prompt * SIZE, (prompt + 1) * SIZE), hidden.slice())
    loader.join()
    stream.synchronize()
    return [results.load(prompt * SIZE, (prompt + 1) * SIZE) for prompt in range(PROMPTS)]


def main() -> None:
    """Record it and say whether the results are right."""
    given = options.parse(__doc__)
    with given.device() as device, synctrace.record(given.trace, overwrite=True) as recording:
        results = serve(device, given.fixed)
    right = [words(prompt + 1) for prompt in range(PROMPTS)]
    options.say(given, "results", results, right, recording)


if __name__ == "__main__":
    sys.exit(options.run(main))
