"""A Python program on the stand-in driver: its calls have the lines of Python as call sites.

What frames are read in which interpreter is tests/hip/test_python_frames.py's; here the same is
seen of CUDA's functions, which ctypes asks for by dlsym.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

from hip.software import RECORD

import synctrace
from cuda.programs.build import Programs

PROGRAM = Path(__file__).parent / "programs/python_calls.py"


def test_lines_of_python(cuda_programs: Programs, tmp_path: Path) -> None:
    environment = {"LD_LIBRARY_PATH": str(cuda_programs.driver.folder), "PATH": "/usr/bin:/bin"}
    command = [*RECORD, "-o", str(tmp_path / "t"), "--", sys.executable, str(PROGRAM)]
    subprocess.run(command, env=environment, check=True)
    rows = synctrace.open(tmp_path / "t").query(
        "SELECT o.call, f.depth, f.function, f.line, s.file, o.id FROM op AS o"
        " JOIN site AS s ON s.id = o.site JOIN frame AS f ON f.site = s.id"
        " WHERE f.module IS NULL ORDER BY o.id, f.depth"
    )
    stacks: dict[int, list[tuple[str, str]]] = {}
    lines = PROGRAM.read_text().splitlines()
    for row in rows.to_pylist():
        assert row["file"] == str(PROGRAM)
        if row["call"] == "cuEventRecord":
            text = lines[row["line"] - 1].strip()
            stacks.setdefault(row["id"], []).append((row["function"], text))
    inner = ("record", "cuda.cuEventRecord(event, stream)")
    both = [(inner, ("twice", "record()"), ("<module>", "twice()"))]
    assert Counter(map(tuple, stacks.values())) == dict.fromkeys(both, 6)
