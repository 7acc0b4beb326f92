"""The nouns and verbs of findings: what an op is called, what it does to bytes."""

from collections.abc import Sequence

from synctrace.analyzer.called import called
from synctrace.analyzer.finding import (
    Finding,
    Instance,
    Measured,
    MissingEdge,
    OpInfo,
    Proposal,
    Touch,
)
from synctrace.tracer.kinds import FREES

_VERBS = {
    "read": ("reads", "read"),
    "write": ("writes", "write"),
    "read_write": ("reads and writes", "read and write"),
    "may": ("may touch", "touch"),
    "poison": ("discards", "discard"),
    "unknown": ("touches", "touch"),
}
_LABELS = {"read and write": "r+w"}  # a column of eight holds the others
_OTHER = {
    **{str(kind.name).lower(): ("frees", "free") for kind in FREES},
    "host_unregister": ("unmaps", "unmap"),
    "alloc_async": ("takes", "take"),
}

# What coverage counts, and what one of them is.
_ONE = {"ranges": "range", "tensors": "tensor", "bytes": "byte", "launches": "launch"}
_ONE |= {"kernels": "kernel", "copies": "copy", "fills": "fill", "callbacks": "callback"}
_ONE |= {"calls": "call", "queries": "query", "streams": "stream", "events": "event"}
_ONE |= {"pointers": "pointer", "handles": "handle", "waits": "wait", "nodes": "node"}
_ONE |= {"allocations": "allocation", "frees": "free", "records": "record"}

# What to do about one of them.
REMEDIES = {
    "kernels_not_unpacked": "to know what kernels touch: apt-get install libzstd1 zlib1g where the"
    " program runs, and record again",
}


def noun(op: OpInfo) -> str:
    """An op by its call and the stream it acts on."""
    if op.kind == "graph_launch" and op.graph:
        return f"{called(op.call)} of {op.graph} on {op.stream}"
    if op.event and op.kind.startswith(("event", "thread")):
        return f"{called(op.call)}({op.event})" + (f" on {op.stream}" if op.stream else "")
    return f"{called(op.call)} on {op.stream}" if op.stream else called(op.call)


def shared_noun(ops: Sequence[OpInfo], several: bool) -> str:
    """Ops of one place by what they have in common; `several`: there are more than these."""
    first = ops[0]
    if not several:
        return noun(first)
    streams = list(dict.fromkeys(op.stream for op in ops if op.stream))
    if len(streams) > 3:
        return f"{called(first.call)} on {len(streams)} timelines"
    return f"{called(first.call)} on {', '.join(streams)}" if streams else called(first.call)


def verbs(touch: Touch) -> tuple[str, str]:
    """What the access does, third person and infinitive."""
    return _OTHER.get(touch.op.kind) or _VERBS[touch.mode]


def label(touch: Touch) -> str:
    """Infinitive, for the head of an access's line."""
    return _LABELS.get(verbs(touch)[1], verbs(touch)[1])


def missing(edge: MissingEdge) -> str:
    """The missing happens-before edge: who knows whom up to where, and what it needs."""
    if edge.in_batch:
        return "both are elements of one batch, which come in no order among themselves"
    if edge.knower == edge.of:
        return f"{edge.of} does not order the two: the later one does not wait for op {edge.needs}"
    if edge.known is None:
        return f"{edge.knower} knows nothing of {edge.of}, needs op {edge.needs}"
    return f"{edge.knower} knows {edge.of} up to op {edge.known}, needs {edge.needs}"


def present(edge: MissingEdge) -> list[str]:
    """The syncs that are there and why they do not help; one sentence if there are none."""
    if edge.in_batch:
        return ["none, a batch is one call"]
    lines = []
    if edge.present:
        op = edge.present
        if op.id < edge.needs:
            why = f"too early, op {edge.needs} was made after it"
        elif edge.known is not None:
            why = f"too little, it stands for {edge.of} only up to op {edge.known}"
        else:
            why = f"it does not stand for op {edge.needs}"
        lines.append(f"op {op.id} {noun(op)}: {why}")
    if edge.useless and edge.useless != edge.present:
        lines.append(f"op {edge.useless.id} {noun(edge.useless)}: {_useless(edge)}")
    return lines or [f"none, {edge.knower} waits for nothing between the two"]


def _useless(edge: MissingEdge) -> str:
    op = edge.useless
    assert op is not None
    if op.kind == "event_sync" or op.kind == "event_wait":
        return f"that event does not stand for op {edge.needs} of {edge.of}"
    if op.kind == "stream_sync" and op.stream != edge.of:
        return f"the wrong stream, it waits for {op.stream or 'another'} and not for {edge.of}"
    return f"it does not wait for op {edge.needs} of {edge.of}"


def timing(finding: Finding) -> str:
    """How the two accesses lay in time in this run; empty if not known."""
    first, second = (touch.op for touch in finding.touches[:2])
    begun = second.entered_ns if finding.touches[1].on_host else second.started_ns
    if first.ended_ns is None or begun is None:
        return ""
    gap = begun - first.ended_ns
    if gap < 0:
        return "in this run they overlapped"
    return f"in this run the gap was {duration(gap)}; nothing enforces it"


def seen(finding: Finding) -> str:
    """How often, and which instance is the shown one."""
    if finding.count == 1:
        return "once"
    first = finding.first is None or finding.first.ops == finding.ops
    what = "the first" if first else "the first of the surest"
    return f"{finding.count:,} times from the same places; this is {what}"


def others(finding: Finding) -> list[str]:
    """Instances that are not the shown one: by verdict, the first, the worst."""
    lines = []
    if len(finding.verdicts) > 1:
        told = ", ".join(f"{n:,} {verdict}" for verdict, n in finding.verdicts.items())
        if finding.first and finding.first.ops != finding.ops:
            told += f"; first: {instance(finding.first)}"
        lines.append(told)
    if finding.worst and finding.worst.ops != finding.ops:
        lines.append(f"worst: {instance(finding.worst)}, the most bytes")
    return lines


def instance(one: Instance) -> str:
    """An instance by its ops and bytes."""
    ops = " and ".join(f"op {op}" for op in one.ops)
    return f"{ops}, bytes [{one.lo}, {one.hi})"


def counted(number: int, what: str) -> str:
    """A counter of what was not seen, by its name: `1 upper bound range`."""
    names = what.split("_")
    many = next((i for i, name in enumerate(names) if name in _ONE), None)
    if number == 1 and many is not None:
        names[many] = _ONE[names[many]]
    return f"{number:,} {' '.join(names)}"


def fields(finding_touches: tuple[Touch, ...], buffer: str) -> dict[str, str]:
    """Fields of a rule's message."""
    made = {"buffer": buffer}
    for name, touch in zip(("first", "second"), finding_touches, strict=False):
        made[name] = noun(touch.op)
        made[f"{name}_verb"] = verbs(touch)[0 if name == "second" else 1]
    return made


def instead(proposal: Proposal | None) -> str:
    """What would do in the place of a sync, or what it is for: the end of its finding's message."""
    if proposal is None:
        return ""
    if proposal.how == "tiny-read":
        return f"to read {counted(proposal.bytes or 0, 'bytes')}"
    if proposal.how == "event":
        of = proposal.event or (f"of op {proposal.record.id}" if proposal.record else "")
        return f"event {of} is enough"
    if proposal.how == "stream-wait":
        return f"a wait of {', '.join(proposal.streams)} is enough, the host can go on"
    before = proposal.before
    assert before is not None
    return f"the host need not wait before op {before.id} {noun(before)}"


_SPENT = {
    "syncs_per_iteration": ("host wait", "host waits"),
    "host_blocked_us": ("us of host waits", "us of host waits"),
    "h2d_copies": ("copy to a device", "copies to a device"),
    "d2h_copies": ("copy to the host", "copies to the host"),
    "d2d_copies": ("copy on or between devices", "copies on or between devices"),
    "launches": ("launch", "launches"),
}


def spent(amount: float, measure: str) -> str:
    """An amount of what a budget limits: `7 host waits`."""
    return f"{number(amount)} {_SPENT[measure][0 if amount == 1 else 1]}"


def number(amount: float) -> str:
    """As many digits as say something: 7, 6.5, 1,234."""
    return f"{round(amount, 1):,.1f}".removesuffix(".0")


def measured(one: Measured) -> str:
    """What is compared, and with what: the end of its finding's message."""
    amount = one.worst if one.judge == "worst" else one.median
    of = "the worst" if one.judge == "worst" else "the median"
    which = f"{of} of {one.iterations:,}" if one.iterations > 1 else "the only one"
    return f"{spent(amount, one.measure)} in {which}, {number(one.most)} allowed"


def figures(one: Measured) -> str:
    """The median and the worst of what iterations spent."""
    return f"median {number(one.median)}, worst {number(one.worst)} ({one.worst_at})"


def duration(ns: float) -> str:
    """A time with a unit that fits: 812 ns, 38.1 us, 9.6 ms, 3.2 s."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:.1f} {unit}"
    return f"{ns:.0f} ns"
