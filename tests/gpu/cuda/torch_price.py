"""What a PyTorch step costs: prints `NAME microseconds` for an eager step and one of a graph."""

import statistics
import sys
import time
from collections.abc import Callable

import torch

Step = Callable[[], object]


def measure(name: str, rounds: int, steps: int, step: Step) -> None:
    for _ in range(10):
        step()
    taken = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
        taken.append((time.perf_counter() - start) / steps * 1e6)
    print(name, f"{min(taken):.2f}", f"{statistics.median(taken):.2f}", flush=True)


def eager() -> Step:
    """A training step: four layers, Adam."""
    torch.manual_seed(1)
    layers = [torch.nn.Linear(512, 512) for _ in range(4)]
    model = torch.nn.Sequential(*layers).cuda()
    optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    given = torch.randn(64, 512, device="cuda")

    def step() -> None:
        optimizer.zero_grad()
        (model(given) ** 2).mean().backward()
        optimizer.step()

    return step


def of_a_graph() -> tuple[Step, Step]:
    """A step of a graph of 35 kernels with 4 MB in and out, and its replay alone."""
    host, static = torch.randn(1 << 20).pin_memory(), torch.zeros(1 << 20, device="cuda")
    back, graph = torch.empty(1 << 20).pin_memory(), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work = static
        for _ in range(35):
            work = work * 1.01
        out = work

    def step() -> None:
        static.copy_(host, non_blocking=True)
        graph.replay()
        back.copy_(out, non_blocking=True)
        torch.cuda.synchronize()

    return step, graph.replay


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    measure("eager_step", rounds, 20, eager())
    step, replay = of_a_graph()
    measure("graph_step", rounds, 50, step)
    measure("graph_replay", rounds, 200, replay)


if __name__ == "__main__":
    main()
