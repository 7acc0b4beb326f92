"""The oracle's edges: what comes before the device work of an op, after it, and before a return."""

from everything import Plan
from oracle_accesses import Accesses
from oracle_state import Stream
from random_traces import Op

from synctrace.analyzer.abi import BY_TICKET
from synctrace.tracer.kinds import Flag, Kind


class Edges(Accesses):
    """What an op learns and teaches."""

    def on_stream(self, i: int, op: Op, does: Plan) -> None:
        """What the op does on its stream or, if it is a copy between two, on their queue."""
        edges, know = does.edges, self.host[op.thread]
        name: object = op.actor
        timeline: object = op.actor if self.issue == BY_TICKET else ("view", op.actor, op.thread)
        start: int | None = None  # of a dependent launch
        if self.queue_of(op, does) != op.actor:
            name = ("queue", op.peer, op.actor)
            timeline = (*name, 0 if self.issue == BY_TICKET else op.thread)
            self.device[name] = self.device[op.actor]
        at = self.stream(name, op)
        if name == op.actor and self.dependent_launch(op, does):
            start = at.kernel_start
            if self.issue == BY_TICKET:
                timeline = ("fork", op.actor, at.forks)
            at.forks += 1
        works = does.reads != "none" or does.writes != "none"
        if "launch" in edges and works and start is None:
            at.kernel_start, at.forks = None, 0
        learnt = self.before(i, op, does, at)
        others = self.others_of_batch(op, does)
        if start is None:
            at.learn(learnt)
            before = at.known & ~others
        else:
            before = start | learnt
            if self.issue != BY_TICKET and at.kernel_start is not None:
                at.kernel_start |= learnt
        if op.kind is Kind.KERNEL:
            at.begun = before | others
            if start is None:
                at.kernel_start = at.known
        done = self.touch_device(i, op, does, timeline, before, know)
        end = before | others | done
        at.known |= end
        if self.is_element(op, does):
            self.batches[self.given_to(op, does)] = self.batch_of[op.thread], others | done
        self.after(i, op, does, at, end)
        self.issued(i, op, name)

    def others_of_batch(self, op: Op, does: Plan) -> int:
        """Touches of other elements of the op's batch, on its stream."""
        number, touches = self.batches.get(self.given_to(op, does), (0, 0))
        same = self.is_element(op, does) and number == self.batch_of[op.thread]
        return touches if same else 0

    def dependent_launch(self, op: Op, does: Plan) -> bool:
        """Whether it does not wait for the kernel before."""
        without_wait = op.kind is Kind.KERNEL and op.flags & Flag.PDL and does.reads == "stream"
        return bool(without_wait) and self.stream(op.actor, op).kernel_start is not None

    def before(self, i: int, op: Op, does: Plan, at: Stream) -> int:
        """What comes before the op's device work, besides what is in its stream."""
        edges, know = does.edges, self.host[op.thread]
        known = know if "launch" in edges else 0
        known |= self.others(op, does)
        if {"legacy", "launch"} <= edges:
            known |= self.legacy(op)
        if "legacy-of-peer" in edges:
            for other in self.ordered(self.device[op.peer]):
                known |= self.stream(other, op).known
            known |= self.stream(self.redirect(op), op).known
        if "graph-order" in edges:
            known |= self.stream(("launches", op.graph), op).known
        if "owner-alloc" in edges:
            known |= self.closed.get(self.owner(op), 0)
        if "actor-waits-event" in edges:
            event = self.events.get(op.event, 0)
            news = (event | self.legacy(op)) & ~(at.known | know)
            if at.kernel_start is not None and self.dependent:
                news |= (event | self.legacy(op)) & ~(at.kernel_start | know)
            self.note(i, op.event in self.events, news)
            known |= 0 if self.emptied(i) else event
        return known

    def others(self, op: Op, does: Plan) -> int:
        """What other streams hold that the op's work comes after."""
        known = 0
        if "after-peer" in does.edges and op.peer:
            known |= self.stream(op.peer, op).known
        if "after-actor" in does.edges and op.actor:
            known |= self.stream(op.actor, op).known
        if "after-devices" in does.edges:
            for stream in self.of_devices(op):
                known |= self.stream(stream, op).known
        return known

    def after(self, i: int, op: Op, does: Plan, at: Stream, end: int) -> None:
        """What comes after the op's device work."""
        told: list[object] = []
        if "actor-waits" in does.edges:
            told.append(op.actor)
        if "peer-waits" in does.edges:
            told.append(op.peer)
        if "devices-wait" in does.edges:
            told += self.of_devices(op)
        if "legacy-of-peer" in does.edges:
            told.append(self.redirect(op))
        for name in told:
            stream = self.stream(name, op)
            if stream is not at:
                stream.learn(end)
                self.issued(i, op, name)
        if "graph-order" in does.edges:
            self.stream(("launches", op.graph), op).known = end
            self.issued(i, op, ("launches", op.graph))
        stream = self.stream(op.actor, op)
        if "records" in does.edges:
            self.events[op.event] = stream.known
        if "records-start" in does.edges:
            start = stream.known if stream.kernel_start is None else stream.kernel_start
            if stream.begun is not None:
                start = stream.begun | (self.host[op.thread] if "launch" in does.edges else 0)
            self.events[op.event] = start
        self.stand(op, does, end)

    def stand(self, op: Op, does: Plan, known: int) -> None:
        if "signals" in does.edges:
            self.events[op.event] = known
        if "releases" in does.edges:
            self.events[op.event] = self.events.get(op.event, 0) | known

    def owner(self, op: Op) -> int:
        return self.p.access(op.accesses[0]).storage

    def owners(self, op: Op, does: Plan) -> None:
        if "owner-record" in does.edges:
            self.marks.setdefault(self.owner(op), set()).add(op.actor)
        if "owner-free" in does.edges:
            lost = self.freed.get(self.owner(op), 0) != self.losses
            (self.unsure.add if lost else self.unsure.discard)(self.owner(op))
            self.freed[self.owner(op)] = self.losses
            self.closed[self.owner(op)] = 0
            for actor in self.marks.pop(self.owner(op), set()):
                self.closed[self.owner(op)] |= self.stream(actor, op).known

    def sources(self, op: Op, does: Plan) -> tuple[int, bool]:
        """What a host wait makes known, bound at its entry, but for signals."""
        edges, known, recorded = does.edges, 0, True
        if "host-waits-event" in edges:
            known |= self.events.get(op.event, 0)
            recorded = op.event in self.events
        if "owner-alloc" in edges:
            known |= self.closed.get(self.owner(op), 0)
        if "host-waits-actor" in edges:
            known |= self.stream_of(op, does)
        if edges & {"host-waits-device", "host-waits-all"}:
            every = op.device < 0 or "host-waits-all" in edges
            for name, device in self.device.items():
                if every or device == op.device:
                    known |= self.stream(name, op).known
        return known, recorded

    def note(self, i: int, recorded: bool, news: int) -> None:
        if not recorded:
            self.run.unrecorded.add(i)
        elif not news:
            self.run.implied.add(i)
