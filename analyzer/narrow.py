"""What could stand in the place of a host wait that is needed: edits to try, none of them proven.

A host wait holds for all that was given to a stream or device before it. Narrower are: a wait of
the streams whose work needs it (the host goes on), a wait for an event recorded earlier (later work
is not waited for), and a wait further on, behind launches that do not need it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from synctrace.analyzer.replay import Call, Edit
from synctrace.analyzer.skeleton import Records, Skeleton, Wait
from synctrace.tracer.kinds import Kind

HOST_WAITS = (Kind.EVENT_SYNC, Kind.STREAM_SYNC, Kind.DEVICE_SYNC)
MOST_EVENTS = 3  # places of records tried, the earliest first
MOST_STREAMS = 2  # that wait, or that an event is newly recorded on
NEW_EVENT = (1 << 32) - 1  # and below: events that the trace does not have


class How(StrEnum):
    """Kinds of narrower waits."""

    STREAM_WAIT = "stream-wait"  # streams wait for the event, the host does not
    EVENT = "event"  # the host waits for an event recorded earlier
    LATER = "later"  # the host waits further on


@dataclass(frozen=True)
class NeededPair:
    """Accesses of two ops that are ordered by nothing but the syncs of one place."""

    first_op: int
    second_op: int
    first_site: int
    second_site: int
    first_actor: int
    second_actor: int
    hazard: str


@dataclass(frozen=True)
class Candidate:
    """An edit of all calls of one place, and what it means where the first of them stands."""

    how: How
    edit: Edit
    probe: Edit | None  # the narrower waits in front of the syncs: do these still tell anything
    replaced: tuple[int, ...]  # op.id of the syncs
    event: int = 0  # waited for; 0: one to be recorded at the sync
    record: int | None = None  # op.id that recorded it
    before: int | None = None  # op.id before which the host waits
    streams: tuple[int, ...] = ()  # that wait
    recorded_on: tuple[int, ...] = ()  # streams on which new events are recorded


def candidates(
    skeleton: Skeleton, site: int, pairs: Sequence[NeededPair], on_host: Callable[[int], bool]
) -> Iterator[Candidate]:
    """Edits worth a try, the best first. `on_host`: whether an actor is a host thread."""
    waits = skeleton.waits.get(site, [])
    kinds = {wait.kind for wait in waits}
    if len(kinds) != 1 or not kinds <= set(HOST_WAITS) or not pairs:
        return
    sources = sorted({p.first_actor for p in pairs if not on_host(p.first_actor)})
    waiting = tuple(sorted({p.second_actor for p in pairs}))
    events = _event_places(skeleton, waits, pairs)
    own = _serve_their_thread(skeleton, waits, pairs)
    if own and len(waiting) <= MOST_STREAMS and not any(map(on_host, waiting)):
        yield from _stream_waits(skeleton, waits, sources, waiting, events)
    yield from (_event(skeleton, waits, records) for records in events)
    if own:
        yield from _later(skeleton, waits, sources, {p.second_site for p in pairs})


def _serve_their_thread(
    skeleton: Skeleton, waits: Sequence[Wait], pairs: Sequence[NeededPair]
) -> bool:
    """Whether the threads that wait make all calls that need it: streams of others are theirs."""
    threads = {wait.thread for wait in waits}
    return all(
        any(skeleton.made_by(thread, pair.second_site, pair.second_op) for thread in threads)
        for pair in pairs
    )


def _event_places(
    skeleton: Skeleton, waits: Sequence[Wait], pairs: Sequence[NeededPair]
) -> list[Records]:
    """Records by the waiting thread that lie between the first access of each pair and its wait."""
    ids = [wait.id for wait in waits]
    found: list[tuple[int, Records]] = []
    for (thread, level, _), records in skeleton.records.items():
        earliest = None
        for pair in pairs:
            at = bisect_right(ids, pair.first_op)
            if at == len(ids) or (waits[at].thread, waits[at].level) != (thread, level):
                break
            last = records.before(ids[at])
            if last is None or not _is_part(skeleton, waits[at], records, last):
                break
            if (record := records.ids[last]) < pair.first_op:
                break
            earliest = record if earliest is None else earliest
        else:
            found.append((earliest or 0, records))
    return [records for _, records in sorted(found, key=lambda one: one[0])[:MOST_EVENTS]]


def _is_part(skeleton: Skeleton, wait: Wait, records: Records, index: int) -> bool:
    """Whether that record lies on the way to what is waited for, on its stream or on one that it
    had waited for: any other event is another thing to wait for and not a part of this one."""
    event, stream, record = records.events[index], records.actors[index], records.ids[index]
    if wait.kind is Kind.EVENT_SYNC and event == wait.event:
        return False
    if skeleton.last_record(event, wait.id) != (stream, record):
        return False  # recorded anew since: a wait for the event is one for that
    return wait.kind is Kind.DEVICE_SYNC or record <= skeleton.reach(wait).get(stream, -1)


def _with_records(
    skeleton: Skeleton, waits: Sequence[Wait], records: Records
) -> Iterator[tuple[Wait, int]]:
    """Waits before which one of these records was made, and the index of the last such."""
    for wait in waits:
        last = records.before(wait.id)
        if last is not None and _is_part(skeleton, wait, records, last):
            yield wait, last


def _event(skeleton: Skeleton, waits: Sequence[Wait], records: Records) -> Candidate:
    found = list(_with_records(skeleton, waits, records))
    calls = tuple(_call(wait, Kind.EVENT_SYNC, event=records.events[at]) for wait, at in found)
    replaced = tuple(wait.id for wait, _ in found)
    first = found[0][1]
    return Candidate(
        How.EVENT,
        Edit(replaced, calls),
        Edit((), calls),
        replaced,
        event=records.events[first],
        record=records.ids[first],
    )


def _stream_waits(
    skeleton: Skeleton,
    waits: Sequence[Wait],
    sources: Sequence[int],
    waiting: tuple[int, ...],
    events: Sequence[Records],
) -> Iterator[Candidate]:
    """The host goes on; the streams wait: for the same event, one that is there, or a new one."""
    if waits[0].kind is Kind.EVENT_SYNC:
        calls = [_call(w, Kind.EVENT_WAIT, s, w.event) for w in waits for s in waiting]
        yield _streams(waits, waiting, calls, event=waits[0].event)
        return
    for records in events[:1]:
        found = list(_with_records(skeleton, waits, records))
        here = [(wait, records.events[at]) for wait, at in found]
        calls = [_call(wait, Kind.EVENT_WAIT, s, event) for wait, event in here for s in waiting]
        replaced = [wait for wait, _ in found]
        record = records.ids[found[0][1]]
        yield _streams(replaced, waiting, calls, event=here[0][1], record=record)
    calls = []
    told: list[Wait] = []  # a stream's wait for itself is none: such a sync just goes
    for wait in waits:
        new = [(on, event) for on, event in _new_events(wait, sources) if {on} != {*waiting}]
        told += [wait] if new else []
        calls += [_call(wait, Kind.EVENT_RECORD, on, event) for on, event in new]
        calls += [
            _call(wait, Kind.EVENT_WAIT, s, event) for s in waiting for on, event in new if s != on
        ]
    if told:
        on = tuple(on for on, _ in _new_events(told[0], sources) if {on} != {*waiting})
        yield _streams(told, waiting, calls, recorded_on=on, all_waits=waits)


def _streams(
    waits: Sequence[Wait],
    waiting: tuple[int, ...],
    calls: Sequence[Call],
    all_waits: Sequence[Wait] = (),
    **more: Any,
) -> Candidate:
    """`waits`: those that are told to be replaced, of all that go."""
    replaced = tuple(wait.id for wait in waits)
    gone = tuple(wait.id for wait in all_waits) or replaced
    return Candidate(
        How.STREAM_WAIT, Edit(gone, tuple(calls)), None, replaced, streams=waiting, **more
    )


def _later(
    skeleton: Skeleton, waits: Sequence[Wait], sources: Sequence[int], places: set[int]
) -> Iterator[Candidate]:
    """The wait just before the thread's first op at one of these places, behind its launches."""
    moved: list[tuple[Wait, int]] = []
    following: dict[int, int] = {}  # next wait of each thread
    for wait in reversed(waits):
        end = following.get(wait.thread)
        following[wait.thread] = wait.id
        at = skeleton.next_call(wait.thread, places, wait.id)
        if at is None or (end is not None and at >= end):
            continue
        if skeleton.launches(wait.thread, wait.id, at):
            moved.append((wait, at))
    moved.reverse()
    calls: list[Call] = []
    for wait, at in moved:
        new = _new_events(wait, sources)
        calls += [_call(wait, Kind.EVENT_RECORD, stream, event) for stream, event in new]
        events = [wait.event] if wait.kind is Kind.EVENT_SYNC else [event for _, event in new]
        calls += [_call(wait, Kind.EVENT_SYNC, 0, event, before=at) for event in events]
    if not calls:
        return
    first, at = moved[0]
    replaced = tuple(wait.id for wait, _ in moved)
    on = tuple(stream for stream, _ in _new_events(first, sources))
    yield Candidate(
        How.LATER,
        Edit(replaced, tuple(calls)),
        None,
        replaced,
        event=first.event,
        before=at,
        recorded_on=on,
    )


def _new_events(wait: Wait, sources: Sequence[int]) -> list[tuple[int, int]]:
    """Streams on which to record what is waited for, each with its event. Empty: too many, or the
    sync has an event already."""
    if wait.kind is Kind.STREAM_SYNC:
        return [(wait.actor, NEW_EVENT)]
    if wait.kind is Kind.EVENT_SYNC or len(sources) > MOST_STREAMS:
        return []
    return [(stream, NEW_EVENT - n) for n, stream in enumerate(sources)]


def _call(wait: Wait, kind: Kind, actor: int = 0, event: int = 0, before: int = -1) -> Call:
    """By default at the place of the wait itself."""
    return Call(wait.id if before < 0 else before, kind, wait.thread, wait.level, actor, event)
