"""What an NVIDIA H200 does (CUDA 13.0, driver 580), beside what the profiles say of the same run.

A trace of tests/gpu/cuda/behaviour.cu, by tests/gpu/behaviour.py: each case is two accesses and a
call that may or may not order them, and was measured with a kernel that spins ahead of them, three
times without a recorder and once with one. `hazard`: the later access did not wait. That another
driver does the same is proven only by running the script there.
"""

import json
from functools import cache
from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.tracer.reader import open_trace

DATA = Path(__file__).parents[1] / "data/h200"
MEASURED = json.loads((DATA / "h200-cuda-behaviour.json").read_text(encoding="utf-8"))
# Nodes that copy pageable memory are done, or their source is taken, within the launch. No profile
# says so: it is said of all that a launch touches, and not of one node.
STRICTER = ("graph-to-pageable", "graph-from-pageable")


@cache
def verdicts(profile: str) -> dict[str, set[str]]:
    """Of the findings, by case: call sites there are labelled by it."""
    found: dict[str, set[str]] = {}
    checked = check(
        open_trace(DATA / "h200-cuda-behaviour.synctrace"), [profile], select=["RACE", "LIFE"]
    )
    for finding in checked.findings:
        [case] = {place.label for place in finding.places}
        found.setdefault(case, set()).add(finding.verdict)
    return found


def test_every_finding_is_of_a_case() -> None:
    assert verdicts("cuda-13").keys() | verdicts("cuda-doc").keys() <= MEASURED.keys()
    assert set(MEASURED.values()) == {"hazard", "ordered"}


@pytest.mark.parametrize("case", MEASURED)
def test_a_hazard_is_certain_and_nothing_else_is(case: str) -> None:
    certain = "certain" in verdicts("cuda-13").get(case, set())
    assert certain == (MEASURED[case] == "hazard" or case in STRICTER)


@pytest.mark.parametrize("case", MEASURED)
def test_the_documents_never_promise_what_does_not_hold(case: str) -> None:
    found = verdicts("cuda-doc").get(case, set())
    if MEASURED[case] == "hazard":
        assert found
    elif case not in STRICTER:
        assert "certain" not in found


@pytest.mark.parametrize("case", STRICTER)
def test_where_the_profile_is_stricter(case: str) -> None:
    assert MEASURED[case] == "ordered"
