"""What a database does not tell of a program: counters of the trace, and the same in words."""

from collections.abc import Mapping

from synctrace.tracer.rocpd.database import Calls, Process
from synctrace.tracer.rocpd.functions import EVENT_CREATIONS, EVENT_WITHOUT_FENCE
from synctrace.tracer.rocpd.program import Program

NEVER = "what the host reads and writes, kernels' arguments, what graphs hold and return codes"

# Lost: the trace is then not complete.
_LOST = {
    "calls_without_times": "{} calls have no times that can be, and are left out",
    "calls_of_unknown_order": (
        "{} calls order work by what is not in the database (values in memory, semaphores, events "
        "inside graphs or of other processes, missing arguments): nothing is judged across them"
    ),
    "records_without_call": "{} kernels and copies ran for calls that are not in the database",
}
# Not known, and taken to be so.
_ASSUMED = {
    "allocations_without_address": (
        "{} allocations have no record of their address: that memory is known by its use alone, "
        "and nothing is compared across a free of it"
    ),
    "streams_of_unknown_kind": (
        "{} streams may be non-blocking and are taken as blocking: races with a null stream can be "
        "missed, and waits between it and them can seem needless"
    ),
    "events_of_unknown_kind": "{} events may have no system fence and are taken to have one",
    "queries_without_answer": (
        "{} queries are taken as successful, since no work is known to have gone on after them"
    ),
    "launches_without_stream": "{} launches name their stream in a structure, and are left out",
}
_COUNTERS = (
    *("kernels_without_ranges", "launches_without_ranges", "callbacks_without_ranges"),
    *("copies_without_ranges", "fills_without_ranges", "frees_of_unknown_memory"),
    *_LOST,
    *_ASSUMED,
)


def counted(program: Program, process: Process, calls: Calls, unsure: bool) -> dict[str, int]:
    """Counters of what was not watched or is not known; `unsure`: the kind of streams."""
    streams = program.streams
    fences = calls.created_with(*EVENT_CREATIONS)
    without_fence = any((flags or 0) & EVENT_WITHOUT_FENCE for flags in fences)
    return {
        **dict.fromkeys(_COUNTERS, 0),
        **program.coverage,
        "streams_of_unknown_kind": streams.count if unsure and streams.has_legacy else 0,
        "events_of_unknown_kind": program.events.count if without_fence else 0,
        "calls_without_times": process.calls_without_times,
        "records_without_call": process.work_without_call,
    }


def lost(coverage: Mapping[str, int]) -> list[str]:
    """What is lost, a sentence each."""
    return [text.format(n) for name, text in _LOST.items() if (n := coverage[name])]


def assumed(coverage: Mapping[str, int]) -> list[str]:
    """What is assumed, a sentence each."""
    return [text.format(n) for name, text in _ASSUMED.items() if (n := coverage[name])]
