"""What a recorded run of a HIP program says, in words that tests can hold."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import synctrace
from synctrace.tracer.kinds import Flag, Kind
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
            line = " ".join([f.rule, f.verdict, *(named[op] for op in f.ops)])
            for profile in f.profile.split(","):  # a sync is judged under all of them at once
                told[profile].append(line)
    return {profile: sorted(lines) for profile, lines in told.items()}


def calls(path: Path) -> list[str]:
    """`KIND CALL FLAGS | STREAM | EVENT` of each op, in the order of the calls."""
    trace = open_trace(path)
    names = {
        table: {row["id"]: row["name"] for row in trace.table(table).to_pylist()}
        for table in ("call", "actor", "event")
    }
    lines = []
    for op in sorted(trace.table("op").to_pylist(), key=lambda op: int(op["ticket_c"])):
        flags = [str(flag.name).lower() for flag in Flag(op["flags"])]
        parts = [" ".join([Kind(op["kind"]).name.lower(), names["call"][op["call"]], *flags])]
        parts += [names["actor"][op["actor"]]] if op["actor"] else []
        parts += [f"event {op['event']}"] if op["event"] else []
        lines.append(" | ".join(parts))
    return lines
