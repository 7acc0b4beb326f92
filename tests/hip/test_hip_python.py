"""hip-python, as PyPI has it, on the stand-in HIP runtime.

It is linked to no runtime: it opens libamdhip64.so and asks for each function by dlsym, so that no
name leads to the recorder. It proves the two ways that are left, each alone and both together: the
tables that the runtime hands out, and dlsym itself; and that a call is one op by any of them. That
AMD's runtime hands out the same tables only a machine with it can prove.
"""

from pathlib import Path

import pytest

from hip.software import ASKED, Software, counted, errors, races

PROGRAM = Path(__file__).with_name("hip_python_race.py")
SLOW = {"STANDIN_DELAY_US": "2000"}
ROUTES = {"both": {}, "dlsym": {"ROCPROFILER_REGISTER_ENABLED": "0"}}


@pytest.mark.parametrize("route", ROUTES)
def test_a_race_and_its_fix(hip_python: Software, tmp_path: Path, route: str) -> None:
    more = SLOW | ROUTES[route]
    race = hip_python.record(tmp_path / "race", PROGRAM, "race", **more)
    assert race.trace.complete, race.trace.lost
    assert race.calls() == race.expected_calls()
    [found] = races(race.check())
    names = {op["id"]: op["name"] for op in race.ops}
    assert (found.rule, found.verdict, found.profile) == ("RACE04", "certain", "hip-doc")
    assert [names[op] for op in found.ops] == ["hipMemcpyAsync", "pending_sources"]
    [first, _] = found.touches
    frame = first.op.place.frames[0]
    assert (frame.function, frame.file) == ("<module>", str(PROGRAM))
    line = PROGRAM.read_text().splitlines()[frame.line - 1]
    assert "of(hip.hipMemcpyAsync(device, staging" in line

    alone = tmp_path / "alone.counts"
    printed = hip_python.run(PROGRAM, "fixed", STANDIN_COUNTS=str(alone), **more)
    fixed = hip_python.record(tmp_path / "fixed", PROGRAM, "fixed", **more)
    assert fixed.printed == printed == "True\n"
    assert fixed.trace.complete, fixed.trace.lost
    assert fixed.calls() == fixed.expected_calls()
    assert set(fixed.counts - counted(alone)) <= set(ASKED)
    assert errors(fixed.check()) == [] and races(fixed.check()) == []
