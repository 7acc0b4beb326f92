"""Whatever a scenario file holds, reading and importing it ends in a trace or in one sentence."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synctrace.tracer.case import read_cases
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.operation import FIELDS
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.vocabulary import ATTRIBUTES, WORDS, Word

NAMES = st.sampled_from(
    ["a", "G", "H", "LEGACY", "LEGACY1", "LEGACY9999", "T0", "", "\n", "ä" * 201]
)
NUMBERS = st.sampled_from([0, 1, 4, 64, 255, 2**20, 2**40, 2**64, -1, 10**400, 0.5, float("nan")])
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, NAMES, st.text(max_size=3))
JSON = st.recursive(
    SCALARS,
    lambda part: st.one_of(
        st.lists(part, max_size=3), st.dictionaries(st.text(max_size=3), part, max_size=3)
    ),
    max_leaves=5,
)
RANGES = st.lists(
    st.one_of(
        st.tuples(NAMES, NUMBERS, NUMBERS).map(list),
        st.tuples(NAMES, NUMBERS, NUMBERS, NUMBERS, NUMBERS).map(list),
        st.just(["b", 0, 4]),
        JSON,
    ),
    max_size=2,
)
ATTRS = st.dictionaries(st.sampled_from([*ATTRIBUTES, "colour"]), SCALARS, max_size=3)
# Operations with any key wrong or missing, and any value in them.
WILD = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {"thread": NAMES, "op": st.sampled_from([*WORDS, "memcpy"])},
        optional={
            "stream": SCALARS,
            "reads": st.one_of(RANGES, JSON),
            "writes": st.one_of(RANGES, JSON),
            "event": SCALARS,
            "note": JSON,
            "attrs": st.one_of(ATTRS, JSON),
            "colour": JSON,
        },
    ),
)


def right(draw: Any, name: str, word: Word) -> dict[str, Any]:
    """An operation with nothing but what it takes."""
    op: dict[str, Any] = {"thread": draw(st.sampled_from(["T0", "T1"])), "op": name}
    if word.stream != "none":
        op["stream"] = draw(st.sampled_from(["S1", "S2", "LEGACY1"]))
        if name == "stream_create":
            op["stream"] = "S1"
    if word.event != "none":
        op["event"] = draw(st.sampled_from(["e", "f"]))
    for field, (least, most) in (("reads", word.reads), ("writes", word.writes)):
        one = st.sampled_from([["a", 0, 8], ["b", 4, 8], ["b", 0, 2, 3, 4]])
        op[field] = draw(st.lists(one, min_size=least, max_size=min(most, least + 1)))
    values: dict[str, Any] = {}
    for attribute in word.attrs:
        allowed = ATTRIBUTES[attribute]
        if attribute not in word.needs and draw(st.integers(0, 2)):
            continue
        if isinstance(allowed, tuple):
            values[attribute] = draw(st.sampled_from(allowed))
        else:
            values[attribute] = draw(st.integers(0, 1) if allowed == "device" else NAMES_OF_GRAPHS)
    op["attrs"] = values
    return op


NAMES_OF_GRAPHS = st.sampled_from(["G", "H"])


@st.composite
def likely(draw: Any) -> list[dict[str, Any]]:
    """Operations that are right one by one; together they may not be."""
    names = draw(st.lists(st.sampled_from(list(WORDS)), min_size=1, max_size=8))
    return [right(draw, name, WORDS[name]) for name in names]


def taken(case: object, into: str | None = "out") -> bool:
    """Import it, or (into None) only read it: whether it is a scenario.

    Anything but a trace or a sentence with line and field fails.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        file.write_text(json.dumps(case), encoding="utf-8")
        try:
            import_cases(file, Path(folder) / into) if into else read_cases(file)
        except SynctraceError as error:
            assert str(error).startswith(f"{file}, line 1: ")
            assert "\n" not in str(error)
            return False
        return True


@given(JSON)
@settings(max_examples=100, deadline=None)
def test_any_json(value: object) -> None:
    taken(value)


@given(st.lists(WILD, min_size=1, max_size=3), JSON)
@settings(max_examples=150, deadline=None)
def test_wild_operations(ops: list[object], profile: object) -> None:
    taken({"id": "a", "profile": profile, "ops": ops})


GOOD = {"thread": "T0", "op": "kernel", "stream": "S1", "reads": [["a", 0, 8]]}


@given(likely())
@example([GOOD, {**GOOD, "attrs": {"captured_in": "G"}}])
@example([{**GOOD, "op": "memcpy_async_h2d", "writes": [["b", 0, 2, 3, 4]]}])
@settings(max_examples=60, deadline=None)
def test_likely_operations(ops: list[dict[str, Any]]) -> None:
    """Each taken alone, they are refused only for what needs another, or copies of two sizes."""
    for op in ops:
        attrs = op.get("attrs", {})
        alone = {**op, "attrs": {k: v for k, v in attrs.items() if k not in TOGETHER}}
        assert set(alone) <= set(FIELDS)
        allowed = op["op"] in NOT_ALONE or op["op"].startswith("memcpy")
        assert taken({"id": "a", "ops": [alone]}, into=None) or allowed or legacy(op)
    taken({"id": "a", "ops": ops})


TOGETHER = ("overlaps", "captured_in", "external", "batched")
NOT_ALONE = (
    *("graph_launch", "graph_update", "capture_begin", "capture_end"),
    *("host_unregister", "thread_join"),
)


def legacy(op: dict[str, Any]) -> bool:
    """Whether it ends a stream that is always there."""
    return op["op"] == "stream_destroy" and op["stream"].startswith("LEGACY")


@pytest.mark.parametrize(
    "ops",
    [
        [{"\n": None}],
        [{"thread": "T0", "op": "kernel", "stream": "S", "attrs": {"\x1b[2J\u2028": 1}}],
    ],
)
def test_a_field_that_cannot_be_printed(ops: list[dict[str, object]]) -> None:
    assert not taken({"id": "a", "ops": ops})
