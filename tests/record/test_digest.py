"""The digest of memory sees each byte that it says it looks at, by either way of reading."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"


def test_every_byte_counts(tmp_path: Path) -> None:
    program = str(tmp_path / "digest")
    sources = [str(HERE / "digest.c"), str(NATIVE / "digest.c")]
    sanitized = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    flags = ["-O2", "-D_GNU_SOURCE", f"-I{NATIVE}", *sanitized]
    subprocess.run(["cc", *flags, *sources, "-o", program], check=True)
    assert subprocess.run([program], check=False).returncode == 0
