"""What a recorded run of a HIP program says, in words that tests can hold."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import synctrace
from synctrace.tracer.launch import RecordResult, record
from synctrace.tracer.reader import open_trace


def recorded(command: Sequence[str], folder: Path) -> RecordResult:
    """One process, recorded whole."""
    result = record(command, str(folder), overwrite=True, quiet=True)
    assert result.traces == [folder], result.message
    assert open_trace(folder).complete
    return result


def labels(path: Path) -> dict[int, str]:
    """`CALL#N` by op: the N-th call of that name in the trace."""
    trace, seen = open_trace(path), Counter[str]()
    names = {row["id"]: row["name"] for row in trace.table("call").to_pylist()}
    made = {}
    for op in sorted(trace.table("op").to_pylist(), key=lambda op: int(op["ticket_c"])):
        name = names[op["call"]]
        seen[name] += 1
        made[op["id"]] = f"{name}#{seen[name]}"
    return made


def findings(path: Path, *profiles: str, host_order: str = "observed") -> dict[str, list[str]]:
    """`RULE verdict OP …` of each race, use of freed memory and sync, by profile.

    Advice is left out.
    """
    named = labels(path)
    told: dict[str, list[str]] = {profile: [] for profile in profiles}
    for f in synctrace.check(path, profiles, host_order=host_order).findings:
        if f.family in ("race", "life") or (f.family == "sync" and f.severity != "note"):
            told[f.profile].append(" ".join([f.rule, f.verdict, *(named[op] for op in f.ops)]))
    return {profile: sorted(lines) for profile, lines in told.items()}
