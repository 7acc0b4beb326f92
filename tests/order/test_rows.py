"""Each order of docs/order.md: with it silent, without it a conflict, profile by profile.

The cases are scenarios, judged by the engine. They prove that the tool draws the conclusion that
the reference states; whether a runtime keeps it is what the sources of a statement are for.
"""

from collections import Counter

import pytest
import reference
from rows import CLEAN, GGML_CASES, PROFILES, Row, judged, pairs, rows, surest

from synctrace.tracer.reader import Trace


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.id)
def test_row(row: Row, traces: dict[str, Trace]) -> None:
    orders = judged(row, traces[row.id])
    for name, order in orders.items():
        if row.pair and row.expected[name] != CLEAN:
            assert row.pair in pairs(order), name
    assert {name: surest(order) for name, order in orders.items()} == row.expected


def test_silent_verdicts_outnumber_loud_ones() -> None:
    verdicts = Counter(v == CLEAN for row in rows() for v in row.expected.values())
    assert verdicts[True] > verdicts[False]


@pytest.mark.parametrize("name", sorted({row.row for row in rows()}))
def test_every_row_has_both_verdicts(name: str) -> None:
    """An order is shown by a case that relies on it and by one that lacks it."""
    verdicts = [v for row in rows() if row.row == name for v in row.expected.values()]
    assert CLEAN in verdicts
    assert set(verdicts) - {CLEAN}


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_is_asked_often(profile: str) -> None:
    asked = sum(profile in row.expected for row in rows())
    assert asked > len(rows()) // 2


def test_the_page_is_made_of_these() -> None:
    """docs/order.md is written by `python tests/order/reference.py`."""
    assert reference.PAGE.read_text("utf-8") == reference.page()


def test_every_case_of_the_page_has_a_verdict() -> None:
    """One of five dashes would tell nothing, though the test of the case asks something."""
    empty = f"| {' | '.join('-' * len(reference.PROFILES))} |"
    assert empty not in reference.PAGE.read_text("utf-8")


def test_every_row_of_the_page_has_cases_and_every_case_a_row() -> None:
    assert sorted(reference.row_ids()) == sorted({row.row for row in rows()})
    ggml = {row.row for row in rows(GGML_CASES)}
    assert sorted(reference.ggml_row_ids()) == sorted(ggml)
