"""record --device-times on stand-ins: a driver of a few functions and a CUPTI that knows its calls.

What is proven here is the recorder's part: which CUPTI is taken, what is asked of it, how its
records become times of ops, what is counted as lost, and that the program does not notice. Which
records a real CUPTI writes, and when, tests/gpu/device_times.py shows.
"""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer import cupti, launch
from synctrace.tracer.cupti import Outcome, Status
from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import Trace, open_trace

SOURCES = Path(__file__).parent / "times"
WORK = (Kind.MEMCPY_ASYNC_H2D, Kind.MEMSET_ASYNC, Kind.KERNEL, Kind.GRAPH_LAUNCH)
KILLED = 137


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs, of libcuda.so.1 and of CUPTIs by version."""
    folder = tmp_path_factory.mktemp("times")
    shared = ["-shared", "-fPIC"]
    driver = str(folder / "libcuda.so.1")
    cupti_name = ["-Wl,-soname,libcupti.so.13"]
    commands = [["libcuda.c", *shared, "-Wl,-soname,libcuda.so.1", "-o", driver]]
    for version in (24, 26, 130001, 140000):
        (folder / str(version)).mkdir()
        made = str(folder / str(version) / "libcupti.so.13")
        flags = [f"-DVERSION={version}", *shared, driver, *cupti_name]
        commands.append(["libcupti.c", *flags, "-o", made])
    commands.append(["program.c", driver, "-o", str(folder / "program")])
    linked = str(folder / "130001/libcupti.so.13")
    commands.append(
        ["program.c", "-Wl,--no-as-needed", driver, linked, "-o", str(folder / "linked")]
    )
    for source, *rest in commands:
        subprocess.run(["cc", str(SOURCES / source), *rest], check=True)
    return folder


Record = Callable[..., tuple[Trace, str]]


@pytest.fixture
def record(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Record]:
    """Record the program with these CUPTIs to choose from; its trace and what record says."""
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{built}:{built / '130001'}")
    monkeypatch.delenv("CUDA_INJECTION64_PATH", raising=False)
    monkeypatch.setenv("SYNCTRACE_RING_KB", "16384")  # no call is lost, as fast as they come
    monkeypatch.setattr(cupti, "NAMES", ())

    def run(
        *arguments: str,
        program: str = "program",
        versions: tuple[int, ...] = (130001,),
        code: int = 0,
        device_times: bool = True,
        **more: str,
    ) -> tuple[Trace, str]:
        found = [built / str(version) / "libcupti.so.13" for version in versions]
        monkeypatch.setattr(cupti, "candidates", lambda *_: iter(found))
        for name, value in more.items():
            monkeypatch.setenv(name, value)
        out = tmp_path / "t.synctrace"
        command = [str(built / program), *(arguments or ("ends",))]
        done = launch.record(command, str(out), device_times=device_times)
        assert done.exit_code == code, done.message
        return open_trace(out), done.message

    yield run


def times(trace: Trace) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for row in trace.table("device_work").to_pylist():
        found.setdefault(row["op"], []).append((row["t_s"], row["t_e"]))
    return found


def work(trace: Trace) -> list[dict[str, Any]]:
    """Ops that give a device work, in their order."""
    ops = sorted(trace.table("op").to_pylist(), key=lambda op: op["id"])
    return [op for op in ops if op["kind"] in WORK]


def no_times(trace: Trace) -> None:
    assert len(work(trace)) == 4
    assert not trace.table("device_work").num_rows
    assert trace.complete


@pytest.mark.parametrize("late", ["0", "1"])
@pytest.mark.parametrize("program", ["program", "linked"])
def test_each_op_has_the_times_of_its_own_work(
    record: Record, program: str, late: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The stand-in's device begins 1 us after a call, so it is known which call that was."""
    trace, message = record("ends", "50", program=program, STANDIN_LATE=late)
    assert "device times of 200 of 200 operations" in message
    assert capfd.readouterr().out == "done\n"
    ops, found = work(trace), times(trace)
    assert len(ops) == 200 and found.keys() == {op["id"] for op in ops}
    starts = [min(found[op["id"]])[0] for op in ops]
    assert all(start > op["t_c"] for start, op in zip(starts, ops, strict=True))
    assert all(s - 1000 <= op["t_c"] for s, op in zip(starts, ops[1:], strict=False))
    pieces = {op["id"]: 2 if op["kind"] == Kind.GRAPH_LAUNCH else 1 for op in ops}
    assert {op: len(each) for op, each in found.items()} == pieces
    assert all(end - start == 500 for each in found.values() for start, end in each)
    assert trace.meta["versions"] == {"CUDA": "13.0", "CUPTI": "13.0"}
    assert not [name for name in trace.meta["coverage"] if "device" in name]
    assert trace.complete


def test_what_cupti_asks_of_the_driver_is_not_recorded(record: Record) -> None:
    """The stand-in waits for the device whenever it is asked for a kind of records."""
    trace, _ = record()
    kinds = [Kind(op["kind"]) for op in trace.table("op").to_pylist()]
    assert sorted(kinds) == sorted([Kind.ALLOC_DEVICE, *WORK, Kind.DEVICE_SYNC])


def test_a_forked_child_asks_nothing_of_cupti(record: Record) -> None:
    trace, message = record("forks", "20")
    assert "device times of 160 of 160 operations" in message
    assert trace.complete


def test_many_buffers_and_records(record: Record) -> None:
    trace, message = record("ends", "9000")
    assert "device times of 36,000 of 36,000 operations" in message
    assert trace.table("device_work").num_rows == 9000 * 5
    assert "device_records_lost" not in trace.meta["coverage"]


def test_not_asked_for_nothing_is_asked_of_cupti(record: Record) -> None:
    trace, message = record(program="linked", device_times=False)
    no_times(trace)
    assert "device times" not in message and "CUPTI" not in trace.meta["versions"]


@pytest.mark.parametrize(
    ("versions", "more", "says"),
    [
        ((), {}, "no CUPTI was found: pip install nvidia-cuda-cupti"),
        ((24,), {}, "is older than that of CUDA 12.8, and the program uses CUDA 13.0"),
        ((26,), {}, "is of CUDA 12.8, and the program uses CUDA 13.0"),
        ((130001,), {"STANDIN_DRIVER": "13010"}, "is of CUDA 13.0, and the program uses CUDA 13.1"),
        ((130001,), {"PROGRAM_CUDA": "13010"}, "and the program uses CUDA 13.1"),
        ((140000,), {}, "is of CUDA 14.0, whose records are not known"),
        ((130001,), {"CUDA_INJECTION64_PATH": "/opt/nsys.so"}, "CUDA_INJECTION64_PATH loads"),
        ((130001,), {"STANDIN_REFUSES": "39"}, "another profiler has CUPTI"),
        ((130001,), {"STANDIN_REFUSES": "35"}, "CUPTI does not start (its error 35"),
    ],
)
def test_what_keeps_times_from_being_taken(
    record: Record,
    versions: tuple[int, ...],
    more: dict[str, str],
    says: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """One sentence, in the trace too; the recording goes on."""
    trace, message = record(versions=versions, **more)
    assert capfd.readouterr().out == "done\n"
    no_times(trace)
    [said] = [line for line in message.splitlines() if "device times" in line]
    assert said.startswith("no device times: ") and says in said
    assert said in trace.meta["unread"]


@pytest.mark.parametrize("versions", [(24, 130001), (140000, 26, 130001)])
def test_the_first_that_suits_is_taken(record: Record, versions: tuple[int, ...]) -> None:
    _, message = record(versions=versions)
    assert "device times of 4 of 4 operations" in message


def test_an_older_one_will_do_for_an_older_driver(record: Record) -> None:
    trace, message = record(versions=(26,), STANDIN_DRIVER="12080")
    assert "device times of 4 of 4 operations" in message
    assert trace.meta["versions"] == {"CUDA": "12.8", "CUPTI": "12.8"}


def test_an_older_one_will_do_for_an_older_program(record: Record) -> None:
    """Whose runtime is of 12.8, on a driver of 13.0."""
    _, message = record(versions=(26,), PROGRAM_CUDA="12080")
    assert "device times of 4 of 4 operations" in message


def test_records_without_room_are_counted(record: Record) -> None:
    """What is lost is times; no call is."""
    trace, message = record("ends", "9000", STANDIN_BUFFERS="2")
    coverage, timed = trace.meta["coverage"], len(times(trace))
    assert 0 < timed < 36000 and coverage["device_records_lost"] > 0
    assert coverage["ops_without_device_times"] == 36000 - timed
    assert f"device times of {timed:,} of 36,000 operations" in message
    assert trace.complete and not trace.table("gap").num_rows


@pytest.mark.parametrize(("way", "code"), [("leaves", 0), ("killed", KILLED)])
def test_an_end_without_a_flush(record: Record, way: str, code: int) -> None:
    """Full buffers are there; of the last one nothing is."""
    trace, _ = record(way, "3000", code=code)
    timed = len(times(trace))
    assert 0 < timed < 12000
    assert trace.meta["coverage"]["ops_without_device_times"] == 12000 - timed


def test_the_programs_own_profiler_comes_first(
    record: Record, capfd: pytest.CaptureFixture[str]
) -> None:
    """It finds CUPTI as if nobody used it; what was measured before is kept."""
    trace, message = record("profiles", "5")
    assert capfd.readouterr().out == "subscribed, enabled: 0\ndone\n"
    ops, found = work(trace), times(trace)
    assert len(ops) == 40 and found.keys() == {op["id"] for op in ops[:20]}
    assert "device times of 20 of 20 operations: the program's own profiler began" in message
    assert trace.complete


def test_where_cupti_is_looked_for(tmp_path: Path) -> None:
    """In the program's own environment before any other."""
    venv, toolkit, extra = tmp_path / "venv", tmp_path / "cuda", tmp_path / "extra"
    wheel = venv / "lib/python3.12/site-packages/nvidia/cu13/lib"
    for folder in (wheel, toolkit / "lib64", extra, venv / "bin"):
        folder.mkdir(parents=True)
        (folder / "libcupti.so.13").touch()
    python = venv / "bin/python3"
    python.write_text("#!/bin/sh\n")
    script = tmp_path / "serve"
    script.write_text(f"#!{python}\n")
    for program in (python, script):
        program.chmod(0o755)
    present = {"LD_LIBRARY_PATH": str(extra), "CUDA_HOME": str(toolkit)}
    expected = [extra, wheel, toolkit / "lib64"]
    for program in (python, script):
        found = dict.fromkeys(p.parent for p in cupti.candidates(str(program), present))
        assert [folder for folder in found if folder.is_relative_to(tmp_path)] == expected
    chosen = cupti.environment("true", {cupti.CHOSEN: "/mine/libcupti.so.13"})[cupti.VARIABLE]
    assert chosen.split(":")[0] == "/mine/libcupti.so.13"


def test_a_program_without_cuda() -> None:
    assert cupti.told(Outcome(Status.NONE)).endswith("the program did not initialise CUDA")
