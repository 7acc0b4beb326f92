"""The child that asks the vendors' libraries: facts once, then counters at an interval.

    python -P -m synctrace.tracer.machine.child SECONDS VENDOR…     0 seconds: facts alone

Those libraries print, hang, crash and take time; here that touches neither the recorder nor the
recorded program (devices.py is the other side). What stdout was carries one JSON object a
line: {"facts": …}, {"readings": [time ns, [source, subject, counter, value]…]}, {"unread": [text]}.
Ends when stdin does, or by SIGALRM if a library does not return for ANSWER_SECONDS.
"""

import json
import os
import select
import signal
import sys
import time
from collections.abc import Sequence

from synctrace.tracer.machine.cuda import as_the_program_sees
from synctrace.tracer.machine.facts import Counter, Facts, Vendor

ANSWER_SECONDS = 30
TRIES = 3  # a counter that fails so often in a row is not asked for again
PACKAGES = {"nvidia": "nvidia-ml-py", "amd": "amdsmi"}

Reading = tuple[str, str, str, float]  # source, subject, counter, value


def main(arguments: Sequence[str]) -> None:
    """Answer on what stdout was; whatever else is printed there goes where stderr goes."""
    answers = os.dup(1)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's
    seconds, names = float(arguments[0]), arguments[1:]
    signal.alarm(ANSWER_SECONDS)
    facts = Facts()
    counters: list[Counter] = []
    for name in names:
        told, more = ask(name)
        facts += told
        counters += more
    _tell(answers, {"facts": facts.meta()})
    if seconds and counters:
        _sample(answers, counters, _subjects(facts), seconds)


def ask(name: str) -> tuple[Facts, list[Counter]]:
    """Facts and counters of one vendor's GPUs. Never raises; what fails is told in `unread`."""
    facts = Facts()
    counters: list[Counter] = []
    try:
        vendor = _opened(name)
        facts = vendor.facts()
        counters = vendor.counters()
    except ModuleNotFoundError:
        package = PACKAGES[name]
        what = f"{name}: the package {package} is not installed: pip install {package}"
        facts = Facts(unread=(what,))
    except Exception as error:  # whatever these packages raise, at any version
        what = " ".join(str(error).split()) or "no message"
        facts = Facts(unread=(f"{name}: {type(error).__name__}: {what}",))
    return (as_the_program_sees(facts) if name == "nvidia" else facts), counters


def _opened(name: str) -> Vendor:
    if name == "nvidia":
        from synctrace.tracer.machine.nvidia import Nvidia

        return Nvidia()
    from synctrace.tracer.machine.amd import Amd

    return Amd()


def _subjects(facts: Facts) -> dict[tuple[str, int], str]:
    """The program's number of each device; those that are hidden from it are not sampled."""
    return {
        (device.vendor, device.index): str(device.ordinal)
        for device in facts.devices
        if device.ordinal is not None
    }


def _sample(
    answers: int, counters: Sequence[Counter], subjects: dict[tuple[str, int], str], seconds: float
) -> None:
    """Read until stdin ends. A round that takes long makes the interval longer."""
    wanted = [one for one in counters if (one.vendor, one.index) in subjects]
    failures = dict.fromkeys(wanted, 0)
    wait = 0.0
    while failures and not select.select([0], [], [], wait)[0]:
        signal.alarm(ANSWER_SECONDS)
        started = time.monotonic()
        read, unread = _round(failures, subjects)
        _tell(answers, {"readings": [time.monotonic_ns(), read]})
        if unread:
            _tell(answers, {"unread": unread})
        signal.alarm(0)
        took = time.monotonic() - started
        wait = max(seconds - took, 9 * took)


def _round(
    failures: dict[Counter, int], subjects: dict[tuple[str, int], str]
) -> tuple[list[Reading], list[str]]:
    """One reading of each counter, and those given up."""
    read: list[Reading] = []
    unread = []
    for one in list(failures):
        subject = subjects[one.vendor, one.index]
        try:
            read.append((one.vendor, subject, one.name, float(one.read())))
            failures[one] = 0
        except Exception as error:
            failures[one] += 1
            if failures[one] == TRIES:
                del failures[one]
                what = " ".join(str(error).split()) or type(error).__name__
                unread.append(f"{one.vendor} {subject}: {one.name} is not told ({what})")
    return read, unread


def _tell(answers: int, message: dict[str, object]) -> None:
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(answers, line) :]


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BrokenPipeError:  # nobody listens any more
        os._exit(0)
