"""Memory of graphs: taken, given back, and taken again by the next that needs as much."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"


def test_blocks_and_lists(tmp_path: Path) -> None:
    program = str(tmp_path / "blocks")
    sources = [str(HERE / "blocks.c"), str(NATIVE / "blocks.c")]
    flags = ["-O1", "-D_GNU_SOURCE", f"-I{NATIVE}", "-fsanitize=address,undefined"]
    subprocess.run(["cc", *flags, *sources, "-o", program], check=True)
    assert subprocess.run([program, "5000"], check=False).returncode == 0
