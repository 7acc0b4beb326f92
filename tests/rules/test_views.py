"""Views: every one runs, every column has its sentence, and nothing leaves the connection."""

import io
import json
from pathlib import Path

import pytest

from synctrace.analyzer.answer import write_text
from synctrace.analyzer.api import open_trace
from synctrace.analyzer.connect import views
from synctrace.analyzer.query import ORDERED, Answer, Questions
from synctrace.analyzer.saved_query import saved, saved_columns, saved_doc
from synctrace.tracer import reader
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.writer import TraceWriter

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
CONTRACT = (
    "op access buffer storage stream event copy launch sync conflict iteration scope sample"
    " finding edge actor need need_pair site frame call"
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("views") / "t.synctrace"
    return import_cases(CASES, out, "ggml-cpu-input-overwrite")[0]


@pytest.fixture(scope="module")
def asked(path: Path) -> Questions:
    return Questions(reader.open_trace(path))


def test_the_promised_views_are_here() -> None:
    assert set(CONTRACT.split()) <= set(views())


@pytest.mark.parametrize("name", views())
def test_every_column_is_documented(name: str, asked: Questions) -> None:
    columns = list(asked.ask(f"FROM {name}").names)
    assert columns == list(views()[name].columns)
    for sentence in (views()[name].doc, *views()[name].columns.values()):
        assert sentence.endswith("."), sentence
    for column in columns:
        assert not column.endswith(("_us", "_ms", "time", "length")), "ns and bytes only"


@pytest.mark.parametrize("name", saved())
def test_saved_queries_run_and_say_what_they_are(name: str, asked: Questions) -> None:
    [statement] = asked.statements(saved()[name])
    assert list(asked.ask(statement).names) == list(saved_columns(name))
    assert saved_doc(name)
    for sentence in saved_columns(name).values():
        assert sentence.endswith("."), sentence


ANSWERS: dict[str, list[tuple[object, ...]]] = {
    "SELECT id, kind, timeline FROM op WHERE kind = 'kernel'": [
        (6, "kernel", "S1"),
        (9, "kernel", "S1"),
    ],
    "SELECT source, target, size_bytes FROM copy WHERE id = 4": [("h_in", "d_in", 4096)],
    "SELECT kind, event FROM sync ORDER BY id": [
        ("event_record", "e_copy"),
        ("stream_sync", None),
    ],
    "SELECT kind FROM memory JOIN buffer USING (storage) WHERE name = 'h_in'": [("pinned",)],
    "SELECT first_op, second_op, first_on, second_on FROM conflict": [(4, 7, "device", "host")],
    "SELECT rule, ops, buffer FROM finding": [("RACE04", [4, 7], "h_in")],
    "SELECT label, function FROM site WHERE id = 5": [
        ("T0 memcpy_async_h2d S1", "memcpy_async_h2d")
    ],
    "SELECT string_agg(letter, '' ORDER BY op) FROM letter": [("iarkiaks",)],
    "SELECT count(*) FROM iteration": [(0,)],
    "SELECT what FROM loss": [],
}


@pytest.mark.parametrize("sql", ANSWERS)
def test_answers(sql: str, asked: Questions) -> None:
    assert asked.ask(sql).rows == ANSWERS[sql]


@pytest.mark.parametrize(
    ("kind", "is_free"),
    [
        *((free, True) for free in ("free", "free_host", "free_async", "cache_free")),
        *((other, False) for other in ("host_unregister", "alloc_async", "cache_alloc")),
    ],
)
def test_what_gives_memory_back(kind: str, is_free: bool, asked: Questions) -> None:
    """Memory that is unregistered lives on, and no recorder says that the call touches it."""
    assert asked.ask(f"SELECT is_free('{kind}')").rows == [(is_free,)]


def test_only_graphs_with_captured_ranges_are_captured_launches(tmp_path: Path) -> None:
    """Of op 4, a graph that was captured; op 5 launches one whose ranges are its own."""
    held = {"thread": "T0", "stream": "S1", "writes": [["x", 0, 64]]}
    of_g = {"thread": "T0", "stream": "S1", "attrs": {"graph": "G"}}
    ops = [
        {"thread": "T0", "op": "alloc_device", "writes": [["x", 0, 64]]},
        {**of_g, "op": "capture_begin"},
        {**held, "op": "memset_async", "attrs": {"captured_in": "G"}},
        {**of_g, "op": "capture_end"},
        {**of_g, "op": "graph_launch"},
        {**held, "op": "graph_launch", "attrs": {"graph": "H"}},
    ]
    (tmp_path / "c.jsonl").write_text(json.dumps({"id": "c", "ops": ops}))
    [made] = import_cases(tmp_path / "c.jsonl", tmp_path / "t", "c")
    asked = Questions(reader.open_trace(made))
    assert asked.ask("SELECT op FROM captured").rows == [(2,)]
    assert asked.ask("SELECT op FROM captured_launch").rows == [(4,)]


def test_user_names_do_not_get_in_the_way(asked: Questions) -> None:
    sql = "WITH finding AS (SELECT 1 AS need) SELECT need AS conflict FROM finding"
    assert asked.ask(sql).rows == [(1,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/hostname')",
        "COPY (SELECT 1) TO 'out.csv'",
        "ATTACH 'other.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SELECT * FROM sql",
    ],
)
def test_nothing_outside_the_trace_can_be_reached(sql: str, asked: Questions) -> None:
    with pytest.raises(SynctraceError, match="the query does not run"):
        asked.ask(sql)


def test_a_query_that_does_not_parse(asked: Questions) -> None:
    with pytest.raises(SynctraceError, match="the query does not parse"):
        asked.statements("SELEC 1")


def render(answer: Answer, format_: str) -> str:
    out = io.StringIO()
    write_text(answer, format_, out)
    return out.getvalue()


def test_formats(asked: Questions) -> None:
    sql = "SELECT id, call, event FROM op WHERE id IN (4, 5) ORDER BY id"
    assert (
        render(asked.ask(sql), "csv") == "id,call,event\n4,memcpy_async_h2d,0\n5,event_record,1\n"
    )
    assert json.loads(render(asked.ask(sql), "json"))[1] == {
        "id": 5,
        "call": "event_record",
        "event": 1,
    }
    table = render(asked.ask(sql), "table").splitlines()
    assert table == [
        "id  call              event",
        "--  ----------------  -----",
        " 4  memcpy_async_h2d      0",
        " 5  event_record          1",
        "(2 rows)",
    ]


def test_an_empty_answer_is_a_table_too(asked: Questions) -> None:
    assert render(asked.ask("SELECT id FROM op WHERE false"), "table") == "id\n--\n(0 rows)\n"


def test_the_library_gives_arrow(path: Path) -> None:
    table = open_trace(path).query("SELECT kind, count(*) AS ops FROM op GROUP BY kind")
    assert table.column_names == ["kind", "ops"]
    assert sum(table["ops"].to_pylist()) == 11
    import synctrace

    assert synctrace.check(path).findings[0].rule == "RACE04"
    assert open_trace(path).meta["program"] == "ggml-cpu-input-overwrite"
    assert synctrace.__version__


def test_what_could_not_be_made_is_tried_again(tmp_path: Path) -> None:
    """A trace without a profile says so every time, and can still be asked other things."""
    with TraceWriter(tmp_path / "t", {}) as writer:
        writer.append("call", {"id": [1], "name": ["f"]})
    asked = Questions(reader.open_trace(tmp_path / "t"))
    for view in ("conflict", "need", "conflict", "finding", "finding"):
        with pytest.raises(SynctraceError, match="names no profile"):
            asked.ask(f"FROM {view}")
    assert asked.ask("SELECT name FROM call").rows == [("f",)]


@pytest.mark.parametrize("page", ["views.md", "commands.md"])
def test_the_pages_name_every_view_that_runs_the_order_engine(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text("utf-8")
    [told] = [
        part for part in text.split("\n\n") if "run the order engine" in " ".join(part.split())
    ]
    assert [name for name in sorted(ORDERED) if f"`{name}" not in told] == []
