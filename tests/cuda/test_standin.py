"""The stand-in driver itself: what it exports, and the rules in which CUDA differs from HIP.

The rules of both are those of tests/hip/test_standin.py, of the same machinery.
"""

import ctypes
import os
import re
import subprocess
from pathlib import Path

import pytest
from hip.standin import exports as hip_exports

from cuda.programs.build import Programs
from cuda.standin import exports

HERE = Path(__file__).parent
SOURCE = HERE / "rules/rules.c"
RULES = re.findall(r"^    RULE\((\w+)\)", SOURCE.read_text(), re.M)


@pytest.mark.parametrize("rule", RULES)
def test_rule(cuda_programs: Programs, rule: str) -> None:
    program = cuda_programs.built(SOURCE)
    environment = {**os.environ, "STANDIN_DEVICES": "2"}
    done = subprocess.run([program, rule], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_only_functions_of_the_driver_are_seen(cuda_programs: Programs) -> None:
    """None of HIP's, so that nobody takes it for a HIP runtime."""
    library = cuda_programs.driver.library
    said = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True)
    seen = set(re.findall(r" [TW] (\S+)$", said.stdout, re.M))
    own = {"standin_named_kernel", "standin_variable"}
    assert seen == {f.name for f in exports.functions()} | own


def test_a_function_of_hip_takes_what_that_of_cuda_takes() -> None:
    """As many parameters; that they are laid out alike was compared with CUDA's header by hand."""
    counts = {f.name: len(f.parameters.split(",")) for f in exports.functions()}
    of_hip = {f.name: len(f.parameters.split(",")) for f in hip_exports.functions()}
    same = exports.same()
    assert len(same) > 150
    assert {name: counts[name] for name in same} == {n: of_hip[hip] for n, hip in same.items()}


def test_what_is_not_there_says_so(cuda_programs: Programs) -> None:
    library = ctypes.CDLL(str(cuda_programs.driver.library))
    assert library.cuArray3DCreate_v2() == library.cuGreenCtxCreate() == 801


def test_a_machine_without_a_gpu(cuda_programs: Programs) -> None:
    ask = (
        "import ctypes, sys; cuda = ctypes.CDLL(sys.argv[1]); n = ctypes.c_int(7);"
        "print(cuda.cuInit(0), cuda.cuDeviceGetCount(ctypes.byref(n)), n.value)"
    )
    command = ["python3", "-c", ask, str(cuda_programs.driver.library)]
    environment = {**os.environ, "STANDIN_DEVICES": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.stdout == "100 0 0\n"
