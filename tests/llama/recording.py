"""Runs a program alone or under the recorder, and asks the trace, all by the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SYNCTRACE = [sys.executable, "-m", "synctrace"]


def environment(devices: int, **more: str) -> dict[str, str]:
    """Lavapipe as this many devices; llama.cpp skips CPU devices unless they are named."""
    return os.environ | {"GGML_VK_VISIBLE_DEVICES": ",".join(["0"] * devices)} | more


def run(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)


def recorded(command: list[str], trace: Path, env: dict[str, str], *options: str) -> str:
    """Run under the recorder; the program's standard output."""
    result = run([*SYNCTRACE, "record", "-q", "-o", str(trace), *options, "--", *command], env)
    assert result.returncode == 0, result.stderr
    return result.stdout


def report(trace: Path) -> dict[str, object]:
    """The check report of a trace that must be clean of errors."""
    result = run([*SYNCTRACE, "check", str(trace), "-F", "json"], dict(os.environ))
    assert result.returncode == 0, result.stdout + result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


def races(found: dict[str, object]) -> list[dict[str, object]]:
    findings = found["findings"]
    assert isinstance(findings, list)
    return [f for f in findings if f["family"] in ("race", "life") and f["severity"] == "error"]


def rows(trace: Path, *query: str) -> list[dict[str, Any]]:
    """The answer to a query: SQL, or `--saved NAME`."""
    result = run([*SYNCTRACE, "query", str(trace), *query, "-F", "json"], dict(os.environ))
    assert result.returncode == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def ops(trace: Path, condition: str) -> int:
    return int(rows(trace, f"SELECT count(*) AS n FROM op WHERE {condition}")[0]["n"])
