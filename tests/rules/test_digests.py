"""A store that two looks at a range tell lies somewhere in it: what is certain, and what is not."""

from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.check import check
from synctrace.tracer.kinds import ActorKind, Extent, Kind, Level, MemoryKind, Mode, Origin
from synctrace.tracer.reader import open_trace
from synctrace.tracer.writer import TraceWriter

THREAD, STREAM = 1, 2
LOOKED_AT = (64, 128)  # bytes


def found(path: Path, read: tuple[int, int]) -> list[tuple[str, str]]:
    """Of a copy in flight that reads these bytes, and a store then somewhere in LOOKED_AT."""
    ops: list[dict[str, Any]] = [
        {"kind": Kind.MEMCPY_ASYNC_H2D, "actor": STREAM, "accesses": [1]},
        {"kind": Kind.HOST_WRITE, "actor": 0, "accesses": [2]},
        {"kind": Kind.STREAM_SYNC, "actor": STREAM, "accesses": []},
    ]
    for n, row in enumerate(ops, 1):
        row |= {"id": n, "ticket_c": 2 * n, "ticket_r": 2 * n + 1, "t_c": n, "t_r": n, "site": n}
        row |= {"level": Level.API, "thread": THREAD, "device": 0}
    spans = ((read, Mode.READ, Origin.ARGUMENT), (LOOKED_AT, Mode.WRITE, Origin.DIGEST))
    accesses = [
        {"id": n, "storage": 1, "lo": lo, "hi": hi, "upper_lo": lo, "upper_hi": hi, "mode": mode,
         "extent": Extent.EXACT, "origin": origin}
        for n, ((lo, hi), mode, origin) in enumerate(spans, 1)
    ]  # fmt: skip
    tables: dict[str, list[dict[str, Any]]] = {
        "op": ops,
        "access": accesses,
        "actor": [
            {"id": THREAD, "kind": ActorKind.THREAD, "name": "main", "device": -1, "flags": 0},
            {"id": STREAM, "kind": ActorKind.STREAM, "name": "S", "device": 0, "flags": 2},
        ],
        "storage": [{"id": 1, "name": "pinned", "size": 256, "device": -1}],
        "memory": [{"storage": 1, "hi": 256, "kind": MemoryKind.PINNED}],
        "site": [{"id": n, "label": f"call {n}"} for n in (1, 2, 3)],
    }
    with TraceWriter(path / "t", {"profile": "cuda-doc"}) as writer:
        for table, rows in tables.items():
            writer.append(table, {name: [row[name] for row in rows] for name in rows[0]})
    return [(f.rule, f.verdict) for f in check(open_trace(path / "t"), select=["RACE"]).findings]


@pytest.mark.parametrize(
    ("read", "verdict"),
    [
        (LOOKED_AT, "certain"),
        ((0, 256), "certain"),
        ((64, 68), "range-guess"),  # XLA's pool: a small copy within a larger one of before
        ((100, 200), "range-guess"),
    ],
)
def test_a_copy_of_all_of_it_or_of_a_part(
    tmp_path: Path, read: tuple[int, int], verdict: str
) -> None:
    assert found(tmp_path, read) == [("RACE04", verdict)]


def test_a_copy_of_other_bytes(tmp_path: Path) -> None:
    assert found(tmp_path, (128, 256)) == []
