"""Which places are needless: one definition, in the views need and needless."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from synctrace.analyzer.check import needless_sites, sync_places
from synctrace.analyzer.connect import Session
from synctrace.analyzer.examine import Examined
from synctrace.analyzer.finding import SyncPlaces
from synctrace.analyzer.outcome import NEEDS
from synctrace.tracer.reader import open_trace
from synctrace.tracer.writer import TraceWriter

# A place that makes two syncs which nothing needs, not the program's last.
NEEDLESS = {
    "profile": "p", "level": 2, "site": 1, "instances": 2, "implied": 0, "needed": 0, "proven": 0,
    "final": 0, "unrecorded": 0, "blocked_ns": 5, "first_op": 1, "last_op": 2,
}  # fmt: skip
LAST = NEEDLESS | {"site": 9, "needed": 1, "proven": 1, "last_op": 99}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    TraceWriter(tmp_path / "t", {}).close()
    return tmp_path / "t"


def asked(path: Path, *rows: dict[str, Any]) -> Session:
    return Session(open_trace(path), {"_needs": pa.Table.from_pylist(list(rows), schema=NEEDS)})


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "needless"),
        ({"implied": 2}, "needless"),
        ({"final": 1}, "needless"),
        ({"final": 2}, "not judged"),
        ({"unrecorded": 2}, "not judged"),
        ({"unrecorded": 1, "final": 1}, "not judged"),
        ({"needed": 1}, "not provable"),
        ({"needed": 3, "proven": 1}, "needed"),
        ({"needed": 1, "final": 2}, "not provable"),
        ({"last_op": 100}, "needless"),
        ({"last_op": 100, "instances": 1}, "not judged"),
        ({"last_op": 100, "instances": 1, "final": 1}, "not judged"),
        ({"last_op": 100, "instances": 1, "implied": 1}, "needless"),
        ({"last_op": 100, "instances": 1, "unrecorded": 1}, "not judged"),
    ],
)
def test_verdict_of_a_place(changed: dict[str, int], verdict: str, path: Path) -> None:
    session = asked(path, NEEDLESS | changed, LAST)
    assert session.rows("SELECT verdict FROM need WHERE site = 1") == [(verdict,)]
    assert needless_sites(session) == [1] * (verdict == "needless")


def test_a_place_is_needless_under_every_memory_model(path: Path) -> None:
    other = {"profile": "q", "level": 1}
    session = asked(
        path,
        NEEDLESS,
        NEEDLESS | other | {"needed": 1},
        NEEDLESS | {"site": 2},
        NEEDLESS | {"site": 2} | other,
        NEEDLESS | {"site": 3},
        NEEDLESS | {"site": 3, "final": 2} | other,
        LAST,
        LAST | other | {"proven": 0},
    )
    sites = needless_sites(session)
    assert sites == [2]
    assert sync_places(session, sites, Examined()) == SyncPlaces(needless=1, needed=1, unproven=1)
    columns = "site, level, profile, why, count, blocked_ns"
    assert session.rows(f"SELECT {columns} FROM needless ORDER BY level") == [
        (2, "api", "p", "unneeded", 2, 5),
        (2, "ggml", "q", "unneeded", 2, 5),
    ]


def test_why_it_is_needless(path: Path) -> None:
    known = NEEDLESS | {"implied": 2}
    session = asked(path, known, known | {"profile": "q", "implied": 1}, known | {"site": 2}, LAST)
    assert session.rows("SELECT site, profile, why FROM needless ORDER BY site") == [
        (1, "p,q", "unneeded"),
        (2, "p", "implied"),
    ]


def test_no_judged_sync_no_place(path: Path) -> None:
    session = asked(path)
    assert needless_sites(session) == []
    assert sync_places(session, [], Examined()) == SyncPlaces(0, 0, 0)
