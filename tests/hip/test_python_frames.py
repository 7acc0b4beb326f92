"""Python frames as call sites: by ctypes, with Python's lock and without, in each CPython here.

The frames are read where they lie, so what is proven is proven of these interpreters' builds.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hip.software import Recorded, Software
from hip.standin.build import StandIn
from synctrace.tracer.kinds import Level
from synctrace.tracer.reader import open_trace

PROGRAM = Path(__file__).with_name("python") / "calls.py"
NULL = Path(__file__).parents[1] / "bench/hip_null.c"
Frame = tuple[str, str]  # function and the text of its line
VERSION = "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"
LINES = PROGRAM.read_text().splitlines()


def interpreters() -> dict[str, str]:
    """One CPython of each version, 3.11 and newer: this one, on the path, Debian's, of pyenv."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = {own: sys.executable}
    folders = [*os.environ.get("PATH", "").split(":"), "/usr/bin"]
    folders += map(str, sorted(Path.home().glob(".pyenv/versions/*/bin")))
    for version in ("3.11", "3.12", "3.13", "3.14"):
        for folder in folders:
            file = Path(folder) / f"python{version}"
            if version not in found and os.access(file, os.X_OK) and "shims" not in folder:
                found[version] = str(file)
    return found


FOUND = interpreters()


@pytest.fixture(scope="module", params=sorted(FOUND))
def python(request: pytest.FixtureRequest, standin: StandIn) -> Software:
    """Each interpreter on the stand-in runtime."""
    return Software((FOUND[request.param],), standin, standin.folder)


def paths(run: Recorded, call: str = "hipEventRecord") -> Counter[tuple[Frame, ...]]:
    """How often this function was called from each stack of Python, innermost first."""
    frames = {row["address"]: row for row in run.rows("frame")}
    stacks = {row["id"]: row["frames"] for row in run.rows("stack")}
    sites = {row["id"]: stacks[row["stack"]] for row in run.rows("site") if row["stack"]}

    def told(address: int) -> Frame:
        row = frames[address]
        text = LINES[row["line"] - 1].strip() if row["file"] == str(PROGRAM) else ""
        return row["function"], text.removeprefix("assert ").partition("(")[0]

    return Counter(
        tuple(told(address) for address in sites[op["site"]] if address >> 63)
        for op in run.of(Level.API)
        if op["name"] == call
    )


MAIN = ("<module>", "globals")
RECORD = ("record", "by.hipEventRecord")


def test_each_path_of_python_is_a_site(python: Software, tmp_path: Path) -> None:
    found = paths(python.record(tmp_path / "t", PROGRAM, "here"))
    by = Counter({path[1:-1]: count for path, count in found.items()})
    assert all(path[0] == RECORD and path[-1] == MAIN for path in found)
    first, second = ("first", "record"), ("second", "record")
    rounds = 20
    assert by[first, ("here", "first")] == 2 * rounds  # two lines alike, told apart by line
    assert by[second, ("here", "second")] == rounds
    deep = [(name, name) for name in ("deep", "shallow")]
    for one in deep:
        stack = (first, (one[0], "first"), *[one] * 8, ("here", one[0]))
        assert by[stack] == rounds
    assert by[("recorded_when_asked", "record"), ("here", "next")] == 3
    assert sum(by.values()) == 5 * rounds + 3 + 3 + 2


def test_reports_begin_with_the_programs_own_frame(standin: StandIn, tmp_path: Path) -> None:
    """Not with Python's own modules, which call back."""
    trace, again = tmp_path / "t", tmp_path / "again"
    for one in (trace, again):
        Software((sys.executable,), standin, standin.folder).record(one, PROGRAM, "here")
    # Names for --skip-sync, and what findings are known by, hold from run to run.
    keys = [
        [row["key"] for row in open_trace(one).table("site").to_pylist()] for one in (trace, again)
    ]
    assert keys[0] == keys[1] and len(set(keys[0])) == len(keys[0])
    command = [sys.executable, "-m", "synctrace", "query", str(trace), "--format", "csv"]
    query = "SELECT DISTINCT function, file FROM site ORDER BY 1"
    done = subprocess.run([*command, query], capture_output=True, text=True, check=True)
    assert {line.split(",")[1] for line in done.stdout.split()[1:]} == {str(PROGRAM)}


def test_threads_of_python_and_of_c(python: Software, tmp_path: Path) -> None:
    run = python.record(tmp_path / "t", PROGRAM, "threads")
    [(stack, count)] = paths(run).items()
    assert count == 200 and stack[:2] == (RECORD, ("threads.<locals>.run", "record"))
    synced = paths(run, "hipDeviceSynchronize")
    assert synced == {(): 1}


def test_a_forked_child_goes_on(python: Software, tmp_path: Path) -> None:
    environment = python.environment()
    command = [sys.executable, "-m", "synctrace", "record", "-q", "-o", str(tmp_path / "%p.trace")]
    command += ["--", *python.command, str(PROGRAM), "forked"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    found = [paths(Recorded("", open_trace(t), Counter())) for t in tmp_path.glob("*.trace")]
    assert [*map(len, found)] == [1, 1] and {stack[1][0] for one in found for stack in one} == {
        "forked"
    }


def test_threads_that_call_while_the_interpreter_ends(python: Software, tmp_path: Path) -> None:
    """They are daemons: their state is taken from them at some point, and the program ends well."""
    run = python.record(tmp_path / "t", PROGRAM, "daemons")
    assert sum(paths(run).values()) >= 100


def test_calls_at_exit(python: Software, tmp_path: Path) -> None:
    """As long as there is an interpreter they have its frames; those behind it are recorded."""
    found = paths(python.record(tmp_path / "t", PROGRAM, "ending"))
    assert found == {(RECORD,): 1, (): 1}


@pytest.mark.parametrize("python", [v for v in FOUND if v > "3.12"], indirect=True)
def test_sub_interpreters(python: Software, tmp_path: Path) -> None:
    """Of 3.13 and newer: modules to make them with had other names before."""
    [stack] = paths(python.record(tmp_path / "t", PROGRAM, "within"))
    assert [function for function, _ in stack] == ["inner", "<module>"]


@pytest.mark.parametrize(("scene", "outer"), [("signals", "signals"), ("chunk_ends", "large")])
def test_signal_handlers_of_c(python: Software, tmp_path: Path, scene: str, outer: str) -> None:
    """At any instruction of the interpreter; on a runtime that does nothing and takes no lock."""
    flags = ["cc", "-O1", "-fPIC", "-shared"]
    runtime, alarm = tmp_path / "libamdhip64.so.7", tmp_path / "alarm.so"
    named = "-Wl,-soname,libamdhip64.so.7"
    subprocess.run([*flags, named, str(NULL), "-o", str(runtime)], check=True)
    source = PROGRAM.with_name("alarm.c")
    subprocess.run([*flags, str(source), "-o", str(alarm), str(runtime)], check=True)
    more = {"LD_LIBRARY_PATH": str(tmp_path), "ALARM": str(alarm)}
    found = paths(python.record(tmp_path / "t", PROGRAM, scene, **more))
    # In the middle of entering a function there may be fewer frames, or none: never others.
    whole = sum(count for stack, count in found.items() if stack and MAIN in stack[-1:])
    deep = sum(count for stack, count in found.items() if len(stack) == 16)
    assert whole + deep > 0.9 * sum(found.values()) > 100
    functions = {function for stack in found for function, _ in stack}
    assert functions >= {outer, "deep_without_calls"}


def test_code_that_lies_where_other_code_was(python: Software, tmp_path: Path) -> None:
    run = python.record(tmp_path / "t", PROGRAM, "generated")
    files = {row["address"]: row["file"] for row in run.rows("frame")}
    stacks = {row["id"]: [a for a in row["frames"] if a >> 63] for row in run.rows("stack")}
    sites = {row["id"]: stacks[row["stack"]] for row in run.rows("site") if row["stack"]}
    ops = [op for op in run.of(Level.API) if op["name"] == "hipEventRecord"]
    found = [files[sites[op["site"]][1]] for op in ops]
    assert found == [f"<made {turn:02}>" for turn in range(20)]


def test_without_call_sites_there_are_no_frames(python: Software, tmp_path: Path) -> None:
    run = python.record(tmp_path / "t", PROGRAM, "here", SYNCTRACE_STACKS="0")
    assert run.rows("frame") == [] and run.rows("stack") == []
