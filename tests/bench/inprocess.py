"""What recording itself costs a Python program: `inprocess.py`, or as part of `make bench`.

A token is 24 calls of functions that do nothing, plain and told in turn, with a pause after it, as
a program waits for its GPU. Printed: the median over tokens of what a call is dearer, and the CPU
time of the whole process that a call costs, the thread that writes the trace included.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import synctrace
from synctrace.tracer import tell
from synctrace.tracer.kinds import Kind, MemoryKind

TOKENS, CALLS, PAUSE_S, ROUNDS = 1500, 24, 0.0003, 5

LANE = tell.Timeline("GPU0", 0)
EVENT = tell.Signal("ready", 0)
SOURCE = tell.Memory("h_tokens", 1 << 20, MemoryKind.PINNED)
TARGET = tell.Memory("d_tokens", 1 << 20, MemoryKind.DEVICE, device=0)


def nothing(*arguments: object) -> None:
    """In place of a GPU call."""


def plain() -> None:
    nothing(LANE, EVENT)


def record_event() -> None:
    with tell.call(Kind.EVENT_RECORD, LANE, event=EVENT):
        nothing(LANE, EVENT)


def copy() -> None:
    touched = (SOURCE.read(0, 4096), TARGET.write(0, 4096))
    with tell.call(Kind.MEMCPY_ASYNC_H2D, LANE, accesses=touched):
        nothing(SOURCE, TARGET)


def measure(call: Callable[[], None]) -> tuple[float, float]:
    """Median ns of a call, and CPU ns of the process a call."""
    taken = []
    cpu = time.process_time_ns()
    for _ in range(TOKENS):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            call()
        taken.append(time.perf_counter_ns() - start)
        time.sleep(PAUSE_S)
    cpu = time.process_time_ns() - cpu
    return statistics.median(taken) / CALLS, cpu / TOKENS / CALLS


def compare(
    name: str, call: Callable[[], None], folder: Path, recorded: bool, stacks: bool
) -> None:
    added, cpu, lost = [], [], 0
    for number in range(ROUNDS):
        before = measure(plain)
        trace = folder / f"{name}-{number}.synctrace"
        on = synctrace.record(trace, stacks=stacks) if recorded else nullcontext(None)
        with on as recording:
            after = measure(call)
        added.append(after[0] - before[0])
        cpu.append(after[1] - before[1])
        lost += len(recording.lost) if recording else 0
    added.sort()
    told = f"{added[0]:5.0f} to {added[-1]:5.0f}"
    print(f"{name:34} {statistics.median(added):5.0f}  {told}   {statistics.median(cpu):6.0f}")
    if lost:
        print(f"{name}: {lost} traces are not complete")


def main() -> None:
    """Print one line a setting."""
    print("\nin-process recording, ns a call: added (median, range of rounds), CPU of the process")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare("event record, nothing records", record_event, folder, False, True)
        compare("event record", record_event, folder, True, True)
        compare("event record, no call sites", record_event, folder, True, False)
        compare("copy of two ranges", copy, folder, True, True)


if __name__ == "__main__":
    main()
