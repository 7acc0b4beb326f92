"""roctx, AMD's ranges, on a library that stands for its own and prints what it is told.

AMD's is in no package of PyPI or Debian 12: that programs find it as they find this one only a
machine with ROCm can prove.
"""

import re
import subprocess
from pathlib import Path

import pytest

from hip.software import Software
from hip.standin.build import StandIn
from hip.test_nvtx import paths
from synctrace.tracer.kinds import Kind

HERE = Path(__file__).parent / "roctx"
PRINTED = (
    *("push outer", "push inner", "mark here", "pop", "start span"),
    *("stop 4711", "stop 1", "pop", "0 1 1 0"),
    *("start long", "stop 4712"),
)


@pytest.mark.parametrize("name", ["libroctx64.so.4", "librocprofiler-sdk-roctx.so.1"])
@pytest.mark.parametrize("linked", [True, False], ids=["linked", "dlsym"])
def test_calls_know_their_ranges(standin: StandIn, tmp_path: Path, name: str, linked: bool) -> None:
    library, program = tmp_path / name, tmp_path / "program"
    shared = ["cc", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", str(library)]
    subprocess.run([*shared, str(HERE / "library.c")], check=True)
    flags = ["-DLINKED", str(library), f"-Wl,-rpath,{tmp_path}"] if linked else []
    standin.compile(program, [HERE / "program.c"], *flags)
    software = Software((str(program),), standin, standin.folder)
    plain = software.run(library)
    run = software.record(tmp_path / "t", library)
    assert plain.split("\n") == [*PRINTED, ""] and run.printed == plain
    assert paths(run) == re.findall(r"call\(\);\s*// ?(.*)", (HERE / "program.c").read_text())
    assert paths(run, Kind.MARK) == ["outer/inner/here"]
