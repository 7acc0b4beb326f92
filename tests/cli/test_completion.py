"""TAB in the user's shell, by click's own protocol."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from synctrace.analyzer.cli import cli
from synctrace.analyzer.profile import shipped
from synctrace.analyzer.rule import rule_ids
from synctrace.analyzer.saved_query import saved
from synctrace.tracer.writer import TraceWriter


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two traces, a folder with one, an empty folder and a file."""
    for name in ("run-1.synctrace", "run-2.synctrace", "deep/run-3.synctrace"):
        TraceWriter(tmp_path / name, {}).close()
    (tmp_path / "empty").mkdir()
    (tmp_path / "runfile").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def completed(line: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What bash is told: kind and value of each proposal for the last word of the line."""
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    told = BashComplete(cli, {}, "synctrace", "_SYNCTRACE_COMPLETE").complete()
    return [(kind, value) for kind, _, value in (one.partition(",") for one in told.splitlines())]


@pytest.mark.parametrize("command", ["check", "query", "explain 5d57313d"])
@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("", [("plain", "run-1.synctrace"), ("plain", "run-2.synctrace")]),
        ("run-2", [("plain", "run-2.synctrace")]),
        ("deep/", [("plain", "deep/run-3.synctrace")]),
        ("dee", [("dir", "dee")]),
        ("empty/", [("dir", "empty/")]),
        ("nowhere/", [("dir", "nowhere/")]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_traces(
    command: str, word: str, expected: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed(f"synctrace {command} {word}", monkeypatch) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("check t --select RACE0", [name for name in rule_ids() if name.startswith("RACE0")]),
        ("check t --select ra", ["RACE", *(n for n in rule_ids() if n.startswith("RACE"))]),
        ("run --ignore LIFE01,trace0", ["LIFE01,TRACE01", "LIFE01,TRACE02"]),
        ("check t --select SYNC01,SYNC0", [f"SYNC01,SYNC0{n}" for n in range(2, 10)]),
        ("check t --select AL", ["ALL"]),
        ("check t --select NOTHING", []),
        ("check t --profile hip-", [name for name in shipped() if name.startswith("hip-")]),
        ("query t --profile cuda-doc,cuda-", ["cuda-doc,cuda-13"]),
        ("query t --saved k", ["kernels"]),
        ("query t --saved ", list(saved())),
        ("explain RACE04", ["RACE04"]),
        ("explain boundari", ["boundaries"]),
        ("explain access_s", ["access_set"]),
        ("explain cuda-13 hip-7", ["hip-7"]),
        ("query t -F par", ["parquet"]),
        ("impo", ["import"]),
        ("doc", ["doctor"]),
        ("doctor -F j", ["json"]),
    ],
)
def test_names(line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert [value for _, value in completed(f"synctrace {line}", monkeypatch)] == expected


@pytest.mark.parametrize("line", ["record -- ./p", "run -- sh scr", "query t -o out", "import ca"])
def test_files_are_left_to_the_shell(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(f"synctrace {line}", monkeypatch) == [("file", line.split()[-1])]


def test_the_line_of_the_page_in_a_real_bash(folder: Path) -> None:
    """`synctrace` is completed, and nothing heavy is loaded for it."""
    page = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
    line = 'eval "$(_SYNCTRACE_COMPLETE=bash_source synctrace)"'
    assert f"    {line}\n" in page
    script = f"""
    {line}
    COMP_WORDS=(synctrace check run-1) COMP_CWORD=2
    _synctrace_completion synctrace run-1 check
    echo "${{COMPREPLY[@]}}"
    """
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env=os.environ | {"PATH": path}
    )
    assert done.stdout == "run-1.synctrace\n", done.stderr


def test_completion_loads_nothing_heavy(folder: Path) -> None:
    probe = (
        "import sys\nfrom synctrace.analyzer.cli import main\n"
        "try:\n    main([])\nfinally:\n    print({'duckdb', 'pyarrow'} & set(sys.modules))"
    )
    asked = {"_SYNCTRACE_COMPLETE": "bash_complete", "COMP_WORDS": "synctrace check r"}
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True,
        env=os.environ | asked | {"COMP_CWORD": "2"},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "plain,run-1.synctrace",
        "plain,run-2.synctrace",
        "set()",
    ], done.stderr
