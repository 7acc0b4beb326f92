"""The table of live handles: found while they live, and room again when they are gone."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"


def test_births_and_deaths(tmp_path: Path) -> None:
    program = str(tmp_path / "handles")
    sources = [
        str(HERE / "handles.c"),
        str(NATIVE / "handle.c"),
        str(NATIVE / "process.c"),
        str(NATIVE / "clock.c"),
    ]
    flags = ["-O1", "-D_GNU_SOURCE", f"-I{NATIVE}", "-fsanitize=address,undefined"]
    subprocess.run(["cc", *flags, *sources, "-lpthread", "-o", program], check=True)
    assert subprocess.run([program, "100000"], check=False).returncode == 0
