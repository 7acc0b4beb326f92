"""PyTorch's profiler over a few steps: prints the kernels that it saw, with their counts.

python torch_profiled.py [eager|graph]: of `graph`, steps are replays of a graph that was captured
before the profiler began. Then whether there were any, and whether all ran while it was on.
"""

import faulthandler
import sys
import time
from collections import Counter
from collections.abc import Callable

import torch
from torch.profiler import ProfilerActivity, profile

HANGS = 60  # s: where it is, is told
MILLISECOND = 1000  # us, what clocks may differ by


def captured(step: Callable[[], object]) -> Callable[[], object]:
    graph = torch.cuda.CUDAGraph()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        step()
    graph.replay()
    return graph.replay


def main() -> None:
    faulthandler.enable()
    faulthandler.dump_traceback_later(HANGS, exit=True)
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU()).cuda()
    given = torch.randn(64, 256, device="cuda")

    def step() -> object:
        return (model(given) ** 2).mean()

    run = captured(step) if sys.argv[1:] == ["graph"] else step
    model(given)
    torch.cuda.synchronize()
    began = time.perf_counter()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
        for _ in range(5):
            run()
        torch.cuda.synchronize()
    took = (time.perf_counter() - began) * 1e6 + MILLISECOND
    on_device = [event for event in seen.events() if event.device_type.name == "CUDA"]
    kernels = Counter(event.name for event in on_device)
    for name, count in sorted(kernels.items()):
        print(count, name)
    print(len(kernels) > 0)
    times = [event.time_range for event in seen.events()]
    first = min(time.start for time in times)
    print(all(t.start - first >= -MILLISECOND and t.end - first <= took for t in times))


if __name__ == "__main__":
    main()
