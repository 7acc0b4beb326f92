"""The wheel works alone, with the oldest dependencies that pyproject.toml allows.

A fresh virtual environment gets exactly the lower bounds and the built wheel, nothing of this
checkout. Proves that the bounds are true on this Python; says nothing of other Pythons.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def lower_bounds() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bounds = []
    for requirement in project["dependencies"]:
        match = re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement)
        assert match, f"{requirement}: every dependency has a lower bound and nothing else"
        bounds.append(f"{match[1]}=={match[2]}")
    return bounds


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the commands of an environment with the oldest dependencies and the wheel."""
    folder = tmp_path_factory.mktemp("oldest")
    python = folder / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
    (wheel,) = folder.glob("synctrace-*.whl")
    subprocess.run([*pip, "install", *lower_bounds(), wheel], check=True)
    return python.parent


def run(oldest: Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [oldest / "synctrace", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)


def test_check_with_the_oldest_dependencies(oldest: Path, tmp_path: Path) -> None:
    cases = ROOT / "tests/data/cases.jsonl"
    assert run(oldest, "import", cases, "-o", "cases", cwd=tmp_path).returncode == 0
    race = run(oldest, "check", "cases/ggml-cpu-input-overwrite", cwd=tmp_path)
    assert race.returncode == 1, race.stderr
    assert "RACE04" in race.stdout
    clean = run(oldest, "check", "cases/disjoint-slices", cwd=tmp_path)
    assert clean.returncode == 0, clean.stdout + clean.stderr


def test_query_with_the_oldest_dependencies(oldest: Path, tmp_path: Path) -> None:
    cases = ROOT / "tests/data/cases.jsonl"
    run(oldest, "import", cases, "--case", "disjoint-slices", "-o", "one", cwd=tmp_path)
    result = run(oldest, "query", "one", "SELECT count(*) AS n FROM op", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "7" in result.stdout


def test_native_parts_carry_clean_names(oldest: Path) -> None:
    files = {f.name for f in oldest.parent.rglob("libsynctrace_*.so")}
    assert files == {"libsynctrace_engine.so", "libsynctrace_recorder.so"}


def test_no_native_source_in_the_wheel(oldest: Path) -> None:
    package = next(oldest.parent.rglob("synctrace/rules")).parent
    source = [f for f in package.rglob("*") if f.suffix in {".c", ".cpp", ".h"}]
    assert [f.relative_to(package).as_posix() for f in source] == ["include/synctrace.h"]


def test_every_file_is_in_the_wheel(oldest: Path) -> None:
    package = next(oldest.parent.rglob("synctrace/rules")).parent
    ours = [
        path.relative_to(ROOT)
        for part in ("tracer", "analyzer", "rules")
        for path in (ROOT / part).rglob("*")
        if path.suffix in {".py", ".sql", ".toml"} and "native" not in path.parts
    ]
    assert len(ours) > 250
    assert [str(path) for path in ours if not (package / path).is_file()] == []


def test_a_trace_of_a_gpu_is_checked_elsewhere(oldest: Path, tmp_path: Path) -> None:
    """In a folder that has nothing of this checkout, as the other commands."""
    assert run(oldest, "doctor", cwd=tmp_path).returncode == 0
    trace = ROOT / "tests/data/h200/h200-cuda-staging-race.synctrace"
    race = run(oldest, "check", trace, cwd=tmp_path)
    assert race.returncode == 1, race.stderr
    assert "cuMemcpyHtoDAsync_v2" in race.stdout
