"""HIP programs that meet with something: they stay what they are, and what is lost is told.

On the stand-in runtime (tests/hip/standin), whose worker threads a fork leaves behind as a real
runtime's: a child makes streams of its own.
"""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import synctrace
from hip import told
from hip.programs.build import HERE, Programs
from hip.rows import parameters
from hip.standin.build import build
from synctrace.tracer.faults import parse
from synctrace.tracer.launch import NO_OP, NO_ROOM, record
from synctrace.tracer.reader import open_trace

FATES = HERE.parent / "fates"
RUNS = 20  # of each kill -9
RECORDER = (
    "import sys; from synctrace.tracer.launch import record; record(sys.argv[2:], sys.argv[1])"
)
CORRECT = ("hip-doc", "hip-7")
SITES_OF_WAITS = """
SELECT key FROM sync JOIN site ON site.id = sync.site WHERE call = 'hipStreamSynchronize'
"""


@pytest.fixture(scope="module")
def fates(hip_programs: Programs) -> str:
    return hip_programs.built(FATES / "fates.c")


def compiled(folder: Path, source: str, name: str, *flags: str) -> str:
    """A C++ program or library on the stand-in's headers."""
    headers = (f"-I{HERE.parent}/standin", f"-I{build().folder}")
    made = str(folder / name)
    command = ["c++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", *headers]
    subprocess.run([*command, str(FATES / source), *flags, "-o", made], check=True)
    return made


def of_name(path: Path, call: str) -> int:
    """How many calls of that name were recorded."""
    return sum(line.split()[1] == call for line in told.calls(path))


@pytest.mark.parametrize("code", [0, 3, 125])
def test_exit_codes_are_the_programs_own(fates: str, tmp_path: Path, code: int) -> None:
    script = f"{fates} steps 1 >/dev/null; {fates} exit {code}"
    assert record(["sh", "-c", script], str(tmp_path / "t"), quiet=True).exit_code == code


@pytest.mark.parametrize("number", [6, 9, 11, 15])
def test_signals_are_128_and_more(fates: str, tmp_path: Path, number: int) -> None:
    result = record([fates, "signal", str(number)], str(tmp_path / "t"))
    assert result.exit_code == 128 + number
    assert open_trace(tmp_path / "t").complete, "no call was open when it died"


def test_kill_9_of_the_program(fates: str, tmp_path: Path) -> None:
    """All that had returned is there; the trace is complete unless a call was open."""
    moments = random.Random(1)
    seen = 0
    for n in range(RUNS):
        out = tmp_path / str(n)
        result = record([fates, "killed", str(moments.randrange(2_000, 40_000))], str(out))
        if result.exit_code == 125:
            continue  # it died before its first recorded call
        seen += 1
        assert result.exit_code == 128 + signal.SIGKILL, result.message
        trace = open_trace(out)
        assert trace.complete == (not trace.lost)
        ops = trace.table("op").to_pylist()
        tickets = sorted(t for op in ops for t in (op["ticket_c"], op["ticket_r"]))
        assert len(set(tickets)) == len(tickets)
        assert trace.table("gap").num_rows == 0
        missing = max(tickets) - len(tickets)
        assert missing <= 1, f"{missing} tickets before the last one are of no op"
        assert missing == 0 or not trace.complete
        found = synctrace.check(out, CORRECT).findings
        assert [f for f in found if f.family in ("race", "life")] == []
    assert seen > RUNS / 2


def test_kill_9_of_the_recorder(
    fates: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program goes on unharmed, though nobody drains its rings; the trace opens, incomplete."""
    monkeypatch.setenv("SYNCTRACE_RING_KB", "64")  # soon full
    moments = random.Random(2)
    for n in range(RUNS // 2):
        folder = tmp_path / str(n)
        folder.mkdir()
        script = f"{fates} timed 60 > {folder}/out; echo $? > {folder}/code.part; "
        script += f"mv {folder}/code.part {folder}/code"
        command = [sys.executable, "-c", RECORDER, str(folder / "t"), "sh", "-c", script]
        deadline = time.monotonic() + 30
        with subprocess.Popen(command, start_new_session=True) as recorder:
            try:
                while "started" not in _text(folder / "out"):
                    assert time.monotonic() < deadline
                    time.sleep(0.002)
                time.sleep(moments.random() * 0.05)
            finally:
                recorder.kill()
        while not (folder / "code").exists():
            assert time.monotonic() < deadline, "the program did not end"
            time.sleep(0.01)
        assert (_text(folder / "code"), _text(folder / "out")) == ("7\n", "started\n")
        if (folder / "t/meta.json").exists():
            assert not open_trace(folder / "t").complete


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def test_a_fork_is_a_process_of_its_own(
    fates: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    result = record([fates, "forks", "3"], str(tmp_path / "t-%p"), quiet=True)
    assert result.exit_code == 0, result.message
    assert capfd.readouterr().out == "3\n4\n3\n"
    assert sorted(of_name(path, "pass") for path in result.traces) == [4, 6]
    for path in result.traces:
        assert open_trace(path).complete
        assert told.findings(path, "hip-doc")["hip-doc"] == []
        words = {line.partition(":")[0] for line in parameters(path)}
        assert words == {"pass 0", "pass 8"}


def test_a_fork_without_access_to_the_rings_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """So of one that changed its root or its user. It goes on, as the trace says."""
    code = """
import ctypes, os, resource, sys
hip, none = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p()
print(hip.hipFree(none), flush=True)
if not os.fork():
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    print(hip.hipFree(none), flush=True)
    os._exit(0)
os.wait()
"""
    command = [sys.executable, "-c", code, str(build().library(7))]
    assert record(command, str(tmp_path / "t"), quiet=True).exit_code == 0
    assert capfd.readouterr().out == "0\n0\n"
    assert open_trace(tmp_path / "t").lost == (
        "forked processes that had no access to the folder of the rings and ran unrecorded: 1",
    )


def test_exec_starts_a_new_trace(fates: str, tmp_path: Path) -> None:
    result = record([fates, "exec", "2"], str(tmp_path / "t-%p"))
    assert sorted(of_name(path, "pass") for path in result.traces) == [2, 3]


def test_64_threads(fates: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert told.recorded([fates, "threads", "5"], tmp_path / "t").exit_code == 0
    assert capfd.readouterr().out == f"{64 * 5}\n"
    ops = open_trace(tmp_path / "t").table("op").to_pylist()
    tickets = [t for op in ops for t in (op["ticket_c"], op["ticket_r"])]
    assert len(set(tickets)) == len(tickets)
    assert len({op["thread"] for op in ops}) == 64
    assert of_name(tmp_path / "t", "pass") == 64 * 5
    assert told.findings(tmp_path / "t", "hip-doc")["hip-doc"] == []


def test_signal_handlers_that_make_calls(fates: str, tmp_path: Path) -> None:
    """Wherever they interrupt: the program ends as it should, and what was not recorded is told."""
    result = record([fates, "handlers", "300"], str(tmp_path / "t"))
    assert result.exit_code == 0, result.message
    trace = open_trace(tmp_path / "t")
    refused = sum("hipEventRecord failed" in line for line in told.calls(tmp_path / "t"))
    assert refused, "most of them come while the program is not in the recorder"
    assert refused >= 300 or trace.lost
    assert {text.split(":")[0] for text in trace.lost} <= {
        "calls from signal handlers, not recorded",
        "records dropped because a ring was full or missing",
    }


def test_calls_before_main_and_behind_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    runtime = (str(build().library(7)), f"-Wl,-rpath,{build().folder}:{tmp_path}", "-lpthread")
    library = compiled(
        tmp_path, "life.cpp", "liblife.so", "-DLIBRARY", "-fPIC", "-shared", *runtime
    )
    program = compiled(tmp_path, "life.cpp", "life", library, *runtime)
    assert subprocess.run([program]).returncode == 0
    alone = capfd.readouterr().out
    assert all(line.endswith(" 0") for line in alone.splitlines())
    told.recorded([program], tmp_path / "t")
    assert capfd.readouterr().out == alone
    each = ["alloc_device hipMalloc", "free hipFree"]
    assert told.calls(tmp_path / "t") == each * len(alone.splitlines())


def test_calls_that_are_left(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By an exception: a failed call. By longjmp: one that is counted as lost."""
    (tmp_path / "runtime").mkdir()
    flags = ("-DRUNTIME", "-fPIC", "-shared", "-Wno-return-type")
    runtime = compiled(tmp_path / "runtime", "leaves.cpp", "libamdhip64.so.7", *flags)
    program = compiled(tmp_path, "leaves.cpp", "leaves", "-ldl")
    result = record([program, runtime], str(tmp_path / "t"))
    assert result.exit_code == 0
    assert capfd.readouterr().out == "40\n"
    assert open_trace(tmp_path / "t").lost == ("calls left by longjmp: 20",)
    lines = told.calls(tmp_path / "t")
    assert lines.count("device_sync hipDeviceSynchronize failed") == 20
    assert lines.count("device_sync hipDeviceSynchronize") == 40


def test_a_closed_runtime_stays_usable(tmp_path: Path) -> None:
    code = """
import _ctypes, ctypes, sys
for _ in range(3):
    hip = ctypes.CDLL(sys.argv[1])
    memory = ctypes.c_void_p()
    assert hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(64)) == 0
    assert hip.hipFree(memory) == 0
    _ctypes.dlclose(hip._handle)
"""
    command = [sys.executable, "-c", code, str(build().library(7))]
    assert subprocess.run(command).returncode == 0
    told.recorded(command, tmp_path / "t")
    assert told.calls(tmp_path / "t") == ["alloc_device hipMalloc", "free hipFree"] * 3


@pytest.mark.parametrize("kb", [16, 32])
def test_dropped_records_make_no_race(
    fates: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kb: int
) -> None:
    """Rings smaller than the traffic between two looks: gaps, no complete trace, nothing false."""
    monkeypatch.setenv("SYNCTRACE_RING_KB", str(kb))
    result = record([fates, "threads", "240"], str(tmp_path / "t"))
    assert result.exit_code == 0
    trace = open_trace(tmp_path / "t")
    gaps = trace.table("gap").to_pylist()
    assert trace.meta["dropped"] == sum(gap["dropped"] for gap in gaps) > 0
    assert not trace.complete
    for order in ("observed", "strict"):
        found = synctrace.check(tmp_path / "t", CORRECT, host_order=order).findings
        assert [f for f in found if f.family in ("race", "life")] == []


def test_a_file_size_limit_does_not_kill_the_program(
    fates: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = f"ulimit -f 64; {fates} steps 300; echo own=$?"
    result = record(["sh", "-c", script], str(tmp_path / "t"), quiet=True)
    assert capfd.readouterr().out == "300\nown=0\n"
    assert (result.exit_code, result.message) == (125, NO_ROOM)


def test_a_program_that_ends_before_its_first_op_had_room(tmp_path: Path) -> None:
    ask = "import ctypes; ctypes.CDLL(sys.argv[1]).hipSetDevice(0)"
    program = f"import os, sys; {ask}; sys.argv[2:] and os.abort()"
    asks = [sys.executable, "-c", program, str(build().library(7))]
    for end, more in (((), ""), (("abort",), "; the program itself was killed by signal 6")):
        result = record([*asks, *end], str(tmp_path / "t"))
        assert (result.exit_code, result.message) == (125, NO_OP + more)
        assert result.nothing_seen


def test_a_level_that_leaves_the_programs_calls_out_is_named(fates: str, tmp_path: Path) -> None:
    result = record([fates, "steps", "1"], str(tmp_path / "t"), level="ggml")
    assert result.exit_code == 125
    assert result.message.startswith("no call of ggml was seen")
    assert "--level ggml" in result.message


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)]).returncode:
        pytest.skip("a file system cannot be mounted here (needs root)")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_stops_the_recording_and_not_the_program(
    fates: str, small_disk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    result = record([fates, "steps", "3000"], str(small_disk / "t"))
    assert capfd.readouterr().out == "3000\n"
    assert result.exit_code == 125
    assert result.status == 0


def test_a_left_out_sync_is_the_race_that_it_prevented(
    fates: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STANDIN_DELAY_US", "2000")
    command = [fates, "guarded", "3"]
    told.recorded(command, tmp_path / "whole")
    whole = capfd.readouterr().out
    assert whole == "in: 1 x1024 2 x1024 3 x1024\n"
    assert told.findings(tmp_path / "whole", *CORRECT) == {profile: [] for profile in CORRECT}
    rows = synctrace.open(tmp_path / "whole").query(SITES_OF_WAITS).to_pylist()
    site = rows[0]["key"]
    result = record(command, str(tmp_path / "t"), faults=parse([site], None))
    assert result.exit_code == 0, result.message
    assert capfd.readouterr().out != whole
    lines = told.findings(tmp_path / "t", "hip-doc")["hip-doc"]
    assert "RACE04 certain hipMemcpyAsync#1 pending_sources#1" in lines
