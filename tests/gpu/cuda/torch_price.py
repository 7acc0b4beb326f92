"""What a PyTorch step costs: prints `NAME microseconds` for an eager step and one of a graph."""

import statistics
import sys
import time
from collections.abc import Callable

import torch

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15


def measure(name: str, steps: int, step: Callable[[], None]) -> None:
    for _ in range(10):
        step()
    taken = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
        taken.append((time.perf_counter() - start) / steps * 1e6)
    print(name, f"{min(taken):.2f}", f"{statistics.median(taken):.2f}", flush=True)


def main() -> None:
    torch.manual_seed(1)
    layers = [torch.nn.Linear(512, 512) for _ in range(4)]
    model = torch.nn.Sequential(*layers).cuda()
    optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    given, host = torch.randn(64, 512, device="cuda"), torch.randn(1 << 20).pin_memory()

    def eager() -> None:
        optimizer.zero_grad()
        (model(given) ** 2).mean().backward()
        optimizer.step()

    measure("eager_step", 20, eager)
    static, back = torch.zeros(1 << 20, device="cuda"), torch.empty(1 << 20).pin_memory()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work = static
        for _ in range(35):
            work = work * 1.01
        out = work

    def replayed() -> None:
        static.copy_(host, non_blocking=True)
        graph.replay()
        back.copy_(out, non_blocking=True)
        torch.cuda.synchronize()

    measure("graph_step", 50, replayed)
    measure("graph_replay", 200, graph.replay)


if __name__ == "__main__":
    main()
