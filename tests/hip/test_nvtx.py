"""NVTX as programs have it: a C program built with NVIDIA's headers, and the package of Python.

The headers' own code looks for the recorder and hands it its functions; nothing of that is of ours.
What a scope must be stands behind each call in the programs.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hip.software import NATIVE, RECORD, Recorded, Software
from hip.standin.build import StandIn
from hip.wheels import wheel
from synctrace.tracer.kinds import Kind, Level
from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent / "nvtx"
SOURCE, ANNOTATED = HERE / "ranges.c", HERE / "annotated.py"


@pytest.fixture(scope="module")
def ranges(standin: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Software:
    """The C program."""
    headers = wheel("nvtx-headers") / "nvidia/cu13/include"
    program = tmp_path_factory.mktemp("nvtx") / "ranges"
    flags = [f"-I{HERE / 'include'}", f"-I{NATIVE}", "-isystem", str(headers)]
    standin.compile(program, [SOURCE], *flags)
    return Software((str(program),), standin, standin.folder)


def paths(run: Recorded, kind: Kind = Kind.EVENT_RECORD) -> list[str]:
    """The names of the scopes around each op of this kind, outermost first, in their order."""
    scopes = {row["id"]: row for row in run.rows("scope")}

    def path(scope: int) -> str:
        row = scopes.get(scope)
        if row is None:
            return ""
        around = path(row["parent"])
        return f"{around}/{row['name']}" if around else row["name"]

    return [path(op["scope"]) for op in run.ops if op["kind"] == kind]


def expected(scene: str) -> list[str]:
    """What stands behind the calls in a function of ranges.c."""
    body = re.search(rf"^static \w+ \*?{scene}\(.*?^}}", SOURCE.read_text(), re.M | re.S)
    assert body
    return re.findall(r"call\(\);\s*// ?(.*)", body[0])


SCENES = (
    *("nested", "domains", "registered", "spans", "unbalanced", "deep", "marks"),
    *("beyond", "ended_elsewhere", "anew", "both"),
)


@pytest.mark.parametrize("scene", SCENES)
def test_calls_know_their_ranges(ranges: Software, tmp_path: Path, scene: str) -> None:
    run = ranges.record(tmp_path / "t", scene)
    assert run.trace.complete, run.trace.lost
    assert paths(run) == expected(scene)


def test_what_the_program_is_told(ranges: Software, tmp_path: Path) -> None:
    """Levels of ranges, counted within each domain, and that there is none to end."""
    assert ranges.record(tmp_path / "a", "domains").printed == "0 0 1 0 -1\n"
    assert ranges.record(tmp_path / "b", "unbalanced").printed == "-2\n"


def test_marks_are_ops_that_judge_nothing(ranges: Software, tmp_path: Path) -> None:
    run = ranges.record(tmp_path / "t", "marks")
    names = ["ascii", "wïde", "of a domain", "library: of a domain"]
    assert paths(run, Kind.MARK) == [f"outer/{name}" for name in names]
    assert {op["name"] for op in run.of(Level.APP)} == {"nvtxMark"}
    assert run.check().findings == ()
    assert run.trace.meta["profile"] == "hip-doc"


def test_ranges_of_signal_handlers(ranges: Software, tmp_path: Path) -> None:
    """They are told, or passed on where the thread is telling one: nothing is half told."""
    run = ranges.record(tmp_path / "t", "handlers")
    found = Counter(path.rpartition("/")[2] for path in paths(run))
    assert [*found] == ["handler"] and found["handler"] > 100
    assert all("signal handlers" in lost for lost in run.trace.lost), run.trace.lost


def test_threads_have_ranges_of_their_own(ranges: Software, tmp_path: Path) -> None:
    assert sorted(paths(ranges.record(tmp_path / "t", "threads"))) == ["one", "two"]


def test_a_forked_child_has_none_of_its_parents(ranges: Software, tmp_path: Path) -> None:
    command = [*RECORD, "-o", str(tmp_path / "%p.trace"), "--", *ranges.command, "forked"]
    subprocess.run(command, env=ranges.environment(), check=True)
    found = [paths(Recorded("", open_trace(t), Counter())) for t in tmp_path.glob("*.trace")]
    assert sorted(found) == [["", "child"], ["parent", "parent"]]


def test_threads_streams_and_events_have_the_names_they_are_given(
    ranges: Software, tmp_path: Path
) -> None:
    run = ranges.record(tmp_path / "t", "names")
    [record] = [op for op in run.ops if op["kind"] == Kind.EVENT_RECORD]
    actors = {row["id"]: row["name"] for row in run.rows("actor")}
    assert (actors[record["thread"]], actors[record["actor"]]) == ("the one", "copies")
    assert [row["name"] for row in run.rows("event")] == ["arrivé"]


def test_the_package_of_python(standin: StandIn, tmp_path: Path) -> None:
    path = {"PYTHONPATH": str(wheel("nvtx"))}
    python = Software((sys.executable,), standin, standin.folder, tuple(path.items()))
    run = python.record(tmp_path / "t", ANNOTATED)
    wanted = re.findall(r"call\(\)  # ?(.*)", ANNOTATED.read_text())
    wanted = [*wanted[1:3], "outer/decorated", *wanted[3:]]
    assert paths(run) == wanted
    assert paths(run, Kind.MARK) == ["here"]


@pytest.mark.parametrize("value", ["/nowhere/tool.so", ""])
def test_another_tool_keeps_its_place(ranges: Software, tmp_path: Path, value: str) -> None:
    """Which the user is told; an empty value, which says that none is wanted, needs no word."""
    command = [*RECORD[:-1], "-o", str(tmp_path / "t"), "--", *ranges.command, "nested"]
    environment = ranges.environment(NVTX_INJECTION64_PATH=value)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ("ranges of NVTX were not recorded" in done.stderr) == bool(value)
    run = Recorded("", open_trace(tmp_path / "t"), Counter())
    assert paths(run) == [""] * 4 and run.rows("scope") == []
