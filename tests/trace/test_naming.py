"""Where a trace goes."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.naming import output_path


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("llama-cli", "synctrace-llama-cli-42.synctrace"),
        ("/opt/llama/bin/llama-server", "synctrace-llama-server-42.synctrace"),
        ("my prog (1)", "synctrace-my_prog__1_-42.synctrace"),
        ("", "synctrace-program-42.synctrace"),
    ],
)
def test_without_a_template(program: str, name: str) -> None:
    assert output_path(None, program, 42) == Path(name)


def test_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    host = socket.gethostname()
    assert output_path("out/%h/r%q{RANK}-%p.synctrace", "x", 42) == Path(
        f"out/{host}/r3-42.synctrace"
    )
    assert output_path("100%%-%%p", "x", 42) == Path("100%-%p")
    assert output_path("plain", "x", 42) == Path("plain")


def test_values_are_not_expanded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "%p")
    assert output_path("%q{RANK}", "x", 42) == Path("%p")


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("", "empty"),
        ("%x.synctrace", "unknown key %x"),
        ("50%", "unknown key %"),
        ("%q.synctrace", "unknown key %q"),
        ("%q{RANK", "unknown key %q"),
        ("%q{SURELY_NOT_SET}", "SURELY_NOT_SET"),
        ("%q{}", "(empty)"),
    ],
)
def test_templates_that_mean_nothing(refuses: Any, template: str, words: str) -> None:
    assert "SURELY_NOT_SET" not in os.environ
    refuses(words, output_path, template, "x", 42)
