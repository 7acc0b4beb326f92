"""The program of docs/cupy.md does what the page says."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

PAGE = (Path(__file__).parents[2] / "docs/cupy.md").read_text()


@pytest.mark.parametrize("waits", [True, False])
def test_the_page(
    gpu: SimpleNamespace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    waits: bool,
) -> None:
    pytest.importorskip("numpy", reason="NumPy comes with CuPy, and is not here")
    [program] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    if waits:
        program = re.sub(r"# (compute\.wait_event\(arrived\)) is missing", r"\1", program)
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "page.py", "exec"), {})
    told = capsys.readouterr().out
    assert ("RACE01" in told) != waits
    assert ("RACE" in told) != waits


def test_it_names_everything(gpu: SimpleNamespace) -> None:
    table = " ".join(re.findall(r"^\| (.*?) \|", PAGE, re.M))
    assert [name for name in gpu.told.__all__ if not re.search(rf"\b{name}\b", table)] == []
