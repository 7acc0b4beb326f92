"""Device times of CUDA programs on an NVIDIA H200 (tests/gpu/device_times.py), looked at again.

They prove what CUPTI 13.0 said there, matched with the calls, agrees with the order that the
analyzer gives these programs; that recording still gives such traces is proven only where there is
such a machine.
"""

from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.query import Questions
from synctrace.tracer.kinds import NO_EFFECT, Flag, Kind
from synctrace.tracer.reader import Trace, open_trace

TRACES = Path(__file__).parents[1] / "data/h200"
TIMED = {"streams": 7, "threads": 43, "updates": 13}  # operations that give a device work
ORDERED = {"streams": 21, "threads": 903, "updates": 78}  # pairs of them, of which one is first


def trace_of(name: str) -> Trace:
    return open_trace(TRACES / f"h200-times-{name}-fixed.synctrace")


def number(name: str, sql: str) -> int:
    [[found]] = Questions(trace_of(name)).ask(sql).rows
    return int(found)


def test_every_trace_here_is_looked_at() -> None:
    found = {path.stem for path in TRACES.glob("h200-times-*")}
    assert found == {f"h200-times-{name}-fixed" for name in TIMED}


@pytest.mark.parametrize("name", TIMED)
def test_every_operation_has_times_after_its_call(name: str) -> None:
    trace = trace_of(name)
    ops = trace.table("op").to_pylist()
    work = {Kind.MEMSET, Kind.MEMSET_ASYNC, Kind.KERNEL, Kind.GRAPH_LAUNCH, Kind.MEMCPY_D2H}
    work |= {Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2D}
    called = {
        op["id"]: op["t_c"]
        for op in ops
        if op["kind"] in work and not op["flags"] & (NO_EFFECT | Flag.CAPTURED)
    }
    rows = trace.table("device_work").to_pylist()
    assert len(rows) == TIMED[name] and {row["op"] for row in rows} == called.keys()
    assert all(called[row["op"]] < row["t_s"] < row["t_e"] for row in rows)
    assert trace.complete and trace.meta["versions"] == {"CUDA": "13.0", "CUPTI": "13.0"}
    assert not [counter for counter in trace.meta["coverage"] if "device" in counter]


@pytest.mark.parametrize("name", TIMED)
def test_what_is_ordered_does_not_overlap(name: str) -> None:
    """Of any two operations of which the order engine says that one is first, the device has done
    it before it began the other: two clocks, one of which the analyzer does not read.
    """
    pairs = "FROM op AS a CROSS JOIN op AS b"
    both = "a.started_ns IS NOT NULL AND b.started_ns IS NOT NULL AND hb(a.id, b.id)"
    assert number(name, f"SELECT count(*) {pairs} WHERE {both}") == ORDERED[name]
    late = f"{both} AND a.ended_ns > b.started_ns"
    assert number(name, f"SELECT count(*) {pairs} WHERE {late}") == 0


@pytest.mark.parametrize("name", TIMED)
def test_a_wait_returns_when_the_device_has_done_it(name: str) -> None:
    early = (
        "SELECT count(*) FROM op AS a JOIN op AS w ON w.kind IN ('stream_sync', 'device_sync')"
        " WHERE a.ended_ns > w.returned_ns AND hb(a.id, w.id)"
    )
    assert number(name, early) == 0


@pytest.mark.parametrize("name", TIMED)
def test_the_fix_is_silent(name: str) -> None:
    assert check(trace_of(name), select=["RACE", "LIFE"]).findings == ()
