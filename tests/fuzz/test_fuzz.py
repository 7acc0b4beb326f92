"""A short run of the fuzzer, and every input that once broke something."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import judged
import pytest

FOUND = Path(__file__).parents[1] / "data/fuzz/found"


@pytest.mark.parametrize("file", sorted(FOUND.iterdir()), ids=lambda file: file.name)
def test_what_was_found_stays_mended(file: Path) -> None:
    judged.judge(file.read_bytes())


def test_the_property_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise KeyError(1)

    monkeypatch.setattr(judged, "check", broken)
    with pytest.raises(KeyError):
        judged.judge(b"T")


def test_a_short_run(tmp_path: Path) -> None:
    """Coverage is counted, and nothing breaks. Ten minutes by hand: docs/internals.md."""
    pytest.importorskip("atheris", reason="Atheris has no wheel for this machine")
    fuzz = Path(__file__).parent / "fuzz.py"
    limits = ["-runs=60", "-max_total_time=5", "-seed=1", f"-artifact_prefix={tmp_path}/"]
    (tmp_path / "corpus").mkdir()
    done = subprocess.run(
        [sys.executable, fuzz, *limits, tmp_path / "corpus"],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    covered = [int(number) for number in re.findall(r"cov: (\d+)", done.stderr)]
    assert covered[-1] > covered[0] > 500
