"""Memory into which the host may store in flight, unseen: counted, and what copies of it are."""

import re
from pathlib import Path

import pytest

from hip.programs.build import Programs
from hip.rows import ops
from hip.runs import recorded
from synctrace.tracer.kinds import Kind, MemoryKind
from synctrace.tracer.reader import open_trace

COUNTERS = ("unwatched_managed_bytes", "unwatched_kernels_host_memory", "unresolved_pointers")


@pytest.mark.parametrize(
    ("case", "expected"),
    [("managed", (4096 + 2048, 0, 0)), ("write-combined", (0, 1, 0)), ("unregistered", (0, 0, 1))],
)
def test_counters(
    hip_programs: Programs, tmp_path: Path, case: str, expected: tuple[int, ...]
) -> None:
    path = recorded(hip_programs, tmp_path, "unwatched", case, "fixed")
    coverage = open_trace(path).meta["coverage"]
    assert tuple(coverage.get(name, 0) for name in COUNTERS) == expected


def test_copies_of_addresses_that_hip_does_not_know(hip_programs: Programs, tmp_path: Path) -> None:
    """Pageable memory, whatever the call said of the direction."""
    path = recorded(hip_programs, tmp_path, "unwatched", "unregistered", "fixed")
    found = ops(path, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2H)
    device, stream = "device memory 1[0,4096)", "hipMemcpyAsync on HIP0 stream 1"
    assert [re.sub(r"host memory\[\d+,\d+\)", "host memory", op) for op in found] == [
        f"memcpy_async_h2d {stream}: read host memory, write {device}",
        f"memcpy_async_d2h {stream}: read {device}, write host memory",
    ]
    kinds = [row["kind"] for row in open_trace(path).table("memory").to_pylist()]
    assert kinds == [MemoryKind.DEVICE, MemoryKind.PAGEABLE]


def test_a_copy_of_managed_memory_is_the_devices(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "unwatched", "managed", "fixed")
    touched = "read managed memory 2[0,2048), write device memory 1[0,2048)"
    copied = f"memcpy_async_d2d hipMemcpyAsync on HIP0 stream 1: {touched}"
    assert ops(path, Kind.MEMCPY_ASYNC_D2D) == [copied]
