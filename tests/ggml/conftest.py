"""Builds the stand-in ggml (both interface layouts) and the scenario program, once a session."""

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from machines import NATIVE as HOST
from machines import Machine, aarch64

from synctrace.tracer.launch import RecordResult, record
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.route import Via

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"
Row = dict[str, Any]


@dataclass(frozen=True)
class StandIn:
    """One build: its libraries and its program, and what starts that program here."""

    folder: Path
    start: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        return str(self.folder / "scenario")

    @property
    def library(self) -> str:
        return str(self.folder / "libscenario.so")

    def command(self, name: str, argument: int) -> list[str]:
        """The command line of a scenario."""
        return [*self.start, self.program, name, str(argument)]


@dataclass(frozen=True)
class Recording:
    """A finished recording of one process, as rows."""

    result: RecordResult
    trace: Trace

    def rows(self, table: str) -> list[Row]:
        rows: list[Row] = self.trace.table(table).to_pylist()
        return rows

    def ops(self, call: str) -> list[Row]:
        """Ops of one recorded function, in ticket order."""
        names = {row["id"]: row["name"] for row in self.rows("call")}
        return sorted(
            (op for op in self.rows("op") if names[op["call"]] == call),
            key=lambda op: int(op["ticket_c"]),
        )

    def accesses(self, op: Row) -> list[Row]:
        """Accesses of an op and of its set, each with the name of its buffer."""
        rows = {row["id"]: row for row in self.rows("access")}
        names = {row["id"]: row["name"] for row in self.rows("buffer")}
        sets = {row["id"]: row["accesses"] for row in self.rows("access_set")}
        ids = [*op["accesses"], *sets.get(op["access_set"], [])]
        return [{**rows[i], "name": names.get(rows[i]["buffer"], "")} for i in ids]


SHARED = ["-fPIC", "-shared"]
FAKE = [str(path) for path in sorted(HERE.glob("fake_*.c"))]
SCENARIO = [str(path) for path in sorted(HERE.glob("scenario*.c"))]


def compiler(*flags: str, machine: Machine = HOST) -> list[str]:
    return [machine.cc, "-O1", "-g", "-Wall", "-Wextra", "-Werror", f"-I{NATIVE}", *flags]


def build(folder: Path, *flags: str, machine: Machine = HOST) -> StandIn:
    """ggml in a shared library."""
    cc, base = compiler(*flags, machine=machine), folder / "libggml-base.so"
    link = [str(base), "-Wl,-rpath,$ORIGIN", "-lpthread", "-ldl"]
    subprocess.run([*cc, *SHARED, *FAKE, "-ldl", "-o", str(base)], check=True)
    for extra, name in (([], "scenario"), (SHARED, "libscenario.so")):
        command = [*cc, *extra, *SCENARIO, *link, "-o", str(folder / name)]
        subprocess.run(command, check=True)
    return StandIn(folder)


def build_within(folder: Path, *flags: str, machine: Machine = HOST) -> StandIn:
    """ggml in the program itself."""
    cc, program = compiler(*flags, machine=machine), folder / "scenario"
    command = [*cc, *SCENARIO, *FAKE, "-lpthread", "-ldl", "-o", str(program)]
    subprocess.run(command, check=True)
    return StandIn(folder)


@pytest.fixture(scope="session")
def fake(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """The newer layout."""
    return build(tmp_path_factory.mktemp("fake"), "-DLAYOUT_2D")


@pytest.fixture(scope="session")
def fake_old(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """The layout before the 2d slots."""
    return build(tmp_path_factory.mktemp("fake-old"))


@pytest.fixture(scope="session")
def fake_within(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """The newer layout, in a program that exports it."""
    return build_within(tmp_path_factory.mktemp("within"), "-DLAYOUT_2D", "-rdynamic")


@pytest.fixture(scope="session")
def fake_within_old(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """The older layout, in a program that exports it."""
    return build_within(tmp_path_factory.mktemp("within-old"), "-rdynamic")


@pytest.fixture(scope="session")
def fake_aarch64(tmp_path_factory: pytest.TempPathFactory, recorder_for_aarch64: Path) -> StandIn:
    """The newer layout on an emulated machine, with the recorder for it.

    LD_PRELOAD, as `record` sets it, is for the emulator; -E is for the program inside.
    """
    machine = aarch64()
    made = build(tmp_path_factory.mktemp("fake-aarch64"), "-DLAYOUT_2D", machine=machine)
    return replace(made, start=(*machine.emulator, "-E", f"LD_PRELOAD={recorder_for_aarch64}"))


@pytest.fixture(scope="session")
def fake_within_aarch64(
    tmp_path_factory: pytest.TempPathFactory, recorder_for_aarch64: Path
) -> StandIn:
    """The newer layout on an emulated machine, in a program that exports it."""
    machine = aarch64()
    folder = tmp_path_factory.mktemp("within-aarch64")
    made = build_within(folder, "-DLAYOUT_2D", "-rdynamic", machine=machine)
    variable = f"GGML_BACKEND_PATH={recorder_for_aarch64}"
    return replace(made, start=(*machine.emulator, "-E", variable))


@pytest.fixture
def recorded(tmp_path: Path, fake: StandIn) -> Any:
    """recorded(scenario, argument): the recording of one run of the newer layout."""

    def run(name: str, argument: int = 3, stand_in: StandIn = fake, via: Via = "auto") -> Recording:
        command = stand_in.command(name, argument)
        result = record(command, str(tmp_path / f"{name}-%p.synctrace"), via=via)
        assert len(result.traces) == 1, result.message
        return Recording(result, open_trace(result.traces[0]))

    return run
