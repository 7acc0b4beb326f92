"""The prompt of `query` in a real terminal, and what TAB proposes at it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from terminal import SYNCTRACE, Terminal, plain

from synctrace.analyzer.connect import views
from synctrace.analyzer.prompt import history_file
from synctrace.analyzer.shell import is_whole
from synctrace.analyzer.shell_words import proposals

TRACE = Path(__file__).parents[1] / "data/h200/h200-llama-0.3.32-decode.synctrace"
PROMPT = "synctrace> "
ENDLESS = "SELECT count(*) FROM range(1000000000) a, range(100000) b WHERE a = b + 1.5;\n"
NO_READLINE = "import sys; sys.modules['readline'] = None\n"
MAIN = "import sys; from synctrace.analyzer.cli import main; main()"


def prompt(state: Path, *options: str, before: str = "", **env: str) -> Terminal:
    started = (sys.executable, "-c", before + MAIN) if before else SYNCTRACE
    variables = {"XDG_STATE_HOME": str(state), "PAGER": "cat"} | env
    return Terminal([*started, "query", TRACE, *options], variables)


def test_a_session(tmp_path: Path) -> None:
    screen = prompt(tmp_path)
    assert "SQL over the views" in screen.until(PROMPT)

    screen.type("SELECT ki\t FROM laun\t LIMIT 1;\n")
    assert "kind" in screen.until("graph_launch")
    assert "(1 row)\n" in screen.until(PROMPT)

    screen.type("SELECT\n")
    assert plain(screen.until("...> ")).endswith("\n      ...> ")
    screen.type("o.si")
    screen.until("o.si")
    time.sleep(0.1)  # Python misses a signal that comes just before it waits for a key
    screen.type("\x03")  # the statement is gone, not the prompt
    screen.until(PROMPT)
    screen.type("SELECT 1 + 1\n  AS two; -- and no more\n")
    assert "two\n---\n  2\n(1 row)" in plain(screen.until(PROMPT))

    screen.type("SELECT x FROM op;\n")
    assert "synctrace: the query does not run" in screen.until(PROMPT)

    screen.type(".saved signa\t\n")
    assert "g[CPU]saaaaaasg[CUDA0]" in screen.until(PROMPT)
    screen.type(".saved none\n")
    assert "there is no saved query none: .saved lists them" in screen.until(PROMPT)
    screen.type(".quitt\n")
    assert "there is no .quitt: .help lists what there is" in screen.until(PROMPT)

    screen.type("\x1b[A" * 4 + "\n")  # up to the line that failed
    assert "SELECT x FROM op;" in screen.until(PROMPT)

    screen.type("\x04")
    assert screen.end() == 0
    history = tmp_path / "synctrace/query_history"
    assert "SELECT kind FROM launch LIMIT 1;" in history.read_text()
    assert history.stat().st_mode & 0o077 == 0


def test_ctrl_c_ends_the_answer_that_does_not_come(tmp_path: Path) -> None:
    screen = prompt(tmp_path, "-q")
    screen.until(PROMPT)
    screen.type("SELECT 7 AS seven; " + ENDLESS)
    screen.until("(1 row)")  # the first has answered: the second runs
    screen.type("\x03")
    screen.until(PROMPT)
    screen.type("SELECT 8 AS eight;\n")
    assert "    8\n" in plain(screen.until("(1 row)"))
    screen.until(PROMPT)
    screen.type(".quit\n")
    assert screen.end() == 0


def test_history_is_there_again_and_never_fatal(tmp_path: Path) -> None:
    first = prompt(tmp_path, "-q")
    first.until(PROMPT)
    first.type("SELECT 'before' AS a;\n.quit\n")
    assert first.end() == 0
    second = prompt(tmp_path, "-q")
    second.until(PROMPT)
    second.type("\x1b[A\x1b[A\n")  # over .quit
    assert "(1 row)" in second.until(PROMPT)
    second.type("\x04")
    assert second.end() == 0

    (tmp_path / "file").touch()
    third = prompt(tmp_path / "file", "-q")
    third.until(PROMPT)
    third.type("SELECT 1 AS one;\n.quit\n")
    assert third.end() == 0
    assert "Traceback" not in third.output
    assert "Error" not in third.output


def test_without_readline(tmp_path: Path) -> None:
    screen = prompt(tmp_path, "-q", before=NO_READLINE)
    screen.until(PROMPT)
    screen.type("SELECT 3 AS three;\n")
    assert "    3\n" in screen.until("(1 row)")
    screen.until(PROMPT)
    screen.type("\x04")
    assert screen.end() == 0
    assert not (tmp_path / "synctrace").exists()


def test_answers_to_a_file_hold_no_prompt(tmp_path: Path) -> None:
    """stdin is a terminal, stdout is not: readline would write its prompt there."""
    out = tmp_path / "out"
    screen = Terminal(["sh", "-c", f'"$@" > {out}', "sh", *SYNCTRACE, "query", TRACE, "-F", "csv"])
    screen.until(PROMPT)
    screen.type("SELECT 4 AS four;\n")
    screen.until(PROMPT)
    screen.type("\x04")
    assert screen.end() == 0
    assert out.read_text() == "four\n4\n"


def test_the_prompt_writes_no_files() -> None:
    screen = Terminal([*SYNCTRACE, "query", TRACE, "-o", "out.csv", "-F", "csv"])
    assert screen.end() == 2
    assert "give SQL, --file or --saved: the prompt writes no files" in screen.output


@pytest.mark.parametrize(
    ("before", "word", "after", "expected"),
    [
        ("FROM ", "lau", "", ["launch"]),
        ("SELECT * FROM op AS o JOIN ", "need_", "", ["need_pair"]),
        ("SELECT o.id\nFROM op AS o WHERE ", "o.pa", "", ["o.parent"]),
        ("SELECT ", "o.pa", " FROM op o", ["o.parent"]),
        ("SELECT ", "op.pa", " FROM op", ["op.parent"]),
        ("SELECT ", "blocked", " FROM sync", ["blocked_ns"]),
        ("SELECT ", "blocked", " FROM op", []),
        ("SELECT ", "retu", "", ["returned_ns"]),
        ("FROM op -- FROM sync\nWHERE ", "block", "", []),
        ("FROM op WHERE ", "x.k", "", []),
        ("FROM op ", "ORDE", "", ["ORDER BY"]),
        ("FROM op ", "orde", "", ["order by"]),
        ("", ".s", "", [".saved"]),
        (".saved ", "ker", "", ["kernels"]),
        (".views ", "laun", "", ["launch"]),
        (".saved kernels ", "k", "", []),
        (".quit ", "", "", []),
        ("SELECT ", "", "", []),
    ],
)
def test_proposals(before: str, word: str, after: str, expected: list[str]) -> None:
    assert proposals(before, word, after) == expected


def test_every_view_is_proposed_behind_from() -> None:
    assert proposals("FROM ", "") == list(views())


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("SELECT 1;\n", True),
        ("SELECT 1; -- why\n", True),
        ("SELECT 1 /* ; */\n", False),
        ("SELECT ';\n", False),
        ("SELECT ';'\n", False),
        ("-- nothing;\n", False),
        ("SELECT 1\n", False),
    ],
)
def test_where_a_statement_ends(text: str, whole: bool) -> None:
    assert is_whole(text) == whole


@pytest.mark.parametrize(
    ("state", "folder"),
    [("/s", "/s"), ("", "/h/.local/state"), ("relative", "/h/.local/state")],
)
def test_where_history_lies(state: str, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An XDG path that is not absolute counts as none."""
    monkeypatch.setenv("HOME", "/h")
    monkeypatch.setenv("XDG_STATE_HOME", state)
    assert history_file() == Path(folder) / "synctrace/query_history"


def test_from_a_pipe_there_is_no_prompt(tmp_path: Path) -> None:
    done = subprocess.run(
        [*SYNCTRACE, "query", TRACE, "-F", "csv"], input="SELECT 1 AS one;\n", text=True,
        capture_output=True, env=os.environ | {"XDG_STATE_HOME": str(tmp_path)}, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("one\n1\n", "")
    assert list(tmp_path.iterdir()) == []
