"""Every case of the catalogue as a CUDA program on the stand-in driver.

As tests/hip/test_catalogue.py, of the same programs, which call CUDA's driver here: the bytes go
wrong where a race is open and never where it is closed, and the check says so under CUDA's
profiles. What it does not show: that a GPU loses them.
"""

from pathlib import Path

import pytest
from hip import catalogue as of_hip
from hip import told
from hip.seeds import SEEDS, SLOW, printed

from cuda.catalogue import CASES, MORE, PROFILES, plain
from cuda.programs.build import Programs

ALL = {**CASES, **MORE}


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


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in {**SLOW, "STANDIN_SEED": str(SEEDS[0])}.items():
        monkeypatch.setenv(variable, value)


@pytest.mark.parametrize("name", ALL)
def test_case(
    cuda_programs: Programs,
    slow: None,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    name: str,
) -> None:
    """The race spoils bytes and its fix never does; both are recorded, unchanged, and judged."""
    case = ALL[name]
    program = cuda_programs.case(case.program)
    outputs = {variant: printed(program, name, variant) for variant in ("fixed", "race")}
    (right,) = set(outputs["fixed"])
    assert (set(outputs["race"]) != {right}) == case.shows
    for variant, alone in outputs.items():
        assert told.recorded([program, name, variant], tmp_path / variant).exit_code == 0
        out = capfd.readouterr().out
        assert out == alone[0] or (variant == "race" and case.shows)
        for profile, lines in told.findings(tmp_path / variant, *PROFILES).items():
            expected = case.under(profile) if variant == "race" else sorted(case.whole)
            assert sorted(map(plain, lines)) == expected, (variant, profile)
