"""PyTorch's NCCL on a real GPU: its collectives as they were recorded, and the race between them.

    python tests/gpu/nccl.py OUT

Needs PyTorch with `libnccl` beside it. Runs tests/gpu/cuda/torch_nccl.py plain and recorded, as
race and as fix, and prints of each whether the outputs are equal, how often each function of NCCL
was recorded (the program calls five all-reduces, an all-gather and a broadcast), with how many
ranges, and the findings. Keeps the traces as OUT/nccl-HOW.tar.gz.
"""

import json
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

from cuda_counts import HERE, SYNCTRACE, findings, output

from synctrace.tracer.reader import open_trace


def collectives(trace: Path) -> dict[str, int]:
    """Recorded ops by `FUNCTION with N ranges`."""
    opened = open_trace(trace)
    names = {row["id"]: row["name"] for row in opened.table("call").to_pylist()}
    found: Counter[str] = Counter()
    for op in opened.table("op").to_pylist():
        if (name := names[op["call"]]).startswith("nccl"):
            found[f"{name} with {len(op['accesses'])} ranges"] += 1
    return dict(found)


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for how in ("race", "fixed"):
            command = [sys.executable, str(HERE / "torch_nccl.py"), how]
            trace = Path(place) / f"nccl-{how}.synctrace"
            plain = output(command)
            recorded = output([*SYNCTRACE, "record", "-q", "-o", str(trace), "--", *command])
            row = {
                "equal": plain[:2] == recorded[:2],
                "rc": recorded[0],
                "said": recorded[2][-400:] if recorded[0] else "",
                "collectives": collectives(trace),
                "cuda-doc": findings(trace, "cuda-doc"),
            }
            print(how, json.dumps(row), flush=True)
            with tarfile.open(out / f"nccl-{how}.tar.gz", "w:gz") as tar:
                tar.add(trace, trace.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
