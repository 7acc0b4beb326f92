"""PyTorch: eager, a side stream with or without record_stream, a graph.

python torch_whole.py race|fixed
"""

import sys

import torch

FIXED = sys.argv[1] == "fixed"


def main() -> None:
    torch.manual_seed(1)
    model = torch.nn.Sequential(
        torch.nn.Linear(512, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 512)
    ).cuda()
    optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    given = torch.randn(256, 512).pin_memory()
    for _ in range(3):
        loss = (model(given.cuda(non_blocking=True)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    made = torch.ones(1 << 20, device="cuda")
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        doubled = made * 2
        if FIXED:
            made.record_stream(side)
    del made
    torch.zeros(1 << 20, device="cuda")
    torch.cuda.current_stream().wait_stream(side)
    graph, static = torch.cuda.CUDAGraph(), torch.ones(256, 512, device="cuda")
    with torch.no_grad():
        warm = torch.cuda.Stream()
        warm.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(warm):
            model(static)
        torch.cuda.current_stream().wait_stream(warm)
        with torch.cuda.graph(graph):
            out = model(static)
        for _ in range(3):
            static.copy_(given, non_blocking=True)
            graph.replay()
    torch.cuda.synchronize()
    if FIXED:
        print(float(doubled.sum()), round(float(out.sum()), 3), round(float(loss), 6))


if __name__ == "__main__":
    main()
