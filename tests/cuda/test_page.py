"""Numbers that docs/cuda.md says of the recorder and of its tests are theirs."""

import json
import re
from pathlib import Path

import pytest
from hip.test_ring import FOUND

from cuda.catalogue import CASES, MORE
from cuda.test_every_function import MET
from cuda.test_h200_times import ORDERED

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "tracer/native"
PAGE = " ".join((ROOT / "docs/cuda.md").read_text(encoding="utf-8").split())


def numbers(file: str, *patterns: str) -> list[int]:
    text = (NATIVE / file).read_text()
    return [int(re.findall(pattern, text)[0]) for pattern in patterns]


def functions(file: Path, pattern: str) -> int:
    return len(set(re.findall(pattern, file.read_text(), re.M)))


def said() -> dict[str, str]:
    measured = json.loads((ROOT / "tests/data/h200/h200-cuda-behaviour.json").read_text())
    hazards = sum(answer == "hazard" for answer in measured.values())
    kernels = json.loads((ROOT / "tests/data/sass/layouts_sm90.json").read_text())
    (copied,) = numbers("code_files.h", r"MOST = (\d+) << 20")
    (all_copied,) = numbers("code_files.c", r"ALL_COPIED = (\d+) << 20")
    kept, every_ns = numbers("api_queries.c", r"KEPT = (\d+)", r"EVERY_NS = (\d+)")
    met = functions(MET, r"\((cu\w+),")
    return {
        "names": f"CUDA 13.0: {functions(NATIVE / 'cuda_api.txt', r'^driver .*')} names",
        "met": f"`cuda_roles*.txt`: {met} are met",
        "called": f"each of the {met} functions",
        "catalogue": f"{len(CASES)} cases and {len(MORE)} more",
        "ring": f"{['five', 'six', 'seven'][len(FOUND) - 5]} of two threads over a ring",
        "measured": f"{len(measured)} cases (`tests/gpu/behaviour.py`)",
        "hazards": f"in each of the {hazards} where the later access did not wait",
        "ordered": f"Of the {sum(ORDERED.values()):,} pairs of operations",
        "kernels": f"{len(kernels)} kernels compiled for sm_90 and sm_100",
        "copied": f"of at most {copied} MiB, and {all_copied} MiB in all",
        "queries": f"the first {kept}, then one in {every_ns // 1000} us",
    }


@pytest.mark.parametrize("what", said())
def test_a_number_of_the_page(what: str) -> None:
    assert said()[what] in PAGE
