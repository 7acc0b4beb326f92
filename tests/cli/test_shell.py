"""The prompt of `synctrace query`: what it says of itself, and that it outlives its errors."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from synctrace.analyzer.notes import note
from synctrace.analyzer.query import Questions
from synctrace.analyzer.shell import shell
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
TYPED = "SELECT 1\nAS one;\nSELEC 2;\nSELECT x FROM op;\nSELECT 3 AS three;\n"
SHELL = """
import sys
from pathlib import Path
from synctrace.analyzer.query import Questions
from synctrace.analyzer.shell import shell
from synctrace.tracer.reader import open_trace
sys.exit(shell(Questions(open_trace(Path(sys.argv[1]))), "csv"))
"""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shell") / "t.synctrace"
    return import_cases(CASES, out, "disjoint-slices")[0]


def test_answers_and_errors(
    trace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(TYPED))
    assert shell(Questions(open_trace(trace)), "csv") == 0
    out, err = capsys.readouterr()
    assert out == "one\n1\nthree\n3\n"
    told = err.replace("synctrace> ", "").replace("      ...> ", "").splitlines()
    assert len(told) > 4
    assert all(line.startswith("synctrace:") for line in told if line)
    assert err.count("synctrace> ") == 5
    assert err.count("      ...> ") == 1
    assert "synctrace: the query does not parse" in err
    assert "synctrace: the query does not run" in err
    assert err.endswith("synctrace> \n")


def test_a_full_stderr_ends_nothing(trace: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", SHELL, str(trace)],
            input=TYPED, stdout=subprocess.PIPE, stderr=full, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "one\n1\nthree\n3\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one", "synctrace: one\n"),
        ("one\n\n  three\n", "synctrace: one\nsynctrace:\nsynctrace:   three\n"),
    ],
)
def test_every_line_of_a_note_says_whose_it_is(
    text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    note(text)
    assert capsys.readouterr() == ("", told)
