"""Over-broad and avoidable syncs: what is told, and above all where nothing is."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from synctrace.analyzer import examine, proposals, replay
from synctrace.analyzer.check import check
from synctrace.analyzer.examine import TINY_BYTES
from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.query import Questions
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.schema import TABLES, table_file

Op = dict[str, Any]


def on(op: str, stream: str | None = None, event: str | None = None, **more: Any) -> Op:
    """One op; `r` and `w`: buffer and bytes that it reads and writes, `attrs`, `thread`."""
    made: Op = {"thread": more.get("thread", "T0"), "op": op, "stream": stream, "event": event}
    for verb, key in (("reads", "r"), ("writes", "w")):
        made[verb] = [[name, 0, size] for name, size in more.get(key, {}).items()]
    return made | {"attrs": more.get("attrs", {})}


def kernel(stream: str, **more: Any) -> Op:
    return on("kernel", stream, **more)


def traced(ops: list[Op], path: Path, **meta: object) -> Trace:
    file = path / "c.jsonl"
    file.write_text(json.dumps({"id": "c", "ops": [on("alloc_pinned", w={"h": 8192}), *ops]}))
    [made] = import_cases(file, path / "t", "c")
    told = json.loads((made / "meta.json").read_text())
    (made / "meta.json").write_text(json.dumps(told | meta))
    return open_trace(made)


def syncs(checked: Checked) -> list[Finding]:
    return [f for f in checked.findings if f.rule in ("SYNC02", "SYNC03")]


X, Y, HOST, BIG = {"x": 64}, {"y": 64}, {"h": 64}, {"h": TINY_BYTES + 1}
SMALL = {"h": TINY_BYTES}
DOWN = on("memcpy_async_d2h", "S1", r=X, w=HOST)
KEPT = on("memcpy_async_d2h", "S1", r=X, w={"k": 64})
READ, SYNC = on("host_read", r=HOST), on("stream_sync", "S1")
RECORD = on("event_record", "S1", "e")

EVENT = [kernel("S1", w=X), DOWN, RECORD, kernel("S1", w=Y), SYNC, READ]
STREAM = [kernel("S1", w=X), SYNC, kernel("S2", r=X)]
OLD_EVENT = [kernel("S1", w=X), RECORD, kernel("S1", w=Y), SYNC, kernel("S2", r=X)]
SAME_EVENT = [kernel("S1", w=X), RECORD, on("event_sync", event="e"), kernel("S2", r=X)]
DEVICE = [kernel("S1", w=X), on("device_sync"), kernel("S2", r=X)]
# What is needed was done on a stream that the one waited for had itself waited for.
OTHER_STREAM = [
    *(kernel("S2", w=X), DOWN | {"stream": "S2"}, RECORD | {"stream": "S2"}),
    *(on("event_wait", "S1", "e"), kernel("S1", w=Y), SYNC, READ),
]
OTHER_STREAM_EVENT = [
    *(*OTHER_STREAM[:5], on("event_record", "S1", "f")),
    *(on("event_sync", event="f"), READ),
]
BY_WAY_OF = [
    *OTHER_STREAM[:3],
    *(on("event_wait", "S3", "e"), on("event_record", "S3", "f"), on("event_wait", "S1", "f")),
    *OTHER_STREAM[4:],
]
LATER = [kernel("S1", w=X), DOWN, SYNC, kernel("S2", w=Y), READ]
LATER_EVENT = [
    *(kernel("S1", w=X), DOWN, RECORD, on("event_sync", event="e")),
    *(kernel("S2", w=Y), READ),
]


@pytest.mark.parametrize(
    ("ops", "told"),
    [
        (EVENT, {"how": "event", "event": "e", "record": 3}),
        (OTHER_STREAM, {"how": "event", "event": "e", "record": 3}),
        (OTHER_STREAM_EVENT, {"how": "event", "event": "e", "record": 3}),
        (BY_WAY_OF, {"how": "event", "event": "e", "record": 3}),
        (STREAM, {"how": "stream-wait", "streams": ("S2",), "recorded_on": ("S1",)}),
        (OLD_EVENT, {"how": "stream-wait", "event": "e", "record": 2, "streams": ("S2",)}),
        (SAME_EVENT, {"how": "stream-wait", "event": "e", "streams": ("S2",)}),
        (DEVICE, {"how": "stream-wait", "streams": ("S2",), "recorded_on": ("S1",)}),
        (LATER, {"how": "later", "before": 5, "recorded_on": ("S1",)}),
        (LATER_EVENT, {"how": "later", "event": "e", "before": 6}),
    ],
    ids=[
        *("event", "other stream", "other stream, event", "by way of a third", "stream"),
        *("old event", "same event", "device", "later", "later event"),
    ],
)
def test_what_is_enough(ops: list[Op], told: dict[str, object], tmp_path: Path) -> None:
    checked = check(traced(ops, tmp_path))
    [found] = syncs(checked)
    assert (found.rule, found.verdict, found.severity) == ("SYNC02", "over-broad", "warning")
    assert found.why == told["how"]
    one = found.proposal
    assert one is not None
    nothing = {"event": "", "record": None, "before": None, "streams": (), "recorded_on": ()}
    said = {name: getattr(one, name) for name in nothing}
    said |= {name: said[name].id for name in ("record", "before") if said[name]}
    assert {"how": one.how, **said} == nothing | told
    assert checked.syncs is not None
    assert (checked.syncs.over_broad, checked.syncs.avoidable) == (1, 0)


def one_place(trace: Trace, *ops: int) -> Trace:
    """The trace with these ops called from the place of the first of them."""
    rows = trace.table("op").to_pylist()
    places = {row["id"]: row["site"] for row in rows}
    for row in rows:
        row["site"] = places[ops[0] if row["id"] in ops else row["id"]]
    table = pa.Table.from_pylist(rows, schema=TABLES["op"].schema)
    with pa.ipc.new_file(str(table_file(trace.path, "op")), table.schema) as out:
        out.write_table(table)
    return open_trace(trace.path)


def test_a_stream_is_not_told_to_wait_for_itself(tmp_path: Path) -> None:
    """A loop waits for every stream, as ggml's scheduler does; one must wait for another."""
    ops = [kernel("S1", r=X), on("stream_sync", "S2"), on("stream_sync", "S1"), kernel("S2", w=X)]
    [found] = syncs(check(one_place(traced(ops, tmp_path), 2, 3)))
    one = found.proposal
    assert found.ops == (3,) and one is not None
    assert (one.how, one.streams, one.recorded_on) == ("stream-wait", ("S2",), ("S1",))


def changed(ops: list[Op], at: int, *new: Op) -> list[Op]:
    """Other ops in the place of one."""
    return [*ops[:at], *new, *ops[at + 1 :]]


OTHER = {"thread": "T1"}
LAUNCH = on("graph_launch", "S1", w=Y, attrs={"graph": "G"})  # ordered on whatever stream
SILENT: dict[str, list[Op]] = {
    "the event comes before what is needed": [kernel("S1", w=X), RECORD, DOWN, SYNC, READ],
    "nothing comes after the event": [kernel("S1", w=X), DOWN, RECORD, SYNC, READ],
    "the event is recorded again behind it all": [*EVENT[:4], RECORD, SYNC, READ],
    "its record failed": changed(EVENT, 2, {**RECORD, "attrs": {"failed": True}}),
    "the event is of another stream": changed(EVENT, 2, on("event_record", "S2", "e")),
    "the event is gone": changed(EVENT, 4, on("event_destroy", event="e"), SYNC),
    "another thread records it": changed(EVENT, 2, RECORD | OTHER),
    "later work is needed too": [*EVENT, on("memcpy_async_d2h", "S2", r=Y, w={"k": 64})],
    "the host writes what later work reads": [
        *(kernel("S1", w=X), DOWN, RECORD, on("memcpy_async_h2d", "S1", r={"g": 64}, w=Y)),
        *(SYNC, READ, on("host_write", w={"g": 64})),
    ],
    "another thread launches what needs it": [
        *(kernel("S1", w=X), SYNC, on("thread_signal", event="m")),
        *(on("thread_wait", event="m", **OTHER), kernel("S2", r=X, **OTHER)),
    ],
    "no launch before the read": [kernel("S1", w=X), DOWN, SYNC, READ],
    "the launch before the read needs it too": [
        *(kernel("S1", w=HOST), SYNC, kernel("S2", r=HOST), READ),
    ],
    "a host wait is not needed at all": [kernel("S1", w=X), SYNC, kernel("S1", r=X), SYNC],
    "an event that is waited for alone": changed(EVENT, 4, on("event_sync", event="e")),
    "a large read between launches": [
        *(kernel("S1", w=X), on("memcpy_async_d2h", "S1", r={"x": TINY_BYTES + 1}, w=BIG), SYNC),
        *(on("host_read", r=BIG), kernel("S1", r=X)),
    ],
    "two reads that are large together": [
        *(on("memcpy_async_d2h", "S1", r={"x": TINY_BYTES}, w=SMALL), KEPT),
        *(SYNC, on("host_read", r=SMALL), on("host_read", r={"k": 64}), kernel("S1", w=X)),
    ],
    "a small read, and a source that is written": [
        *(on("memcpy_async_h2d", "S1", r={"g": 64}, w=X), DOWN, SYNC, READ),
        *(on("host_write", w={"g": 64}), kernel("S1", r=X)),
    ],
    "an event of another stream that comes behind": [
        *(on("memcpy_async_h2d", "S1", r=HOST, w=X), LAUNCH, kernel("S1", w={"z": 64}), RECORD),
        *(LAUNCH | {"stream": "S2"}, kernel("S2", w={"k": 64}), on("event_record", "S2", "other")),
        *(on("event_sync", event="e"), on("host_write", w=HOST)),
        *(on("stream_sync", "S1"), on("stream_sync", "S2"), on("host_read", r={"k": 64})),
    ],
    "a write of the host": [
        *(on("memcpy_async_h2d", "S1", r=HOST, w=X), SYNC, on("host_write", w=HOST)),
        kernel("S1", r=X),
    ],
}


@pytest.mark.parametrize("name", SILENT)
def test_where_nothing_is_told(name: str, tmp_path: Path) -> None:
    checked = check(traced(SILENT[name], tmp_path))
    assert syncs(checked) == []
    assert [f for f in checked.findings if f.family in ("race", "life")] == [] or "needed" in name


LOUD = {"event": EVENT, "stream": STREAM, "later": LATER}


@pytest.mark.parametrize("ops", LOUD.values(), ids=LOUD)
def test_nothing_is_told_of_a_trace_that_lost_data(ops: list[Op], tmp_path: Path) -> None:
    lost = traced(ops, tmp_path, complete=False, lost=["3 records dropped"], dropped=3)
    assert syncs(check(lost)) == []


@pytest.mark.parametrize("asked", [{"ignore": ["SYNC02", "SYNC03"]}, {"select": ["SYNC01"]}])
def test_nothing_is_run_for_rules_not_asked_for(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposals, "examine", None)
    assert syncs(check(traced(EVENT, tmp_path), **asked)) == []


TINY = [kernel("S1", w=X), on("memcpy_async_d2h", "S1", r={"x": TINY_BYTES}, w=SMALL), SYNC]
TINY += [on("host_read", r=SMALL), kernel("S1", r=X)]


def test_a_tiny_read_between_launches(tmp_path: Path) -> None:
    checked = check(traced(TINY, tmp_path))
    [found] = syncs(checked)
    assert (found.rule, found.verdict, found.severity) == ("SYNC03", "avoidable", "note")
    one = found.proposal
    assert one is not None and one.write is not None and one.read is not None
    assert (one.how, one.write.id, one.read.id, one.bytes) == ("tiny-read", 2, 4, TINY_BYTES)
    assert found.cost_ns


@pytest.mark.parametrize(
    ("most_work", "told"), [(0, (0, 0)), (3 * 7 - 1, (0, 1)), (3 * 7, (0, 1)), (4 * 7, (1, 0))]
)
def test_places_beyond_the_budget_are_counted(
    most_work: int, told: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 7 ops: two passes as it is, one for the event, one for whether it is less."""
    monkeypatch.setattr(proposals, "MOST_WORK", most_work)
    trace = traced(EVENT, tmp_path)
    places = check(trace).syncs
    assert places is not None
    assert (places.over_broad, places.too_long) == told
    for asked in ("SYNC02", "sync03"):
        places = check(trace, select=[asked]).syncs
        assert places is not None
        assert (places.over_broad, places.too_long) == (1, 0)


def test_a_trace_that_races_too_much_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = traced([kernel("S2", w=Y), *EVENT], tmp_path)
    checked = check(trace)
    assert [f.rule for f in checked.findings if f.family == "race"] == ["RACE03"]
    assert checked.syncs is not None
    assert (checked.syncs.over_broad, checked.syncs.too_racy) == (1, 0)
    monkeypatch.setattr(replay, "MOST_RACES", 0)
    checked = check(trace)
    assert checked.syncs is not None
    assert (checked.syncs.over_broad, checked.syncs.too_racy) == (0, 1)


def test_the_views_tell_the_same(tmp_path: Path) -> None:
    asked = Questions(traced(EVENT, tmp_path))
    columns = "site, how, ops, event, record_op, before_op, streams"
    rows = asked.ask(f"SELECT {columns} FROM over_broad").rows
    assert rows == [(6, "event", [5], "e", 3, None, [])]
    assert asked.ask("FROM avoidable").rows == []


def test_the_views_tell_of_tiny_reads(tmp_path: Path) -> None:
    asked = Questions(traced(TINY, tmp_path))
    rows = asked.ask("SELECT how, ops, read_bytes, write_op, read_op FROM avoidable").rows
    assert rows == [("tiny-read", [3], TINY_BYTES, 2, 4)]
    assert asked.ask("SELECT count(*) FROM over_broad").rows == [(0,)]


def test_the_budget_is_what_the_manual_says() -> None:
    assert examine.MOST_WORK == 2_000_000
    manual = Path(__file__).parents[2] / "docs/commands.md"
    assert "2 million ops x passes" in " ".join(manual.read_text(encoding="utf-8").split())


def test_every_memory_model_asked_for_must_agree(tmp_path: Path) -> None:
    """Where a call of an event gives no order, the event is not enough."""
    shipped = files("synctrace.analyzer") / "profiles/catalogue.toml"
    text = shipped.read_text(encoding="utf-8").replace('name = "catalogue"', 'name = "other"')
    without = '[[statement]]\nkind = ["event_sync"]\nreads = "none"\n'
    other = tmp_path / "other.toml"
    trace = traced(EVENT, tmp_path)
    for more, told in (("", 1), (without, 0)):
        other.write_text(f"{text}\n{more}", encoding="utf-8")
        for profiles in (["catalogue", str(other)], [str(other), "catalogue"]):
            assert len(syncs(check(trace, profiles))) == told
    assert [f.profile for f in syncs(check(trace, ["catalogue"]))] == ["catalogue"]


@pytest.mark.parametrize(("attrs", "told"), [({}, 1), ({"no_fence": True}, 0)])
def test_an_event_that_makes_nothing_visible_is_not_enough(
    attrs: dict[str, bool], told: int, tmp_path: Path
) -> None:
    """It orders the host's read after the copy, but the host need not see what was copied."""
    ops = [on("event_create", event="e", attrs=attrs), *EVENT]
    trace = traced(ops, tmp_path)
    checked = check(trace, ["hip-doc"])
    assert "hip-doc/fenced" in checked.passes or not attrs
    assert [f.why for f in syncs(checked)] == ["event"] * told
