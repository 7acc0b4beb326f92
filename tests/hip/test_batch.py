"""HIP's calls of several operations: an op for each, and those of a batch in no order.

That the elements of a batch have no order is documented; the stand-in gives them to streams of
their own. Boxes of a 3D batch it copies one after the other.
"""

from pathlib import Path

import pytest

from hip.programs.build import Programs
from hip.rows import ops
from hip.runs import races, recorded
from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.reader import open_trace

BATCH = "batch hipMemcpyBatchAsync on HIP0 stream 1"
ELEMENT = "hipMemcpyBatchAsync on HIP0 stream 1 (batched)"
FIRST = (
    f"memcpy_async_h2d {ELEMENT}: read pinned memory 1[0,4096), write device memory 2[0,4096)",
    f"memcpy_async_h2d {ELEMENT}: read pinned memory 1[4096,6144), write device memory 3[0,2048)",
)
THIRD = (
    f"memcpy_async_d2d {ELEMENT}: read device memory 2[0,2048), write device memory 3[2048,4096)"
)


def batched(path: Path) -> list[str]:
    return [op for op in ops(path) if "Batch" in op]


def test_an_element_reads_what_another_writes(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "batches", "batch", "race")
    assert batched(path) == [f"{BATCH} (parent)", *FIRST, THIRD]
    rows = open_trace(path).table("op").to_pylist()
    [whole] = [op["id"] for op in rows if op["kind"] == Kind.BATCH]
    assert [op["parent"] for op in rows if op["parent"] is not None] == [whole] * 3
    assert races(path) == ["RACE01 certain hipMemcpyBatchAsync#2 hipMemcpyBatchAsync#4"]


def test_batches_of_a_stream_are_in_order(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "batches", "batch", "fixed")
    assert batched(path) == [f"{BATCH} (parent)", *FIRST, f"{BATCH} (parent)", THIRD]
    assert races(path) == []


def test_a_batch_that_is_refused_has_no_elements(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "batches", "refused", "fixed")
    assert batched(path) == [f"{BATCH} (failed)"]


def test_boxes(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "batches", "boxes", "fixed")
    element = "memcpy_async_d2d hipMemcpy3DBatchAsync on HIP0 stream 1 (batched)"
    whole = "read device memory 1[0,4096), write device memory 3[0,4096)"
    assert batched(path)[1:] == [
        f"{element}: read device memory 1[0,832), write device memory 2[0,256)",
        f"{element}: {whole}",
    ]
    [peer] = ops(path, Kind.MEMCPY_ASYNC_PEER)
    assert peer.endswith("read device memory 1[0,784), write device memory 2[0,784)")
    widths = {(a["width"], a["height"]) for a in open_trace(path).table("access").to_pylist()}
    assert widths == {(0, 0), (64, 4), (16, 4)}
    assert races(path) == []


def test_launches_on_several_devices(hip_programs: Programs, tmp_path: Path) -> None:
    """Their kernels are known by the handles of a library."""
    path = recorded(hip_programs, tmp_path, "batches", "several", "fixed")
    assert ops(path, Kind.KERNEL) == [
        f"kernel fill on HIP0 stream {n}: write device memory {n}[0,4096)" for n in (1, 2)
    ]


@pytest.mark.parametrize(("variant", "more"), [("fixed", 0), ("race", 1)])
def test_more_than_is_kept_of_a_call(
    hip_programs: Programs, tmp_path: Path, variant: str, more: int
) -> None:
    """What has no room is memory that nobody knows, and is counted."""
    trace = open_trace(recorded(hip_programs, tmp_path, "batches", "crowded", variant))
    rows = trace.table("op").to_pylist()
    [launch] = [op for op in rows if op["kind"] == Kind.KERNEL and not op["flags"] & Flag.CAPTURED]
    [node] = trace.table("node").to_pylist()
    storages = {row["id"]: row["storage"] for row in trace.table("access").to_pylist()}
    words = {row["access"]: row["word"] for row in trace.table("parameter").to_pylist()}
    of_pointer = [] if more else [8 * 80]  # behind the struct
    for accesses in (launch["accesses"], node["accesses"]):
        touched = [storages[access] for access in accesses]
        assert (len(touched), touched.count(0)) == (64, more)
        found = [words[access] for access in accesses if access in words]
        assert found == [8 * part for part in range(63)] + of_pointer
    assert trace.meta["coverage"].get("calls_with_more_ranges", 0) == 2 * more
