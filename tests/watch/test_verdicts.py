"""What `check` says of a program with work in flight: races by any watch, what is right by none."""

from typing import NamedTuple

import pytest

from synctrace.analyzer import api
from synctrace.tracer.watch import WATCHES, Watch
from watch.conftest import Watching

KB = 1024
CERTAIN, GUESS = "certain", "range-guess"
LARGE, INSIDE = 600 * KB, 300 * KB


class Case(NamedTuple):
    watch: Watch
    scenario: str
    size: int
    at: int
    verdicts: dict[str, str]


RACES = [
    Case("digest", "rewritten", 2000, 100, {"RACE04": CERTAIN}),
    Case("digest", "rewritten", LARGE, INSIDE, {}),  # between the samples
    Case("track", "rewritten", LARGE, INSIDE, {"RACE04": CERTAIN}),
    Case("track", "rewritten_in_buffer", LARGE, INSIDE, {"RACE04": GUESS}),  # perhaps a driver's
    Case("protect", "rewritten", LARGE, INSIDE, {"RACE04": CERTAIN}),
    Case("protect", "rewritten_in_buffer", 2000, 100, {"RACE04": CERTAIN}),
    Case("protect", "same_value", 100 * KB, 5000, {"RACE04": CERTAIN}),
    Case("digest", "waited_by_thread", 2000, 100, {"RACE04": CERTAIN}),
    Case("digest", "destination_freed", 1000, 0, {"LIFE01": CERTAIN}),
    Case("protect", "unmapped", LARGE, INSIDE, {"LIFE01": CERTAIN}),
    Case("digest", "reused", 1000, 5, {"LIFE01": CERTAIN}),  # and nothing of who has it next
    Case("off", "rewritten", 2000, 100, {}),
    Case("off", "freed", 1000, 0, {}),
]


def _name(case: object) -> str:
    return f"{case.watch}-{case.scenario}-{case.size}" if isinstance(case, Case) else str(case)


def verdicts(watched: Watching, case: Case) -> dict[str, str]:
    run = watched(case.watch, case.scenario, case.size, case.at)
    checked = api.check(run.recording.result.traces[0], select=["RACE", "LIFE"])
    return {finding.rule: finding.verdict for finding in checked.findings}


@pytest.mark.parametrize("case", RACES, ids=_name)
def test_races_are_found(case: Case, watched: Watching) -> None:
    assert verdicts(watched, case) == case.verdicts


SILENT = [
    *(("waited_for", 2000), ("waited_for", LARGE), ("beside", LARGE), ("by_device", 2000)),
    *(("freed_late", 1000), ("stays", 400 * KB), ("forked", LARGE), ("many", 1000)),
]


@pytest.mark.parametrize("watch", [watch for watch in WATCHES if watch != "off"])
@pytest.mark.parametrize(("scenario", "size"), SILENT)
def test_what_is_right_is_silent(watch: Watch, scenario: str, size: int, watched: Watching) -> None:
    assert verdicts(watched, Case(watch, scenario, size, 0, {})) == {}
