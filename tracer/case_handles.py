"""Threads, streams and events of a case: what no program could do with them."""

from collections.abc import Sequence

from synctrace.tracer.operation import CaseOp, Wrong
from synctrace.tracer.vocabulary import legacy_device

# What a destroyed event still takes: they wait for nothing (docs/order.md).
_NAMED = {"event": "an event of streams", "value": "a value in memory"}
_WAITS = ("event_wait", "event_sync", "event_query")


def check_handles(ops: Sequence[CaseOp]) -> None:
    """Raises Wrong for the first use of a thread, stream or event that means nothing."""
    _check_overlaps(ops)
    _check_names(ops)
    _check_joins(ops)
    _check_streams(ops)
    _check_events(ops)
    _check_batches(ops)


def _check_overlaps(ops: Sequence[CaseOp]) -> None:
    """A call can be entered while another has not returned, but by another thread."""
    for i, op in enumerate(ops):
        if op.has("overlaps") and (i == 0 or ops[i - 1].thread == op.thread):
            raise Wrong(f"ops[{i}].attrs.overlaps: expected an op of another thread before it")


def _check_names(ops: Sequence[CaseOp]) -> None:
    """A name is an event of streams, a value in memory or a signal between threads: nothing waits
    for two of these."""
    first: dict[str, tuple[str, int]] = {}
    for i, op in enumerate(ops):
        if op.event is None:
            continue
        what = _NAMED.get(op.op.partition("_")[0], "a signal between threads")
        before, where = first.setdefault(op.event, (what, i))
        if before != what:
            raise Wrong(
                f"ops[{i}].event: {op.event} is {before} in ops[{where}], expected another name"
            )


def _check_joins(ops: Sequence[CaseOp]) -> None:
    """Who joins goes on when the other thread has ended, and so has said it."""
    signalled: set[str | None] = set()
    for i, op in enumerate(ops):
        if op.has("failed"):
            continue
        if op.op == "thread_join" and op.event not in signalled:
            raise Wrong(
                f"ops[{i}].event: no thread ends with {op.event} before this join, "
                "expected its thread_signal before"
            )
        if op.op in ("thread_signal", "release", "mutex_unlock", "host_func"):
            signalled.add(op.event)


def _check_streams(ops: Sequence[CaseOp]) -> None:
    """A stream is created once, before its use, and destroyed once, behind it."""
    created: dict[str, int] = {}
    used: dict[str, int] = {}
    destroyed: dict[str, int] = {}
    for i, op in enumerate(ops):
        stream = op.stream
        if stream is None or op.has("failed"):
            continue
        if op.op == "stream_create":
            if stream in created and stream not in destroyed:
                raise Wrong(
                    f"ops[{i}].stream: {stream} is there since ops[{created[stream]}], "
                    "expected another name or a stream_destroy before"
                )
            if stream in created and _standing(op) != _standing(ops[created[stream]]):
                raise Wrong(
                    f"ops[{i}].attrs: {stream} had other flags or another device in "
                    f"ops[{created[stream]}], expected the same or another name"
                )
            if stream not in created and stream in used:
                raise Wrong(
                    f"ops[{i}].stream: {stream} is used in ops[{used[stream]}], "
                    "expected its stream_create before its first use"
                )
            created[stream] = i
            destroyed.pop(stream, None)
        elif stream in destroyed:
            raise Wrong(
                f"ops[{i}].stream: {stream} was destroyed in ops[{destroyed[stream]}], "
                "expected a use before that or a new stream_create"
            )
        elif op.op == "stream_destroy":
            if legacy_device(stream) is not None:
                raise Wrong(f"ops[{i}].stream: {stream} is always there, expected a created stream")
            destroyed[stream] = i
        used.setdefault(stream, i)


def _standing(op: CaseOp) -> tuple[object, object]:
    """What a stream is for its whole life."""
    return op.attrs["flags"], op.attrs.get("device", 0)


def _check_events(ops: Sequence[CaseOp]) -> None:
    """An event is created once, before its use; destroyed once, and recorded no more then."""
    used: dict[str, int] = {}  # since it was created
    destroyed: dict[str, int] = {}
    for i, op in enumerate(ops):
        event = op.event
        if event is None or not op.op.startswith("event_") or op.has("failed"):
            continue
        if op.op == "event_create":
            if event in used:
                raise Wrong(
                    f"ops[{i}].event: {event} is used in ops[{used[event]}], "
                    "expected its event_create before, or an event_destroy between"
                )
            destroyed.pop(event, None)
        elif event in destroyed and op.op not in _WAITS:
            raise Wrong(
                f"ops[{i}].event: {event} was destroyed in ops[{destroyed[event]}], "
                "expected a new event_create before"
            )
        if op.op == "event_destroy":
            destroyed[event] = i
            used.pop(event, None)
        elif event not in destroyed:
            used.setdefault(event, i)


def _check_batches(ops: Sequence[CaseOp]) -> None:
    """Elements follow the call that begins their batch."""
    begun: set[str] = set()  # threads
    for i, op in enumerate(ops):
        if op.op == "batch" and not op.has("failed"):
            begun.add(op.thread)
        if not op.has("batched"):
            continue
        if op.thread not in begun:
            raise Wrong(f"ops[{i}].attrs.batched: expected a batch of {op.thread} before")
        if "captured_in" in op.attrs:
            raise Wrong(f"ops[{i}].attrs.batched: expected no capture, of a batch")
