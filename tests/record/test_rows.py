"""Records that only the API level writes, made by hand, as rows of a trace."""

import struct
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.drain import models
from synctrace.tracer.kinds import Extent, Flag, Kind, Level, MemoryKind, Mode, Origin
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.rings import FIXED, HEAD, RANGE, Record
from synctrace.tracer.rows import Rows
from synctrace.tracer.writer import TraceWriter

THREAD, STREAM = 1, 2
BUFFER, HOST = 1, 2  # storages
Row = dict[str, Any]


def record(kind: Record, *fixed: Any, count: int = 0, tail: bytes = b"") -> bytes:
    body = FIXED[kind].pack(*fixed)[HEAD.size :] + tail
    body += bytes(-len(body) % 8)
    return HEAD.pack(HEAD.size + len(body), kind, count) + body


def text(*words: str) -> bytes:
    return b"".join(word.encode() + b"\0" for word in words)


def range_of(
    storage: int, mode: Mode, lo: int, hi: int, upper: tuple[int, int] = (0, 0), **how: int
) -> bytes:
    extent, origin = how.get("extent", Extent.EXACT), how.get("origin", Origin.ARGUMENT)
    word = how.get("kernel", 0), how.get("word", 0)
    return RANGE.pack(storage, mode, extent, origin, 0, lo, hi, 0, 0, 0, *upper, *word, bytes(64))


def access(number: int, range_: bytes) -> bytes:
    # The fixed part that is unpacked ends where the range begins.
    head = struct.pack("<II", number, 0)
    return HEAD.pack(HEAD.size + len(head) + len(range_), Record.ACCESS, 0) + head + range_


def op(ticket: int, kind: Kind, *accesses: int, **more: int) -> bytes:
    get = more.get
    fixed = (
        *(ticket, ticket + 1, 10 * ticket, 10 * ticket + 5, -1, get("parent", 0)),
        *(get("flags", 0), STREAM, 0, get("event", 0), get("walk", 0), 0, 0, 0),
        *(0, 0, kind, Level.API, get("call", 1), get("graph", 0), 0, 0),
    )
    numbers = struct.pack("<8I", *accesses, *[0] * (8 - len(accesses)))
    record_size = FIXED[Record.OP].size
    head = HEAD.pack(record_size, Record.OP, len(accesses))
    return head + FIXED[Record.OP].pack(*fixed)[HEAD.size : record_size - 32] + numbers


def node(walk: int, number: int, kind: Kind, name: str, *accesses: int) -> bytes:
    ids = struct.pack(f"<{len(accesses)}I", *accesses)
    ids += bytes(-len(ids) % 8)
    count = len(accesses)
    return record(Record.NODE, walk, number, kind, count=count, tail=ids + text(name))


def edges(walk: int, *pairs: tuple[int, int]) -> bytes:
    words = [word for pair in pairs for word in pair]
    tail = struct.pack(f"<{len(words)}I", *words)
    return record(Record.NODE_EDGES, walk, 0, count=len(pairs), tail=tail)


def graph(walk: int, number: int, nodes: int) -> bytes:
    return record(Record.GRAPH, 0xBEEF, walk, number, nodes, 0, tail=text("kernel"))


STORAGES = record(
    Record.STORAGE, 0xA0, 0x1000, 4096, 1, BUFFER, 0, MemoryKind.DEVICE, 0, tail=text("buffer")
) + record(Record.STORAGE, 0, 0, 1 << 40, 1, HOST, -1, MemoryKind.PAGEABLE, 0, tail=text("host"))


def trace_of(tmp_path: Path, *parts: bytes | tuple[int, bytes]) -> Trace:
    """A trace of these records; those of another thread than THREAD with its number."""
    writer = TraceWriter(tmp_path / "t", {"profile": "hip-doc"})
    rows = Rows(writer)
    for part in parts:
        thread, packed = part if isinstance(part, tuple) else (THREAD, part)
        rows.add(thread, packed)
    rows.finish()
    writer.close()
    return open_trace(tmp_path / "t")


def rows_of(trace: Trace, table: str) -> list[Row]:
    rows: list[Row] = trace.table(table).to_pylist()
    return rows


def test_of_a_pointer_one_byte_is_certain(tmp_path: Path) -> None:
    based = range_of(BUFFER, Mode.UNKNOWN, 16, 17, (0, 4096), extent=Extent.BASE_ONLY)
    guessed = range_of(
        BUFFER, Mode.UNKNOWN, 16, 16, (0, 4096), extent=Extent.BASE_ONLY, origin=Origin.VALUE_SCAN
    )
    upper = range_of(BUFFER, Mode.READ, 16, 64, (16, 64), extent=Extent.UPPER_BOUND)
    trace = trace_of(tmp_path, STORAGES + access(1, based) + access(2, guessed) + access(3, upper))
    told = [
        (row["lo"], row["hi"], row["upper_lo"], row["upper_hi"], Origin(row["origin"]))
        for row in rows_of(trace, "access")
    ]
    assert told == [
        (16, 17, 0, 4096, Origin.ARGUMENT),
        (16, 16, 0, 4096, Origin.VALUE_SCAN),
        (16, 16, 16, 64, Origin.ARGUMENT),
    ]
    names = {row["id"]: row["name"] for row in rows_of(trace, "buffer")}
    assert {names[row["buffer"]] for row in rows_of(trace, "access")} == {"buffer"}


def test_registered_bytes_are_another_memory_from_then_on(tmp_path: Path) -> None:
    registered = record(Record.MEMORY, HOST, MemoryKind.REGISTERED, 4096, 8192, 7)
    back = record(Record.MEMORY, HOST, MemoryKind.PAGEABLE, 4096, 8192, 9)
    told = [
        (row["lo"], row["hi"], MemoryKind(row["kind"]), row["since"])
        for row in rows_of(trace_of(tmp_path, STORAGES + registered + back), "memory")
        if row["storage"] == HOST
    ]
    assert told == [
        (0, 1 << 40, MemoryKind.PAGEABLE, 1),
        (4096, 8192, MemoryKind.REGISTERED, 7),
        (4096, 8192, MemoryKind.PAGEABLE, 9),
    ]


READS, WRITES = range_of(BUFFER, Mode.READ, 0, 64), range_of(BUFFER, Mode.WRITE, 64, 128)
ACCESSES = access(1, READS) + access(2, WRITES)
NODES = node(5, 0, Kind.KERNEL, "first", 1) + node(5, 1, Kind.MEMSET_ASYNC, "second", 2, 1, 2)


def test_a_version_has_its_nodes_edges_and_their_ranges(tmp_path: Path) -> None:
    captured = op(10, Kind.KERNEL, flags=Flag.CAPTURED, graph=3)
    launch = op(20, Kind.GRAPH_LAUNCH, walk=5, graph=3)
    trace = trace_of(
        tmp_path,
        STORAGES + ACCESSES + captured + NODES + edges(5, (0, 1)) + graph(5, 3, 2) + launch,
    )
    assert [
        (row["node"], Kind(row["kind"]), row["name"], row["accesses"])
        for row in rows_of(trace, "node")
    ] == [(0, Kind.KERNEL, "first", [1]), (1, Kind.MEMSET_ASYNC, "second", [2, 1, 2])]
    assert rows_of(trace, "node_edge") == [{"graph": 3, "version": 0, "first": 0, "second": 1}]
    [version] = rows_of(trace, "graph")
    assert (version["name"], version["nodes"], version["operations"]) == ("graph 3", 2, "kernel")
    [union] = rows_of(trace, "access_set")
    assert union == {"id": version["access_set"], "accesses": [1, 2]}
    ops = rows_of(trace, "op")
    assert [(row["graph"], row["access_set"], row["accesses"]) for row in ops] == [
        (3, 0, []),
        (3, union["id"], []),
    ]


def test_an_update_is_another_version_and_a_repeated_walk_is_none(tmp_path: Path) -> None:
    again = node(6, 0, Kind.KERNEL, "first", 1) + node(6, 1, Kind.MEMSET_ASYNC, "second", 2, 1, 2)
    other = node(7, 0, Kind.KERNEL, "first", 1) + node(7, 1, Kind.MEMSET_ASYNC, "second", 2, 1, 2)
    trace = trace_of(
        tmp_path,
        STORAGES + ACCESSES,
        NODES + edges(5, (0, 1)) + graph(5, 3, 2) + op(20, Kind.GRAPH_LAUNCH, walk=5, graph=3),
        again + edges(6, (0, 1)) + graph(6, 3, 2) + op(30, Kind.GRAPH_LAUNCH, walk=6, graph=3),
        other + graph(7, 3, 2) + op(40, Kind.GRAPH_LAUNCH, walk=7, graph=3),
    )
    assert [row["version"] for row in rows_of(trace, "op")] == [0, 0, 1]
    assert [row["version"] for row in rows_of(trace, "graph")] == [0, 1]
    assert len(rows_of(trace, "access_set")) == 1
    assert [row["version"] for row in rows_of(trace, "node")] == [0, 0, 1, 1]
    assert [row["version"] for row in rows_of(trace, "node_edge")] == [0]


def test_a_version_that_is_never_launched_is_there(tmp_path: Path) -> None:
    trace = trace_of(tmp_path, STORAGES + ACCESSES + NODES + graph(5, 3, 2))
    assert [row["id"] for row in rows_of(trace, "graph")] == [3]
    assert len(rows_of(trace, "node")) == 2


def test_what_a_node_touches_may_be_told_by_another_thread_later_in_the_drain(
    tmp_path: Path,
) -> None:
    launch = op(20, Kind.GRAPH_LAUNCH, walk=5, graph=3)
    trace = trace_of(tmp_path, STORAGES + NODES + graph(5, 3, 2) + launch, (9, ACCESSES))
    [union] = rows_of(trace, "access_set")
    modes = {row["id"]: row["mode"] for row in rows_of(trace, "access")}
    assert [modes[each] for each in union["accesses"]] == [Mode.READ, Mode.WRITE]


def test_a_captured_launch_touches_nothing_and_an_unknown_one_anything(tmp_path: Path) -> None:
    child = op(10, Kind.GRAPH_LAUNCH, flags=Flag.CAPTURED, graph=3)
    unknown = op(20, Kind.GRAPH_LAUNCH, walk=99, graph=4)
    trace = trace_of(tmp_path, STORAGES + child + unknown)
    first, second = rows_of(trace, "op")
    assert (first["graph"], first["accesses"]) == (3, [])
    [anything] = rows_of(trace, "access")
    assert (second["accesses"], anything["storage"]) == ([anything["id"]], 0)


def test_the_making_of_an_executable_names_its_version_and_touches_nothing(tmp_path: Path) -> None:
    made, launch = op(15, Kind.GRAPH_CREATE, walk=5, graph=3), op(20, Kind.GRAPH_LAUNCH, walk=5)
    trace = trace_of(tmp_path, STORAGES + ACCESSES + NODES + graph(5, 3, 2) + made + launch)
    told = [(row["graph"], row["version"], row["access_set"]) for row in rows_of(trace, "op")]
    assert told == [(3, 0, 0), (0, 0, 1)]


def test_kernels_are_told_once_whoever_launches_them(tmp_path: Path) -> None:
    told = record(Record.CALL, 300, 0, tail=text("saxpy(float*)")) + record(
        Record.KERNEL, 0xC0DE, 300, 2, 4, 1, tail=text("saxpy(float*)")
    )
    blind = record(Record.CALL, 301, 0, tail=text("blind")) + record(
        Record.KERNEL, 0, 301, 0, 0, 0, tail=text("blind")
    )
    trace = trace_of(tmp_path, STORAGES + told + op(10, Kind.KERNEL, call=300), (9, told + blind))
    assert rows_of(trace, "kernel") == [
        {
            "id": 1,
            "call": 300,
            "name": "saxpy(float*)",
            "code": 0xC0DE,
            "pointers": 2,
            "guessed": 4,
            "layout_known": 1,
        },
        {
            "id": 2,
            "call": 301,
            "name": "blind",
            "code": 0,
            "pointers": 0,
            "guessed": 0,
            "layout_known": 0,
        },
    ]
    assert [row["name"] for row in rows_of(trace, "call")] == ["saxpy(float*)", "blind"]


@pytest.mark.parametrize(
    ("levels", "versions", "expected"),
    [
        ({Level.GGML}, {}, "ggml-contract"),
        ({Level.GGML}, {"HIP": "7.0"}, "ggml-contract"),
        (set(), {}, "ggml-contract"),
        ({Level.API}, {"HIP": "7.0"}, "hip-doc"),
        ({Level.APP, Level.API}, {"HIP": "7.0"}, "hip-doc"),
        ({Level.GGML, Level.API}, {"ggml": "0.9", "HIP": "7.0"}, "hip-doc,ggml-contract"),
        ({Level.APP}, {"HIP": "6.3"}, "hip-doc"),
        ({Level.APP}, {"CUDA": "13.0"}, "cuda-doc"),
        ({Level.APP}, {}, "catalogue"),
        ({Level.APP, Level.GGML}, {"CUDA": "13.0"}, "ggml-contract"),
    ],
)
def test_the_memory_models_follow_from_levels_and_runtime(
    levels: set[Level], versions: dict[str, str], expected: str
) -> None:
    assert models(levels, versions) == expected
