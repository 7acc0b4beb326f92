"""README shows the report that `make demo` prints; docs/commands.md names every key of json."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.query import Questions
from synctrace.analyzer.report import json as as_json
from synctrace.analyzer.report.text import finding_lines
from synctrace.analyzer.rule import load_rule
from synctrace.tracer.reader import open_trace

from .findings import AVOIDABLE, FOUND, GATE, NEEDLESS, OVER_BROAD, RACE

ROOT = Path(__file__).parents[2]
NAME = "token_loop"


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make demo` records first."""
    path = tmp_path_factory.mktemp("readme") / "t"
    program = ROOT / "examples/programs/token_loop.py"
    subprocess.run([sys.executable, program, "-o", path], check=True, capture_output=True)
    return path


def test_the_sample_is_what_the_demo_prints(trace: Path) -> None:
    [finding] = check(open_trace(trace)).findings
    printed = "\n".join(finding_lines(finding, f".demo/{NAME}.synctrace"))
    samples = (ROOT / "README.md").read_text(encoding="utf-8").split("\n```\n")
    assert without_times(printed) in map(without_times, samples)


def without_times(text: str) -> str:
    return re.sub(r"issued +[\d.]+ ms", "issued", text)


FINDINGS = (RACE, NEEDLESS, OVER_BROAD, AVOIDABLE)
DOCUMENT = json.loads(as_json.render([replace(FOUND, findings=FINDINGS)], GATE))
RACY, SYNC, BROAD, TINY = DOCUMENT["findings"]


@pytest.mark.parametrize(
    "part",
    [
        DOCUMENT,
        DOCUMENT["summary"],
        DOCUMENT["summary"]["syncs"],
        *(RACY, RACY["edge"], *RACY["sites"]),
        *SYNC["sites"],
        *(BROAD["proposal"], TINY["proposal"]),
    ],
)
def test_every_key_of_json_is_told(part: dict[str, object]) -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8").split("### json")[1]
    told = set(re.findall(r"`(\w+)`", page.split("## query")[0]))
    assert set(part) <= told


def test_figures_of_the_recorder_are_its_own() -> None:
    native = ROOT / "tracer/native"
    sizes = dict(
        re.findall(r"define (DIGEST_\w+) \((\d+)u << 10\)", (native / "digest.h").read_text())
    )
    [ring] = re.findall(r"<< 10 : (\d+) << 20;", (native / "process.c").read_text())
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    whole, sampled = sizes["DIGEST_WHOLE"], sizes["DIGEST_SAMPLES"]
    looked = f"{sampled} KB, {sampled} KB are looked at"
    assert f"a source over {whole} KB and of an input over {looked}" in readme
    assert f"{int(ring) << 10} unless set" in load_rule("TRACE01").fix


def test_the_questions_of_the_readme_have_its_answers(trace: Path) -> None:
    asked = Questions(open_trace(trace))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    before, edges = re.findall(rf'synctrace query \.demo/{NAME}\.synctrace "(.*)"', text)
    assert asked.ask(before).rows == [(True, False)]
    names = asked.ask(edges).names
    [row] = asked.ask(edges).rows
    found = dict(zip(names, row, strict=True))
    assert (found["kind"], found["to_op"], found["to_instant"]) == ("stream", 25, "S")
