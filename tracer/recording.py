"""A Python program that records itself: `with synctrace.record("run.synctrace"): …`."""

import atexit
import functools
import inspect
import math
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, cast

from synctrace.tracer import binding
from synctrace.tracer.drain import Recorded
from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError
from synctrace.tracer.faults import NO_FAULTS
from synctrace.tracer.naming import output_path
from synctrace.tracer.ring_folder import owned, ring_folder
from synctrace.tracer.session import Session
from synctrace.tracer.writer import check_replaceable

LOOK_SECONDS = 0.02
DRAIN_SECONDS = 0.4
_P = ParamSpec("_P")
_R = TypeVar("_R")


class Recording:
    """One recording of this process, as a context manager or around a function.

    `path`: the trace folder, whole once the recording has ended. It is None where `synctrace
    record` records the whole program already (there is one trace then, and it is that one's) and
    where nothing was recorded.
    """

    def __init__(
        self,
        path: "str | os.PathLike[str] | None" = None,
        *,
        overwrite: bool = False,
        profile: str | None = None,
        stacks: bool = True,
        ring_kb: int = 4096,
        sample: float = 0.0,
    ) -> None:
        """`path` may hold %p and %h as -o does; None: `synctrace-PROGRAM-PID.synctrace`.

        `overwrite` replaces a trace that is there. `profile`: the memory model that `check` judges
        by. `stacks`: call sites are wanted. `ring_kb`: room of each thread's ring, KB. `sample`:
        interval at which counters of the machine are read, s (view sample); 0: never.

        Raises SynctraceError for what is none of these.
        """
        self.path: Path | None = None
        self.lost: tuple[str, ...] = ()
        self._out = None if path is None else os.fspath(path)
        _check_options(self._out, ring_kb, sample, profile)
        self._overwrite, self._profile = overwrite, profile
        self._stacks, self._ring_kb, self._sample = stacks, ring_kb, sample
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        """Begin. Raises SynctraceError if it cannot be written, or if another recording is on."""
        binding.load()
        with _beginning:
            binding.refresh()
            if _current:
                raise SynctraceError(
                    "a recording is on already: end it before another begins", EXIT_RECORDER
                )
            if not binding.epoch:  # else `synctrace record` records it all
                self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def __call__(self, function: Callable[_P, _R]) -> Callable[_P, _R]:
        """Record every call of the function, each into a trace of its own.

        Of a coroutine function, each run. Raises SynctraceError for a generator function, whose
        calls only begin it.
        """
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise SynctraceError(
                f"{function.__name__} is a generator, whose call runs nothing: record who uses it"
            )

        @functools.wraps(function)
        def recorded(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            with self._another():
                return function(*args, **kwargs)

        @functools.wraps(function)
        async def recorded_run(*args: _P.args, **kwargs: _P.kwargs) -> Any:
            with self._another():
                return await cast(Any, function(*args, **kwargs))

        is_coroutine = inspect.iscoroutinefunction(function)
        return cast(Callable[_P, _R], recorded_run) if is_coroutine else recorded

    def _another(self) -> "Recording":
        return Recording(
            self._out,
            overwrite=self._overwrite,
            profile=self._profile,
            stacks=self._stacks,
            ring_kb=self._ring_kb,
            sample=self._sample,
        )

    def stop(self) -> None:
        """End it and close the trace. What went wrong is a warning: the program goes on."""
        try:
            _current.remove(self)  # of two threads, one ends it
        except ValueError:
            return
        try:
            binding.stop()
            self._ended.set()
            self._drainer.join()
            self._session.finish(None)
            self._open.close()
        except BaseException:  # a Ctrl-C: the program's end closes the trace
            _current.append(self)
            raise
        atexit.unregister(self.stop)
        self._say(self._session.done, self._session.failure)

    def _begin(self) -> None:
        program = Path(sys.argv[0] or "python").stem or "python"
        path = output_path(self._out, program, os.getpid())
        if self._out is None:
            path = _free(path)
        try:
            check_replaceable(path, self._overwrite)
        except OSError as error:
            raise SynctraceError(f"choose another folder for the trace: {error}") from error
        self._wanted = path
        with ExitStack() as rings, ExitStack() as opened:
            try:
                root = ring_folder()
                rings.enter_context(owned(root))
            except OSError as error:
                raise SynctraceError(
                    f"cannot make room for the rings: {error}", EXIT_RECORDER
                ) from error
            command = [sys.executable, *sys.argv]
            self._session = Session(
                *(root, command, str(path).replace("%", "%%"), self._overwrite, NO_FAULTS),
                sample_seconds=self._sample,
                via="python",
                profile=self._profile,
            )
            self._session.main = os.getpid()
            if not binding.start(root, self._ring_kb, self._stacks):
                raise SynctraceError(
                    f"there is no room for the rings in {root.parent}: free some there, and look "
                    "at the limit of the size of a file (ulimit -f)",
                    EXIT_RECORDER,
                )
            opened.callback(binding.stop)
            self._session.watch_machine()
            self._ended.clear()
            self._drainer = threading.Thread(target=self._drain, name="synctrace", daemon=True)
            try:
                self._drainer.start()
            except RuntimeError as error:
                raise SynctraceError(
                    f"the recording's own thread cannot begin: {error}", EXIT_RECORDER
                ) from error
            opened.pop_all()
            self._open = rings.pop_all()
        _current.append(self)
        atexit.register(self.stop)

    def _drain(self) -> None:
        """While the program runs. To drain costs milliseconds of this process, for little as for
        much, so rings wait until they are worth it or some time has gone by."""
        drained = time.monotonic()
        while not self._ended.wait(LOOK_SECONDS):
            self._session.sample()
            if self._session.fills() or time.monotonic() - drained > DRAIN_SECONDS:
                self._session.poll()
                drained = time.monotonic()

    def _say(self, done: list[Recorded], failure: str) -> None:
        if failure:
            warnings.warn(f"synctrace: {failure}", RuntimeWarning, stacklevel=3)
        own = next((each for each in done if each.path == self._wanted), None)
        if not own:  # of a forked child, perhaps
            return
        self.path, self.lost = own.path, own.lost
        if own.lost:
            told = f"synctrace: {own.path} is not complete: {'; '.join(own.lost)}"
            warnings.warn(told, RuntimeWarning, stacklevel=3)


_current: list[Recording] = []  # the one that is on, if any
_beginning = threading.RLock()


def _forked() -> None:
    """A child's calls are in its parent's hands."""
    global _beginning
    _current.clear()
    _beginning = threading.RLock()


os.register_at_fork(after_in_child=_forked)


def _check_options(
    path: str | bytes | None, ring_kb: object, sample: object, profile: object
) -> None:
    """What the command line would refuse. Raises SynctraceError."""
    if isinstance(path, bytes) or (path and "\0" in path):
        raise SynctraceError("path is a string without null characters: the folder of the trace")
    if not isinstance(ring_kb, int) or not 16 <= ring_kb <= 1 << 20:
        raise SynctraceError(f"ring_kb is {ring_kb!r}: give KB in whole numbers, 16 to {1 << 20:,}")
    if not isinstance(sample, int | float) or not 0 <= sample < math.inf:
        raise SynctraceError(f"sample is {sample!r}: give an interval in seconds, or 0 for never")
    if profile is not None and not isinstance(profile, str):
        raise SynctraceError(f"profile is {profile!r}: give the name of a memory model")


def _free(path: Path) -> Path:
    """This path, or with a number where earlier recordings of this process lie."""
    n, found = 1, path
    while found.exists():
        n += 1
        found = path.with_name(f"{path.stem}.{n}{path.suffix}")
    return found
