"""One order of all calls of a process, made of their times.

Calls come in the order of their starts. Where a call returns at the nanosecond in which another
thread's begins, the order between the two is not known, and they are taken to overlap.
"""

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush

from synctrace.tracer.rocpd.rows import Op, Rows, Taken


@dataclass(slots=True, eq=False)
class _Open:
    """A call that has been entered. `taken`: its last op, which returns with it; None: a gap's."""

    thread: int
    end: int
    taken: Taken | None
    has_returned: bool = False


@dataclass(slots=True)
class _Gap:
    """Calls whose order is not known, from a ticket until the last of them has returned."""

    first: int
    thread: int
    calls: int
    end: int


class Tickets:
    """Gives each op two tickets and each row to the writer, in the order of entry."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._ticket = 0
        self._waiting: deque[Taken] = deque()  # ops, in the order of their entry
        self._ends: list[tuple[int, int, _Open]] = []
        self._open: dict[int, _Open] = {}  # last call of each thread
        self._entered = 0
        self._gap: _Gap | None = None

    @property
    def next(self) -> int:
        """The ticket that the next entry or return takes."""
        return self._ticket

    def around(self, thread: int, start: int, end: int) -> bool:
        """Whether the thread is in another call all the time from start to end."""
        call = self._open.get(thread)
        return call is not None and start < call.end and end <= call.end

    def outer(self, thread: int) -> Taken | None:
        """The op of the thread's last call, if that made one."""
        call = self._open.get(thread)
        return call.taken if call else None

    def until(self, thread: int, start: int) -> None:
        """Everything returns that has by the time at which this thread enters a call."""
        while self._ends and self._ends[0][0] < start:
            self._return(heappop(self._ends)[2])
        if own := self._open.get(thread):
            self._return(own)

    def enter(self, thread: int, start: int, end: int, function: str, ops: list[Op]) -> Taken:
        """The thread enters a call, until(…) which all has returned. `ops`: what it does, in order.

        Returns the last of them, which has the call's device times.
        """
        if self._gap and self._gap.end <= start:
            self._end_gap()
        for op in ops:
            taken = Taken(op, thread, function, self._take(), start)
            if op is not ops[-1]:
                taken.ticket_r, taken.t_r = self._take(), end
            self._waiting.append(taken)
        self._push(_Open(thread, end, taken))
        return taken

    def lose(self, thread: int, end: int) -> None:
        """The thread enters a call whose order is not known."""
        if not self._gap:
            self._gap = _Gap(self._take(), thread, 0, end)
        self._gap.calls += 1
        self._gap.end = max(self._gap.end, end)
        self._push(_Open(thread, end, None))

    def finish(self) -> None:
        """All calls return."""
        while self._ends:
            self._return(heappop(self._ends)[2])
        self._end_gap()
        self._write()

    def _end_gap(self) -> None:
        if gap := self._gap:
            self._rows.gap(gap.first, self._take(), gap.thread, gap.calls)
            self._gap = None

    def _push(self, call: _Open) -> None:
        self._entered += 1
        heappush(self._ends, (call.end, self._entered, call))
        self._open[call.thread] = call

    def _return(self, call: _Open) -> None:
        if call.has_returned:
            return
        call.has_returned = True
        if call.taken:
            call.taken.ticket_r, call.taken.t_r = self._take(), call.end
        self._write()

    def _write(self) -> None:
        while self._waiting and self._waiting[0].ticket_r:
            self._rows.op(self._waiting.popleft())

    def _take(self) -> int:
        ticket = self._ticket
        self._ticket += 1
        return ticket
