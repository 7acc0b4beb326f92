"""Memory and events of other processes: marked, and counted as not wholly seen.

The stand-in opens handles in the process that made them, and gives the same memory and the same
event: what another process does meanwhile is not there to be shown.
"""

from pathlib import Path

from hip.programs.build import Programs
from hip.rows import ops
from hip.runs import races, recorded
from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import open_trace


def foreign_handles(path: Path) -> int:
    coverage = open_trace(path).meta["coverage"]
    assert isinstance(coverage, dict)
    return int(coverage.get("foreign_handles", 0))


def test_events(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "shared", "events", "fixed")
    first, second = "hipEventRecord on HIP0 stream 1", "hipStreamWaitEvent on HIP0 stream 2"
    assert ops(path, Kind.EVENT_RECORD, Kind.EVENT_WAIT) == [
        f"event_record {first}",
        f"event_record {first} (foreign)",  # its handle was given away
        f"event_record {first}",
        f"event_wait {second}",
        f"event_wait {second} (foreign)",
    ]
    assert ops(path, Kind.EVENT_CREATE)[-1] == "event_create hipIpcOpenEventHandle (foreign)"
    assert (races(path), foreign_handles(path)) == ([], 1)


def test_memory_that_is_known_stays_what_it_is(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "shared", "memory", "fixed")
    filled = "kernel fill on HIP0 stream 1: write device memory 1[0,4096)"
    assert ops(path, Kind.KERNEL) == [filled, filled]
    assert ops(path, Kind.FREE) == ["free hipIpcCloseMemHandle (noop)"]
    assert (races(path), foreign_handles(path)) == ([], 1)
