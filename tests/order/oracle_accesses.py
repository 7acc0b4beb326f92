"""The oracle's touches of bytes: what was before each, and when the host reads results."""

from dataclasses import replace

from everything import Plan
from oracle_state import Touch
from oracle_streams import Streams
from random_traces import Op

from synctrace.tracer.kinds import Kind

# Work whose host memory the host may write once it has waited for it.
SOURCED = (Kind.KERNEL, Kind.MEMCPY_ASYNC_H2D, Kind.GRAPH_LAUNCH)


class Accesses(Streams):
    """What is touched, on the host and on a device."""

    def touch_on_host(self, i: int, op: Op, does: Plan, behind: int = 0) -> None:
        """`behind`: what it comes after besides, which the thread does not know yet."""
        for a in self.p.accesses_of(op):
            access = self.p.access(a)
            reads = access.reads and does.reads == "host"
            writes = access.writes and does.writes == "host"
            if reads or writes:
                self.touch(i, a, reads, writes, op.thread, behind)

    def touch_device(
        self, i: int, op: Op, does: Plan, timeline: object, known: int, thread: int
    ) -> int:
        """The op's accesses on a device timeline; what is loose knows what the thread does."""
        done = 0
        for places, before in ((("loose",), thread), (("stream", "queue"), known)):
            for a in self.p.accesses_of(op):
                access = self.p.access(a)
                reads = access.reads and does.reads in places
                writes = access.writes and does.writes in places
                if not reads and not writes:
                    continue
                self.met(Touch(i, a, reads, writes, timeline, before))
                done |= 1 << (len(self.run.touches) - 1)
                result = op.kind is Kind.MEMCPY_ASYNC_D2H and writes
                source = self.rewrites and op.kind in SOURCED and reads and not access.stores_told
                if result or source:
                    self.results.append((len(self.run.touches) - 1, source))
        return done

    def touch(
        self, i: int, access: int, reads: bool, writes: bool, thread: int, behind: int = 0
    ) -> None:
        known = self.host[thread] | behind
        self.met(Touch(i, access, reads, writes, thread, known))
        # Host accesses last until the call returns: only then do others know of them. The thread
        # itself goes on after that.
        self.host[thread] |= 1 << (len(self.run.touches) - 1)

    def met(self, touch: Touch) -> None:
        """Where records are lost, anything may have ordered it after all that was."""
        everything = (1 << len(self.run.touches)) - 1
        self.run.touches.append(replace(touch, before=everything) if self.in_gap else touch)

    def read_results(self, i: int, op: Op, covered: int, returns: bool) -> None:
        """The host reads the results that it has waited for, and writes the sources."""
        if self.given is not None:
            return
        found = [one for one in self.results if covered >> one[0] & 1]
        self.results = [one for one in self.results if not covered >> one[0] & 1]
        for touch, source in found:
            access = self.run.touches[touch].access
            self.run.anchors.setdefault((i, returns), []).append((access, source))
            self.touch(i, access, not source, source, op.thread)

    def read_given(self, i: int, op: Op, returns: bool) -> None:
        """The host does what it does then in the whole program."""
        for access, source in (self.given or {}).get((i, returns), []):
            self.touch(i, access, not source, source, op.thread)
