"""docs/story.md is true: its commands run, in order, and print what it shows.

`SYNCTRACE_UPDATE=1 pytest tests/llama/test_story.py` writes the outputs anew: read the difference.
Times, counts of nanoseconds and keys of places differ from machine to machine and are not compared.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from page import MARK, script, written

from .conftest import ROOT, Llama

STORY = ROOT / "docs/story.md"


def run_all(text: str) -> list[str]:
    """Output of each command, all run by one shell."""
    lines = list(script(text))
    env = {k: v for k, v in os.environ.items() if not k.startswith("GGML_VK")}
    done = subprocess.run(
        ["bash", "-u", "-c", "\n".join(lines)],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    parts = re.split(rf"\n?{MARK}\d+\n", done.stdout)[1:]
    assert len(parts) == len(lines), done.stderr
    return [part.rstrip("\n") for part in parts]


def plain(text: str) -> str:
    """Without what differs from run to run."""
    text = re.sub(r"\b[0-9a-f]{8}(\.\d+)?\b", "KEY", text)
    text = re.sub(r"\d[\d,.]* (ns|us|ms|s)\b", "TIME", text)
    text = re.sub(r"\[\d+,\d+\)|op \d+|\b\d{4,}\b", "N", text)
    return re.sub(r"[ -]{2,}", "  ", text)


@pytest.mark.lavapipe
def test_every_command_prints_what_the_page_shows(llama: Llama, variants: Path) -> None:
    text = STORY.read_text(encoding="utf-8")
    found = written(text, run_all(text))
    if os.environ.get("SYNCTRACE_UPDATE"):
        STORY.write_text(found, encoding="utf-8")
        text = found
    assert plain(found) == plain(text)
