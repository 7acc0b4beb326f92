"""The oracle's streams: as each thread finds them, and which are ordered with which."""

from collections.abc import Iterator

from everything import Plan
from oracle_state import Issue, State, Stream
from random_traces import Op

from synctrace.analyzer.abi import BY_RETURN, BY_TICKET
from synctrace.tracer.kinds import Flag, Kind, StreamFlag

AFTER = {"after-peer", "after-actor", "after-devices"}
# By which later work on a stream comes to be after the op.
ISSUES = AFTER | {
    *("launch", "actor-waits", "peer-waits", "devices-wait", "actor-waits-event", "owner-alloc")
}
_NOT_MADE = Flag.FAILED | Flag.SKIPPED | Flag.CAPTURED | Flag.REFUSED | Flag.NOOP
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

    def queue_of(self, op: Op, does: Plan) -> object:
        """What the op's work is given to: its stream, or the queue of copies from its peer."""
        if does.edges & {"after-peer", "after-actor", "actor-waits"}:
            return "queue", op.peer, op.actor
        return op.actor

    def given_to(self, op: Op, does: Plan) -> object:
        """The same, as the thread finds it."""
        return self.queue_of(op, does), 0 if self.issue == BY_TICKET else op.thread

    def see_batch(self, i: int, op: Op) -> None:
        """A batch begins, if the op is one."""
        if op.kind is Kind.BATCH and not op.flags & _NOT_MADE:
            self.batch_of[op.thread] = i + 1

    def is_element(self, op: Op, does: Plan) -> bool:
        """Whether it is in no order with other elements of its thread's last batch."""
        places = {does.reads, does.writes}
        on_stream = "launch" in does.edges and "stream" in places and "loose" not in places
        return bool(op.flags & Flag.BATCHED and on_stream and self.batch_of.get(op.thread))

    def end_batch(self, op: Op, does: Plan) -> None:
        """Whatever else comes to a stream ends the batch on it."""
        if op.actor and not self.is_element(op, does):
            self.batches.pop(self.given_to(op, does), None)

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
