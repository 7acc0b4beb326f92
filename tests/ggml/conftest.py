"""Builds the stand-in ggml (both interface layouts) and the scenario program, once a session."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.launch import RecordResult, record
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.route import Via

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"
Row = dict[str, Any]


@dataclass(frozen=True)
class StandIn:
    """One build: its libraries and its program."""

    folder: Path

    @property
    def program(self) -> str:
        return str(self.folder / "scenario")

    @property
    def library(self) -> str:
        return str(self.folder / "libscenario.so")


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


CC = ["cc", "-O1", "-g", "-Wall", "-Wextra", "-Werror", f"-I{NATIVE}"]
SHARED = ["-fPIC", "-shared"]
FAKE = [str(path) for path in sorted(HERE.glob("fake_*.c"))]
SCENARIO = [str(path) for path in sorted(HERE.glob("scenario*.c"))]


def build(folder: Path, *flags: str) -> StandIn:
    """ggml in a shared library."""
    base = folder / "libggml-base.so"
    link = [str(base), "-Wl,-rpath,$ORIGIN", "-lpthread", "-ldl"]
    subprocess.run([*CC, *flags, *SHARED, *FAKE, "-ldl", "-o", str(base)], check=True)
    for extra, name in (([], "scenario"), (SHARED, "libscenario.so")):
        command = [*CC, *flags, *extra, *SCENARIO, *link, "-o", str(folder / name)]
        subprocess.run(command, check=True)
    return StandIn(folder)


def build_static(folder: Path, *flags: str) -> StandIn:
    """ggml in the program itself."""
    command = [*CC, *flags, *SCENARIO, *FAKE, "-lpthread", "-ldl", "-o", str(folder / "scenario")]
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
    return build_static(tmp_path_factory.mktemp("within"), "-DLAYOUT_2D", "-rdynamic")


@pytest.fixture(scope="session")
def fake_within_old(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """The older layout, in a program that exports it."""
    return build_static(tmp_path_factory.mktemp("within-old"), "-rdynamic")


@pytest.fixture
def recorded(tmp_path: Path, fake: StandIn) -> Any:
    """recorded(scenario, argument): the recording of one run of the newer layout."""

    def run(name: str, argument: int = 3, stand_in: StandIn = fake, via: Via = "auto") -> Recording:
        command = [stand_in.program, name, str(argument)]
        result = record(command, str(tmp_path / f"{name}-%p.synctrace"), via=via)
        assert len(result.traces) == 1, result.message
        return Recording(result, open_trace(result.traces[0]))

    return run
