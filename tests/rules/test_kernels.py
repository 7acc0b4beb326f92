"""What the saved query `kernels` and the view `kernel` say of kernels that a recorder met."""

from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer.query import Questions
from synctrace.analyzer.saved_query import saved
from synctrace.tracer.kinds import ActorKind, Extent, Kind, Level, Mode, Origin
from synctrace.tracer.reader import open_trace
from synctrace.tracer.writer import TraceWriter

KNOWN, BLIND, COLLECTIVE = 300, 301, 7  # call.id
MANGLED, SAXPY = "_Z5saxpyPfPKff", "saxpy(float*, float const*, float)"
Rows = list[dict[str, Any]]


def access(id_: int, mode: Mode, origin: Origin, **more: int) -> dict[str, Any]:
    row = {"storage": 1, "lo": 0, "hi": 1, "upper_lo": 0, "upper_hi": 64}
    return {**row, "id": id_, "mode": mode, "extent": Extent.BASE_ONLY, "origin": origin} | more


ACCESSES = [
    access(1, Mode.READ, Origin.LAYOUT),
    access(2, Mode.WRITE, Origin.LAYOUT),
    access(3, Mode.UNKNOWN, Origin.LAYOUT),
    access(4, Mode.UNKNOWN, Origin.VALUE_SCAN, hi=0),
    access(5, Mode.UNKNOWN, Origin.LAYOUT, storage=0, hi=0, upper_hi=0),
    access(6, Mode.READ_WRITE, Origin.ARGUMENT, hi=64, extent=Extent.EXACT),
]
LAUNCHES = [
    (KNOWN, [1, 2, 3, 4]),
    (KNOWN, [1, 2]),
    (BLIND, [5]),
    (COLLECTIVE, [6]),
]


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Questions:
    path = tmp_path_factory.mktemp("kernels") / "t"
    ops = [
        {
            "id": n,
            "ticket_c": 2 * n,
            "ticket_r": 2 * n + 1,
            "kind": Kind.KERNEL,
            "level": Level.API,
            "thread": 1,
            "actor": 2,
            "call": call,
            "accesses": touched,
        }
        for n, (call, touched) in enumerate(LAUNCHES)
    ]
    names = {KNOWN: MANGLED, BLIND: "blind", COLLECTIVE: "ncclAllReduce"}
    kernels = [
        {"id": 1, "call": KNOWN, "name": MANGLED, "code": 7, "pointers": 3, "guessed": 2},
        {"id": 2, "call": BLIND, "name": "blind", "code": 0, "pointers": 0, "guessed": 0},
    ]
    tables: dict[str, Rows] = {
        "op": ops,
        "access": ACCESSES,
        "storage": [{"id": 1, "name": "device memory 1", "size": 64}],
        "actor": [
            {"id": 1, "kind": ActorKind.THREAD, "name": "main"},
            {"id": 2, "kind": ActorKind.STREAM, "name": "HIP0 stream 1"},
        ],
        "call": [{"id": id_, "name": name} for id_, name in names.items()],
        "kernel": [{**row, "layout_known": int(row["code"] > 0)} for row in kernels],
    }
    with TraceWriter(path, {"profile": "hip-doc"}) as writer:
        for table, rows in tables.items():
            writer.append(table, {name: [row[name] for row in rows] for name in rows[0]})
    return Questions(open_trace(path))


def asked(questions: Questions, sql: str) -> Rows:
    answer = questions.ask(sql)
    return [dict(zip(answer.names, row, strict=True)) for row in answer.rows]


def test_what_is_known_of_each_kernel(questions: Questions) -> None:
    told = {row["name"]: row for row in asked(questions, saved()["kernels"])}
    assert set(told) == {SAXPY, "blind", "ncclAllReduce"}
    known = told[SAXPY]
    assert (known["launches"], known["ranges"], known["upper_bound"]) == (2, 4, 4)
    assert known["modes"] == "1 read, 1 unknown, 1 write"
    assert (known["guessed"], known["pointers"], known["blind"]) == (1, 3, 0)


def test_a_launch_without_a_layout_is_blind_and_not_one_without_parameters(
    questions: Questions,
) -> None:
    told = {row["name"]: row for row in asked(questions, saved()["kernels"])}
    assert (told["blind"]["blind"], told["blind"]["pointers"], told["blind"]["unknown"]) == (
        *(1, None),
        1,
    )


def test_a_collective_is_no_kernel_with_parameters(questions: Questions) -> None:
    told = {row["name"]: row for row in asked(questions, saved()["kernels"])}
    assert (told["ncclAllReduce"]["pointers"], told["ncclAllReduce"]["exact"]) == (None, 1)


def test_view_kernel_and_the_origin_of_accesses(questions: Questions) -> None:
    assert asked(questions, "SELECT name, is_layout_known FROM kernel ORDER BY id") == [
        {"name": MANGLED, "is_layout_known": True},
        {"name": "blind", "is_layout_known": False},
    ]
    sql = "SELECT op, origin FROM op_access WHERE origin = 'value_scan'"
    assert asked(questions, sql) == [{"op": 0, "origin": "value_scan"}]


def test_a_trace_without_the_table_has_no_kernels() -> None:
    data = Path(__file__).parents[1] / "data/h200/h200-llama-0.3.32-decode.synctrace"
    questions = Questions(open_trace(data))
    assert asked(questions, "SELECT count(*) AS n FROM kernel") == [{"n": 0}]
    assert {row["pointers"] for row in asked(questions, saved()["kernels"])} == {None}
