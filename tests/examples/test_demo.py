"""`make demo`: what it tells of each policy is what the policy's docstring says.

The overlap is measured on simulated devices and on however busy a machine: only wide gaps count.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import synctrace
from synctrace.tracer.scheduler.history import FIXES, POLICIES

from .programs import ROOT

ROW = r"^(\w+) +(\w+) +(\d\.\d) +(\d+)  (right|\d+ wrong) +(\S.*)$"


@dataclass(frozen=True)
class Row:
    """A line of the demo's table."""

    letters: str
    at_once: float
    waits: int
    right: bool
    check: str


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What it prints, and the folder of its traces."""
    out = tmp_path_factory.mktemp("demo")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", ROOT / "examples/demo.sh", out],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, out


@pytest.fixture(scope="module")
def rows(demo: tuple[str, Path]) -> dict[str, Row]:
    """The table, by policy."""
    found = re.findall(ROW, demo[0], re.M)
    return {
        name: Row(letters, float(at_once), int(waits), tokens == "right", check)
        for name, letters, at_once, waits, tokens, check in found
    }


def test_every_policy_is_told_with_its_verdict(rows: dict[str, Row]) -> None:
    assert set(rows) == {policy.__name__ for policy in POLICIES}
    for policy in POLICIES:
        name = policy.__name__
        told = re.findall(r"^ +Verdict: (.+)$", policy.__doc__ or "", re.M)
        races = re.findall(r"[A-Z]+\d\d", rows[name].check)
        assert (races or ["silent"]) == told[0].split(), name
        if not races:
            assert rows[name].right and rows[name].check.startswith("no race")


def test_tokens_of_the_wrong_ones_are_wrong_if_it_can_be_seen(rows: dict[str, Row]) -> None:
    wrong = [policy for policy in FIXES if not rows[policy.__name__].right]
    assert len(wrong) >= 2


def test_stages_overlap_with_events_and_not_with_host_waits(rows: dict[str, Row]) -> None:
    for name in ("Sassassasg", "Saaasg"):
        assert rows[name].check.endswith("stages serialised")
        assert rows[name].at_once + 0.5 < rows["EventPipelined"].at_once
    assert "serialised" not in rows["EventPipelined"].check
    assert (rows["Sassassasg"].letters, rows["Saaasg"].letters) == ("sassassasg", "saaasg")


def test_the_report_and_the_answer_are_shown(demo: tuple[str, Path]) -> None:
    said, out = demo
    assert "RACE05 graph input rewritten in flight: host_write rewrites inp_tokens" in said
    assert re.search(r"^SIM0 +\d+ +\d+$", said, re.M)
    told = [line for line in said.splitlines() if not line.startswith(("$ ", "synctrace: "))]
    assert max(map(len, told)) <= 100
    assert synctrace.open(out / "history/Saaasg.synctrace").meta["complete"]


def test_the_readme_shows_lines_of_the_table(rows: dict[str, Row]) -> None:
    shown = re.findall(ROW, (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert len(shown) == 4
    for name, letters, _, waits, _, check in shown:
        row = rows[name]
        assert (row.letters, str(row.waits), row.check) == (letters, waits, check)


def test_the_questions_of_the_readme_have_answers(demo: tuple[str, Path]) -> None:
    """How long the host waits in each decode, and which stream waits for which."""
    trace = synctrace.open(demo[1] / "history/Saaasg.synctrace")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    asked = re.findall(r'query \.demo/history/Saaasg\.synctrace[ \\\n]+"([^"]+)"', text)
    turns, waits = [trace.query(question).to_pylist() for question in asked]
    assert [(row["number"], row["syncs"]) for row in turns] == [(n, 8) for n in range(16)]
    assert all(row["blocked_ns"] > 0 for row in turns)
    streams = [(f"SIM{n + 1}", f"SIM{n}", 16) for n in range(3)]
    assert [tuple(row.values()) for row in waits][:3] == streams


def test_the_story_has_every_line_of_the_table(rows: dict[str, Row]) -> None:
    text = (ROOT / "docs/story.md").read_text(encoding="utf-8").split("## 8.")[1]
    found = re.findall(
        r"^\| `(\w+)`[^|]* \| `(\w+)` \| [^|]+ \| (\d+) \| [^|]+ \| (.+) \|$", text, re.M
    )
    told = {name: (letters, int(waits), check) for name, letters, waits, check in found}
    assert told == {
        name: (row.letters, row.waits, re.sub(r" \d+x", "", row.check))
        for name, row in rows.items()
    }
