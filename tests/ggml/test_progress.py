"""`record` in a terminal: what it tells, and that the program's output is its own."""

import shlex
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from terminal import Terminal

from synctrace.analyzer.cli import main
from synctrace.analyzer.commands.record import record as command
from synctrace.analyzer.commands.run import run
from synctrace.tracer.growth import Growth
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace

from .conftest import StandIn

EAGER = """
import sys
from synctrace.analyzer import progress
from synctrace.analyzer.cli import main
from synctrace.tracer import launch
progress.AFTER_SECONDS = progress.EVERY_SECONDS = 0.0
launch.PROGRESS_SECONDS = 0.05
main(sys.argv[1:])
"""
BEFORE = Path(__file__).parents[1] / "data/h200/h200-llama-0.3.32-decode.synctrace"
GONE = "\r\x1b[K"


def recorded(program: str, out: Path, redirected: str, *options: str) -> str:
    """What the terminal shows of a recording of half a second."""
    started = ["sh", "-c", f"exec timeout 0.5 {program} forever 1000 {redirected}"]
    screen = Terminal([sys.executable, "-c", EAGER, "record", "-o", out, *options, "--", *started])
    assert screen.end() == 124, screen.output
    return screen.output


def test_a_free_terminal_shows_how_far_it_is(fake: StandIn, tmp_path: Path) -> None:
    told = recorded(fake.program, tmp_path / "t", ">/dev/null 2>&1")
    lines = told.split(GONE)
    assert "synctrace: recording, " in lines[1]
    assert " operations (" in lines[-2]
    assert " a second), " in lines[-2]
    assert lines[-1].startswith(f"synctrace: wrote {tmp_path / 't'} (")
    ops = open_trace(tmp_path / "t").meta["counts"]["op"]
    assert f"({ops:,} operations, " in lines[-1]
    assert ", none dropped)\n" in lines[-1]


@pytest.mark.parametrize(
    ("redirected", "options"), [("", ()), (">/dev/null", ()), (">/dev/null 2>&1", ("-q",))]
)
def test_the_programs_terminal_is_its_own(
    fake: StandIn, tmp_path: Path, redirected: str, options: tuple[str, ...]
) -> None:
    told = recorded(fake.program, tmp_path / "t", redirected, *options)
    assert "\x1b" not in told
    assert ("started\n" in told) == (not redirected)
    assert ("wrote" in told) == (not options)


def test_what_is_told_grows(fake: StandIn, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("synctrace.tracer.launch.PROGRESS_SECONDS", 0.02)
    told: list[Growth] = []
    started = ["timeout", "0.5", fake.program, "forever", "1000"]
    done = record(started, str(tmp_path / "t"), progress=told.append)
    assert done.exit_code == 124
    assert len(told) > 2
    for one, other in pairwise(told):
        assert (one.ops, one.seconds) <= (other.ops, other.seconds)
    assert 0 < told[-1].ops <= open_trace(tmp_path / "t").meta["counts"]["op"]
    assert max(len(one.pids) for one in told) == 2, "timeout and what it runs"
    assert told[-1].size_bytes > 0
    assert told[-1].dropped == 0


def test_a_recorder_within_a_recorder_says_so(fake: StandIn, tmp_path: Path) -> None:
    """One sentence: which of the two has the trace, and what to do."""
    script = "from synctrace.analyzer.cli import main; main()"
    inner = [sys.executable, "-c", script, "record", "-o", str(tmp_path / "inner"), "--"]
    done = record([*inner, fake.program, "tokens", "2"], str(tmp_path / "outer"))
    assert (done.exit_code, done.traces) == (125, [])
    assert done.message == (
        "the command starts `synctrace record` or `synctrace run` itself, which recorded in place"
        " of this one: leave one of the two out"
    )
    assert open_trace(tmp_path / "inner").complete


@pytest.mark.parametrize("which", [command, run])
def test_examples_of_the_help_run(
    which: Any,
    fake: StandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """As they stand there, the programs' names given to the stand-in."""
    monkeypatch.chdir(tmp_path)
    for name in ("llama-cli", "serve.sh"):
        Path(name).write_text(f"#!/bin/sh\nexec {fake.program} tokens 2\n")
        Path(name).chmod(0o755)
    Path("ci").mkdir()
    with pytest.raises(SystemExit):
        main(["check", str(BEFORE), "-F", "json", "-o", "ci/baseline.json"])
    capfd.readouterr()
    examples = [line for line in (which.epilog or "").splitlines() if line.startswith("  ")]
    assert len(examples) == 3
    for example in examples:
        name, *words = shlex.split(example)
        assert name == "synctrace"
        with pytest.raises(SystemExit) as left:
            main(words)
        out, err = capfd.readouterr()
        assert left.value.code in (0, 1), err
        assert out.startswith("done tokens 2\n")
    assert len(list(tmp_path.rglob("meta.json"))) == 3
