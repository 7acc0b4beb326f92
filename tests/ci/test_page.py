"""docs/ci.md is true: its files are written and its commands run, in order, in an empty folder.

`SYNCTRACE_UPDATE=1 pytest tests/ci/test_page.py` writes the outputs anew: read the difference.
Times and numbers of ops differ from run to run and are not compared. Not run: the installation, and
what the services run (test_examples.py).
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import cmarkgfm
import pytest
from ggml.conftest import StandIn

from synctrace.analyzer.check import check
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report import markdown
from synctrace.analyzer.report.markdown import LINES
from synctrace.tracer.reader import open_trace

from .conftest import ROOT

PAGE = ROOT / "docs/ci.md"
BLOCK = re.compile(r"```(console|toml|python)\n(.*?)```\n", re.DOTALL)
EXAMPLE = re.compile(
    r"(````markdown\n)(.*?)(````\n\nAnd so a pull request shows it:\n\n)(.*)", re.DOTALL
)
MARK = "--- command "
APP = """#!/bin/sh
case "$*" in *--fast*) name=rewrites ;; *) name=copies ;; esac
exec {program} $name 3 >/dev/null 2>&1
"""


def commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def script(text: str) -> Iterator[str]:
    """The page as one script: what each command prints follows its number."""
    number = 0
    for kind, block in BLOCK.findall(text):
        if kind == "console":
            for command in commands(block):
                yield f"echo; echo '{MARK}{number}'\n{command}"
                number += 1
        else:
            name = block.split("\n", 1)[0].removeprefix("# ")
            yield f"cat >{name} <<'END'\n{block}END"


def run_all(text: str, folder: Path) -> list[str]:
    """Output of each command."""
    env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    env |= {"PATH": f"{Path(sys.executable).parent}:{env['PATH']}"}
    env |= {"PYTEST_ADDOPTS": "-p synctrace.analyzer.pytest_plugin"}
    done = subprocess.run(
        ["bash", "-u", "-c", "\n".join(script(text))],
        cwd=folder, env=env, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    parts = re.split(rf"\n?{MARK}\d+\n", done.stdout)[1:]
    assert "Error" not in done.stderr, done.stderr
    return [part.rstrip("\n") for part in parts]


def written(text: str, outputs: list[str]) -> str:
    """The page with these outputs."""
    left = iter(outputs)

    def block(match: "re.Match[str]") -> str:
        if match[1] != "console":
            return match[0]
        lines = []
        for command in commands(match[2]):
            lines.append(f"$ {command}")
            lines += [line for line in [next(left)] if line]
        return "```console\n" + "\n".join(lines) + "\n```\n"

    return BLOCK.sub(block, text)


def plain(text: str) -> str:
    """Without what differs from run to run."""
    text = re.sub(r"\d[\d.]* ?(ns|us|ms|s)\b", "TIME", text)
    return re.sub(r"\[\d{9,},\d+\)|op \d+|\b\d+ ops", "N", text)


def test_every_command_prints_what_the_page_shows(app: StandIn, tmp_path: Path) -> None:
    (tmp_path / "app").write_text(APP.format(program=app.program))
    (tmp_path / "app").chmod(0o755)
    text = PAGE.read_text(encoding="utf-8")
    found = written(text, run_all(text, tmp_path))
    if os.environ.get("SYNCTRACE_UPDATE"):
        PAGE.write_text(found, encoding="utf-8")
        text = found
    assert plain(found) == plain(text)


def test_the_yaml_is_that_of_the_example() -> None:
    [block] = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block in (ROOT / "examples/ci/github/workflow.yml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def finding() -> str:
    """The markdown of the kept trace, a recording of the command on the page."""
    path = Path("tests/data/ci/skipped.synctrace")
    checked = check(open_trace(ROOT / path), ignore=["SYNC"], shape=True)
    told = markdown.render([checked], Gate("error"))
    return told.replace(str(ROOT / path), "skipped.synctrace")


def test_the_page_shows_the_markdown_of_a_real_finding(finding: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("SYNCTRACE_UPDATE"):
        text = EXAMPLE.sub(lambda m: f"{m[1]}{finding}{m[3]}{finding}", text)
        PAGE.write_text(text, encoding="utf-8")
    [(_, source, _, shown)] = EXAMPLE.findall(text)
    assert plain(source) == plain(shown) == plain(finding)


def test_a_pull_request_shows_it_as_it_is(finding: str) -> None:
    """By the parser that GitHub uses: a heading, a bold line a finding, all else literally."""
    html = cmarkgfm.github_flavored_markdown_to_html(finding)
    assert set(re.findall(r"<(\w+)", html)) == {"h3", "p", "strong", "code", "pre"}
    assert html.count("<h3>") == html.count("<strong>") == 1
    fences = re.findall(r"```text\n(.*?)\n```", finding, re.DOTALL)
    shown = re.findall(r'<pre lang="text"><code>(.*?)\n</code></pre>', html, re.DOTALL)
    assert [unescape(each) for each in shown] == fences
    assert max(map(len, finding.splitlines())) <= 100
    [report] = re.findall(r"\*\*RACE04.*?\n```\n", finding, re.DOTALL)
    assert report.count("\n") <= LINES


def test_it_says_who_did_what(finding: str) -> None:
    assert (
        "reads Vulkan_Host while ggml_backend_tensor_get_async on Vulkan0\nmay still write"
        in finding
    )
    assert "  read    op 266    ggml_backend_synchronize on Vulkan0 " in finding
    assert "the syncs at site c3ea0d7f.0 are left out" in finding
