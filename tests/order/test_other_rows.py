"""Each promise and habit of the catalogue and of ggml's backends: with it silent, without it not.

What a case expects follows from the meaning of the calls: docs/scenarios.md for the catalogue,
ggml-backend.h and what was read of each backend for ggml. Of two layers recorded together each
profile judges its own, and what no call of a vendor did is work of the host (docs/profiles.md).
"""

from collections import Counter
from pathlib import Path

import pytest
from rows import CLEAN, OTHERS, PROFILES, Row, asked, judged, pairs, rows, surest

from synctrace.analyzer.profile import shipped
from synctrace.tracer.reader import Trace


@pytest.mark.parametrize("row", rows(*OTHERS), ids=lambda row: row.id)
def test_row(row: Row, other_traces: dict[str, Trace]) -> None:
    orders = judged(row, other_traces[row.id])
    for name, order in orders.items():
        if row.expected[name] != CLEAN:
            assert row.pair in pairs(order), name
    assert {name: surest(order) for name, order in orders.items()} == row.expected


@pytest.mark.parametrize("file", OTHERS, ids=lambda file: file.stem)
def test_silent_verdicts_outnumber_loud_ones(file: Path) -> None:
    verdicts = Counter(v == CLEAN for row in rows(file) for v in row.expected.values())
    assert verdicts[True] > verdicts[False]


@pytest.mark.parametrize("file", OTHERS, ids=lambda file: file.stem)
def test_every_row_has_both_verdicts(file: Path) -> None:
    """An order is shown by a case that relies on it and by one that lacks it."""
    told: dict[str, set[str]] = {}
    for row in rows(file):
        told.setdefault(row.row, set()).update(row.expected.values())
    assert [name for name, verdicts in told.items() if not {CLEAN} < verdicts] == []


def test_every_profile_has_rows() -> None:
    told = {asked(name)[0] for row in rows(*OTHERS) for name in row.expected}
    assert told - set(PROFILES) == set(shipped()) - set(PROFILES)


def test_every_case_has_its_own_name() -> None:
    """Those of the reference too: the tests keep the traces of all by name."""
    names = [row.id for row in (*rows(), *rows(*OTHERS))]
    assert len(set(names)) == len(names)
