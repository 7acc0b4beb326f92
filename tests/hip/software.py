"""Real HIP software on the stand-in runtime: how it is run, how recorded, and what came of it."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hip.standin.build import StandIn
from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked, Finding
from synctrace.tracer.kinds import Kind, Level
from synctrace.tracer.reader import Trace, open_trace

NATIVE = Path(__file__).parents[2] / "tracer/native"
RECORD = [sys.executable, "-m", "synctrace", "record", "-q"]
OURS = ("HIP_", "ROCR_", "GPU_DEVICE_", "STANDIN_", "GGML_", "CUPY_", "SYNCTRACE_")
# What the recorder itself asks the runtime, a few times a process.
ASKED = (
    *("hipGetDevice", "hipRuntimeGetVersion", "hipGetDeviceCount"),
    "hipGetDevicePropertiesR0600",
)
Row = dict[str, Any]


@dataclass(frozen=True)
class Software:
    """A program, and where the runtime and the stubs lie that it is linked to."""

    command: tuple[str, ...]
    standin: StandIn
    stubs: Path
    more: tuple[tuple[str, str], ...] = ()  # of its environment

    def environment(self, **more: str) -> dict[str, str]:
        """This process' environment without what steers HIP, the runtime's folders first."""
        own = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
        return {**own, "LD_LIBRARY_PATH": f"{self.standin.folder}:{self.stubs}"} | dict(
            self.more, **more
        )

    def run(self, *arguments: object, **more: str) -> str:
        """What it prints. Fails if it does not exit with 0."""
        return _printed([*self.command, *map(str, arguments)], self.environment(**more))

    def record(
        self, trace: Path, *arguments: object, options: tuple[str, ...] = (), **more: str
    ) -> "Recorded":
        """The same under the recorder; the stand-in counts its calls meanwhile."""
        counts = trace.with_suffix(".counts")
        command = [*RECORD, *options, "-o", str(trace), "--", *self.command, *map(str, arguments)]
        printed = _printed(command, self.environment(STANDIN_COUNTS=str(counts), **more))
        return Recorded(printed, open_trace(trace), counted(counts))


def _printed(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    ours = [line for line in done.stderr.splitlines() if line.startswith("synctrace:")]
    assert all("FAULT INJECTION" in line for line in ours), done.stderr
    return done.stdout


def counted(file: Path) -> Counter[str]:
    """The stand-in's count of calls, by function; nothing if it was never loaded."""
    lines = file.read_text().split() if file.exists() else []
    return Counter(dict(zip(lines[::2], map(int, lines[1::2]), strict=True)))


def roles() -> dict[str, str]:
    """The functions of HIP that are recorded as ops: the name of each one's kind."""
    texts = [file.read_text() for file in NATIVE.glob("hip_roles*.txt")]
    lines = [line.split(" | ") for text in texts for line in text.splitlines()]
    return {line[0]: line[1] for line in lines if line[1:] and line[1] not in ("-", "KIND")}


@dataclass(frozen=True)
class Recorded:
    """One recorded run: what it printed, its trace, what the stand-in counted."""

    printed: str
    trace: Trace
    counts: Counter[str]

    def rows(self, table: str) -> list[Row]:
        rows: list[Row] = self.trace.table(table).to_pylist()
        return rows

    @cached_property
    def names(self) -> dict[int, str]:
        return {row["id"]: row["name"] for row in self.rows("call")}

    @cached_property
    def ops(self) -> list[Row]:
        """All ops in the order of their calls, each with its function's name."""
        found = [{**op, "name": self.names[op["call"]]} for op in self.rows("op")]
        return sorted(found, key=lambda op: int(op["ticket_c"]))

    def of(self, level: Level, *kinds: Kind) -> list[Row]:
        """Ops of a level, of any of these kinds if some are named."""
        wanted = kinds or tuple(Kind)
        return [op for op in self.ops if op["level"] == level and op["kind"] in wanted]

    def accesses(self, op: Row) -> list[Row]:
        """What an op touches, itself and by its set, with the names of storage and buffer."""
        ids = [*op["accesses"], *self._sets.get(op["access_set"], [])]
        return [self._accesses[i] for i in ids]

    @cached_property
    def _sets(self) -> dict[int, list[int]]:
        return {row["id"]: row["accesses"] for row in self.rows("access_set")}

    @cached_property
    def _accesses(self) -> dict[int, Row]:
        storages = {row["id"]: row["name"] for row in self.rows("storage")}
        buffers = {row["id"]: row["name"] for row in self.rows("buffer")}
        names = (
            (row, storages.get(row["storage"]), buffers.get(row["buffer"]))
            for row in self.rows("access")
        )
        return {row["id"]: {**row, "memory": memory, "name": name} for row, memory, name in names}

    def check(self, *profiles: str, **options: Any) -> Checked:
        """What check finds, by the trace's own profiles unless some are named."""
        return check(self.trace, profiles, **options)

    def calls(self) -> Counter[str]:
        """Ops of level api by function; those of kernels as one, since they have kernels' names."""
        return Counter(
            "a kernel" if op["kind"] == Kind.KERNEL else op["name"] for op in self.of(Level.API)
        )

    def expected_calls(self) -> Counter[str]:
        """The same by the stand-in's count."""
        found: Counter[str] = Counter()
        for name, kind in roles().items():
            found["a kernel" if kind == "KERNEL" else name] += self.counts[name]
        return +found


def races(checked: Checked) -> list[Finding]:
    """Races and lifetimes of any verdict."""
    return [f for f in checked.findings if f.family in ("race", "life")]


def errors(checked: Checked) -> list[Finding]:
    """What makes check exit with 1."""
    return [f for f in checked.findings if f.severity == "error"]
