"""`query -F` and `-o`: values keep their types, files are whole or not there; the pager."""

import csv
import io
import json
import os
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from terminal import SYNCTRACE, Terminal, plain

from synctrace.analyzer.answer import WIDEST, table_lines
from synctrace.analyzer.commands.query import FORMATS

from .test_cli import called, refused

TRACE = Path(__file__).parents[1] / "data/h200/h200-llama-0.3.32-decode.synctrace"
HUGE = 170141183460469231731687303715884105727
VALUES = """
SELECT 9223372036854775807 AS big, 170141183460469231731687303715884105727 AS huge, true AS yes,
  DATE '2020-02-29' AS day, TIMESTAMP '2020-02-29 01:02:03.5' AS moment,
  '\\xAA\\x00'::BLOB AS bytes,
  1.50::DECIMAL(9, 2) AS price, ['NaN'::DOUBLE, 0.5] AS list,
  {'a': 1, 'b': [{'c': 'Infinity'::DOUBLE}]} AS struct, MAP {1: 'x'} AS map, NULL::BIGINT AS none,
  'a"b,c' AS text, '00000000-0000-0000-0000-00000000000f'::UUID AS id
"""
JSON = {
    "big": (1 << 63) - 1,
    "huge": HUGE,
    "yes": True,
    "day": "2020-02-29",
    "moment": "2020-02-29T01:02:03.500000",
    "bytes": "aa00",
    "price": 1.5,
    "list": [None, 0.5],
    "struct": {"a": 1, "b": [{"c": None}]},
    "map": {"1": "x"},
    "none": None,
    "text": 'a"b,c',
    "id": "00000000-0000-0000-0000-00000000000f",
}


def test_json_keeps_what_json_has(capsys: pytest.CaptureFixture[str]) -> None:
    done = called(capsys, "query", TRACE, VALUES, "-F", "json")

    def never(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    assert json.loads(done.stdout, parse_constant=never) == [JSON]


def test_csv_is_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    done = called(capsys, "query", TRACE, VALUES, "-F", "csv")
    [names, row] = csv.reader(io.StringIO(done.stdout))
    told = dict(zip(names, row, strict=True))
    assert names == list(JSON)
    assert told["huge"] == str(HUGE)
    assert (told["yes"], told["none"], told["bytes"], told["price"]) == ("true", "", "aa00", "1.50")
    assert (told["text"], json.loads(told["list"])) == ('a"b,c', [None, 0.5])


def read(path: Path) -> pa.Table:
    return pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_types_are_kept(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"a.{form}"
    done = called(capsys, "query", TRACE, VALUES, "-F", form, "-o", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"synctrace: wrote {out}\n")
    [row] = read(out).to_pylist()
    expected: dict[str, Any] = {
        "big": (1 << 63) - 1,
        "huge": Decimal(HUGE),
        "yes": True,
        "day": date(2020, 2, 29),
        "moment": datetime(2020, 2, 29, 1, 2, 3, 500_000),
        "bytes": b"\xaa\x00",
        "price": Decimal("1.50"),
        "map": [(1, "x")],
        "none": None,
        "text": 'a"b,c',
    }
    assert {name: row[name] for name in expected} == expected
    assert read(out).schema.field("big").type == pa.int64()
    assert row["struct"]["b"][0]["c"] == float("inf")


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_binary_through_a_pipe(form: str, tmp_path: Path) -> None:
    """Columns of one name are told apart; no rows are a table too."""
    sql = "SELECT 1 AS a, 2 AS a, kind FROM op WHERE false"
    command = [*SYNCTRACE, "query", str(TRACE), sql, "-F", form]
    done = subprocess.run(command, capture_output=True, check=True)
    (tmp_path / f"a.{form}").write_bytes(done.stdout)
    table = read(tmp_path / f"a.{form}")
    assert (table.num_rows, table.column_names) == (0, ["a", "a_1", "kind"])
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["SELECT 1; SELECT 2", "-F", "parquet"],
            "-F parquet holds one answer: give one statement",
        ),
        (["", "-F", "arrow"], "there is no statement to ask"),
        (["SELECT INTERVAL 3 DAY", "-F", "parquet", "-o", "out"], "cast it to VARCHAR"),
        (["SELECT error('half') FROM range(10)", "-F", "csv", "-o", "out"], "half"),
        (["SELECT 1 / 0; SELEC", "-o", "out"], "does not parse"),
        (["SELECT 1", "-o", "none/out"], "cannot write none/out: make the folder none first"),
        (["SELECT 1", "-o", "."], ". is a folder: name a file in it"),
        (["SELECT 1", "-o", "kept"], "kept exists: choose another name or overwrite it with -f"),
        (["SELECT error('no')", "-o", "kept", "-f"], "no"),
    ],
    ids=lambda value: " ".join(value)[-30:] if isinstance(value, list) else "",
)
def test_a_file_is_whole_or_not_there(
    options: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kept").write_text("mine")
    refused(called(capsys, "query", TRACE, *options), words)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert Path("kept").read_text() == "mine"


def test_an_answer_cut_off_leaves_the_file_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last row fails, when most of the answer has been written."""
    out = tmp_path / "out"
    out.write_text("mine")
    sql = "SELECT CASE WHEN range = 99999 THEN error('late') ELSE range END FROM range(100000)"
    refused(called(capsys, "query", TRACE, sql, "-F", "csv", "-o", out, "-f"), "late")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert out.read_text() == "mine"
    assert (
        called(capsys, "query", TRACE, "SELECT 1 AS a", "-F", "csv", "-o", out, "-qf").stderr == ""
    )
    assert out.read_text() == "a\n1\n"


# The peak of this program alone: what getrusage says begins with that of the one that started it.
LARGE = """
import sys
from synctrace.analyzer.cli import main
try:
    main(sys.argv[1:])
except SystemExit as left:
    assert left.code == 0
print(int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]) << 10)
"""


def peak(rows: int, form: str, out: Path) -> int:
    """Most memory of a process that asks for rows of 500 bytes and more."""
    sql = f"SELECT range AS a, repeat('x', 500) || range AS b FROM range({rows})"
    asked = ["query", str(TRACE), sql, "-F", form, "-o", str(out)]
    command = [sys.executable, "-c", LARGE, *asked]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_long_answer_takes_the_memory_of_a_batch(tmp_path: Path) -> None:
    """50 MB: all at once they would take more."""
    short = peak(16_000, "parquet", tmp_path / "short")
    for form in ("csv", "parquet", "arrow"):
        assert peak(100_000, form, tmp_path / form) - short < 40 << 20, form
    assert (tmp_path / "csv").stat().st_size > 50_000_000


def test_binary_is_nothing_for_a_terminal(tmp_path: Path) -> None:
    screen = Terminal([*SYNCTRACE, "query", TRACE, "SELECT 1", "-F", "parquet"])
    assert screen.end() == 2
    told = "-F parquet is nothing for a terminal: give -o FILE or a pipe"
    assert screen.output == f"synctrace: {told}\n"


def paged(sql: str, *options: str, pager: str = "sed 's/^/| /'", lines: int = 24) -> str:
    command = [*SYNCTRACE, "query", TRACE, sql, *options]
    screen = Terminal(command, {"PAGER": pager}, lines=lines)
    assert screen.end() == 0
    return plain(screen.output)


def test_a_pager_where_the_answer_is_longer_than_the_screen() -> None:
    told = paged("SELECT range AS n FROM range(30)").splitlines()
    assert told[:3] == ["|  n", "| --", "|  0"]
    assert told[-1] == "| (30 rows)"


@pytest.mark.parametrize(("rows", "options", "lines"), [(30, ("--no-pager",), 24), (30, (), 40)])
def test_no_pager_where_none_is_needed(rows: int, options: tuple[str, ...], lines: int) -> None:
    told = paged(f"SELECT range AS n FROM range({rows})", *options, lines=lines)
    assert told.endswith(f"\n({rows} rows)\n")
    assert "|" not in told


def test_no_pager_in_a_pipe() -> None:
    sql = "SELECT range AS n FROM range(100)"
    done = subprocess.run(
        [*SYNCTRACE, "query", TRACE, sql], capture_output=True, text=True, check=True,
        env=os.environ | {"PAGER": "false"},
    )  # fmt: skip
    assert done.stdout.count("\n") == 103


def test_a_table_wider_than_the_screen_is_stacked() -> None:
    rows = [(1, "x" * 30), (22, None)]
    assert list(table_lines(["id", "name"], rows, 34)) == list(table_lines(["id", "name"], rows))
    assert list(table_lines(["id", "name"], rows, 33)) == [
        *("-- row 1 ", "id    1", f"name  {'x' * 30}"),
        *("-- row 2 ", "id    22", "name", "(2 rows)"),
    ]
    assert list(table_lines(["a" * 50], [], 33))[-1] == "(0 rows)"


def test_a_very_long_text_makes_no_other_row_wide() -> None:
    """As names of C++ kernels are; it is told in full."""
    name = "k" * (WIDEST + 1)
    _, line, short, long, _ = table_lines(["name", "launches"], [("fill", 1), (name, 2)])
    assert line == "-" * WIDEST + "  " + "-" * len("launches")
    assert len(short) == len(line)
    assert long.startswith(f"{name}  ")


def test_names_of_the_trace_do_not_reach_the_terminal_as_they_are() -> None:
    [_, _, line, _] = table_lines(["name"], [("a\x1b[2J\nb",)])
    assert line == "a\\x1b[2J\\nb"


def test_every_format_of_the_help_is_told_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
    for name in FORMATS:
        assert f"`{name}`" in page.split("## query")[1]


@pytest.mark.parametrize("sql", ["", " ; "])
def test_no_statement_is_no_answer(sql: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A variable of a script that is not set."""
    refused(called(capsys, "query", TRACE, sql, "-F", "json"), "there is no statement to ask")


def test_a_query_that_is_not_utf8(capsys: pytest.CaptureFixture[str]) -> None:
    refused(called(capsys, "query", TRACE, os.fsdecode(b"SELECT '\xff'")), "is not UTF-8")


def test_a_prompt_that_is_typed_at_in_latin_1() -> None:
    """It says so, and goes on."""
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    prompt = Terminal([*SYNCTRACE, "query", TRACE], env)
    prompt.until("synctrace>")
    prompt.type("SELECT '\u00fc';\n")
    prompt.until("the query is not UTF-8")
    prompt.until("synctrace>")
    prompt.type("SELECT 41 + 1;\n")
    prompt.until("42")
    prompt.until("synctrace>")
    prompt.type(".quit\n")
    assert prompt.end() == 0
