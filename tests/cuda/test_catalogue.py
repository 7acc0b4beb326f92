"""Every case of the catalogue as a CUDA program on the stand-in driver.

As tests/hip/test_catalogue.py, of the same programs, which call CUDA's driver here: the bytes go
wrong where a race is open and never where it is closed, and the check says so under CUDA's
profiles. What it does not show: that a GPU loses them.
"""

import re
import subprocess
from pathlib import Path

import pytest
from hip import catalogue as of_hip
from hip import told
from hip.seeds import SLOW, printed

from cuda.catalogue import CASES, MORE, PROFILES
from cuda.programs.build import Programs

ALL = {**CASES, **MORE}


def plain(line: str) -> str:
    """A finding with kernels called as their source does."""
    return re.sub(r"_Z\d+(fill|pass|add)\w+", r"\1", line)


def test_the_cases_are_those_of_hip() -> None:
    programs = {name: case.program for name, case in {**of_hip.CASES, **of_hip.MORE}.items()}
    assert {name: case.program for name, case in ALL.items()} == programs
    assert list(CASES) == list(of_hip.CASES)


def test_what_is_a_race_in_hip_is_one_in_cuda() -> None:
    """But for one, which an executable's own order closes."""
    for name, case in of_hip.CASES.items():
        rules = {line[:6] for line in case.findings if line[:4] in ("RACE", "LIFE")}
        here = {line[:6] for line in CASES[name].findings}
        assert not rules or rules & here or name == "graph-exec-self-order", name


@pytest.mark.parametrize("name", ALL)
def test_a_race_spoils_bytes_and_its_fix_never_does(cuda_programs: Programs, name: str) -> None:
    program = cuda_programs.case(ALL[name].program)
    (right,) = set(printed(program, name, "fixed"))
    racy = set(printed(program, name, "race"))
    assert (racy != {right}) == ALL[name].shows


@pytest.mark.parametrize("variant", ["fixed", "race"])
@pytest.mark.parametrize("name", ALL)
def test_verdicts(
    cuda_programs: Programs,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    name: str,
    variant: str,
) -> None:
    for variable, value in {**SLOW, "STANDIN_SEED": "1"}.items():
        monkeypatch.setenv(variable, value)
    command = [cuda_programs.case(ALL[name].program), name, variant]
    assert subprocess.run(command).returncode == 0
    alone = capfd.readouterr().out
    assert told.recorded(command, tmp_path / "t").exit_code == 0
    if variant == "fixed" or not ALL[name].shows:
        assert capfd.readouterr().out == alone
    for profile, lines in told.findings(tmp_path / "t", *PROFILES).items():
        expected = ALL[name].under(profile) if variant == "race" else sorted(ALL[name].whole)
        assert sorted(map(plain, lines)) == expected, profile
