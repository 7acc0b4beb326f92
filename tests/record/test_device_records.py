"""Device times when the parent is slow or gone: no thread of the program waits for it."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"


def test_buffers_while_the_parent_is_waited_for(tmp_path: Path) -> None:
    program = str(tmp_path / "device_records")
    files = ("cuda_records.c", "process.c", "ring.c")
    sources = [str(HERE / "device_records.c"), *(str(NATIVE / file) for file in files)]
    flags = ["-O1", "-D_GNU_SOURCE", "-Dnanosleep=sleeps", f"-I{NATIVE}", "-fsanitize=undefined"]
    subprocess.run(["cc", *flags, *sources, "-lpthread", "-o", program], check=True)
    done = subprocess.run([program, str(tmp_path)], timeout=60, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
