"""The analyzer, tried on a race of two operations."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from synctrace.analyzer.checkup import Check

_RACE = {
    "id": "race",
    "ops": [
        {"thread": "T0", "op": "kernel", "stream": "S1", "writes": [["x", 0, 64]]},
        {"thread": "T0", "op": "kernel", "stream": "S2", "reads": [["x", 0, 64]]},
    ],
}


def checks() -> Iterator[Check]:
    """Whether a trace can be written, ordered and judged."""
    try:
        found = _judged()
    except Exception as error:  # a package that is broken or too old, an engine that does not load
        what = " ".join(str(error).split()) or "no message"
        told = f"does not work ({type(error).__name__}: {what})"
        yield Check("analyzer", "engine", "broken", told, "install synctrace again")
        return
    if found == ["RACE01"]:
        yield Check("analyzer", "engine", "ok", "finds the race in a small scenario")
    else:
        told = f"finds {', '.join(found) or 'nothing'} where there is a race"
        yield Check("analyzer", "engine", "broken", told, "please report this")


def _judged() -> list[str]:
    """Rules of the findings."""
    from synctrace.analyzer.check import check
    from synctrace.tracer.reader import open_trace
    from synctrace.tracer.scenario import import_cases

    with tempfile.TemporaryDirectory(prefix="synctrace-doctor-") as folder:
        case = Path(folder) / "case.jsonl"
        case.write_text(json.dumps(_RACE))
        [trace] = import_cases(case, Path(folder) / "trace", "race")
        return [finding.rule for finding in check(open_trace(trace)).findings]
