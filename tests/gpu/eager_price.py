"""What recording costs an eager step of PyTorch and one of a graph, by processes in turns.

    python tests/gpu/eager_price.py [SECONDS [OUT.json]]

turns.py says how; steps are those of cuda/torch_price.py. Wall time and CPU time of all threads,
us. Needs PyTorch and a C compiler; takes about SECONDS (200) in all.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cuda_counts import HERE, tool
from turns import AGAIN, PLAIN, Turn, Way, priced, report

GENERATIONS = int(os.environ.get("GENERATIONS", "3"))
ASKS = ("eager 20", "graph 50")
CORES = {"CORES": ",".join(map(str, sorted(os.sched_getaffinity(0))[-4:]))}


def ways(folder: Path) -> list[Way]:
    no_blocks = folder / "no_blocks.so"
    tool("cc", "-O2", "-shared", "-fPIC", HERE / "no_blocks.c", "-ldl", "-o", no_blocks)
    return [
        Way(PLAIN, None, CORES),
        Way("recorded", (), CORES),
        Way("no call sites", (), {**CORES, "SYNCTRACE_STACKS": "0"}),
        Way(AGAIN, None, CORES),
        Way("--watch off", ("--watch", "off"), CORES),
        Way("no blocks", (), {**CORES, "LD_PRELOAD": str(no_blocks)}),
    ]


def read(line: str) -> Turn:
    wall, cpu, *steps = map(float, line.split())
    return Turn({"us": wall, "us of CPU time": cpu}, {"us": steps})


def main(seconds: float, out: Path | None) -> None:
    command = [sys.executable, str(HERE / "torch_turns.py")]
    with tempfile.TemporaryDirectory() as place:
        made = priced(command, ways(Path(place)), ASKS, read, seconds, GENERATIONS)
    if out:
        told = {ask: report(rounds) for ask, rounds in made.items()}
        out.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main(float((sys.argv[1:] or ["200"])[0]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
