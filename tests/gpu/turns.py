"""What recording costs, by processes that take turns.

One process for each way of recording is started and warmed up; then they take turns of some 50 ms,
each while the others wait, in an order that moves on from round to round. So a round of all ways
sees one state of the machine, whose clock jumps between two speeds: what a way adds is the median,
over rounds, of what it took in the round against plain. A second plain process (`plain again`)
shows what such figures are worth. One process may be slower than its like all along (where its
memory lies), so all are started anew several times (generations), and the medians of each are told.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cuda_counts import SYNCTRACE

from synctrace.tracer.reader import open_trace

PLAIN, AGAIN = "plain", "plain again"
END_S = 120  # at most


@dataclass(frozen=True)
class Way:
    """How a process is recorded, if at all: options of `record`, environment, another tool."""

    name: str
    options: tuple[str, ...] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    tool: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turn:
    """What a turn took: figures by name, steps that one is of, what must be equal in all turns."""

    figures: Mapping[str, float]
    steps: Mapping[str, list[float]] = field(default_factory=dict)
    output: str = ""


Round = dict[str, Turn]  # by way


def _started(command: Sequence[str], way: Way, trace: Path) -> subprocess.Popen[str]:
    record = [*SYNCTRACE, "record", "-q", "-f", "--no-kernel-code", "-o", str(trace)]
    before = list(way.tool) if way.options is None else [*record, *way.options, "--"]
    return subprocess.Popen(
        [*before, *command],
        env={**os.environ, "PYTHONHASHSEED": "0", **way.environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _asked(process: subprocess.Popen[str], ask: str) -> str:
    assert process.stdin and process.stdout
    print(ask, file=process.stdin, flush=True)
    told = process.stdout.readline()
    if not told:
        raise SystemExit(f"{process.args!r} ended with {process.wait()}")
    return told


def generation(
    command: Sequence[str],
    ways: Sequence[Way],
    asks: Sequence[str],
    read: Callable[[str], Turn],
    folder: Path,
    seconds: float,
) -> dict[str, list[Round]]:
    """Rounds by what the program was asked for, a line; for `seconds`, starts included.

    `read` makes a turn of the line that it answers with. The first round, in which the processes
    are still cold, is among them.
    """
    until = time.monotonic() + seconds
    processes = {way.name: _started(command, way, folder / f"{way.name}.trace") for way in ways}
    rounds: dict[str, list[Round]] = {ask: [] for ask in asks}
    names = list(processes)
    try:
        while not rounds[asks[-1]] or time.monotonic() < until:
            for ask in asks:
                rounds[ask].append({name: read(_asked(processes[name], ask)) for name in names})
            names = [*names[1:], names[0]]
    finally:
        for process in processes.values():
            process.stdin.close()  # type: ignore[union-attr]
    ends = [process.wait(END_S) for process in processes.values()]
    traces = [open_trace(path) for path in sorted(folder.glob("*.trace"))]
    lost = [(trace.path.stem, *trace.lost) for trace in traces if trace.lost]
    print(f"{len(rounds[asks[0]])} rounds; ended with {ends}; lost: {lost}", flush=True)
    return rounds


def quartiles(values: list[float]) -> list[float]:
    """Median, first, third."""
    first, median, third = statistics.quantiles(values, n=4)
    return [round(one, 2) for one in (median, first, third)]


def fastest(turns: list[Turn], figure: str) -> float:
    """The fastest twentieth of its steps, or of the turns: no state of the machine spoils it."""
    taken = [step for turn in turns for step in turn.steps.get(figure, [turn.figures[figure]])]
    return statistics.quantiles(taken, n=20)[0]


def _percent(rounds: list[Round], name: str, figure: str) -> list[float]:
    return [100 * (r[name].figures[figure] / r[PLAIN].figures[figure] - 1) for r in rounds]


def report(generations: list[list[Round]]) -> dict[str, dict[str, object]]:
    """Of plain, its figures; of each other way what it adds, in percent, and in figures' units.

    Medians with quartiles, of each start the median alone. The first rounds are left out.
    """
    warm = [rounds[1:] for rounds in generations]
    every = [one for rounds in warm for one in rounds]
    turns = {name: [one[name] for one in every] for name in every[0]}
    plain = turns.pop(PLAIN)
    figures = list(plain[0].figures)
    outputs = {turn.output for one in every for turn in one.values()}
    made: dict[str, dict[str, object]] = {
        PLAIN: {
            "rounds": len(every),
            "outputs equal": len(outputs) == 1,
            **{f: quartiles([turn.figures[f] for turn in plain]) for f in figures},
            **{f"{f}, fastest": round(fastest(plain, f), 2) for f in figures},
        }
    }
    for name, ours in turns.items():
        row = made[name] = {}
        for f in figures:
            added = [o.figures[f] - p.figures[f] for o, p in zip(ours, plain, strict=True)]
            starts = [round(statistics.median(_percent(rounds, name, f)), 2) for rounds in warm]
            row[f] = {
                "added": quartiles(added),
                "%": quartiles(_percent(every, name, f)),
                "%, by start": starts,
                "%, fastest": round(100 * (fastest(ours, f) / fastest(plain, f) - 1), 2),
                "added, fastest": round(fastest(ours, f) - fastest(plain, f), 2),
            }
    return made


def priced(
    command: Sequence[str],
    ways: Sequence[Way],
    asks: Sequence[str],
    read: Callable[[str], Turn],
    seconds: float,
    generations: int = 2,
) -> dict[str, list[list[Round]]]:
    """Generations of rounds, by what was asked for; prints the report of each, a line a figure."""
    made = []
    for _ in range(generations):
        with tempfile.TemporaryDirectory() as place:
            each = seconds / generations
            made.append(generation(command, ways, asks, read, Path(place), each))
    by_ask = {ask: [rounds[ask] for rounds in made] for ask in asks}
    for ask, all_rounds in by_ask.items():
        for name, row in report(all_rounds).items():
            for figure, told in row.items():
                print(f"{ask.split()[0]}, {name}, {figure}: {json.dumps(told)}", flush=True)
    return by_ask
