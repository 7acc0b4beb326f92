"""Every case of the catalogue, judged at the level of order."""

import json
from pathlib import Path
from typing import Any

import pytest
from small import needless

from synctrace.analyzer.order import Order, run
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
BY_ID = {case["id"]: case for case in map(json.loads, CASES.read_text().splitlines())}

Pair = tuple[int, int, str, int, int]


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Order]:
    traces = import_cases(CASES, tmp_path_factory.mktemp("cases"))
    return {path.name: run(open_trace(path), ["catalogue"]) for path in traces}


def pairs(case: dict[str, Any], order: Order) -> set[Pair]:
    """Racy pairs as the catalogue writes them."""
    touched = (t for op in case["ops"] for t in op["reads"] + op["writes"])
    names = list(dict.fromkeys(buffer for buffer, _, _ in touched))
    return {
        (row["first_op"], row["second_op"], names[row["storage"] - 1], row["lo"], row["hi"])
        for row in order.conflicts.to_pylist()
    }


@pytest.mark.parametrize("name", BY_ID)
def test_case(name: str, orders: dict[str, Order]) -> None:
    case, order = BY_ID[name], orders[name]
    # A captured-lifetime error is one op, named twice, without bytes: no pair of accesses.
    expected = {tuple(pair) for pair in case["pairs"] if pair[3] is not None}
    found = pairs(case, order)
    assert found <= expected
    assert bool(found) == bool(expected)
    assert set(order.conflicts["verdict"].to_pylist()) <= {"certain"}
    suspects = {i for i, op in enumerate(case["ops"]) if op.get("attrs", {}).get("suspect")}
    if case["expected"] == "clean":
        assert needless(order) == set()
    elif case.get("kind") == "provable":
        assert needless(order) >= suspects
    elif case["expected"] == "redundant-sync":  # over-broad, avoidable: the order needs them
        assert needless(order).isdisjoint(suspects)
