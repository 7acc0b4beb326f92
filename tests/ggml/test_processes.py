"""The recorded program stays what it is: output, exit code, signals, forks, threads, loaders."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace
from synctrace.tracer.route import nothing_seen

from .conftest import Recording, StandIn

SYNCTRACE = [sys.executable, "-m", "synctrace"]


def run(*command: str, **more: Any) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(command, capture_output=True, timeout=60, **more)


def test_output_is_untouched(fake: StandIn, tmp_path: Path) -> None:
    plain = run(fake.program, "tokens", "3")
    out = str(tmp_path / "t.synctrace")
    seen = run(*SYNCTRACE, "record", "-q", "-o", out, "--", fake.program, "tokens", "3")
    assert (seen.stdout, seen.stderr, seen.returncode) == (plain.stdout, plain.stderr, 0)


@pytest.mark.parametrize("code", [0, 1, 3, 125, 255])
def test_exit_codes_are_the_programs_own(recorded: Any, code: int) -> None:
    done = recorded("exit", code)
    assert done.result.exit_code == code
    assert done.trace.meta["exit"] == code
    assert done.trace.complete


@pytest.mark.parametrize("number", [6, 9, 15])
def test_signals_are_128_and_more(recorded: Any, number: int) -> None:
    done = recorded("signal", number)
    assert done.result.exit_code == 128 + number
    assert done.trace.meta["exit"] == -number
    assert done.trace.complete, "no call was open when it died"


@pytest.mark.parametrize("number", [2, 15])
def test_signals_to_the_recorder_reach_the_program(
    fake: StandIn, tmp_path: Path, number: int
) -> None:
    out = tmp_path / "t.synctrace"
    command = [*SYNCTRACE, "record", "-q", "-o", str(out), "--", fake.program, "forever", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as recorder:
        assert recorder.stdout is not None
        assert recorder.stdout.readline() == b"started\n"
        recorder.send_signal(number)
        assert recorder.wait(30) == 128 + number
    assert open_trace(out).meta["exit"] == -number


def test_threads_each_have_a_timeline(recorded: Any) -> None:
    done = recorded("threads", 4)
    assert done.trace.complete
    ops = done.rows("op")
    launches = done.ops("ggml_backend_graph_compute_async")
    assert len(launches) == 3 * 8 * 4
    assert len({op["thread"] for op in launches}) == 3 * 8
    tickets = [t for op in ops for t in (op["ticket_c"], op["ticket_r"])]
    assert len(set(tickets)) == len(tickets)
    by_thread: dict[int, list[int]] = {}
    for op in sorted(ops, key=lambda o: o["ticket_c"]):
        by_thread.setdefault(op["thread"], []).append(op["t_c"])
    assert all(times == sorted(times) for times in by_thread.values())


def test_a_fork_is_a_process_of_its_own(fake: StandIn, tmp_path: Path) -> None:
    result = record([fake.program, "forks", "2"], str(tmp_path / "t.synctrace"))
    assert result.exit_code == 0
    runs = [Recording(result, open_trace(path)) for path in result.traces]
    pids = {run.trace.meta["pid"] for run in runs}
    assert len(pids) == 2
    launches = sorted(len(run.ops("ggml_backend_graph_compute_async")) for run in runs)
    assert launches == [3, 4], "the child made 3 of its own, the parent 2 + 2"
    assert all(run.trace.complete for run in runs)


def test_exec_starts_a_new_trace(fake: StandIn, tmp_path: Path) -> None:
    result = record([fake.program, "exec", "2"], str(tmp_path / "t.synctrace"))
    runs = [Recording(result, open_trace(path)) for path in result.traces]
    launches = sorted(len(run.ops("ggml_backend_graph_compute_async")) for run in runs)
    assert launches == [2, 3]
    assert len(result.traces) == 2
    [pid] = {run.trace.meta["pid"] for run in runs}
    assert {path.name for path in result.traces} == {"t.synctrace", f"t.{pid}.synctrace"}


def test_children_of_a_shell_are_recorded(fake: StandIn, tmp_path: Path) -> None:
    script = f"{fake.program} tokens 1; {fake.program} tokens 2; exit 5"
    result = record(["sh", "-c", script], str(tmp_path / "t-%p.synctrace"))
    assert result.exit_code == 5
    assert len(result.traces) == 2


@pytest.mark.parametrize("mode", ["RTLD_LOCAL", "RTLD_GLOBAL"])
def test_python_host(fake: StandIn, tmp_path: Path, mode: str) -> None:
    code = (
        "import ctypes, os, sys; lib = ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW | os." + mode + ")"
        "; sys.exit(lib.run_scenario(b'tokens', 3))"
    )
    result = record([sys.executable, "-c", code, fake.library], str(tmp_path / "t.synctrace"))
    assert result.exit_code == 0, result.message
    done = Recording(result, open_trace(result.traces[0]))
    assert len(done.ops("ggml_backend_graph_compute_async")) == 3
    assert done.trace.complete


def test_a_closed_library_stays_usable(fake: StandIn, tmp_path: Path) -> None:
    code = """
import _ctypes, ctypes, sys
for _ in range(3):
    lib = ctypes.CDLL(sys.argv[1])
    assert lib.run_scenario(b"tokens", 2) == 0
    _ctypes.dlclose(lib._handle)
"""
    result = record([sys.executable, "-c", code, fake.library], str(tmp_path / "t.synctrace"))
    assert result.exit_code == 0, result.message
    done = Recording(result, open_trace(result.traces[0]))
    assert len(done.ops("ggml_backend_graph_compute_async")) == 6


@pytest.mark.parametrize("command", [["true"], ["echo", "hello"]])
def test_a_program_without_ggml_is_no_empty_trace(tmp_path: Path, command: list[str]) -> None:
    out = tmp_path / "t.synctrace"
    result = record(command, str(out))
    assert (result.exit_code, result.message) == (125, nothing_seen("auto"))
    assert not out.exists()


def test_a_program_that_only_asks_is_no_empty_trace(fake: StandIn, tmp_path: Path) -> None:
    result = record([fake.program, "ask"], str(tmp_path / "t.synctrace"))
    assert result.exit_code == 125


def test_programs_that_cannot_be_run(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("no program")
    assert record([str(tmp_path / "nothing")], None).exit_code == 127
    assert record([str(script)], None).exit_code == 126


def test_an_existing_trace_is_not_overwritten(fake: StandIn, tmp_path: Path) -> None:
    out = str(tmp_path / "t.synctrace")
    command = [fake.program, "tokens", "1"]
    assert record(command, out).exit_code == 0
    again = record(command, out)
    assert again.exit_code == 125
    assert "-f" in again.message
    assert record(command, out, overwrite=True).exit_code == 0


def test_a_place_that_cannot_be_written(fake: StandIn, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = record([fake.program, "tokens", "1"], str(tmp_path / "file" / "t.synctrace"))
    assert result.exit_code == 125
    assert "-o" in result.message


def test_an_own_preload_is_kept(fake: StandIn, tmp_path: Path) -> None:
    env = {**os.environ, "LD_PRELOAD": fake.library}
    out = str(tmp_path / "t.synctrace")
    code = "import os; print(os.environ['LD_PRELOAD'])"
    command = ["sh", "-c", f'{fake.program} tokens 1 >/dev/null && {sys.executable} -c "{code}"']
    done = run(*SYNCTRACE, "record", "-q", "-o", out, "--", *command, env=env)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.decode().strip().split(":")
    assert first == fake.library
    assert second.endswith("libsynctrace_recorder.so")


def test_without_record_the_library_is_silent(fake: StandIn, tmp_path: Path) -> None:
    from synctrace.tracer.library import recorder_library

    env = {**os.environ, "LD_PRELOAD": str(recorder_library())}
    done = run(fake.program, "tokens", "2", env=env, cwd=tmp_path)
    assert done.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_signal_handlers_that_make_calls(recorded: Any) -> None:
    """Wherever they interrupt: the program ends as it should, and what was not recorded is told."""
    done = recorded("handlers", 20000)
    assert done.result.exit_code == 0
    launches = done.ops("ggml_backend_graph_compute_async")
    assert len(launches) + done.trace.meta["dropped"] >= 20000
    sets = done.ops("ggml_backend_tensor_set")
    assert sets, "most of them come while the program is not in the recorder"
    told = {text.split(":")[0] for text in done.trace.lost}
    assert told <= {
        "calls from signal handlers, not recorded",
        "records dropped because a ring was full or missing",
    }


def test_threads_that_end_with_full_rings(
    fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNCTRACE_RING_KB", "16")
    result = record([fake.program, "threads", "500"], str(tmp_path / "t"))
    assert result.exit_code == 0
    done = Recording(result, open_trace(result.traces[0]))
    dropped = sum(gap["dropped"] for gap in done.rows("gap"))
    assert done.trace.meta["dropped"] == dropped > 0
    assert not done.trace.complete
    assert all(gap["first"] <= gap["ticket"] for gap in done.rows("gap"))
    assert len({gap["thread"] for gap in done.rows("gap")}) > 8


def test_spawned_processes_have_a_trace_each(fake: StandIn, tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "pids = [os.posix_spawn(sys.argv[1], [sys.argv[1], 'tokens', str(n)], os.environ)"
        " for n in (1, 2, 3)]\n"
        "sys.exit(sum(os.waitpid(pid, 0)[1] for pid in pids))"
    )
    out = str(tmp_path / "t-%p.synctrace")
    result = record([sys.executable, "-c", code, fake.program], out)
    assert result.exit_code == 0, result.message
    runs = [Recording(result, open_trace(path)) for path in result.traces]
    launches = sorted(len(run.ops("ggml_backend_graph_compute_async")) for run in runs)
    assert launches == [1, 2, 3]
