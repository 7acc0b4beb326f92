"""The oracle's streams: as each thread finds them, and which are ordered with which."""

from collections.abc import Iterator

from everything import Plan
from oracle_state import Issue, State, Stream
from random_traces import Op

from synctrace.analyzer.abi import BY_RETURN, BY_TICKET
from synctrace.tracer.kinds import StreamFlag

AFTER = {"after-peer", "after-actor", "after-devices"}
# By which later work on a stream comes to be after the op.
ISSUES = AFTER | {
    *("launch", "actor-waits", "peer-waits", "devices-wait", "actor-waits-event", "owner-alloc")
}
ISSUED = 1 << 12  # bit ISSUED + i of what is known: that op i has been issued; touches are below


class Streams(State):
    """What a stream has in it."""

    def stream(self, name: object, op: Op) -> Stream:
        """A stream, or what is like one, as this call finds it."""
        if self.issue == BY_TICKET:
            return self.views.setdefault((name, 0), Stream())
        own = self.views.setdefault((name, op.thread), Stream())
        if name in self.viewed:
            return own
        self.viewed.add(name)
        for issue in self.issues.get(name, ()):
            returned = self.issue == BY_RETURN and issue.ticket_r < op.ticket_c
            known = self.host[op.thread] >> (ISSUED + issue.op) & 1
            if issue.thread != op.thread and (known or returned):
                own.join(issue.known, issue.start)
        return own

    def issued(self, i: int, op: Op, name: object) -> None:
        """The op has done what it does to the stream."""
        if self.issue == BY_TICKET or not self.plans[i].edges & ISSUES:
            return
        own = self.stream(name, op)
        start = own.known if own.kernel_start is None else own.kernel_start
        issue = Issue(i, op.thread, op.ticket_r, own.known, start)
        self.issues.setdefault(name, []).append(issue)

    def of_devices(self, op: Op) -> list[object]:
        devices = {op.device, self.device[op.actor], self.device[op.peer]}
        streams = [stream for stream in self.flags if self.device[stream] in devices]
        hidden = [self.legacy_of(device) for device in devices if device >= 0]
        return [*streams, *(stream for stream in hidden if stream not in streams)]

    def ordered(self, device: int) -> Iterator[int]:
        """Streams of a device that do not opt out of the default stream's order."""
        for stream, flags in self.flags.items():
            if flags & StreamFlag.BLOCKING and self.device[stream] == device:
                yield stream

    def redirect(self, op: Op) -> object:
        """The legacy default stream of the peer's device, whether the trace names it or not."""
        return self.legacy_of(self.device[op.peer])

    def legacy_of(self, device: int) -> object:
        for stream, flags in self.flags.items():
            if flags & StreamFlag.LEGACY and self.device[stream] == device:
                return stream
        self.device["hidden", device] = device
        return "hidden", device

    def legacy(self, op: Op) -> int:
        actor, known = op.actor, 0
        device = self.device[actor]
        if self.flags[actor] & StreamFlag.LEGACY:
            for other in self.ordered(device):
                known |= self.stream(other, op).known
        elif self.flags[actor] & StreamFlag.BLOCKING:
            for other, flags in self.flags.items():
                if flags & StreamFlag.LEGACY and self.device[other] == device:
                    known |= self.stream(other, op).known
            if ("hidden", device) in self.device:
                known |= self.stream(("hidden", device), op).known
        return known

    def stream_of(self, op: Op, does: Plan) -> int:
        """What a wait for the op's stream makes known."""
        if not op.actor:
            return 0
        known = self.stream(op.actor, op).known
        if "legacy" in does.edges and self.flags[op.actor] & StreamFlag.LEGACY:
            known |= self.legacy(op)
        return known

    def prior(self, op: Op, does: Plan) -> int:
        return self.stream_of(op, does) if "host-waits-prior" in does.edges else 0
