"""PyTorch's NCCL on one GPU: a reduced tensor is read with and without a wait for its collective.

torch_nccl.py race|fixed: prints the sum of what was read, as `fixed` the same each time.
"""

import sys
import tempfile

import torch
import torch.distributed as dist

WAITS = sys.argv[1] == "fixed"
SIZE = 1 << 24


def main() -> None:
    with tempfile.NamedTemporaryFile() as meeting:
        dist.init_process_group("nccl", f"file://{meeting.name}", rank=0, world_size=1)
        torch.cuda.set_device(0)
        data, read = torch.ones(SIZE, device="cuda"), torch.empty(SIZE, device="cuda")
        torch.cuda.synchronize()
        for _ in range(5):
            reduced = dist.all_reduce(data, async_op=True)
            if WAITS:
                reduced.wait()
            read.copy_(data)
        gathered = [torch.empty(SIZE, device="cuda")]
        dist.all_gather(gathered, data)
        dist.broadcast(data, 0)
        torch.cuda.synchronize()
        if WAITS:
            print(float(read.sum()), float(gathered[0].sum()))
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
