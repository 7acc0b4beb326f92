"""Recorded runs of the programs in calls/: files of cases, each as a race and as its fix."""

from pathlib import Path

from hip import told
from hip.programs.build import HERE, Programs

CALLS = Path(__file__).parent / "calls"


def program(programs: Programs, name: str, *flags: str) -> str:
    """The path of the program of calls/NAME.c."""
    return programs.built(CALLS / f"{name}.c", HERE / "scenarios.c", flags=flags)


def recorded(programs: Programs, folder: Path, source: str, case: str, variant: str) -> Path:
    """The trace of one run, recorded whole."""
    command = [program(programs, source), case, variant]
    assert told.recorded(command, folder / "t").exit_code == 0
    return folder / "t"


def races(path: Path) -> list[str]:
    """`RULE verdict OP …` of each race and lifetime error under hip-doc."""
    found = told.findings(path, "hip-doc")["hip-doc"]
    return [line for line in found if line.startswith(("RACE", "LIFE"))]
