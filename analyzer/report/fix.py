"""The cheapest fix that is sound, in the calls of the API that the program uses."""

from dataclasses import dataclass

from synctrace.analyzer.finding import Finding, OpInfo, Place, Touch
from synctrace.analyzer.report.layout import INDENT, WIDTH, beside, told

_ROOM = WIDTH - len(INDENT)


@dataclass(frozen=True)
class Calls:
    """How one API records an event on a stream, and lets a stream or the host wait for it."""

    record: str
    wait: str
    host_wait: str


_CATALOGUE = Calls(
    "event_record ev on {stream}", "event_wait ev on {stream}", "event_sync ev on the host"
)
_GGML = Calls(
    "ggml_backend_event_record(ev, {stream})",
    "ggml_backend_event_wait({stream}, ev)",
    "ggml_backend_event_synchronize(ev)",
)
_API_BY_PREFIX = {
    "cuda": Calls(
        "cudaEventRecord(ev, {stream})",
        "cudaStreamWaitEvent({stream}, ev)",
        "cudaEventSynchronize(ev)",
    ),
    "hip": Calls(
        "hipEventRecord(ev, {stream})",
        "hipStreamWaitEvent({stream}, ev, 0)",
        "hipEventSynchronize(ev)",
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
    if finding.edge is None:
        return [
            "hold the block for as long as the graph is launched, or capture again after it was",
            "given back; no sync helps",
        ]
    first, second = finding.touches
    calls = _calls(first.op, second.op)
    if finding.edge.knower == finding.edge.of:
        return [f"let op {second.op.id} wait for op {first.op.id} in its own stream (no overlap)"]
    if first.on_host:
        return _after_host(first, second)
    record = calls.record.format(stream=first.timeline)
    after = _step("after ", first.op, record)
    if second.on_host:
        idea = "wait for the event of that op only, not for the device:"
        if finding.rule == "LIFE04":
            idea = "unregister behind an event of the last use:"
        elif finding.rule == "LIFE01":
            idea = "move the free behind an event of the last use (or free in stream order):"
        elif finding.rule in ("RACE04", "RACE05") and second.mode != "read":
            idea = "wait for that op's event, or take slots in turn and wait for the slot's event:"
        return [idea, after, _step("before", second.op, calls.host_wait)]
    wait = calls.wait.format(stream=second.timeline)
    return [
        "order the second after the first; the host need not wait:",
        after,
        _step("before", second.op, wait),
    ]


def _after_host(first: Touch, second: Touch) -> list[str]:
    if second.on_host:
        return ["order the two threads: a lock, or a signal after the first and a wait before"]
    return [
        f"signal from the first thread after op {first.op.id} and wait for it before the thread",
        f"that enqueues op {second.op.id} goes on",
    ]


def _calls(*ops: OpInfo) -> Calls:
    """By the layer of an op, and within the APIs by how the call is spelt."""
    for op in ops:
        if op.level == "ggml":
            return _GGML
        for prefix, calls in _API_BY_PREFIX.items():
            if op.level == "api" and op.call.startswith(prefix):
                return calls
    return _CATALOGUE


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
