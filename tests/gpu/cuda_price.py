"""What recording a call of CUDA costs on a real GPU, by processes in turns, and other tools beside.

    python tests/gpu/cuda_price.py OUT [PART ...]

turns.py says how. Parts, all unless some are named: `calls`, of cuda/price.cu, in each way of
recording and under CUPTI's callbacks on every call of the driver (cupti_counts.c, which only
counts); `sanitizer`, the same calls by compute-sanitizer's memcheck; `torch`, an eager step under
CUPTI's callbacks and PyTorch's own CUDA sanitizer (eager_price.py has what recording costs it).
SECONDS (60) for the first, half of it for each of the others. Writes OUT/price.json.
"""

import json
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import eager_price
from cuda_counts import HERE, TOOLKIT, build_cupti, counting, tool
from turns import AGAIN, PLAIN, Turn, Way, priced, report

SECONDS = float(os.environ.get("SECONDS", "60"))
PARTS = ("calls", "sanitizer", "torch")
CALLS = "calls"


def build(folder: Path) -> list[str]:
    """The program of the calls."""
    made = folder / "price"
    tool(TOOLKIT / "bin/nvcc", "-arch=sm_90", "-O2", HERE / "price.cu", "-o", made)
    return [str(made)]


def read(line: str) -> Turn:
    """ns a call, by kind."""
    return Turn({name: float(ns) for name, ns in (part.split("=") for part in line.split())})


def main(out: Path, parts: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    told: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        build_cupti(folder)
        cupti = Way("CUPTI, every call", None, counting("price", folder))
        if "calls" in parts:
            ways = [
                Way(PLAIN),
                Way("recorded", ()),
                Way("no call sites", (), {"SYNCTRACE_STACKS": "0"}),
                Way(AGAIN),
                Way("--watch off", ("--watch", "off")),
                cupti,
            ]
            made = priced(build(folder), ways, (CALLS,), read, SECONDS)
            told["calls, ns"] = report(made[CALLS])
        if "sanitizer" in parts:
            memcheck = (str(TOOLKIT / "bin/compute-sanitizer"), "--log-file", "/dev/null")
            ways = [Way(PLAIN), Way("compute-sanitizer", tool=memcheck)]
            made = priced(build(folder), ways, (CALLS,), read, SECONDS / 2, 1)
            told["sanitizer, ns"] = report(made[CALLS])
        if "torch" in parts and find_spec("torch"):
            own = Way("torch sanitizer", None, {"TORCH_CUDA_SANITIZER": "1"})
            ask, command = "eager 20", [sys.executable, str(HERE / "torch_turns.py"), "eager"]
            ways = [Way(PLAIN), cupti, own]
            made = priced(command, ways, (ask,), eager_price.read, SECONDS / 2, 1)
            told["torch, us"] = report(made[ask])
    (out / "price.json").write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(PARTS))
