"""Runs a program unchanged with the recorder in it, and drains what it records."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from synctrace.tracer.drain import ProcessDrain, Recorded, start_meta
from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError
from synctrace.tracer.naming import output_path
from synctrace.tracer.rings import Control
from synctrace.tracer.writer import TraceWriter

PREFIX = "synctrace-rings-"
STALE_SECONDS = 60.0  # a younger folder may be one whose recorder is just starting
POLL_SECONDS = 0.01
FLUSH_SECONDS = 0.5
FREE_BYTES = 256 << 20  # wanted in shared memory; else the rings lie in the temporary folder

NOTHING_SEEN = (
    "no ggml call was seen, so there is no trace: the program (or a process it starts) must load "
    "ggml as a shared library (libggml-base.so); a statically linked ggml cannot be recorded yet"
)


@dataclass(frozen=True)
class RecordResult:
    """How a recording ended: exit code for the shell, traces written, one sentence for the user."""

    exit_code: int
    traces: list[Path]
    message: str


def record(
    command: Sequence[str], out: str | None, *, overwrite: bool = False, quiet: bool = False
) -> RecordResult:
    """Run `command` and record every process of it that makes a ggml call, one trace each.

    `out` is the template of -o (None: the default name). The exit code is the program's own,
    128 + n for signal n, 126 or 127 if it cannot be run, 125 if it was not recorded. `quiet`
    leaves the message empty unless something is wrong.
    """
    try:
        library = recorder_library()
        _check_output(command, out, overwrite)
        root = _ring_folder()
    except SynctraceError as error:
        return RecordResult(EXIT_RECORDER, [], str(error))
    except OSError as error:
        return RecordResult(EXIT_RECORDER, [], f"cannot make room for the rings: {error}")
    with _owned(root):
        return _run(command, _Session(root, command, out, overwrite), library, quiet)


def recorder_library() -> Path:
    """The injected library. Raises SynctraceError if it was not built or cannot be preloaded."""
    import synctrace

    path = Path(str(synctrace.__file__)).parent / "tracer" / "libsynctrace_recorder.so"
    if not path.is_file():
        raise SynctraceError(
            f"{path} is missing: install synctrace again with a C compiler", EXIT_RECORDER
        )
    return path


def _run(command: Sequence[str], session: "_Session", library: Path, quiet: bool) -> RecordResult:
    try:
        program = subprocess.Popen(list(command), env=_environment(session.root, library))
    except FileNotFoundError:
        return RecordResult(127, [], f"{command[0]} was not found: give the program's path")
    except OSError as error:
        return RecordResult(126, [], f"{command[0]} cannot be run: {error.strerror}")
    session.main = program.pid
    with _forwarded_signals(program):
        while (status := program.poll()) is None:
            if not session.poll():
                time.sleep(POLL_SECONDS)
        session.finish(status)
    return _result(session, status, quiet)


def _result(session: "_Session", status: int, quiet: bool) -> RecordResult:
    traces = [recorded.path for recorded in session.done]
    if session.failure:
        return RecordResult(EXIT_RECORDER, traces, session.failure)
    if not any(recorded.ops for recorded in session.done):
        for path in traces:
            shutil.rmtree(path, ignore_errors=True)
        return RecordResult(EXIT_RECORDER, [], NOTHING_SEEN)
    lost = [f"{r.path} is not complete: {'; '.join(r.lost)}" for r in session.done if r.lost]
    written = [f"wrote {r.path} ({r.ops} operations)" for r in session.done]
    message = "\n".join(lost if quiet else written + lost)
    return RecordResult(128 - status if status < 0 else status, traces, message)


class _Session:
    """All processes of one recording."""

    def __init__(
        self, root: Path, command: Sequence[str], out: str | None, overwrite: bool
    ) -> None:
        self.root = root
        self.done: list[Recorded] = []
        self.failure = ""
        self.main = 0  # process id of the command itself, whose exit status is ours to read
        self._command = command
        self._out = out
        self._overwrite = overwrite
        self._drains: dict[str, ProcessDrain] = {}
        self._seen: set[str] = set()
        self._taken: set[Path] = set()
        self._flushed = time.monotonic()

    def poll(self) -> bool:
        """Drain every process once; true if there was anything to drain."""
        if self.failure:
            return False
        try:
            return self._poll()
        except SynctraceError as error:
            self.failure = f"{error}; the program ran on, unrecorded from there"
        except OSError as error:
            self.failure = f"recording stopped: {error}"
        return False

    def finish(self, status: int) -> None:
        """Drain the rest. The command has ended with `status`; other processes may go on."""
        self.poll()
        for name, drain in list(self._drains.items()):
            note = None
            if drain.pid != self.main and _is_alive(drain.pid):
                note = f"process {drain.pid} was still running when the command ended"
            self._close(name, status if drain.pid == self.main else None, note)

    def _poll(self) -> bool:
        self._find()
        busy = [drain.poll() for drain in self._drains.values()]
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            for drain in self._drains.values():
                drain.flush()
            self._flushed = time.monotonic()
        for name, drain in list(self._drains.items()):
            if drain.pid != self.main and not _is_alive(drain.pid):
                self._close(name, None, None)
        return any(busy)

    def _find(self) -> None:
        for path in sorted(self.root.glob("*/control")):
            name = path.parent.name
            if name in self._seen:
                continue
            with suppress(ValueError, OSError):
                control = Control(path)
                self._seen.add(name)
                self._replaced(name)
                self._drains[name] = ProcessDrain(path.parent, control, self._writer(control))

    def _replaced(self, name: str) -> None:
        """PID.n is what PID became by exec: what PID was before has ended."""
        pid = name.split(".")[0]
        for other in [o for o in self._drains if o.split(".")[0] == pid]:
            self._close(other, None, None)

    def _writer(self, control: Control) -> TraceWriter:
        state = control.state()
        path = output_path(self._out, Path(state.program).name, state.pid)
        if path in self._taken:
            path = path.with_name(f"{path.stem}.{state.pid}{path.suffix}")
        n = 1
        while path in self._taken:  # the same process again, after exec
            n += 1
            path = path.with_name(f"{path.stem}.{n}{path.suffix}")
        self._taken.add(path)
        meta = start_meta(self._command, state)
        return TraceWriter(path, meta, overwrite=self._overwrite)

    def _close(self, name: str, status: int | None, note: str | None) -> None:
        drain = self._drains.pop(name)
        try:
            self.done.append(drain.finish(status, note))
        except SynctraceError as error:
            self.failure = self.failure or str(error)


def _environment(root: Path, library: Path) -> dict[str, str]:
    """The program's environment: an LD_PRELOAD that is there stays in front of ours."""
    if any(c in str(library) for c in " :"):  # the loader would split the name there
        link = root / library.name
        link.symlink_to(library)
        library = link
    present = os.environ.get("LD_PRELOAD")
    preload = f"{present}:{library}" if present else str(library)
    return {**os.environ, "LD_PRELOAD": preload, "SYNCTRACE_RECORD_FOLDER": str(root)}


def _ring_folder() -> Path:
    """A folder for the rings. Those that killed recorders left behind are removed first."""
    place = _ring_place() or tempfile.gettempdir()
    for stale in Path(place).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time.time() - stale.stat().st_mtime > STALE_SECONDS:
                with _owned(stale):
                    pass
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))


@contextmanager
def _owned(root: Path) -> Iterator[None]:
    """Hold the folder as its recorder, then remove it. Raises OSError if another one holds it."""
    lock = os.open(root / "owner", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            shutil.rmtree(root, ignore_errors=True)
    finally:
        os.close(lock)


def _ring_place() -> str | None:
    """Shared memory where there is enough of it; None: the temporary folder."""
    place = Path("/dev/shm")
    with suppress(OSError):
        room = os.statvfs(place)
        if os.access(place, os.W_OK) and room.f_bavail * room.f_frsize >= FREE_BYTES:
            return str(place)
    return None


def _check_output(command: Sequence[str], out: str | None, overwrite: bool) -> None:
    """Fail before the program runs where that can be known. Raises SynctraceError."""
    if not command:
        raise SynctraceError("no program given: synctrace record -- PROGRAM ARGUMENTS")
    path = output_path(out, command[0], 0)
    fixed = out is not None and path == output_path(out, command[0], 1)
    if fixed and path.exists() and not overwrite:
        raise SynctraceError(f"{path} exists: choose another folder with -o, or overwrite with -f")
    parent = path.absolute().parent
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise SynctraceError(f"cannot write to {parent}: choose another place with -o")


def _is_alive(pid: int) -> bool:
    """False for one that has ended, also if nobody has read its status yet."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")


@contextmanager
def _forwarded_signals(program: "subprocess.Popen[bytes]") -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP are the program's to answer."""

    def forward(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and _typed_at_terminal():
            return  # the terminal has sent it to the program too
        with suppress(ProcessLookupError):
            program.send_signal(number)

    previous = {}
    with suppress(ValueError):  # not in the main thread: signals are the caller's
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            previous[number] = signal.signal(number, forward)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _typed_at_terminal() -> bool:
    """We are in the foreground of a terminal: Ctrl-C reaches the whole process group."""
    with suppress(OSError):
        return sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    return False
