"""Runs a program unchanged with the recorder in it, and drains what it records."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from types import FrameType

from synctrace.tracer import cupti
from synctrace.tracer.drain import Recorded
from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError
from synctrace.tracer.faults import NO_FAULTS, VARIABLES, Faults
from synctrace.tracer.growth import Growth, size_of, told_size
from synctrace.tracer.library import recorder_library
from synctrace.tracer.naming import output_path
from synctrace.tracer.ring_folder import owned, ring_folder
from synctrace.tracer.route import (
    BY_PLUGIN,
    LEVEL,
    NVTX_TAKEN,
    RECORD_FOLDER,
    RecordedLevel,
    Via,
    environment,
    nothing_seen,
    nvtx_taken,
)
from synctrace.tracer.session import Session
from synctrace.tracer.unpackers import not_unpacked
from synctrace.tracer.watch import Watch, not_watched
from synctrace.tracer.watch import environment as watch_environment
from synctrace.tracer.writer import check_replaceable

POLL_SECONDS = 0.01
PROGRESS_SECONDS = 0.5

NO_ROOM = (
    "the program had no room for its records and ran unrecorded: raise its file size limit "
    "(ulimit -f) or free space in /dev/shm"
)
NO_OP = (
    "the program made no call that is recorded (copies, launches, waits, allocations, …), only "
    "such as ask or set, so there is no trace"
)


RECORDED_WITHIN = (
    "the command starts `synctrace record` or `synctrace run` itself, which recorded in place of "
    "this one: leave one of the two out"
)
_INNER = "inner"  # in the folder of the rings: a recorder was started within this recording


@dataclass(frozen=True)
class RecordResult:
    """How a recording ended: exit code for the shell, traces written, one sentence for the user.

    `status`: the program's own end, -n for signal n; None if it never ran. `nothing_seen`: it made
    no call that is recorded, and nothing else went wrong.
    """

    exit_code: int
    traces: list[Path]
    message: str
    status: int | None = None
    nothing_seen: bool = False


def record(
    command: Sequence[str],
    out: str | None,
    *,
    overwrite: bool = False,
    quiet: bool = False,
    faults: Faults = NO_FAULTS,
    via: Via = "auto",
    level: RecordedLevel = "all",
    watch: Watch = "digest",
    device_times: bool = False,
    sample_seconds: float = 0.0,
    progress: Callable[[Growth], None] | None = None,
) -> RecordResult:
    """Run `command` and record every process of it that calls ggml, CUDA or HIP, one trace each.

    `out` is the template of -o (None: the default name). The exit code is the program's own,
    128 + n for signal n, 126 or 127 if it cannot be run, 125 if it was not recorded. `quiet`
    leaves the message empty unless something is wrong. `faults` are put into the program; if some
    were never met, the exit code is 125. `via` is the way in, `level` which calls are recorded
    (tracer/route.py), `watch` how host memory in use is watched (tracer/watch.py).
    `device_times`: those of CUDA's work are taken too (tracer/cupti.py). `sample_seconds`: interval
    at which counters of the machine are read (tracer/machine/sampler.py); 0: never. `progress` is
    told every half second how far the recording is.
    """
    try:
        library = recorder_library()
        _check_output(command, out, overwrite)
        root = ring_folder()
    except SynctraceError as error:
        return RecordResult(EXIT_RECORDER, [], str(error))
    except OSError as error:
        return RecordResult(EXIT_RECORDER, [], f"cannot make room for the rings: {error}")
    with owned(root):
        session = Session(
            *(root, command, out, overwrite, faults),
            sample_seconds=sample_seconds,
            device_times=device_times,
        )
        _tell_recorder_around(root)
        env = {**_environment(session, library, via, level), **watch_environment(watch)}
        return _run(command, session, env, via, level, quiet, progress)


def _run(
    command: Sequence[str],
    session: Session,
    env: dict[str, str],
    via: Via,
    level: RecordedLevel,
    quiet: bool,
    progress: Callable[[Growth], None] | None,
) -> RecordResult:
    with _forwarded_signals() as forward_to:
        try:
            program = subprocess.Popen(list(command), env=env)
        except FileNotFoundError:
            if shutil.which(command[0]):
                why = "the interpreter that its first line names was not found"
                return RecordResult(126, [], f"{command[0]} cannot be run: {why}")
            return RecordResult(127, [], f"{command[0]} was not found: give the program's path")
        except OSError as error:
            return RecordResult(126, [], f"{command[0]} cannot be run: {error.strerror}")
        forward_to(program)
        session.watch_machine()
        _lift_descriptor_limit()
        session.main = program.pid
        told = time.monotonic()
        while (status := program.poll()) is None:
            if not session.poll():
                time.sleep(POLL_SECONDS)
            if progress and time.monotonic() - told > PROGRESS_SECONDS and not session.failure:
                told = time.monotonic()
                progress(session.growth())
        session.finish(status)
    return _result(session, status, via, level, quiet)


def _lift_descriptor_limit() -> None:
    """A ring takes one: a program of a thousand threads has a thousand. The program's stays."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _result(
    session: Session, status: int, via: Via, level: RecordedLevel, quiet: bool
) -> RecordResult:
    traces = [recorded.path for recorded in session.done]
    if session.failure:
        return RecordResult(EXIT_RECORDER, traces, session.failure, status)
    if not any(recorded.ops for recorded in session.done):
        for path in traces:
            shutil.rmtree(path, ignore_errors=True)
        if (session.root / _INNER).exists():
            return RecordResult(EXIT_RECORDER, [], RECORDED_WITHIN + _own_end(status), status)
        wrong = _why_no_ops(session)
        was_met = any(session.root.glob("*/control"))
        why = wrong or (NO_OP if was_met else nothing_seen(via, level))
        why += _own_end(status)
        return RecordResult(EXIT_RECORDER, [], why, status, nothing_seen=not wrong)
    lost = [f"{r.path} is not complete: {'; '.join(r.lost)}" for r in session.done if r.lost]
    written = [_written(r) for r in session.done]
    if any(r.via == "plugin" for r in session.done):
        written.append(BY_PLUGIN)
    if nvtx_taken(os.environ):
        written.append(NVTX_TAKEN)
    written += not_watched(
        sum(r.not_tracked for r in session.done), sum(r.not_protected for r in session.done)
    )
    written += dict.fromkeys(r.device_times for r in session.done if r.device_times)
    written += not_unpacked(sum(r.not_unpacked for r in session.done))
    if session.sample_seconds:
        written += [f"not sampled: {one}" for one in session.unread]
    lines = lost if quiet else written + lost
    if session.faults:
        left_out = f": {sum(r.skipped for r in session.done)} skipped"
        lines.append(session.faults.announcement() + (left_out if session.faults.skips else ""))
        met = reduce(or_, (r.sites_met for r in session.done))
        unmet = session.faults.unmet(met, max(r.copies for r in session.done))
        if unmet:
            told = "\n".join([*lines, unmet + _own_end(status)])
            return RecordResult(EXIT_RECORDER, traces, told, status)
    code = 128 - status if status < 0 else status
    return RecordResult(code, traces, "\n".join(lines), status)


def _why_no_ops(session: Session) -> str:
    """What went wrong where no process has an op; empty: nothing did."""
    begun = sum(1 for _ in session.root.glob("*/control"))  # of those without room none is whole
    if begun > len(session.done) or any(recorded.dropped for recorded in session.done):
        return NO_ROOM
    lost = dict.fromkeys(reason for recorded in session.done for reason in recorded.lost)
    return f"nothing is left of the recording: {'; '.join(lost)}" if lost else ""


def _written(recorded: Recorded) -> str:
    size = told_size(size_of([recorded.path]))
    dropped = f"{recorded.dropped:,} dropped" if recorded.dropped else "none dropped"
    return f"wrote {recorded.path} ({recorded.ops:,} operations, {size}, {dropped})"


def _own_end(status: int) -> str:
    """How the program itself failed, where our exit code says something else."""
    if not status:
        return ""
    how = f"was killed by signal {-status}" if status < 0 else f"ended with exit code {status}"
    return f"; the program itself {how}"


def _environment(session: Session, library: Path, via: Via, level: RecordedLevel) -> dict[str, str]:
    theirs = {k: v for k, v in os.environ.items() if k not in (*VARIABLES, LEVEL, cupti.VARIABLE)}
    ours = environment(via, level, library, session.root, theirs)
    times = cupti.environment(session.command[0], theirs) if session.device_times else {}
    return {**theirs, **ours, **times, **session.faults.environment()}


def _tell_recorder_around(root: Path) -> None:
    """Leave word in the folder of a recorder that this one was started under."""
    outer = os.environ.get(RECORD_FOLDER)
    if outer and Path(outer) != root and (Path(outer) / "owner").is_file():
        with suppress(OSError):
            (Path(outer) / _INNER).touch()


def _check_output(command: Sequence[str], out: str | None, overwrite: bool) -> None:
    """Fail before the program runs where that can be known. Raises SynctraceError."""
    if not command or not command[0]:
        raise SynctraceError("no program given: synctrace record -- PROGRAM ARGUMENTS")
    path = output_path(out, command[0], 0)
    if out is not None and path == output_path(out, command[0], 1):  # the same for any process
        check_replaceable(path, overwrite)
    try:
        parent = path.absolute().parent
    except OSError as error:
        raise SynctraceError("the working directory is gone: start from one that exists") from error
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise SynctraceError(f"cannot write to {parent}: choose another place with -o")


@contextmanager
def _forwarded_signals() -> Iterator[Callable[["subprocess.Popen[bytes]"], None]]:
    """SIGINT, SIGTERM and SIGHUP are the program's to answer, those before its start included.

    Yields what to call with the program once it runs. Signals that are ignored stay so.
    """
    programs: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def forward(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and _typed_at_terminal():
            return  # the terminal has sent it to the program too
        if not programs:
            early.append(number)
        for program in programs:
            with suppress(ProcessLookupError):
                program.send_signal(number)

    def start(program: "subprocess.Popen[bytes]") -> None:
        programs.append(program)
        for number in early:
            program.send_signal(number)

    previous = {}
    with suppress(ValueError):  # not in the main thread: signals are the caller's
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                previous[number] = signal.signal(number, forward)
    try:
        yield start
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _typed_at_terminal() -> bool:
    """We are in the foreground of a terminal: Ctrl-C reaches the whole process group."""
    with suppress(OSError):
        return sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    return False
