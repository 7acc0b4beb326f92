"""From HIP calls with their arguments to ops, one call after the other."""

from typing import Literal

from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.rocpd import lives, transfers
from synctrace.tracer.rocpd.arguments import EVENT, EXECUTABLE, STREAM, number
from synctrace.tracer.rocpd.database import Call
from synctrace.tracer.rocpd.functions import (
    EVENT_RECORD_EXTERNAL,
    EVENT_WAIT_EXTERNAL,
    Allocation,
    Copy,
    Fill,
    Function,
    Plain,
    Release,
    Special,
    function_of,
)
from synctrace.tracer.rocpd.handles import Event, Stream
from synctrace.tracer.rocpd.program import Program
from synctrace.tracer.rocpd.rows import Op, Taken

NOT_READY = 600  # hipErrorNotReady
_WORK = (Kind.KERNEL, Kind.GRAPH_LAUNCH, Kind.HOST_FUNC)
_WITHOUT_RANGES = {
    Kind.KERNEL: "kernels_without_ranges",
    Kind.GRAPH_LAUNCH: "launches_without_ranges",
    Kind.HOST_FUNC: "callbacks_without_ranges",
}
_EVENT_WAITS = (Kind.EVENT_WAIT, Kind.EVENT_SYNC, Kind.EVENT_QUERY)

Ops = list[Op] | Literal["unknown order"]  # the latter: what the call orders is not known


def take(program: Program, call: Call, thread: int) -> None:
    """Take in the next call. `thread`: actor.id of the caller."""
    tickets = program.tickets
    if tickets.around(thread, call.start, call.end):
        _add_work(tickets.outer(thread), call)
        return
    tickets.until(thread, call.start)
    found = _ops(program, call, thread)
    if found == "unknown order":
        tickets.lose(thread, call.end)
    elif found:
        taken = tickets.enter(thread, call.start, call.end, call.name, found)
        _add_work(taken, call)


def _add_work(taken: Taken | None, call: Call) -> None:
    """The device times of the call, also if it was made by another."""
    work = call.work
    if taken is None or work is None:
        return
    taken.t_s = work.started if taken.t_s is None else min(taken.t_s, work.started)
    taken.t_e = work.ended if taken.t_e is None else max(taken.t_e, work.ended)


def _ops(program: Program, call: Call, thread: int) -> Ops:
    what = function_of(call.name)
    if isinstance(what, Special):
        return _special(program, call, what, thread)
    if isinstance(what, Plain) and not what.stream:
        return _plain(program, call, what, thread, None)
    if isinstance(what, Allocation) and what.kind is not Kind.ALLOC_ASYNC:
        return [lives.allocate(program, call, what, thread, None)]
    if isinstance(what, Release) and what.kind is not Kind.FREE_ASYNC:
        freed = lives.release(program, call, what, None)
        return _lost(program) if freed is None else [freed]
    return _on_stream(program, call, what, thread)


def _lost(program: Program) -> Ops:
    program.coverage["calls_of_unknown_order"] += 1
    return "unknown order"


def _special(program: Program, call: Call, what: Special, thread: int) -> Ops:
    if what is Special.UNKNOWN_ORDER:
        return _lost(program)
    if what is Special.REGISTER:
        return [lives.register(program, call, thread)]
    if what is Special.SET_DEVICE:
        device = number(call.arguments, "deviceId")
        program.current[thread] = device if device is not None and device < 256 else 0
    elif what is Special.EVENT_NODE:
        program.graphs_have_events = True
    elif what is Special.FOREIGN_EVENT:
        program.has_foreign_events = True
    return []


def _on_stream(program: Program, call: Call, what: Function | None, thread: int) -> Ops:
    """What is given to a stream, waits for it or is done with it."""
    is_named = not isinstance(what, Copy | Fill) or what.names_stream
    stream = program.stream(call, thread, is_named)
    if what is None or (isinstance(what, Plain) and what.kind is Kind.KERNEL):
        return _kernel(program, call, stream, is_launch=what is not None)
    if stream is None:
        return _lost(program)
    if isinstance(what, Copy):
        return _given(program, call, stream, transfers.copy(program, call, what, stream))
    if isinstance(what, Fill):
        return _given(program, call, stream, transfers.fill(program, call, what, stream))
    if isinstance(what, Allocation):
        op = lives.allocate(program, call, what, thread, stream)
        return _given(program, call, stream, op)
    if isinstance(what, Release):
        freed = lives.release(program, call, what, stream)
        return _lost(program) if freed is None else _given(program, call, stream, freed)
    assert isinstance(what, Plain)
    return _plain(program, call, what, thread, stream)


def _given(program: Program, call: Call, stream: Stream, op: Op) -> list[Op]:
    """The op as its stream takes it: run, or stored in a graph."""
    if stream.capture:
        op.flags |= Flag.CAPTURED
        op.graph = stream.capture
        op.accesses = []
    elif call.work:
        stream.busy_until = max(stream.busy_until, call.work.ended)
    return [op]


def _kernel(program: Program, call: Call, stream: Stream | None, is_launch: bool) -> Ops:
    """A launch, between the records of the two events that it may have."""
    if stream is None:
        program.coverage["launches_without_stream"] += is_launch
        return []
    op = Op(Kind.KERNEL, stream.actor, device=stream.device, accesses=[program.rows.unknown()])
    program.coverage["kernels_without_ranges"] += not stream.capture
    op.call = call.work.kernel if call.work else ""
    ops = _given(program, call, stream, op)
    for name in ("startEvent", "stopEvent"):
        if handle := number(call.arguments, name):
            event = program.events.of(handle, program.tickets.next)
            record = _recorded(program, event, stream)
            ops = [record, *ops] if name == "startEvent" else [*ops, record]
    return ops


def _plain(program: Program, call: Call, what: Plain, thread: int, stream: Stream | None) -> Ops:
    op = Op(what.kind, device=stream.device if stream else program.device(thread))
    op.actor = stream.actor if stream else 0
    if what.event:
        return _of_event(program, call, op, stream)
    if what.executable:
        handle = number(call.arguments, *EXECUTABLE)
        if handle is None:
            return _lost(program)
        op.graph = program.graphs.of(handle)
        if what.kind is Kind.GRAPH_DESTROY:
            program.graphs.destroy(handle)
    if stream is None:
        return [op]
    if what.kind in _WORK:
        return _work(program, call, stream, op)
    if what.kind is Kind.STREAM_QUERY:
        return [_answered(program, call, op, stream.busy_until)]
    if what.kind is Kind.STREAM_DESTROY:
        program.streams.destroy(number(call.arguments, *STREAM) or 0)
    if what.kind in (Kind.CAPTURE_BEGIN, Kind.CAPTURE_END):
        return _capture(program, op, stream)
    return [op]


def _work(program: Program, call: Call, stream: Stream, op: Op) -> Ops:
    if op.kind is Kind.GRAPH_LAUNCH and program.graphs_have_events:
        return _lost(program)  # it may record or wait for events
    op.accesses.append(program.rows.unknown())
    program.coverage[_WITHOUT_RANGES[op.kind]] += not stream.capture
    return _given(program, call, stream, op)


def _of_event(program: Program, call: Call, op: Op, stream: Stream | None) -> Ops:
    handle = number(call.arguments, *EVENT)
    if not handle:
        return _lost(program) if handle is None else []
    event = program.events.of(handle, program.tickets.next)
    op.event = event.number
    if op.kind in _EVENT_WAITS and program.has_foreign_events and not event.is_recorded:
        return _lost(program)  # another process may have recorded it
    flags = number(call.arguments, "flags") or 0
    if op.kind is Kind.EVENT_RECORD and stream:
        record = _recorded(program, event, stream)
        if flags & EVENT_RECORD_EXTERNAL and stream.capture:
            record.flags |= Flag.EXTERNAL
            program.graphs_have_events = True
        return [record]
    if op.kind is Kind.EVENT_WAIT and stream:
        if event.capture in program.captures and not stream.capture:
            stream.capture = event.capture
        if flags & EVENT_WAIT_EXTERNAL and stream.capture:
            op.flags |= Flag.EXTERNAL
            program.graphs_have_events = True
        return _given(program, call, stream, op)
    if op.kind is Kind.EVENT_QUERY:
        return [_answered(program, call, op, event.busy_until)]
    if op.kind is Kind.EVENT_DESTROY:
        program.events.destroy(handle)
    return [op]


def _recorded(program: Program, event: Event, stream: Stream) -> Op:
    op = Op(Kind.EVENT_RECORD, stream.actor, event=event.number, device=stream.device)
    event.capture = stream.capture
    if stream.capture:
        op.flags |= Flag.CAPTURED
        op.graph = stream.capture
    else:
        event.is_recorded = True
        event.busy_until = stream.busy_until
    return op


def _answered(program: Program, call: Call, op: Op, busy_until: int) -> Op:
    """A query. What it said is not in the database: "not ready" if work went on after it."""
    if busy_until > call.end:
        op.flags |= Flag.FAILED
        op.rc = NOT_READY
    else:
        program.coverage["queries_without_answer"] += 1
    return op


def _capture(program: Program, op: Op, stream: Stream) -> Ops:
    if op.kind is Kind.CAPTURE_BEGIN:
        op.graph = stream.capture = program.graphs.captured()
        program.captures.add(op.graph)
        return [op]
    if not stream.capture:
        return []
    op.graph = stream.capture
    program.captures.discard(op.graph)
    for each in program.streams.all():
        if each.capture == op.graph:
            each.capture = 0
    return [op]
