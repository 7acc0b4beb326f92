"""What recording costs a PyTorch step, by processes that take turns of some 40 ms each.

    python tests/gpu/eager_price.py [SECONDS [OUT.json]]

One process for each way of recording is started and warmed up; then they take turns, each some
steps while the others wait, in an order that moves on from round to round. So a round of all ways
sees one state of the machine, whose clock jumps between two speeds: what a way adds is the median,
over rounds, of what it took in the round against plain. `plain again` is a second plain process,
and shows what such figures are worth. One process may be slower than its like all along (where its
memory lies), so all are started anew GENERATIONS times, and the medians of each are told. Further:
CPU time of all threads, and the fastest twentieth of the steps, which no state of the machine
spoils. Needs PyTorch and a C compiler; about SECONDS (200) in all.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cuda_counts import HERE, SYNCTRACE, tool

from synctrace.tracer.reader import open_trace

GENERATIONS = int(os.environ.get("GENERATIONS", "3"))
STEPS = {"eager": 20, "graph": 50}
START_S = 120  # at most
CORES = ",".join(map(str, sorted(os.sched_getaffinity(0))[-4:]))
PLAIN, AGAIN = "plain", "plain again"


@dataclass(frozen=True)
class Way:
    """How a process is recorded, if at all: options of `record`, environment."""

    name: str
    options: tuple[str, ...] | None
    environment: dict[str, str]


@dataclass(frozen=True)
class Turn:
    """What a step took in a turn, us: by the clock, of CPU time, each one by the clock."""

    wall: float
    cpu: float
    steps: list[float]


def ways(folder: Path) -> list[Way]:
    no_blocks = folder / "no_blocks.so"
    tool("cc", "-O2", "-shared", "-fPIC", HERE / "no_blocks.c", "-ldl", "-o", no_blocks)
    return [
        Way(PLAIN, None, {}),
        Way("recorded", (), {}),
        Way("no call sites", (), {"SYNCTRACE_STACKS": "0"}),
        Way(AGAIN, None, {}),
        Way("--watch off", ("--watch", "off"), {}),
        Way("no blocks", (), {"LD_PRELOAD": str(no_blocks)}),
    ]


def started(way: Way, trace: Path) -> subprocess.Popen[str]:
    command = [sys.executable, str(HERE / "torch_turns.py")]
    if way.options is not None:
        record = [*SYNCTRACE, "record", "-q", "-f", "--no-kernel-code", "-o", str(trace)]
        command = [*record, *way.options, "--", *command]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "CORES": CORES, **way.environment}
    return subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    told = process.stdout.readline()
    if not told:
        raise SystemExit(f"{process.args!r} ended with {process.wait()}")
    return told


def turn(process: subprocess.Popen[str], what: str) -> Turn:
    assert process.stdin
    print(what, STEPS[what], file=process.stdin, flush=True)
    wall, cpu, *steps = map(float, line(process).split())
    return Turn(wall, cpu, steps)


def generation(folder: Path, seconds: float) -> dict[str, list[dict[str, Turn]]]:
    """Rounds of turns by way, for either kind of step; for `seconds`, starts included."""
    until, every = time.monotonic() + seconds, ways(folder)
    processes = {way.name: started(way, folder / f"{way.name}.synctrace") for way in every}
    rounds: dict[str, list[dict[str, Turn]]] = {what: [] for what in STEPS}
    names = list(processes)
    try:
        for process in processes.values():
            line(process)
        while not rounds["eager"] or time.monotonic() < until:
            for what, made in rounds.items():
                made.append({name: turn(processes[name], what) for name in names})
            names = [*names[1:], names[0]]
    finally:
        for process in processes.values():
            process.stdin.close()  # type: ignore[union-attr]
    ends = [process.wait(START_S) for process in processes.values()]
    traces = [open_trace(path) for path in sorted(folder.glob("*.synctrace"))]
    lost = [(trace.path.stem, *trace.lost) for trace in traces if trace.lost]
    print(f"{len(rounds['eager'])} rounds; ended with {ends}; lost: {lost}", flush=True)
    return rounds


def quartiles(values: list[float]) -> list[float]:
    """Median, first, third."""
    first, median, third = statistics.quantiles(values, n=4)
    return [round(one, 2) for one in (median, first, third)]


def fastest(turns: list[Turn]) -> float:
    """The fastest twentieth of the steps, us."""
    return statistics.quantiles([step for turn in turns for step in turn.steps], n=20)[0]


def added(generations: list[list[dict[str, Turn]]], name: str) -> dict[str, object]:
    """What a way adds to a step, in percent of plain and us."""

    def percent(made: list[dict[str, Turn]], what: str) -> list[float]:
        return [100 * (getattr(r[name], what) / getattr(r[PLAIN], what) - 1) for r in made]

    rounds = [one for made in generations for one in made]
    plain, ours = ([one[way] for one in rounds] for way in (PLAIN, name))
    return {
        "%": quartiles(percent(rounds, "wall")),
        "us": quartiles([one[name].wall - one[PLAIN].wall for one in rounds]),
        "% of CPU time": quartiles(percent(rounds, "cpu")),
        "% of the fastest steps": round(100 * (fastest(ours) / fastest(plain) - 1), 2),
        "%, by start": [round(statistics.median(percent(g, "wall")), 2) for g in generations],
    }


def main(seconds: float, out: Path | None) -> None:
    report: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as place:
        made = [generation(Path(place), seconds / GENERATIONS) for _ in range(GENERATIONS)]
    for what in STEPS:
        generations = [rounds[what] for rounds in made]
        plain = [one[PLAIN] for rounds in generations for one in rounds]
        report[what] = {
            "pairs": len(plain),
            "plain us": quartiles([turn.wall for turn in plain]),
            "plain us of CPU time": quartiles([turn.cpu for turn in plain]),
            "fastest plain us": round(fastest(plain), 2),
        }
        print(what, json.dumps(report[what]))
        for name in generations[0][0]:
            if name != PLAIN:
                report[what][name] = added(generations, name)
                print(f"  {name:14}", json.dumps(report[what][name]), flush=True)
    if out:
        out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main(float((sys.argv[1:] or ["200"])[0]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
