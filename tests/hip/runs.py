"""Recorded runs of the programs in calls/: files of cases, each as a race and as its fix."""

from pathlib import Path

from hip import told
from hip.programs.build import Programs

CALLS = Path(__file__).parent / "calls"


def recorded(programs: Programs, folder: Path, source: str, case: str, variant: str) -> Path:
    """The trace of one run, recorded whole."""
    command = [programs.program(source, source=CALLS), case, variant]
    assert told.recorded(command, folder / "t").exit_code == 0
    return folder / "t"


def races(path: Path) -> list[str]:
    """`RULE verdict OP …` of each race and lifetime error under hip-doc."""
    found = told.findings(path, "hip-doc")["hip-doc"]
    return [line for line in found if line.startswith(("RACE", "LIFE"))]
