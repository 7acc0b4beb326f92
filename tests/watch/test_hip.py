"""Pinned and registered memory of a HIP program, in each way of watching (hip_memory.c).

On the stand-in, whose pinned memory is ordinary memory: this proves what is told of which bytes,
and that a wait, a stream that waited, or a copy before it makes a change right. On an AMD GPU a
driver has the pages of both kinds: whether they can be tracked or protected, at which price, and
what the kernel tells of them then, only such a GPU can show.
"""

import platform
from pathlib import Path
from typing import NamedTuple

import pytest
from hip.programs import build as hip_programs
from hip.standin.build import build

from synctrace.analyzer import api
from synctrace.tracer.launch import record
from synctrace.tracer.watch import Watch

HERE = Path(__file__).parent
KB = 1024
SMALL, PAGES, LARGE = (2000, 100), (100 * KB, 5000), (600 * KB, 300 * KB)  # bytes, the one written
CERTAIN, GUESS = "certain", "range-guess"


class Case(NamedTuple):
    watch: Watch
    scenario: str
    size: tuple[int, int]
    verdicts: dict[str, str]


CASES = [
    Case("digest", "pinned_rewritten", SMALL, {"RACE04": CERTAIN}),
    Case("digest", "pinned_rewritten", LARGE, {}),  # between the samples
    Case("digest", "pinned_waited_for", SMALL, {}),
    Case("digest", "registered_rewritten", SMALL, {"RACE04": CERTAIN}),
    Case("digest", "registered_freed", SMALL, {"LIFE01": CERTAIN}),
    Case("digest", "registered_freed_late", SMALL, {}),
    Case("digest", "joined", SMALL, {}),
    Case("digest", "bounced", SMALL, {}),
    Case("digest", "crowd_rewritten", SMALL, {"RACE04": CERTAIN}),
    Case("digest", "crowd_left", SMALL, {}),
    Case("digest", "crowd_used_again", SMALL, {"RACE04": CERTAIN}),
    Case("digest", "crowd_joined", SMALL, {}),
    Case("digest", "crowd_not_joined", SMALL, {"RACE04": CERTAIN}),
    Case("track", "pinned_rewritten", LARGE, {"RACE04": GUESS}),
    Case("track", "registered_rewritten", LARGE, {"RACE04": GUESS}),
    Case("track", "pinned_waited_for", LARGE, {}),
    Case("track", "joined", LARGE, {}),
    Case("track", "bounced", LARGE, {}),
    Case("protect", "pinned_rewritten", PAGES, {"RACE04": CERTAIN}),
    Case("protect", "registered_rewritten", LARGE, {"RACE04": CERTAIN}),
    Case("protect", "pinned_waited_for", PAGES, {}),
    Case("protect", "registered_freed", PAGES, {"LIFE01": CERTAIN}),
    Case("protect", "joined", PAGES, {}),
    Case("protect", "bounced", PAGES, {}),
    Case("off", "pinned_rewritten", SMALL, {}),
]


@pytest.fixture(scope="module")
def hip_memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program. Skips where ROCm is not: not x86-64."""
    if platform.machine() != "x86_64":
        pytest.skip("the stand-in HIP runtime is for x86-64, as ROCm is")
    program = tmp_path_factory.mktemp("hip") / "hip_memory"
    return build().compile(program, [HERE / "hip_memory.c"])


def _name(case: object) -> str:
    return f"{case.watch}-{case.scenario}-{case.size[0]}" if isinstance(case, Case) else str(case)


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_verdicts(case: Case, hip_memory: Path, tmp_path: Path) -> None:
    size, at = case.size
    command = [str(hip_memory), case.scenario, str(size), str(at)]
    done = record(command, str(tmp_path / "t"), watch=case.watch)
    assert done.exit_code == 0, done.message
    checked = api.check(tmp_path / "t", select=["RACE", "LIFE"])
    assert {finding.rule: finding.verdict for finding in checked.findings} == case.verdicts


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program of halves.c, whose kernel says what it reads. Skips as hip_memory does."""
    if platform.machine() != "x86_64":
        pytest.skip("the stand-in HIP runtime is for x86-64, as ROCm is")
    made = hip_programs.programs(tmp_path_factory.mktemp("halves"))
    return made.built(HERE / "halves.c", hip_programs.HERE / "scenarios.c")


@pytest.mark.parametrize("watch", ["digest", "protect"])
@pytest.mark.parametrize(
    ("where", "verdicts"),
    [("first_word", {CERTAIN}), ("first_half", {GUESS}), ("second_half", {GUESS})],
)
def test_what_a_kernel_may_read(
    watch: Watch, where: str, verdicts: set[str], halves: str, tmp_path: Path
) -> None:
    """Its pointer is certain; how far it reads from there nobody says, so that is a warning."""
    for variant, expected in (("race", verdicts), ("fixed", set())):
        done = record([halves, where, variant], str(tmp_path / variant), watch=watch)
        assert done.exit_code == 0, done.message
        checked = api.check(tmp_path / variant, select=["RACE", "LIFE"])
        assert {finding.verdict for finding in checked.findings} == expected
