"""The GPUs of this machine, asked for in a child process (tracer/machine/child.py) and never waited
for while a program runs.
"""

import functools
import json
import os
import select
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from synctrace.tracer.machine.child import Reading
from synctrace.tracer.machine.facts import Facts

# A driver that is there has one of these; without any of them no child is started.
NODES = {
    "nvidia": ("/dev/nvidiactl", "/dev/nvmap", "/dev/dxg"),
    "amd": ("/dev/kfd",),
}
FACTS_SECONDS = 5.0  # from the start of the child; the first user of a driver can wait for it
PYTHONS = ("python", "pypy")  # what else may be called sys.executable would start itself again
MOST_BYTES = 1 << 20  # of an answer
# The child is not to be recorded, whatever this process is.
_NOT_FOR_IT = ("LD_PRELOAD", "CUDA_INJECTION64_PATH", "ROCPROFILER_REGISTER_LIBRARY")

Timed = tuple[int, str, str, str, float]  # time ns, source, subject, counter, value


def vendors() -> list[str]:
    """Vendors whose driver is loaded here: nvidia, amd."""
    return [name for name, nodes in NODES.items() if any(Path(node).exists() for node in nodes)]


def facts() -> dict[str, Any]:
    """Keys `devices`, `links`, `drivers` and `unread` of meta.json, asked for once a process.

    Without a GPU this takes 0.2 ms, and later calls nothing. With one the first call waits for the
    child: 0.1 s to a few, at most FACTS_SECONDS. Call `of_this_process` before, and it need not.
    Never raises.
    """
    return of_this_process().facts()


@functools.cache
def of_this_process() -> "Probe":
    """The probe that `facts` asks, started by the first call (a few ms) and not waited for."""
    return Probe()


class Probe:
    """The child, and what it has told. Starting it takes a few milliseconds; not thread-safe."""

    def __init__(self, seconds: float = 0.0) -> None:
        """Start it where there is a GPU. `seconds`: interval of the counters; 0: facts alone."""
        self._child: subprocess.Popen[bytes] | None = None
        self._facts: dict[str, Any] | None = None
        self._unread: list[str] = []
        self._readings: list[Timed] = []
        self._rest = b""
        self._sampling = bool(seconds)
        self._owner = os.getpid()
        self._deadline = time.monotonic() + FACTS_SECONDS
        names = vendors()
        if not names:
            self._facts = Facts().meta()
            return
        if not Path(sys.executable or "").name.startswith(PYTHONS):
            self._end("devices: this program is no Python that could ask for them")
            return
        child = [sys.executable, "-P", "-m", "synctrace.tracer.machine.child", str(seconds), *names]
        try:
            self._child = subprocess.Popen(
                child,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={k: v for k, v in os.environ.items() if k not in _NOT_FOR_IT},
                process_group=0,  # what a terminal sends is for the program
            )
            os.set_blocking(self._pipe(), False)
        except OSError as error:
            self._end(f"devices: no process could be started to ask for them ({error})")

    def readings(self) -> list[Timed]:
        """What was read of the counters since the last call. Does not wait."""
        self._take()
        taken, self._readings = self._readings, []
        return taken

    def is_answered(self) -> bool:
        """Whether `facts` would not wait. Does not wait itself."""
        self._take()
        return self._facts is not None or time.monotonic() > self._deadline

    def facts(self) -> dict[str, Any]:
        """Keys of meta.json. Waits for the child, until FACTS_SECONDS after its start."""
        while not self.is_answered() and self._child:
            left = self._deadline - time.monotonic()
            select.select([self._pipe()], [], [], max(0.0, left))
        if self._facts is None and self._child:
            self._end(f"devices: no answer within {FACTS_SECONDS:g} seconds")
        told = self._facts or Facts().meta()
        return {**told, "unread": [*told["unread"], *self._unread]}

    def close(self) -> None:
        """End the child, also one that hangs. A second call does nothing."""
        child, self._child = self._child, None
        if child is None:
            return
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        child.kill()
        with suppress(subprocess.TimeoutExpired):  # in the driver: it ends when that returns
            child.wait(1)

    def _pipe(self) -> int:
        assert self._child
        assert self._child.stdout
        return self._child.stdout.fileno()

    def _take(self) -> None:
        """Read what is there. In a forked process that is for the one it was forked from."""
        if self._child and self._owner != os.getpid():
            self._child = None
            self._unread.append("devices: not asked again by a process that was forked")
        while self._child:
            try:
                part = os.read(self._pipe(), 1 << 16)
            except BlockingIOError:
                return
            except OSError as error:
                self._end(f"devices: {error}")
                return
            if not part:
                self._ended()
                return
            *lines, self._rest = (self._rest + part).split(b"\n")
            for line in lines:
                self._understand(line)
            if len(self._rest) > MOST_BYTES:
                self._end("devices: the answer has no end")

    def _ended(self) -> None:
        """The child has closed its end: after its answer, or of something that ended it."""
        assert self._child
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(1)
        status = self._child.returncode
        asked = f"exit status {status}" if (status or 0) >= 0 else f"signal {-status}"
        if self._facts is None:
            self._end(f"devices: what asks for them ended without an answer ({asked})")
        elif self._sampling and status:
            self._end(f"devices: their counters were read no longer ({asked})")
        else:
            self.close()

    def _end(self, why: str) -> None:
        self._unread.append(why)
        self.close()

    def _understand(self, line: bytes) -> None:
        with suppress(ValueError, TypeError, LookupError):
            message = json.loads(line)
            if "facts" in message:
                self._facts = message["facts"]
            if "readings" in message:
                at, read = message["readings"]
                self._readings += [_timed(at, one) for one in read]
            self._unread += message.get("unread", [])


def _timed(at: int, reading: Reading) -> Timed:
    source, subject, counter, value = reading
    return at, source, subject, counter, value
