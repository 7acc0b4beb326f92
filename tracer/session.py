"""One recording: each process of it that made a recorded call, from first sight to closed trace."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from synctrace.tracer.drain import ProcessDrain, Recorded, start_meta
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.faults import Faults
from synctrace.tracer.growth import Growth, size_of
from synctrace.tracer.machine.sampler import Machine
from synctrace.tracer.naming import output_path
from synctrace.tracer.rings import Control
from synctrace.tracer.writer import TraceWriter

FLUSH_SECONDS = 0.5


class Session:
    """All processes of one recording."""

    def __init__(
        self,
        root: Path,
        command: Sequence[str],
        out: str | None,
        overwrite: bool,
        faults: Faults,
        *,
        sample_seconds: float = 0.0,
        via: str = "",
        profile: str | None = None,
        device_times: bool = False,
    ) -> None:
        """`out`: the template of -o; `via`, `profile` and `device_times`: as ProcessDrain has them.

        `sample_seconds`: interval of the machine's counters; 0: they are not read.
        """
        self.root = root
        self._via, self._profile, self.device_times = via, profile, device_times
        self.faults = faults
        self.sample_seconds = sample_seconds
        self.done: list[Recorded] = []
        self.failure = ""
        self.unread: tuple[str, ...] = ()  # of the machine, in words
        self.main = 0  # process id of the command itself, whose exit status is ours to read
        self.command = command
        self._out = out
        self._overwrite = overwrite
        self._drains: dict[str, ProcessDrain] = {}
        self._seen: set[str] = set()
        self._taken: set[Path] = set()
        self._machine: Machine | None = None
        self._flushed = self._started = time.monotonic()

    def watch_machine(self) -> None:
        """Ask what machine this is, once the program has started: it does not wait for that."""
        self._machine = Machine(self.sample_seconds)

    def growth(self) -> Growth:
        """What was recorded so far, by processes that have ended and those that go on."""
        drains = list(self._drains.values())
        return Growth(
            pids=tuple({self.main, *(drain.pid for drain in drains)}),
            ops=sum(r.ops for r in self.done) + sum(drain.ops() for drain in drains),
            size_bytes=size_of([*(r.path for r in self.done), *(drain.trace for drain in drains)]),
            dropped=sum(r.dropped for r in self.done) + sum(drain.dropped() for drain in drains),
            seconds=time.monotonic() - self._started,
        )

    def poll(self) -> bool:
        """Drain every process once; true if one must be drained again soon."""
        busy = False
        if not self.failure:
            with self._failing():
                busy = self._poll()
        return busy

    def sample(self) -> None:
        """Read the counters that are due, which `poll` does too: for between two of it."""
        if self.sample_seconds and not self.failure:
            with self._failing():
                self._sample()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """What goes wrong ends the recording, not the program."""
        try:
            yield
        except SynctraceError as error:
            self.failure = f"{error}; the program ran on, unrecorded from there"
        except OSError as error:
            self.failure = f"recording stopped: {error}"
        except Exception as error:  # whatever it is, the program must be waited for
            self.failure = f"recording stopped: {type(error).__name__}: {error}"

    def fills(self) -> bool:
        """Whether a ring fills so fast that it should be drained now: a look at a few words."""
        with suppress(OSError):  # a process that begins or ends
            return any(drain.fills() for drain in self._drains.values())
        return True

    def finish(self, status: int | None) -> None:
        """Drain the rest. The command has ended with `status`; other processes may go on.

        None: it goes on too, and what is to be recorded of it is there.
        """
        self.poll()
        for name, drain in list(self._drains.items()):
            note = None
            if drain.pid != self.main and _is_alive(drain.pid):
                note = f"process {drain.pid} was still running when the command ended"
            self._close(name, status if drain.pid == self.main else None, note)
        if self._machine:
            self._machine.close()

    def _poll(self) -> bool:
        self._find()
        busy = [drain.poll() for drain in self._drains.values()]
        self._sample()
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            for drain in self._drains.values():
                drain.flush()
            self._flushed = time.monotonic()
        if self._machine is None or self._machine.is_known():  # the traces are to say so
            for name, drain in list(self._drains.items()):
                if drain.pid != self.main and not _is_alive(drain.pid):
                    self._close(name, None, None)
        return any(busy)

    def _sample(self) -> None:
        if self._machine:
            self._machine.sample([(drain.pid, drain.sample) for drain in self._drains.values()])

    def _find(self) -> None:
        for path in sorted(self.root.glob("*/control")):
            name = path.parent.name
            if name in self._seen:
                continue
            try:
                control = Control(path)
            except (ValueError, OSError):  # not whole yet: next time
                continue
            self._seen.add(name)
            self._replaced(name)
            writer = self._writer(control)
            self._drains[name] = ProcessDrain(
                *(path.parent, control, writer, self.faults, self._via, self._profile),
                device_times=self.device_times,
            )

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
        meta = start_meta(self.command, state)
        return TraceWriter(path, meta, overwrite=self._overwrite)

    def _close(self, name: str, status: int | None, note: str | None) -> None:
        drain = self._drains.pop(name)
        try:
            machine = self._machine.meta() if self._machine else {}
            self.unread = tuple(machine.get("unread", ()))
            self.done.append(drain.finish(status, note, machine))
        except SynctraceError as error:
            self.failure = self.failure or str(error)
        except Exception as error:  # as in poll
            self.failure = self.failure or f"the trace was not closed: {error}"


def _is_alive(pid: int) -> bool:
    """False for one that has ended, also if nobody has read its status yet."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")
