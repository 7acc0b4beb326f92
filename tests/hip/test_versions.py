"""What HIP 5 lays out and numbers otherwise than later versions, and the GPUs that HIP names.

The layouts are those of Debian's headers of HIP 5.2; that the stand-in's .so.5 reads them too shows
that both were written down alike.
"""

from pathlib import Path

from hip import told
from hip.programs.build import HERE, Programs
from hip.rows import ops, versions
from hip.runs import CALLS
from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import open_trace

ALL = "[0,4096)"


def recorded(programs: Programs, folder: Path, case: str) -> Path:
    program = programs.built(CALLS / "old.c", HERE / "scenarios.c", major=5)
    assert told.recorded([program, case, "fixed"], folder / "t").exit_code == 0
    assert open_trace(folder / "t").meta["versions"]["HIP"].startswith("5.")
    return folder / "t"


def test_boxes_of_the_drivers_struct(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "boxes")
    # From x 16, y 1, z 1 of slices of 4 rows of 64 bytes; the last byte is 1 slice and 1 row on.
    touched = "read pinned memory 1[336,672), write device memory 2[0,64)"
    assert ops(path, Kind.MEMCPY_H2D, Kind.MEMCPY_ASYNC_H2D) == [
        f"memcpy_h2d hipDrvMemcpy3D on HIP0 null stream: {touched}",
        f"memcpy_async_h2d hipDrvMemcpy3DAsync on HIP0 stream 1: {touched}",
    ]


def test_an_end_is_what_its_type_says(hip_programs: Programs, tmp_path: Path) -> None:
    """Both pointers of both ends are there."""
    path = recorded(hip_programs, tmp_path, "rows")
    touched = "read pinned memory 1[0,208), write device memory 2[0,64)"
    assert ops(path, Kind.MEMCPY_H2D, Kind.MEMCPY_ASYNC_H2D) == [
        f"memcpy_h2d hipMemcpyParam2D on HIP0 null stream: {touched}",
        f"memcpy_async_h2d hipMemcpyParam2DAsync on HIP0 stream 1: {touched}",
    ]


def test_types_of_nodes(hip_programs: Programs, tmp_path: Path) -> None:
    path = recorded(hip_programs, tmp_path, "asked")
    [version] = versions(path)["graph 1"]
    assert version.nodes == (
        f"memcpy_async_h2d hipMemcpyAsync: read pinned memory 1{ALL}, write device memory 3{ALL}",
        f"memset_async hipMemsetAsync: write device memory 3{ALL}",
        f"kernel pass: read device memory 2{ALL}, write device memory 3{ALL}",
    )
    assert open_trace(path).meta["coverage"].get("unread_nodes", 0) == 0
