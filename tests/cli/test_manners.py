"""What every command keeps to: nothing overwritten unasked, quiet when told, examples that run."""

import importlib.util
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import SYNCTRACE, Terminal

from synctrace.analyzer.cli import cli
from synctrace.tracer.scenario import import_cases

from .test_cli import COMMANDS, called

DATA = Path(__file__).parents[1] / "data"
BUILDER = Path(__file__).parents[1] / "rocpd/rocpd_builder.py"
CASES = DATA / "cases.jsonl"
REAL = DATA / "h200/h200-llama-0.3.32-decode.synctrace"
RACE, CLEAN = "ggml-cpu-input-overwrite", "disjoint-slices"
PROGRAM = "print('the program ran')"


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return import_cases(CASES, tmp_path_factory.mktemp("manners") / "race", RACE)[0]


def a_file(path: Path) -> None:
    path.write_text("mine")


def a_trace(path: Path) -> None:
    import_cases(CASES, path, CLEAN)


def a_link(path: Path) -> None:
    path.symlink_to("nowhere")


def two_cases(path: Path) -> None:
    lines = CASES.read_text().splitlines()
    kept = [line for line in lines if f'"{RACE}"' in line or f'"{CLEAN}"' in line]
    assert len(kept) == 2
    path.write_text("\n".join(kept))


def contents(path: Path) -> object:
    """What lies there, to be compared."""
    if path.is_symlink():
        return path.readlink()
    if path.is_dir():
        return {file.name: file.read_bytes() for file in path.iterdir()}
    return path.read_bytes()


WRITERS = {
    "record": (["record", "-o", "there", "--", sys.executable, "-c", PROGRAM], 125),
    "run": (["run", "-o", "there", "--", sys.executable, "-c", PROGRAM], 125),
    "check": (["check", "{race}", "-o", "there"], 2),
    "query": (["query", "{race}", "SELECT 1", "-o", "there"], 2),
    "import": (["import", str(CASES), "--case", RACE, "-o", "there"], 2),
}


@pytest.mark.parametrize("there", [a_file, a_trace, a_link])
@pytest.mark.parametrize("command", WRITERS)
def test_nothing_is_overwritten_unasked(
    command: str,
    there: Callable[[Path], None],
    race: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """And nothing is run, recorded or checked before that is said."""
    monkeypatch.chdir(tmp_path)
    there(Path("there"))
    before = contents(Path("there"))
    words, code = WRITERS[command]
    done = called(capfd, *[word.replace("{race}", str(race)) for word in words])
    assert (done.returncode, done.stdout) == (code, "")
    assert re.search("there (exists|is a file|is a folder|holds)", done.stderr)
    assert contents(Path("there")) == before
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


@pytest.mark.parametrize("command", ["record", "run", "import"])
@pytest.mark.parametrize("there", [a_file, a_link])
def test_with_f_a_trace_still_takes_no_files_place(
    command: str,
    there: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    there(Path("there"))
    words, code = WRITERS[command]
    done = called(capfd, words[0], "-f", *words[1:])
    assert (done.returncode, done.stdout) == (code, "")
    assert "there is a file: remove it or choose another folder with -o" in done.stderr


@pytest.mark.parametrize("command", ["check", "query"])
def test_with_f_a_report_takes_a_files_place(
    command: str,
    race: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    a_file(Path("there"))
    words, _ = WRITERS[command]
    done = called(capsys, *[word.replace("{race}", str(race)) for word in words], "-f")
    assert done.stdout == ""
    assert done.stderr.startswith("synctrace: wrote there\n")
    assert Path("there").read_text() != "mine"


@pytest.mark.parametrize(
    ("options", "made"),
    [
        ([], {f"cases/{RACE}", f"cases/{CLEAN}"}),
        (["--case", RACE], {f"{RACE}.synctrace"}),
        (["--case", RACE, "-o", "mine"], {"mine"}),
    ],
)
def test_import_has_default_names(
    options: list[str],
    made: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    two_cases(Path("cases.jsonl"))
    done = called(capsys, "import", "cases.jsonl", *options)
    assert done.returncode == 0, done.stderr
    assert {str(path.parent) for path in Path().rglob("meta.json")} == made
    assert f"next: synctrace check {min(made).split('/')[0]}\n" in done.stderr


QUIET = {
    "check": ["check", "{race}", "-o", "report", "--fail-on", "never"],
    "query": ["query", "{race}", "SELECT 1", "-o", "answer"],
    "import": ["import", str(CASES), "--case", RACE, "-o", "trace"],
}


@pytest.mark.parametrize("command", QUIET)
def test_quiet(
    command: str,
    race: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [word.replace("{race}", str(race)) for word in QUIET[command]]
    loud = called(capsys, *words)
    assert loud.stderr.startswith("synctrace: ")
    quiet = called(capsys, *words, "-f", "-q")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, loud.stdout, "")


def test_a_report_in_a_file_has_a_next_command(
    race: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = called(capsys, "check", race, "-F", "sarif", "-o", tmp_path / "r.sarif")
    assert done.stderr.endswith("synctrace: next: synctrace explain RACE04\n")
    done = called(capsys, "check", race, "--ignore", "ALL", "-o", tmp_path / "r.txt")
    assert done.stderr.endswith(f"synctrace: next: synctrace query {race} --saved summary\n")


def examples(command: str) -> list[str]:
    """The commands at the end of its help."""
    text = cli.commands[command].epilog or ""
    return [line.strip() for line in text.splitlines() if line.startswith("  ")]


def test_every_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert 2 <= len(examples(command)) <= 4
        told = called(capsys, command, "--help").stdout
        listed = "".join(f"    {example}\n" for example in examples(command))
        assert told.endswith(f"\n  Examples:\n{listed}")


def database(path: Path) -> None:
    """One call of HIP, as rocprofv3 writes it."""
    spec = importlib.util.spec_from_file_location("rocpd_builder", BUILDER)
    assert spec and spec.loader
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    made = builder.Database(path)
    made.process().call("hipDeviceSynchronize")
    made.close()


@pytest.mark.parametrize("command", ["check", "query", "explain", "import"])
def test_examples_run(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As they stand in the help, on a real trace, a file of cases and a database."""
    if command != "import":
        shutil.copytree(REAL, tmp_path / "run.synctrace")
    two_cases(tmp_path / "cases.jsonl")
    database(tmp_path / "4711_results.db")
    monkeypatch.chdir(tmp_path)
    for example in examples(command):
        name, *words = shlex.split(example)
        assert name == "synctrace"
        done = called(capsys, *words)
        assert done.returncode in (0, 1), done.stderr
        assert done.stdout or "synctrace: wrote " in done.stderr


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_colour_is_for_terminals_that_want_it(no_colour: str, race: Path) -> None:
    screen = Terminal([*SYNCTRACE, "check", "-q", race], {"NO_COLOR": no_colour})
    assert screen.end() == 1
    assert "RACE04" in screen.output
    assert ("\x1b" in screen.output) == (not no_colour)
