"""A PyTorch model trained within ranges of NVTX, its operators told by `emit_nvtx`.

python torch_ranges.py
"""

import torch

STEPS = 3
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8))
model.cuda()
optimizer = torch.optim.Adam(model.parameters(), foreach=False)
batch = torch.randn(64, 256, device="cuda")
side = torch.cuda.Stream()


def step() -> torch.Tensor:
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.nvtx.range("forward"):
        loss = model(batch).square().mean()
    with torch.cuda.nvtx.range("backward"):
        loss.backward()
    with torch.cuda.nvtx.range("update"):
        optimizer.step()
    return loss


with torch.autograd.profiler.emit_nvtx():
    for _ in range(STEPS):
        torch.cuda.nvtx.range_push("step")
        loss = step()
        torch.cuda.nvtx.range_pop()
# Two tensors of one segment, each written on a stream of its own: no race.
one, two = (torch.empty(1 << 14, device="cuda") for _ in range(2))
torch.cuda.synchronize()
with torch.cuda.stream(side):
    one.fill_(1)
two.fill_(2)
torch.cuda.synchronize()
print(f"{loss.item():.6f} {one.sum().item()} {two.sum().item()}")
