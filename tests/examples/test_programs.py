"""Each example's race is told as its docstring says, in every run; its fix is silent and right.

On simulated devices: what is shown is that `check` and the bytes follow the order of the calls, not
how often a GPU's timing lets the race happen.
"""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cupy_calls.conftest import gpu, standin  # noqa: F401

import synctrace

from .programs import FOLDER, NAMES, ROOT, found, promised

SEEDS = range(3)


def run(name: str, seed: int, trace: Path, patch: pytest.MonkeyPatch, *extra: str) -> None:
    """Run the program in this process."""
    patch.syspath_prepend(FOLDER)
    given = ["--seed", str(seed), "-o", str(trace), *extra]
    patch.setattr(sys, "argv", [str(FOLDER / f"{name}.py"), *given])
    program, options = importlib.import_module(name), importlib.import_module("options")
    assert options.run(program.main) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_race_is_told_in_every_run(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = ""
    for seed in SEEDS:
        trace = tmp_path / f"{seed}.synctrace"
        run(name, seed, trace, monkeypatch)
        said += capsys.readouterr().out
        checked = synctrace.check(trace, select=["RACE", "LIFE", "TRACE"])
        assert found(checked) == promised(name, "Race") != []
    assert " are wrong\n" in said


@pytest.mark.parametrize("name", NAMES)
def test_the_fix_is_silent_and_right(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for seed in SEEDS:
        trace = tmp_path / f"{seed}.synctrace"
        run(name, seed, trace, monkeypatch, "--fixed")
        said = capsys.readouterr().out
        assert " are right\n" in said and "wrong" not in said
        assert found(synctrace.check(trace)) == promised(name, "Fix") == []


def start(name: str, folder: Path, *extra: str, path: Path | None = None) -> tuple[int, str, str]:
    """Run the program as a user does. `path`: where Python looks for modules first."""
    done = subprocess.run(
        [sys.executable, FOLDER / f"{name}.py", *extra],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(path or "")},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_as_a_program(name: str, tmp_path: Path) -> None:
    code, said, wrong = start(name, tmp_path)
    assert (code, wrong) == (0, "")
    assert said.splitlines()[-1] == f"next: synctrace check {name}.synctrace"
    assert synctrace.open(tmp_path / f"{name}.synctrace").meta["complete"]


def test_a_second_run_replaces_the_trace_and_nothing_else(tmp_path: Path) -> None:
    assert [start("staging", tmp_path, "--fixed")[0] for _ in range(2)] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["staging-fixed.synctrace"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/file").touch()
    code, said, wrong = start("staging", tmp_path, "-o", "mine")
    assert (code, said) == (2, "") and wrong.count("\n") == 1
    assert (tmp_path / "mine/file").exists()


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("name", NAMES)
def test_with_cupy(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in does all at once: shown is that the calls are CuPy's and told as the others."""
    for line, extra in (("Race", []), ("Fix", ["--fixed"])):
        run(name, 0, tmp_path / line, monkeypatch, "--device", "cupy", *extra)
        assert found(synctrace.check(tmp_path / line), "race", "life") == promised(name, line)


def test_without_cupy_one_sentence_says_so(tmp_path: Path) -> None:
    (tmp_path / "cupy.py").write_text("raise ImportError('none here')")
    code, said, wrong = start("ring", tmp_path, "--device", "cupy", path=tmp_path)
    assert (code, said) == (2, "")
    assert wrong.startswith("ring.py: synctrace.cupy needs CuPy, which cannot be imported")
    assert wrong.count("\n") == 1


def test_the_guide_names_every_program_and_its_verdicts() -> None:
    lines = (ROOT / "examples/README.md").read_text().splitlines()
    for name in NAMES:
        [row] = [line for line in lines if line.startswith(f"| [{name}.py](programs/{name}.py)")]
        race, fix = row.split("|")[3:5]
        assert race.split() == promised(name, "Race")
        assert fix.split() == (promised(name, "Fix") or ["silent"])
    others = {path.stem for path in FOLDER.glob("*.py")} - {*NAMES}
    assert others == {"history", "options", "words"}
