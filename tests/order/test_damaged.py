"""Numbers that no recorder writes: one sentence or bounded memory, whatever the file says."""

import resource
from pathlib import Path
from typing import Any

import pytest
from small import Small, needless, races

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Kind, Level

HUGE = 4_000_000_000
MEGABYTES = 300  # more than a small check takes, less than anything by id


def peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def small_race() -> Small:
    t = Small()
    d = t.device()
    t.op(Kind.GRAPH_LAUNCH, t.write(d), actor=t.backend())
    t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=t.backend())
    return t


@pytest.mark.parametrize("table", ["access", "storage", "actor", "access_set"])
def test_an_id_that_no_table_of_this_size_has(table: str, tmp_path: Path) -> None:
    t = small_race()
    t.rows.setdefault(table, []).append({"id": HUGE})
    before = peak_mb()
    with pytest.raises(SynctraceError) as error:
        t.judge(tmp_path)
    rows = len(t.rows[table])
    assert f"is damaged (id {HUGE} of table {table}, which has {rows} rows): " in str(error.value)
    assert peak_mb() - before < MEGABYTES


def test_an_access_to_a_storage_that_cannot_be(tmp_path: Path) -> None:
    t = small_race()
    t.op(Kind.HOST_READ, t.read(HUGE))
    with pytest.raises(SynctraceError, match=f"id {HUGE} of table storage"):
        t.judge(tmp_path)


@pytest.mark.parametrize(("last", "ordered"), [(2**63 - 2, True), (2**63 - 1, False)])
def test_ids_of_ops_that_cannot_be_told_apart(last: int, ordered: bool, tmp_path: Path) -> None:
    t = small_race()
    t.rows["op"][-1]["id"] = last
    if ordered:
        assert races(t.judge(tmp_path)) == [(1, last, "certain")]
        return
    with pytest.raises(SynctraceError, match="have no order"):
        t.judge(tmp_path)


@pytest.mark.parametrize("table", ["access", "storage", "actor", "access_set"])
def test_rows_that_a_torn_trace_lost_are_no_damage(table: str, tmp_path: Path) -> None:
    t = small_race()
    t.rows.setdefault(table, []).append({"id": 60_000})
    assert races(t.judge(tmp_path)) == [(1, 2, "certain")]


def test_accesses_to_unknown_memory_have_no_size(tmp_path: Path) -> None:
    t = small_race()
    t.op(Kind.HOST_READ, t.read(0, 2**63, 2**64 - 1))
    assert races(t.judge(tmp_path)) == [(1, 2, "certain")]


def test_a_storage_that_is_the_whole_address_space(tmp_path: Path) -> None:
    """As the recorder tells memory of the host that no buffer names."""
    t = small_race()
    h, gpu = t.host(2**63 - 1), t.backend()
    at = 140_611_588_563_712
    copy = t.op(Kind.TENSOR_SET_ASYNC, t.read(h, at, at + 64), actor=gpu)
    rewrite = t.op(Kind.HOST_WRITE, t.write(h, at + 32, at + 96))
    order = t.judge(tmp_path)
    assert races(order) == [(1, 2, "certain"), (copy, rewrite, "certain")]
    assert order.conflicts.to_pylist()[1]["lo"] == at + 32


def test_storages_larger_than_any_machine(tmp_path: Path) -> None:
    t = small_race()
    t.device(2**63)
    t.device(2**63)
    with pytest.raises(SynctraceError, match=r"is damaged .storages of 18446744073709551680 b"):
        t.judge(tmp_path)


@pytest.mark.parametrize(
    "column", ["event", "graph", "site", "access_set", "device", "peer", "actor", "thread"]
)
def test_an_op_that_names_what_cannot_be(column: str, tmp_path: Path) -> None:
    """An event or graph may have any number; of an unnamed timeline nothing is proven."""
    t = Small(Level.API)
    one, two, d = t.backend(), t.backend(), t.device()
    value = 2**31 - 1 if column == "device" else HUGE
    more: dict[str, Any] = {"actor": one, column: value}
    first = t.op(Kind.GRAPH_LAUNCH, t.write(d), **more)
    t.op(Kind.EVENT_RECORD, **more)
    t.op(Kind.EVENT_WAIT, **more)
    second = t.op(Kind.GRAPH_LAUNCH, t.read(d), actor=two)
    before = peak_mb()
    found = races(t.judge(tmp_path, "catalogue"))
    assert found == ([] if column in ("actor", "peer", "thread") else [(first, second, "certain")])
    assert peak_mb() - before < MEGABYTES


def test_a_thousand_timelines_without_names(tmp_path: Path) -> None:
    t = Small()
    d = t.device()
    write = t.write(d)
    for n in range(1000):
        t.op(Kind.GRAPH_LAUNCH, write, actor=HUGE + n)
        t.op(Kind.TENSOR_COPY_ASYNC, write, actor=HUGE + n, peer=HUGE - n)
    order = t.judge(tmp_path)
    assert (races(order), needless(order)) == ([], set())


@pytest.mark.parametrize("level", [3, 8, 64, 255])
def test_a_level_that_is_none_does_not_count(level: int, tmp_path: Path) -> None:
    t = small_race()
    t.rows["op"][0]["level"] = level
    assert races(t.judge(tmp_path)) == []


def test_rows_of_a_strided_range_end_with_it(tmp_path: Path) -> None:
    """A range says where it ends; rows beyond would be another storage's bytes."""
    t = Small()
    d, neighbour = t.device(), t.device()
    rows = {"pitch": 16, "width": 8, "height": HUGE}
    one_row = {"pitch": 2**63, "width": 2**63, "height": 2**64 - 1}
    t.op(Kind.GRAPH_LAUNCH, t.write(neighbour, 0, 8, **one_row), actor=t.backend())
    t.op(Kind.GRAPH_LAUNCH, t.write(d, 0, 64, **rows), actor=t.backend())
    t.op(Kind.GRAPH_LAUNCH, t.write(neighbour, 8), t.read(d, 8, 16), actor=t.backend())
    assert races(t.judge(tmp_path)) == []


def test_strided_ranges_of_more_rows_than_fit(tmp_path: Path) -> None:
    t = Small()
    d = t.device(2**40)
    rows = {"pitch": 2, "width": 1, "height": 2**39}
    t.op(Kind.GRAPH_LAUNCH, t.write(d, 0, 2**40, **rows), actor=t.backend())
    with pytest.raises(SynctraceError, match="do not fit in memory"):
        t.judge(tmp_path)
