"""The line of progress: on a terminal in front only, and gone at the end."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from terminal import Terminal

from synctrace.analyzer import progress
from synctrace.analyzer.progress import Line
from synctrace.tracer.growth import Growth, size_of, told_size
from synctrace.tracer.reader import open_trace

TRACE = Path(__file__).parents[1] / "data/h200/h200-llama-0.3.32-decode.synctrace"
# The command, its line due at once instead of after a second.
EAGER = """
import sys
from synctrace.analyzer import progress
from synctrace.analyzer.cli import main
progress.AFTER_SECONDS = progress.EVERY_SECONDS = 0.0
main(sys.argv[1:])
"""
CHECK = (sys.executable, "-c", EAGER, "check", str(TRACE), "-F", "concise")
GONE = "\r\x1b[K"


def test_of_a_check() -> None:
    """No longer than the terminal is wide, or it would be two."""
    screen = Terminal(CHECK, columns=60)
    screen.end()
    line, _, report = screen.output.rpartition(GONE)
    assert line.split(GONE)[1] == f"synctrace: {TRACE.name}: ordering 0 of 417"[:59]
    assert max(map(len, line.split(GONE))) == 59
    assert "\x1b" not in report
    assert report.splitlines()[-1].startswith("synctrace: ")


@pytest.mark.parametrize("shell", ['"$@" 2>&1 | cat', 'set -m; "$@" & wait'])
def test_none_in_a_pipe_and_none_from_the_background(shell: str) -> None:
    screen = Terminal(["bash", "-c", shell, "bash", *CHECK])
    assert screen.end() == 0
    assert "\x1b" not in screen.output
    assert "synctrace: 0 errors" in screen.output


def test_none_where_the_terminal_is_dumb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", SimpleNamespace(isatty=lambda: True, fileno=lambda: -1))
    monkeypatch.setenv("TERM", "xterm")
    assert progress._in_front()
    monkeypatch.setenv("TERM", "dumb")
    assert not progress._in_front()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is written where stderr is a terminal in front."""
    told: list[str] = []
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(progress, "_in_front", lambda: True)
    monkeypatch.setattr(progress, "_write_here", lambda pids: 2 in pids)
    monkeypatch.setattr(progress, "tell", told.append)
    monkeypatch.setattr(progress, "AFTER_SECONDS", 0.0)
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.0)
    yield told


def test_of_a_recording(terminal: list[str]) -> None:
    """Gone as soon as one of the processes writes to the terminal."""
    free = Growth((1,), ops=1_234_567, size_bytes=20_500_000, dropped=3, seconds=10.0)
    with Line() as line:
        line.recording(free)
        told = "1,234,567 operations (123,457 a second), 20.5 MB, 3 dropped"
        assert terminal == [f"{GONE}synctrace: recording, {told}"]
        line.recording(Growth((1, 2), 0, 0, 0, 0.0))
        assert terminal[1:] == [GONE]
    assert terminal[1:] == [GONE]


def test_each_pass_over_a_trace_is_told(terminal: list[str]) -> None:
    line = Line()
    taken = line.ordering(open_trace(TRACE))
    for number in (0, 400, 0):
        taken(number)
    told = [text.partition("ordering ")[2] for text in terminal]
    assert told == ["0 of 417 ops, pass 1", "400 of 417 ops, pass 1", "0 of 417 ops, pass 2"]


def test_quiet_is_quiet(terminal: list[str]) -> None:
    with Line(quiet=True) as line:
        line.show("anything")
    assert terminal == []


def test_an_error_leaves_no_line(terminal: list[str]) -> None:
    with pytest.raises(ValueError, match="no"), Line() as line:
        line.show("anything")
        raise ValueError("no")
    assert terminal[-1] == GONE


def test_whose_output_goes_to_our_terminal() -> None:
    """Asked of two real processes by a third that has the terminal."""
    script = """
import subprocess, sys
from synctrace.analyzer.progress import _write_here
loud = subprocess.Popen(["sleep", "9"])
calm = subprocess.Popen(["sleep", "9"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
half = subprocess.Popen(["sleep", "9"], stdout=subprocess.DEVNULL)
gone = subprocess.Popen(["true"])
gone.wait()
for given in ([calm], [loud], [half], [calm, loud], [gone]):
    print(_write_here([one.pid for one in given]))
for one in (loud, calm, half):
    one.kill()
"""
    screen = Terminal([sys.executable, "-c", script])
    assert screen.end() == 0
    assert screen.output.split() == ["False", "True", "True", "True", "True"]


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (2_345_678_901, "2.3 GB"),
        (5 * 10**15, "5000.0 TB"),
    ],
)
def test_sizes(size: int, told: str) -> None:
    assert told_size(size) == told


def test_size_of_traces() -> None:
    whole = sum(file.stat().st_size for file in TRACE.iterdir())
    assert size_of([TRACE, TRACE / "nowhere"]) == whole > 0
