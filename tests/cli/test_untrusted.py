"""A trace that somebody else made is looked at and nothing else: no file, code or endless join."""

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from synctrace.analyzer import branches, order
from synctrace.analyzer.answer import write_text
from synctrace.analyzer.check import check
from synctrace.analyzer.connect import LOCKED, Session, views
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.output import FORMATS, render
from synctrace.analyzer.query import Questions
from synctrace.analyzer.saved_query import saved
from synctrace.tracer.errors import EXIT_ERROR, SynctraceError
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.schema import TABLES, table_file

pytestmark = pytest.mark.timeout(120)
DATA = Path(__file__).parents[1] / "data"
RACE = "ggml-cpu-input-overwrite"


@pytest.fixture
def race(tmp_path: Path) -> Path:
    return import_cases(DATA / "cases.jsonl", tmp_path / "race.synctrace", RACE)[0]


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    """A recorded trace: with scopes, graphs, stacks, modules."""
    recorded = DATA / "h200/h200-llama-0.3.32-x2-decode.synctrace"
    copy = tmp_path / "recorded.synctrace"
    copy.mkdir()
    for file in recorded.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    return copy


def rows_of(path: Path, name: str) -> list[dict[str, Any]]:
    return open_trace(path).table(name).to_pylist()


def rewrite(path: Path, name: str, rows: Iterable[dict[str, Any]]) -> Trace:
    """A table of a trace with other rows."""
    table = pa.Table.from_pylist([*rows], schema=TABLES[name].schema)
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(str(table_file(path, name)), table.schema, options=options) as out:
        out.write_table(table)
    change_meta(path, counts={})
    return open_trace(path)


def change_meta(path: Path, **keys: object) -> None:
    file = path / "meta.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **keys}))


def refuses(words: str, call: Any) -> None:
    started = time.perf_counter()
    with pytest.raises(SynctraceError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == EXIT_ERROR
    assert time.perf_counter() - started < 30


FORBIDDEN = {
    "write a file": "COPY (SELECT 1) TO '{file}'",
    "write a table": "COPY op TO '{file}' (FORMAT parquet)",
    "write to stdout": "COPY (SELECT 1) TO '/dev/stdout'",
    "export": "EXPORT DATABASE '{file}'",
    "import": "IMPORT DATABASE '{folder}'",
    "attach": "ATTACH '{file}'",
    "read csv": "FROM read_csv('{secret}')",
    "sniff csv": "FROM sniff_csv('{secret}')",
    "read text": "FROM read_text('{secret}')",
    "read blob": "FROM read_blob('{secret}')",
    "read json": "FROM read_json('{secret}')",
    "read parquet": "FROM read_parquet('{secret}')",
    "name a file": "FROM '{secret}'",
    "list files": "FROM glob('{folder}/*')",
    "environment": "SELECT getenv('HOME')",
    "install": "INSTALL httpfs",
    "load": "LOAD httpfs",
    "load a file": "LOAD '{secret}'",
    "network": "FROM read_csv('https://example.com/x.csv')",
    "secret": "CREATE PERSISTENT SECRET s (TYPE http)",
    "setting": "SET enable_external_access = true",
    "unlock": "SET lock_configuration = false",
    "reset": "RESET enable_external_access",
    "threads": "SET threads = 64",
    "memory": "SET memory_limit = '1TB'",
    "spill": "SET temp_directory = '{folder}'",
    "profiling": "PRAGMA profiling_output = '{file}'",
    "log": "SET enable_logging = true",
    "variable of Python": "FROM FORBIDDEN",
    "function of Python": "FROM python_map_function((SELECT 1))",
    "a pointer": "SELECT 1::POINTER",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_sql_reaches_nothing_outside(race: Path, tmp_path: Path, what: str) -> None:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text("a,b\n1,2\n")
    sql = FORBIDDEN[what].format(file=folder / "made", folder=folder, secret=folder / "secret")
    questions = Questions(open_trace(race))
    before = [*tmp_path.rglob("*")]
    with pytest.raises(SynctraceError, match="does not run"):
        questions.ask(sql)
    with pytest.raises(SynctraceError, match="does not run"):
        questions.ask(f"PREPARE p AS {sql}; EXECUTE p")
    assert [*tmp_path.rglob("*")] == before
    assert questions.ask("SELECT count(*) AS n FROM op").rows[0][0] > 0


def test_what_is_not_forbidden_runs(race: Path) -> None:
    """The list above fails for being locked, not for being no SQL."""
    import duckdb

    questions = Questions(open_trace(race))
    for sql in ("CREATE TABLE mine AS SELECT 1 AS one", "FROM mine", "PRAGMA version"):
        questions.ask(sql)
    open_ = duckdb.connect()
    open_.execute("SET threads = 2")
    open_.execute("SET lock_configuration = true")
    with pytest.raises(duckdb.Error, match="locked"):
        open_.execute("SET threads = 1")


def test_every_connection_is_locked_from_its_start(race: Path) -> None:
    """Also those that only our own SQL runs on."""
    con = Session(open_trace(race)).con
    wanted = LOCKED | {"lock_configuration": True}
    asked = [[name, str(value).lower()] for name, value in wanted.items()]
    for name, value in asked:
        [[found]] = con.execute(f"SELECT current_setting('{name}')").fetchall()
        assert str(found).lower() == value, name


def test_nothing_is_spilled_into_the_current_folder(race: Path, tmp_path: Path) -> None:
    """Where a checkout could have put a link called .tmp."""
    work = tmp_path / "work"
    work.mkdir()
    sql = "SELECT count(*) FROM (SELECT i, hash(i) FROM range(300000) AS t(i) ORDER BY 2)"
    done = subprocess.run(
        [sys.executable, "-m", "synctrace", "query", race, sql],
        cwd=work, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, [*work.iterdir()]) == (0, [])


WATCHED = """
import sys
from pathlib import Path
seen = []
sys.addaudithook(lambda event, args: seen.append((event, repr(args))))
from synctrace.analyzer.cli import main
for arguments in (["check", sys.argv[1], "--select", "ALL"], ["query", sys.argv[1], "FROM frame"]):
    try:
        main(arguments)
    except SystemExit as left:
        assert left.code in (0, 1), left.code
run = [e for e, _ in seen if e.startswith(("subprocess", "os.exec", "os.posix_spawn", "os.fork",
       "os.system", "socket", "ctypes.dlopen"))]
print("RAN", sorted(set(run) - {"ctypes.dlopen"}), file=sys.stderr)
print("LOADED", [a for e, a in seen if e == "ctypes.dlopen" and "hostile" in a], file=sys.stderr)
print("OPENED", [a for e, a in seen if e == "open" and "hostile" in a], file=sys.stderr)
"""


def test_nothing_that_a_trace_names_is_opened_or_run(nested: Path, tmp_path: Path) -> None:
    """Modules, files and sites are named when the program is recorded, never afterwards."""
    hostile = tmp_path / "hostile.so"
    hostile.write_bytes(b"\x7fELF\x02\x01")
    modules = [row | {"path": str(hostile)} for row in rows_of(nested, "module")]
    rewrite(nested, "module", modules)
    frames = [row | {"file": str(hostile), "function": ""} for row in rows_of(nested, "frame")]
    assert len(rewrite(nested, "frame", frames).table("frame"))
    change_meta(nested, command=[str(hostile)], program=str(hostile))
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, nested],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("RAN []\nLOADED []\nOPENED []\n"), done.stderr


def test_a_trace_may_name_several_shipped_profiles_and_nothing_else(race: Path) -> None:
    change_meta(race, profile="catalogue,hip-doc")
    found = check(open_trace(race))
    assert {name for f in found.findings for name in f.profile.split(",")} == {
        "catalogue",
        "hip-doc",
    }
    assert found.asked == ()
    change_meta(race, profile="catalogue,../x")
    refuses("none of the shipped", lambda: check(open_trace(race)))


def test_a_trace_does_not_say_which_profile_file_is_read(race: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for name in (str(tmp_path / "pipe.toml"), "../x", "\x1b[31m"):
        change_meta(race, profile=name)
        refuses("names", lambda: check(open_trace(race)))
        refuses("names", lambda: Questions(open_trace(race)).ask("FROM conflict"))


NAMES = ["'; DROP TABLE op; --$(touch owned)", 'x\x1b[31m\n\u202e{0}%s"`']


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_are_text_everywhere(nested: Path, name: str) -> None:
    texts = {
        table: [c.name for c in t.columns if c.type == pa.string()] for table, t in TABLES.items()
    }
    for table, columns in texts.items():
        if columns and (rows := rows_of(nested, table)):
            rewrite(nested, table, [row | dict.fromkeys(columns, name) for row in rows])
    trace = open_trace(nested)
    found = check(trace, select=["ALL"], shape=True)
    assert found.findings
    for format_ in FORMATS:
        told = render([found], Gate(), format_, False)
        assert told.encode()
        assert not {"\x1b", "\u202e"} & {*told}
    questions = Questions(trace)
    for sql in [*saved().values(), "FROM frame", "FROM site"]:
        answer = questions.ask(sql)
        for format_ in ("table", "json"):
            out = io.StringIO()
            write_text(answer, format_, out)
            assert out.getvalue()
            assert not {"\x1b", "\u202e"} & {*out.getvalue()}
    assert questions.ask("SELECT count(*) FROM op").rows[0][0] > 100


def test_the_next_command_runs_nothing_else(race: Path, tmp_path: Path) -> None:
    """A folder of traces can hold one of any name, and its reader types what he is told to."""
    path = race.rename(tmp_path / "a;touch owned;$(touch owned)`touch owned`'\"&b.synctrace")
    found = check(open_trace(path))
    for format_ in ("text", "markdown"):
        told = render([found], Gate(), format_, False)
        [start] = [n for n, line in enumerate(told.splitlines()) if line.startswith("  next ")]
        first, second = told.splitlines()[start : start + 2]
        command = first.removeprefix("  next") + ("\n" + second if first.endswith("\\") else "")
        assert "synctrace" in command
        script = f'synctrace() {{ printf \'%s\\n\' "$2" "$3"; }}\n{command}'
        done = subprocess.run(
            ["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert str(path) in done.stdout.splitlines()
        assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize("depth", [1, 2, 5000])
def test_scopes_that_lie_within_each_other(nested: Path, depth: int) -> None:
    scopes = rows_of(nested, "scope")
    last = len(scopes)
    ring = [
        scopes[0] | {"id": last + n, "parent": last + n % depth + 1} for n in range(1, depth + 1)
    ]
    op = rows_of(nested, "op")
    rewrite(nested, "op", [row | {"scope": last + 1} for row in op])
    trace = rewrite(nested, "scope", scopes + ring)
    refuses("lies within itself", lambda: check(trace, shape=True))
    refuses("lies within itself", lambda: Questions(trace).ask("FROM iteration"))


def test_scopes_nested_deeper_than_any_program(nested: Path) -> None:
    scope = rows_of(nested, "scope")[0]
    scopes = [scope | {"id": n, "parent": n - 1} for n in range(1, 4000)]
    trace = rewrite(nested, "scope", scopes)
    refuses("within more than 256", lambda: Questions(trace).ask("FROM scope_iteration"))
    shallow = rewrite(nested, "scope", scopes[:256])
    assert len(Questions(shallow).ask("FROM scope_iteration").rows) == 256


@pytest.mark.parametrize(
    "table", [name for name, t in TABLES.items() if t.columns[0].name in ("id", "address")]
)
def test_two_rows_of_one_name(nested: Path, table: str) -> None:
    """Every join would multiply them."""
    given = {"id": 1, "address": 1, "accesses": [], "frames": []}
    blank = {c.name: "" if c.type == pa.string() else 0 for c in TABLES[table].columns}
    rows = rows_of(nested, table) or [blank | {k: v for k, v in given.items() if k in blank}]
    trace = rewrite(nested, table, [*rows, rows[-1]])
    refuses("have the same", lambda: Questions(trace).ask(f"SELECT count(*) FROM _{table}"))
    if table == "op":
        refuses("ids do not grow", lambda: order.run(trace, ["ggml-contract"]))


def test_parallel_nodes_beyond_memory(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "MOST_PAIRS", 1000)
    node = {"graph": 1, "version": 0, "kind": 1, "name": "k", "accesses": []}
    trace = rewrite(race, "node", [node | {"node": n} for n in range(50)])
    refuses("more than 1,000 pairs of nodes", lambda: check(trace))
    monkeypatch.setattr(branches, "MOST_NODES", 40)
    refuses("more than 40 nodes", lambda: check(trace))


def test_times_that_add_up_to_more_than_there_is(race: Path) -> None:
    """Differences and sums of times that are each allowed."""
    most = (1 << 60) - 1
    times = {"t_c": -most, "t_r": most, "t_s": -most, "t_e": most}
    trace = rewrite(race, "op", [row | times for row in rows_of(race, "op")])
    found = check(trace, select=["ALL"], shape=True)
    assert found.findings
    for format_ in FORMATS:
        assert render([found], Gate(), format_, False)
    questions = Questions(trace)
    for sql in [*saved().values(), *(f"FROM {view}" for view in views())]:
        assert questions.ask(sql).names


def test_lost_words_are_notes_of_ours(race: Path) -> None:
    change_meta(race, complete=False, lost=["\x1b[2Jx\n::error::y\r\nz\x9b"])
    done = subprocess.run(
        [sys.executable, "-m", "synctrace", "query", race, "SELECT E'\\x1b[31m' AS red"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert not {"\x1b", "\x9b"} & {*done.stdout, *done.stderr}
    assert all(line.startswith("synctrace: ") for line in done.stderr.splitlines())
