"""What a trace says of calls, in a line each."""

from pathlib import Path

import synctrace
from synctrace.tracer.kinds import Flag, Kind, Mode
from synctrace.tracer.reader import open_trace

_MODES = {Mode.READ: "reads", Mode.WRITE: "writes", Mode.MAY: "may touch"}


def lines(path: Path) -> list[str]:
    """`kind flags | stream | event | what is touched` of each op, without what it has not."""
    trace = open_trace(path)
    assert trace.complete and not trace.lost
    names = {
        table: {row["id"]: row["name"] for row in trace.table(table).to_pylist()}
        for table in ("actor", "event", "storage")
    }
    accesses = {row["id"]: row for row in trace.table("access").to_pylist()}
    told = []
    for op in sorted(trace.table("op").to_pylist(), key=lambda op: op["ticket_c"]):
        flags = Flag(op["flags"])
        parts = [" ".join([Kind(op["kind"]).name.lower(), *(f.name.lower() for f in flags)])]
        parts += [names["actor"][op["actor"]]] if op["actor"] else []
        parts += [names["event"][op["event"]]] if op["event"] else []
        for number in op["accesses"] or ():
            a = accesses[number]
            where = f"{names['storage'][a['storage']]}[{a['lo']},{a['upper_hi']})"
            parts.append(f"{_MODES[Mode(a['mode'])]} {where}")
        told.append(" | ".join(parts))
    return told


def of(path: Path, *kinds: str) -> list[str]:
    """The lines of these kinds."""
    return [line for line in lines(path) if line.split(" ")[0] in kinds]


def rules(path: Path, *profiles: str) -> set[str]:
    """Rules of races and of uses of freed memory that have a finding."""
    checked = synctrace.check(path, profiles)
    return {f.rule for f in checked.findings if f.family in ("race", "life")}
