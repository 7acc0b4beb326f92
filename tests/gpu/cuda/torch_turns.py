"""Steps of torch_price.py in turns, one for each line `eager|graph STEPS` of the input.

Prints for each turn microseconds: by the clock and of the process's CPU time for a step on average,
then by the clock for each step. With an argument `eager` the graph is not made. All threads stay
on CORES, `4,5` say.
"""

import os
import sys
import time
from itertools import pairwise

if cores := os.environ.get("CORES"):  # before PyTorch makes threads
    os.sched_setaffinity(0, map(int, cores.split(",")))

import torch
from torch_price import Step, eager, of_a_graph

WARM = 40


def turn(step: Step, steps: int) -> list[float]:
    step()  # others ran in between
    torch.cuda.synchronize()
    busy, ends = time.process_time(), [time.perf_counter()]
    for _ in range(steps):
        step()
        ends.append(time.perf_counter())
    torch.cuda.synchronize()
    taken, busy = time.perf_counter() - ends[0], time.process_time() - busy
    each = [late - early for early, late in pairwise(ends)]
    return [1e6 * seconds for seconds in (taken / steps, busy / steps, *each)]


def main() -> None:
    kinds = {"eager": eager()}
    if "eager" not in sys.argv[1:]:
        kinds["graph"] = of_a_graph()[0]
    for step in kinds.values():
        turn(step, WARM)
    for line in sys.stdin:
        name, steps = line.split()
        print(*(f"{one:.2f}" for one in turn(kinds[name], int(steps))), flush=True)


if __name__ == "__main__":
    main()
