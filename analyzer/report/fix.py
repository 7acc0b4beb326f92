"""The cheapest fix that is sound, in the calls of the API that the program uses."""

from dataclasses import dataclass

from synctrace.analyzer.finding import Finding, OpInfo, Place, Touch
from synctrace.analyzer.report.layout import INDENT, WIDTH, beside, told
from synctrace.analyzer.words import noun as _noun

_ROOM = WIDTH - len(INDENT)
_NEW = "ev"  # an event to be made
STORES_SEEN_LATER = ("pending_sources", "host_inputs")  # ops at the call behind the store


@dataclass(frozen=True)
class Calls:
    """How one API records an event on a stream, and lets a stream or the host wait for it."""

    record: str
    wait: str
    host_wait: str


_CATALOGUE = Calls(
    "event_record {event} on {stream}",
    "event_wait {event} on {stream}",
    "event_sync {event} on the host",
)
_GGML = Calls(
    "ggml_backend_event_record({event}, {stream})",
    "ggml_backend_event_wait({stream}, {event})",
    "ggml_backend_event_synchronize({event})",
)
_API_BY_PREFIX = {
    "cuda": Calls(
        "cudaEventRecord({event}, {stream})",
        "cudaStreamWaitEvent({stream}, {event})",
        "cudaEventSynchronize({event})",
    ),
    "hip": Calls(
        "hipEventRecord({event}, {stream})",
        "hipStreamWaitEvent({stream}, {event}, 0)",
        "hipEventSynchronize({event})",
    ),
}


def fix_lines(finding: Finding) -> list[str]:
    """What to add and where, a line each; the first says the idea."""
    if finding.rule == "LIFE05":
        last, free = finding.ops[1], finding.ops[0]
        return [f"issue op {last} before op {free}, or free behind it; no sync between them helps"]
    if finding.rule == "RACE06":
        nodes = " and ".join(touch.timeline for touch in finding.touches)
        return told(f"add an edge between {nodes}, or make one wait for an event of the other")
    if finding.edge is None and finding.verdict == "latent":
        return [
            "memory of the same place and size is there again: right if it has the same owner, who",
            "looks at its address before each launch; no sync helps",
        ]
    if finding.edge is None:
        return [
            "hold the block for as long as the graph is launched, or capture again after it was",
            "given back; no sync helps",
        ]
    if finding.verdict == "ordered-not-visible":
        return ["wait for the stream, or for an event that was created with its fence"]
    first, second = finding.touches
    calls = _calls(first.op, second.op)
    if finding.edge.in_batch:
        return [f"give op {second.op.id} to {first.timeline} by a call behind the batch"]
    if finding.edge.knower == finding.edge.of:
        return [f"let op {second.op.id} wait for op {first.op.id} in its own stream (no overlap)"]
    if first.on_host:
        return _after_host(first, second)
    record = calls.record.format(event=_NEW, stream=first.timeline)
    after = _step("after ", first.op, record)
    if second.on_host:
        idea = "wait for the event of that op only, not for the device:"
        if finding.rule == "LIFE04":
            idea = "unregister behind an event of the last use:"
        elif finding.rule == "LIFE01":
            idea = "move the free behind an event of the last use (or free in stream order):"
        elif finding.rule in ("RACE04", "RACE05") and second.mode != "read":
            idea = "wait for that op's event, or take slots in turn and wait for the slot's event:"
        wait = calls.host_wait.format(event=_NEW)
        if second.op.call in STORES_SEEN_LATER:
            return [idea, after, _step("before the store seen at", second.op, wait)]
        return [idea, after, _step("before", second.op, wait)]
    wait = calls.wait.format(event=_NEW, stream=second.timeline)
    return [
        "order the second after the first; the host need not wait:",
        after,
        _step("before", second.op, wait),
    ]


def _after_host(first: Touch, second: Touch) -> list[str]:
    lines = ["order the two threads: a lock, or a signal after the first and a wait before"]
    if not second.on_host:
        lines = [
            f"signal from the first thread after op {first.op.id} and wait for it before the",
            f"thread that enqueues op {second.op.id} goes on",
        ]
    if first.op.level == "app" and first.op.thread != second.op.thread:
        lines.append("if something does that already, tell it: release there, acquire here")
    return lines


def _calls(*ops: OpInfo) -> Calls:
    """By the layer of an op, and within the APIs by how the call is spelt."""
    for op in ops:
        if op.level == "ggml":
            return _GGML
        for prefix, calls in _API_BY_PREFIX.items():
            if op.level == "api" and op.call.startswith(prefix):
                return calls
    return _CATALOGUE


def instead_lines(finding: Finding) -> list[str]:
    """What to put in the place of an over-broad sync, a line each."""
    sync, proposal = finding.sync, finding.proposal
    assert sync is not None and proposal is not None
    calls = _calls(sync)
    event = proposal.event or _NEW
    recorded = [_step("as of ", proposal.record, _noun(proposal.record))] if proposal.record else []
    if proposal.how == "event":
        return [_step("at    ", sync, calls.host_wait.format(event=event)), *recorded]
    records = [calls.record.format(event=event, stream=s) for s in proposal.recorded_on]
    lines = [_step("at    ", sync, record) for record in records]
    if proposal.how == "stream-wait":
        waits = [calls.wait.format(event=event, stream=s) for s in proposal.streams]
        return [*lines, *(_step("at    ", sync, wait) for wait in waits), *recorded]
    assert proposal.before is not None
    return [*lines, _step("before", proposal.before, calls.host_wait.format(event=event))]


def _step(when: str, op: OpInfo, call: str) -> str:
    step = f"  {when} op {op.id:<6} {call}"
    at = where(op.place)
    return beside(step, at if len(step) + len(at) < _ROOM else "", 65, _ROOM)


def where(place: Place) -> str:
    """file:line of the innermost frame that has a file; empty: unknown."""
    for frame in place.frames:
        if frame.file:
            name = frame.file.rpartition("/")[2]
            return f"{name}:{frame.line}" if frame.line else name
    return ""
