"""The recorder's idea of CUPTI beside the real one, as its wheels have it.

No GPU is needed: headers are compiled, and names of functions are asked for.
"""

import ctypes
import re
from pathlib import Path

import pytest
from hip.wheels import wheel

from cuda.cupti_layout import differences, includes

NATIVE = Path(__file__).parents[2] / "tracer/native"
WORK = ("cuLaunch", "cuMemcpy", "cuMemset", "cuGraphLaunch")
DRIVER_API = 1  # domain


@pytest.mark.parametrize("version", ["cupti-12.8", "cupti-13.0", "cupti-13.5"])
def test_records_lie_where_they_are_read(version: str) -> None:
    found = includes(wheel(version))
    assert found and [differences(include) for include in found] == [[]]


def test_a_difference_is_seen(tmp_path: Path) -> None:
    """The same header with one more field ahead of the end of a kernel."""
    [include] = includes(wheel("cupti-13.0"))
    for header in include.rglob("*.h"):
        copy = tmp_path / header.relative_to(include)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(header.read_bytes())
    changed = tmp_path / "cupti_activity.h"
    head, _, rest = changed.read_text().rpartition("} CUpti_ActivityKernel10;")
    at = head.rindex("typedef struct")
    struct = head[at:].replace("  uint64_t end;", "  uint64_t more;\n  uint64_t end;", 1)
    changed.write_text(head[:at] + struct + "} CUpti_ActivityKernel10;" + rest)
    [said] = differences(tmp_path)
    assert said.startswith("CUPTI_KERNEL: (10, 100, 16, 32)")


@pytest.mark.parametrize(("version", "without"), [("cupti-12.8", 4), ("cupti-13.0", 0)])
def test_it_has_the_calls_that_give_work(version: str, without: int) -> None:
    """By the names that they are recorded by; 12.8 has no second version of batches."""
    [path] = wheel(version).rglob("libcupti.so.1?")
    library, name = ctypes.CDLL(str(path)), ctypes.c_char_p()
    names = set()
    for number in range(1, 4096):
        if library.cuptiGetCallbackName(DRIVER_API, number, ctypes.byref(name)):
            break
        names.add((name.value or b"").decode())
    recorded = re.findall(r"X\((\w+),", (NATIVE / "cuda_functions.h").read_text())
    given = {function for function in recorded if function.startswith(WORK)}
    assert len(given) == 91 and len(given - names) == without


@pytest.mark.parametrize("version", ["cupti-12.8", "cupti-13.0", "cupti-13.5"])
def test_it_has_the_functions_that_are_called(version: str) -> None:
    [path] = wheel(version).rglob("libcupti.so.1?")
    library = ctypes.CDLL(str(path))
    asked = re.findall(r"X\((cupti\w+),", (NATIVE / "cupti.h").read_text())
    assert len(asked) == 12 and all(hasattr(library, name) for name in asked)
