"""PyTorch's profiler over a few steps: prints the kernels that it saw, with their counts."""

from collections import Counter

import torch
from torch.profiler import ProfilerActivity, profile


def main() -> None:
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU()).cuda()
    given = torch.randn(64, 256, device="cuda")
    model(given)
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
        for _ in range(5):
            (model(given) ** 2).mean()
        torch.cuda.synchronize()
    kernels = Counter(event.name for event in seen.events() if event.device_type.name == "CUDA")
    for name, count in sorted(kernels.items()):
        print(count, name)
    print(len(kernels) > 0)


if __name__ == "__main__":
    main()
