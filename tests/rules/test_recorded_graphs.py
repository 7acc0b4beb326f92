"""Lifetime errors of graphs as a recorder tells them: ranges with the nodes, not with the calls."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Finding
from synctrace.tracer.kinds import ActorKind, Extent, Flag, Kind, Level, MemoryKind, Mode
from synctrace.tracer.reader import open_trace
from synctrace.tracer.writer import TraceWriter

THREAD, STREAM, GRAPH, SET = 1, 2, 7, 1
Row = dict[str, Any]
Found = list[tuple[str, tuple[int, ...]]]


def op(kind: Kind, **more: Any) -> Row:
    return {"kind": kind, **more}


CAPTURE = [
    op(Kind.CAPTURE_BEGIN, actor=STREAM, graph=GRAPH),
    op(Kind.KERNEL, actor=STREAM, graph=GRAPH, flags=Flag.CAPTURED),
    op(Kind.CAPTURE_END, actor=STREAM, graph=GRAPH),
]
MAKE = op(Kind.GRAPH_CREATE, graph=GRAPH)
LAUNCH = op(Kind.GRAPH_LAUNCH, actor=STREAM, graph=GRAPH, access_set=SET)
SYNC = op(Kind.STREAM_SYNC, actor=STREAM)
FREE = op(Kind.FREE, accesses=[1], device=0)
SPARE = op(Kind.FREE, accesses=[2], device=0)
AGAIN = op(Kind.ALLOC_DEVICE, accesses=[3], device=0)
GIVEN_BACK = [*CAPTURE, MAKE, LAUNCH, SYNC, FREE, AGAIN, LAUNCH, SYNC]


def found(path: Path, ops: Sequence[Row], again: Row | None = None) -> Found:
    """Lifetime errors of a trace whose graph, in version 0, writes the first of two memories."""
    findings = _findings(path, ops, again or {})
    return [(f.rule, f.ops) for f in findings if f.family == "life"]


def _findings(path: Path, ops: Sequence[Row], again: Row) -> Sequence[Finding]:
    """`again`: what is said of a third memory."""
    rows = [
        {
            "id": n,
            "ticket_c": 2 * n + 1,
            "ticket_r": 2 * n + 2,
            "site": n + 1,
            "level": Level.API,
            "thread": THREAD,
            "actor": 0,
            "graph": 0,
            "version": 0,
            "flags": 0,
            "accesses": [],
            "access_set": 0,
            "device": -1,
            "t_c": n,
            "t_r": n,
            **one,
        }
        for n, one in enumerate(ops)
    ]
    whole = {"lo": 0, "hi": 64, "upper_lo": 0, "upper_hi": 64, "mode": Mode.WRITE}
    tables: dict[str, list[Row]] = {
        "op": rows,
        "actor": [
            {"id": THREAD, "kind": ActorKind.THREAD, "name": "main", "device": -1, "flags": 0},
            {"id": STREAM, "kind": ActorKind.STREAM, "name": "S", "device": 0, "flags": 2},
        ],
        "storage": [
            {"name": f"memory {n}", "size": 64, "device": 0, "base": 64 * n, **more, "id": n}
            for n, more in ((1, {"born": 0}), (2, {"born": 0}), (3, {"born": 0, **again}))
        ],
        "memory": [{"storage": n, "hi": 64, "kind": MemoryKind.DEVICE} for n in (1, 2, 3)],
        "access": [{"id": n, "storage": n, "extent": Extent.EXACT, **whole} for n in (1, 2, 3)],
        "access_set": [{"id": SET, "accesses": [1]}],
        "graph": [
            {"id": GRAPH, "version": v, "name": "graph 7", "access_set": SET} for v in (0, 1)
        ],
        "node": [
            {"graph": GRAPH, "version": v, "node": 0, "kind": Kind.KERNEL, "accesses": [1 + v]}
            for v in (0, 1)
        ],
        "site": [{"id": n + 1, "label": f"call {n}"} for n in range(len(rows))],
    }
    with TraceWriter(path / "t", {"profile": "hip-doc"}) as writer:
        for table, many in tables.items():
            writer.append(table, {name: [row[name] for row in many] for name in many[0]})
    return check(open_trace(path / "t")).findings


def test_a_range_given_back_between_the_making_and_a_launch(tmp_path: Path) -> None:
    assert found(tmp_path, [*CAPTURE, MAKE, LAUNCH, SYNC, FREE, LAUNCH, SYNC]) == [("LIFE02", (7,))]


@pytest.mark.parametrize(
    ("again", "verdict"),
    [
        ({"base": 64, "born": 16}, "latent"),
        ({"base": 64, "born": 16, "size": 32}, "certain"),
        ({"base": 64, "born": 16, "device": 1}, "certain"),
        ({"base": 128, "born": 16}, "certain"),
        ({"base": 64, "born": 18}, "certain"),  # behind the launch
    ],
)
def test_memory_of_the_same_place_and_size_is_there_again(
    tmp_path: Path, again: Row, verdict: str
) -> None:
    found = [f for f in _findings(tmp_path, GIVEN_BACK, again) if f.family == "life"]
    assert [(f.rule, f.verdict, f.ops) for f in found] == [("LIFE02", verdict, (8,))]


def test_its_owner_uses_it(tmp_path: Path) -> None:
    used = op(Kind.KERNEL, actor=STREAM, accesses=[3], device=0)
    ops = [*GIVEN_BACK[:7], used, *GIVEN_BACK[7:]]
    (one,) = (f for f in _findings(tmp_path, ops, {"base": 64, "born": 16}) if f.family == "life")
    assert (one.verdict, one.ops) == ("certain", (9,))


def test_it_is_given_back_too(tmp_path: Path) -> None:
    freed = op(Kind.FREE, accesses=[3], device=0)
    ops = [*GIVEN_BACK, freed, LAUNCH, SYNC]
    (one,) = (f for f in _findings(tmp_path, ops, {"base": 64, "born": 16}) if f.family == "life")
    assert (one.verdict, one.ops, one.count) == ("certain", (11,), 2)


def test_given_back_behind_the_last_launch(tmp_path: Path) -> None:
    assert found(tmp_path, [*CAPTURE, MAKE, LAUNCH, SYNC, FREE]) == []


def test_another_memory_given_back(tmp_path: Path) -> None:
    assert found(tmp_path, [*CAPTURE, MAKE, LAUNCH, SYNC, SPARE, LAUNCH, SYNC]) == []


def test_a_version_that_no_longer_holds_it(tmp_path: Path) -> None:
    update = op(Kind.GRAPH_UPDATE, graph=GRAPH, version=1)
    launch = {**LAUNCH, "version": 1, "access_set": 0, "accesses": [2]}
    ops = [*CAPTURE, MAKE, LAUNCH, SYNC, update, FREE, launch, SYNC]
    assert found(tmp_path, ops) == []


def test_memory_that_is_there_again_when_the_graph_is_changed(tmp_path: Path) -> None:
    """Its nodes with that address are not told anew, as in XLA's command buffers."""
    update = op(Kind.GRAPH_UPDATE, graph=GRAPH)
    launch = {**LAUNCH, "version": 1}
    ops = [*CAPTURE, MAKE, LAUNCH, SYNC, FREE, AGAIN, update, launch, SYNC]
    there = _findings(tmp_path / "there", ops, {"base": 64, "born": 16})
    gone = _findings(tmp_path / "gone", ops, {"base": 256, "born": 16})
    assert [f.rule for f in there if f.family == "life"] == []
    assert [f.rule for f in gone if f.family == "life"] == ["LIFE05"]


def test_a_graph_whose_making_is_not_in_the_trace_uses_freed_memory(tmp_path: Path) -> None:
    assert found(tmp_path, [LAUNCH, SYNC, FREE, LAUNCH, SYNC]) == [("LIFE05", (2, 3))]


def test_a_making_that_failed_holds_nothing(tmp_path: Path) -> None:
    failed = {**MAKE, "flags": Flag.FAILED}
    assert found(tmp_path, [*CAPTURE, failed, FREE]) == []
