"""Turns scenario cases into traces: an ordering question becomes something `check` can judge."""

import difflib
from pathlib import Path

from synctrace.tracer.case import Case, read_cases
from synctrace.tracer.case_rows import CaseRows
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Level
from synctrace.tracer.writer import TraceWriter


def import_cases(
    cases: Path, out: Path, case: str | None = None, overwrite: bool = False
) -> list[Path]:
    """Write the case named `case` to the trace folder `out`, or every case to `out`/ID.

    Returns the trace folders. Raises SynctraceError for a file that is not in the notation (before
    anything is written), an unknown case and folders that exist.
    """
    found = read_cases(cases)
    if case is None:
        targets = [(one, out / one.id) for one in found]
    else:
        targets = [(_named(found, case, cases), out)]
    for one, path in targets:
        write_case(one, path, cases.name, overwrite=overwrite)
    return [path for _, path in targets]


def _named(found: list[Case], name: str, file: Path) -> Case:
    for one in found:
        if one.id == name:
            return one
    close = difflib.get_close_matches(name, [one.id for one in found], n=3)
    others = f"it has {len(found)} others" if len(found) > 1 else f"its only case is {found[0].id}"
    hint = f"did you mean {' or '.join(close)}?" if close else others
    raise SynctraceError(f"{file} has no case {name}: {hint}")


def write_case(case: Case, path: Path, file: str, *, overwrite: bool = False) -> None:
    """Write one case as a trace; `file` is the source file shown at its call sites."""
    meta: dict[str, object] = {
        "profile": case.profile,
        "level": [Level.API.name.lower()],
        "source": "import",
        "command": ["synctrace", "import", file, "--case", case.id],
        "program": case.id,
    }
    with TraceWriter(path, meta, overwrite=overwrite) as writer:
        CaseRows(writer, case).write(file)
