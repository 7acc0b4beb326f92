"""One host thread lets another go on: what a callback or a worker thread announces."""

import threading

from synctrace.tracer import tell
from synctrace.tracer.kinds import Kind

tell.hide(__file__)


class Handover:
    """A flag between host threads, recorded as thread_signal and thread_wait."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told = tell.Signal(name)
        self._given = threading.Event()

    def signal(self) -> None:
        """Let who waits go on: all that this thread knows is known to them."""
        with tell.call(Kind.THREAD_SIGNAL, event=self.told):
            self.give()

    def give(self) -> None:
        """The signal of a host function, which the call that enqueued the function has told."""
        self._given.set()

    def wait(self) -> None:
        """Return once the signal was given since the last wait."""
        with tell.call(Kind.THREAD_WAIT, event=self.told):
            self._given.wait()
            self._given.clear()
