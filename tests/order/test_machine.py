"""The machine of the operational oracle on programs whose answer can be seen."""

from typing import Any

import pytest
import schedules
from agree import PROFILE
from random_traces import Access, Op, Program
from small_programs import small_program

from synctrace.tracer.kinds import Flag, Kind, MemoryKind, StreamFlag

NONE, LEGACY, BLOCKING = StreamFlag(0), StreamFlag.LEGACY, StreamFlag.BLOCKING


class Calls:
    """A program being put together, call by call; every access is to the same byte."""

    def __init__(self, *streams: StreamFlag, threads: int = 1) -> None:
        self.made = Program(threads, len(streams), list(streams), [0] * len(streams))

    def call(self, kind: Kind, mode: str = "", stream: int = 0, **more: Any) -> int:
        """`mode`: r, w or none; `stream` 1 is the first; `thread` 1 if left out."""
        n = len(self.made.ops)
        memory = more.pop("memory", MemoryKind.UNKNOWN)
        accesses: tuple[int, ...] = ()
        if mode:
            self.made.accesses.append(Access(1, 0, 1, mode == "r", mode == "w", memory))
            accesses = (len(self.made.accesses),)
        actor = self.made.threads + stream if stream else 0
        row = {"thread": 1, "ticket_c": 2 * n + 1, "ticket_r": 2 * n + 2, **more}
        op = Op(id=n + 1, kind=kind, actor=actor, accesses=accesses, site=n + 1, **row)
        self.made.ops.append(op)
        return n

    def unordered(self, *, strict: bool = True, **options: Any) -> set[tuple[int, int]]:
        answer = schedules.run(self.made, PROFILE, strict=strict, **options)
        return {pair[:2] for pair in answer.unordered}


def test_stream_runs_beside_the_host_until_it_waits() -> None:
    c = Calls(NONE)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.HOST_READ, "r")
    c.call(Kind.STREAM_SYNC, stream=1)
    c.call(Kind.HOST_READ, "r")
    assert c.unordered() == {(0, 1)}
    assert c.unordered(removed=frozenset({2})) == {(0, 1), (0, 3)}


def test_event_stands_for_what_the_stream_had_at_the_record() -> None:
    c = Calls(NONE, NONE)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.EVENT_RECORD, stream=1, event=1)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.EVENT_WAIT, stream=2, event=1)
    c.call(Kind.KERNEL, "r", 2)
    assert c.unordered() == {(2, 4)}


def test_event_recorded_after_the_wait_orders_nothing() -> None:
    c = Calls(NONE, NONE)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.EVENT_WAIT, stream=2, event=1)
    c.call(Kind.EVENT_RECORD, stream=1, event=1)
    c.call(Kind.KERNEL, "r", 2)
    assert c.unordered() == {(0, 3)}


def test_dependent_kernel_overlaps_the_one_before_alone() -> None:
    c = Calls(NONE)
    c.call(Kind.MEMSET_ASYNC, "w", 1)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.KERNEL, "w", 1, flags=Flag.PDL)
    c.call(Kind.KERNEL, "w", 1)
    assert c.unordered() == {(1, 2)}


def test_event_of_a_kernels_start_says_nothing_of_its_end() -> None:
    c = Calls(NONE, NONE)
    c.call(Kind.MEMSET_ASYNC, "w", 1)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.EVENT_RECORD, stream=1, event=1, flags=Flag.PROGRAMMATIC)
    c.call(Kind.EVENT_SYNC, event=1)
    c.call(Kind.HOST_READ, "r")
    assert c.unordered() == {(1, 4)}


def test_legacy_stream_waits_for_blocking_ones_and_they_for_it() -> None:
    c = Calls(LEGACY, BLOCKING, BLOCKING, StreamFlag.NONBLOCKING)
    for stream in (2, 1, 3, 4):
        c.call(Kind.KERNEL, "w", stream)
    assert c.unordered() == {(0, 3), (1, 3), (2, 3)}


def test_sync_of_a_blocking_stream_puts_nothing_on_it() -> None:
    c = Calls(LEGACY, BLOCKING)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.STREAM_SYNC, stream=2)
    c.call(Kind.HOST_READ, "r")
    assert c.unordered() == {(0, 2)}


def test_sync_of_the_legacy_stream_waits_for_blocking_ones() -> None:
    c = Calls(LEGACY, BLOCKING)
    c.call(Kind.KERNEL, "w", 2)
    c.call(Kind.STREAM_SYNC, stream=1)
    c.call(Kind.HOST_READ, "r")
    assert c.unordered() == set()


def test_staged_copy_reads_at_the_call_and_an_unstaged_one_until_its_end() -> None:
    c = Calls(NONE)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.MEMCPY_ASYNC_H2D, "r", 1, memory=MemoryKind.PAGEABLE)
    c.call(Kind.HOST_WRITE, "w")
    assert c.unordered() == {(0, 1), (0, 2)}
    c = Calls(NONE)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.MEMCPY_ASYNC_H2D, "r", 1, memory=MemoryKind.PAGEABLE, flags=Flag.UNSTAGED)
    c.call(Kind.HOST_WRITE, "w")
    c.call(Kind.KERNEL, "w", 1)
    assert c.unordered() == {(0, 1), (0, 2), (1, 2)}


def test_copy_that_waits_first_reads_after_the_work_before_it() -> None:
    c = Calls(NONE)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.MEMCPY_H2D, "r", 1, memory=MemoryKind.PAGEABLE)
    c.call(Kind.HOST_WRITE, "w")
    assert c.unordered() == set()


def test_threads_order_their_work_on_a_stream_by_signals_alone() -> None:
    c = Calls(NONE, threads=2)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.KERNEL, "w", 1, thread=2)
    assert c.unordered(strict=False) == set()
    assert c.unordered(strict=True) == {(0, 1)}
    c = Calls(NONE, threads=2)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.THREAD_SIGNAL, event=4)
    c.call(Kind.THREAD_WAIT, thread=2, event=4)
    c.call(Kind.KERNEL, "w", 1, thread=2)
    assert c.unordered(strict=True) == set()


def test_wait_stands_for_the_record_it_was_bound_to() -> None:
    """The stream waits for the other thread's record; its thread does not."""
    c = Calls(NONE, NONE, threads=2)
    c.call(Kind.HOST_WRITE, "w")
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.EVENT_RECORD, stream=1, event=1)
    c.call(Kind.EVENT_WAIT, stream=2, event=1, thread=2)
    c.call(Kind.KERNEL, "r", 2, thread=2)
    c.call(Kind.HOST_READ, "r", thread=2)
    assert c.unordered(strict=True) == {(0, 5), (1, 5)}
    assert c.unordered(strict=False) == {(1, 5)}


def test_schedule_that_contradicts_a_binding_is_none() -> None:
    """A wait that stands in a stream before the record it is bound to never ends."""
    c = Calls(NONE, threads=2)
    c.call(Kind.KERNEL, "w", 1)
    c.call(Kind.EVENT_RECORD, stream=1, event=1)
    c.call(Kind.EVENT_WAIT, stream=1, event=1, thread=2)
    c.call(Kind.KERNEL, "r", 1, thread=2)
    assert c.unordered(strict=True) == set()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_states_left_out_tell_nothing(threads: int) -> None:
    """Every instant a step of its own, as against what cannot matter at once."""
    for seed in range(60):
        program = small_program(seed, threads=threads)
        for strict in (True, False):
            short = schedules.run(program, PROFILE, strict=strict)
            full = schedules.run(program, PROFILE, strict=strict, instants=True)
            assert (short.ordered, short.unordered) == (full.ordered, full.unordered), seed
            assert short.states <= full.states
