"""docs/ci.md is true: its files are written and its commands run, in order, in an empty folder.

`SYNCTRACE_UPDATE=1 pytest tests/ci/test_page.py` writes the outputs anew: read the difference.
Times and numbers of ops differ from run to run and are not compared. Not run: the installation, and
what the services run (test_examples.py).
"""

import os
import re
from html import unescape
from pathlib import Path

import cmarkgfm
import pytest
from ggml.conftest import StandIn
from page import plain, shown_and_printed

from synctrace.analyzer.check import check
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report import markdown
from synctrace.analyzer.report.markdown import LINES
from synctrace.tracer.reader import open_trace

from .conftest import ROOT

PAGE = ROOT / "docs/ci.md"
EXAMPLE = re.compile(
    r"(````markdown\n)(.*?)(````\n\nAnd so a pull request shows it:\n\n)(.*)", re.DOTALL
)
APP = """#!/bin/sh
case "$*" in *--fast*) name=rewrites ;; *) name=copies ;; esac
exec {program} $name 3 >/dev/null 2>&1
"""


def test_every_command_prints_what_the_page_shows(app: StandIn, tmp_path: Path) -> None:
    (tmp_path / "app").write_text(APP.format(program=app.program))
    (tmp_path / "app").chmod(0o755)
    variables = {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "-p synctrace.analyzer.pytest_plugin",
    }
    shown, printed = shown_and_printed(PAGE, tmp_path, variables)
    assert printed == shown


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
