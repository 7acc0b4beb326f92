"""Every way by which a program may come to a function of HIP: each call is recorded once, by all.

The ways are those of the real ABI, by the stand-in runtime: symbol versions, dispatch tables of the
real layout handed to a stand-in of librocprofiler-register (tests/hip/standin/register.c).
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from hip import told
from hip.standin.build import StandIn, build
from hip.standin.exports import functions
from synctrace.tracer.launch import RecordResult, record

HERE = Path(__file__).parent / "routes"
MAJORS = (5, 6, 7)
EXPECTED = [
    "alloc_device hipMalloc",
    "stream_create hipStreamCreateWithFlags | HIP0 stream 1",
    "event_create hipEventCreateWithFlags | event 1",
    "memset_async hipMemsetAsync | HIP0 stream 1",
    "event_record hipEventRecord | HIP0 stream 1 | event 1",
    "event_sync hipEventSynchronize | event 1",
    "memcpy_d2h hipMemcpy | HIP0 null stream",
    "free hipFree",
]


@dataclass(frozen=True)
class Routes:
    """The program, a library linked with each runtime, and a tool that takes the table."""

    folder: Path
    standin: StandIn

    def command(self, route: str, major: int) -> list[str]:
        """The command line that makes the calls by this route."""
        if route == "linked":
            return [str(self.folder / f"linked-{major}"), route]
        of = self.standin.library(major)
        if route in ("local", "deep"):
            of = self.folder / f"liblibrary-{major}.so"
        return [str(self.folder / "route"), route, str(of)]


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> Routes:
    folder, standin = tmp_path_factory.mktemp("hip-routes"), build()
    (malloc,) = (f.index for f in functions() if f.name == "hipMalloc")
    cc = ["cc", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{HERE.parent}/standin"]
    cc += [f"-I{standin.folder}"]
    shared = [*cc, "-fPIC", "-shared"]
    for major in MAJORS:
        runtime = [str(standin.library(major)), f"-Wl,-rpath,{standin.folder}"]
        library = str(folder / f"liblibrary-{major}.so")
        subprocess.run([*shared, f"{HERE}/library.c", *runtime, "-o", library], check=True)
        linked = ["-DLINKED", "-Wl,-z,now", library, f"-Wl,-rpath,{folder}:{standin.folder}"]
        made = ["-ldl", "-o", str(folder / f"linked-{major}")]
        subprocess.run([*cc, f"{HERE}/route.c", *linked, *made], check=True)
    route = [f"{HERE}/route.c", "-ldl", "-o", str(folder / "route")]
    subprocess.run([*cc, *route], check=True)
    tool = [f"-DHIP_MALLOC_SLOT={malloc}", f"{HERE}/tool.c", "-o", str(folder / "libtool.so")]
    subprocess.run([*shared, *tool], check=True)
    return Routes(folder, standin)


def recorded(command: list[str], folder: Path) -> RecordResult:
    return record(command, str(folder), quiet=True)


ROUTES = ("linked", "local", "deep", "dlsym", "proc", "default")
# HIP 5 has no hipGetProcAddress.
ALL = [(route, major) for route in ROUTES for major in MAJORS if route != "proc" or major > 5]


@pytest.mark.parametrize("table", [True, False], ids=["table", "no-table"])
@pytest.mark.parametrize(("route", "major"), ALL)
def test_each_call_once(
    routes: Routes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    route: str,
    major: int,
    table: bool,
) -> None:
    if not table:
        monkeypatch.setenv("ROCPROFILER_REGISTER_ENABLED", "0")
    result = recorded(routes.command(route, major), tmp_path / "t")
    assert capfd.readouterr().out == "7\n"
    if route == "deep" and not (table and major > 5):
        # Its names are bound to the runtime before any of ours, and no table is handed over.
        assert (result.exit_code, result.traces, result.nothing_seen) == (125, [], True)
        return
    assert result.exit_code == 0, result.message
    assert told.calls(tmp_path / "t") == EXPECTED


@pytest.mark.parametrize("way", ["LD_PRELOAD", "ROCPROFILER_REGISTER_LIBRARY"])
@pytest.mark.parametrize("route", [route for route in ROUTES if route != "deep"])
def test_another_tool_takes_the_table_too(
    routes: Routes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    route: str,
    way: str,
) -> None:
    monkeypatch.setenv(way, str(routes.folder / "libtool.so"))
    result = recorded(routes.command(route, 7), tmp_path / "t")
    assert result.exit_code == 0, result.message
    seen = capfd.readouterr()
    assert seen.out == "7\n"
    assert "tool: 1\n" in seen.err or way != "LD_PRELOAD"
    assert told.calls(tmp_path / "t") == EXPECTED


@pytest.mark.parametrize(("route", "major"), ALL)
def test_a_program_alone_does_the_same(routes: Routes, route: str, major: int) -> None:
    alone = subprocess.run(routes.command(route, major), capture_output=True, text=True)
    assert (alone.stdout, alone.returncode) == ("7\n", 0), alone.stderr
