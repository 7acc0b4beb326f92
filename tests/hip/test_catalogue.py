"""Every case of the catalogue that HIP can express, as a program on the stand-in runtime.

What this shows: the calls are recorded as they were made, and the verdicts are right wherever the
order of the calls decides. That the stand-in loses bytes where a race is open, and never where it
is closed, holds its order against the checker's. What it does not show: that a GPU loses them.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from hip import told
from hip.catalogue import CASES, MORE, PROFILES, WITHOUT
from hip.programs.build import HERE, Programs
from hip.seeds import SLOW, printed

DATA = Path(__file__).parents[1] / "data/cases.jsonl"
ALL = {**CASES, **MORE}


def catalogued() -> dict[str, dict[str, object]]:
    return {case["id"]: case for case in map(json.loads, DATA.read_text().splitlines())}


def test_every_case_has_a_program_or_a_reason() -> None:
    assert set(CASES) | set(WITHOUT) == set(catalogued())
    assert not set(CASES) & set(WITHOUT)
    assert all(reason.count(".") == 0 and len(reason) > 40 for reason in WITHOUT.values())


def test_every_program_has_its_expectations() -> None:
    named = {
        case: source.stem
        for source in HERE.glob("*.c")
        for case in re.findall(r'\{"([\w-]+)", \w+\}', source.read_text())
        if "struct scenario scenarios[] = {" in source.read_text()
    }
    assert named == {name: expected.program for name, expected in ALL.items()}


def test_the_race_is_found_in_every_racy_case() -> None:
    for name, case in catalogued().items():
        if name in CASES and case["expected"] == "race":
            rules = {line[:4] for line in CASES[name].findings}
            assert rules & {"RACE", "LIFE"}, name


@pytest.mark.parametrize("name", ALL)
def test_a_race_spoils_bytes_and_its_fix_never_does(hip_programs: Programs, name: str) -> None:
    program = hip_programs.program(ALL[name].program)
    (right,) = set(printed(program, name, "fixed"))
    racy = set(printed(program, name, "race"))
    assert (racy != {right}) == ALL[name].shows


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in {**SLOW, "STANDIN_SEED": "1"}.items():
        monkeypatch.setenv(variable, value)


@pytest.mark.parametrize("variant", ["fixed", "race"])
@pytest.mark.parametrize("name", ALL)
def test_verdicts(
    hip_programs: Programs,
    slow: None,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    name: str,
    variant: str,
) -> None:
    command = [hip_programs.program(ALL[name].program), name, variant]
    assert subprocess.run(command).returncode == 0
    alone = capfd.readouterr().out
    assert told.recorded(command, tmp_path / "t").exit_code == 0
    if variant == "fixed" or not ALL[name].shows:
        assert capfd.readouterr().out == alone
    found = told.findings(tmp_path / "t", *PROFILES)
    for profile, lines in found.items():
        expected = ALL[name].under(profile) if variant == "race" else sorted(ALL[name].whole)
        assert lines == expected, profile
