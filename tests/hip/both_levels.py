"""What must hold of a trace of ggml's calls and HIP's together, found anew from its rows."""

from collections import Counter

from hip.software import Recorded, Row
from synctrace.tracer.kinds import Flag, Kind, Level


def enclosing(ops: list[Row]) -> dict[int, int | None]:
    """Of HIP's ops the innermost of ggml's around each, by tickets alone. Marks enclose nothing."""
    found: dict[int, int | None] = {}
    open_: dict[int, list[Row]] = {}
    for op in ops:  # in the order in which they were entered
        around = open_.setdefault(op["thread"], [])
        while around and around[-1]["ticket_r"] < op["ticket_c"]:
            around.pop()
        if op["level"] == Level.API:
            found[op["id"]] = around[-1]["id"] if around else None
        elif op["kind"] != Kind.MARK:
            around.append(op)
    return found


def every_op_has_its_parent(run: Recorded) -> None:
    """Each call of HIP names the one of ggml around it, and these alone are lowered."""
    calls = run.of(Level.API)
    assert {op["id"]: op["parent"] for op in calls} == enclosing(run.ops)
    lowered = {op["id"] for op in run.ops if op["flags"] & Flag.LOWERED}
    assert lowered == {op["parent"] for op in calls} - {None}
    assert {op["level"] for op in run.ops if op["id"] in lowered} <= {Level.GGML}


def each_access_counts_once(run: Recorded) -> Counter[str]:
    """At the level api a launch of ggml is one op more, with its ranges, behind all of its calls.

    What is within it has no ranges of its own. How many such launches, by name of their stream.
    """
    streams = {row["id"]: row["name"] for row in run.rows("actor")}
    within: dict[int, list[Row]] = {}
    for op in run.of(Level.API):
        if op["parent"] is not None:
            within.setdefault(op["parent"], []).append(op)
    found: Counter[str] = Counter()
    for launch in run.of(Level.GGML, Kind.GRAPH_LAUNCH):
        calls = within.get(launch["id"], [])
        if not calls:  # a launch on the host
            continue
        *rest, last = calls
        assert last["kind"] == Kind.GRAPH_LAUNCH and last["name"] == launch["name"]
        assert launch["access_set"] and last["access_set"] == launch["access_set"]
        assert (last["graph"], last["version"]) == (launch["graph"], launch["version"])
        assert last["actor"] == rest[-1]["actor"]
        assert not any(run.accesses(op) for op in rest if op["kind"] == Kind.KERNEL)
        found[streams[last["actor"]]] += 1
    return found


def ranges_of_launches(run: Recorded, level: Level) -> Counter[tuple[object, ...]]:
    """Launches of ggml as ops of this level: what each touched, of buffers by name."""
    return Counter(
        tuple(sorted((a["name"], a["upper_hi"] - a["upper_lo"], a["mode"]) for a in touched))
        for op in run.of(level, Kind.GRAPH_LAUNCH)
        if (touched := run.accesses(op)) and op["name"].startswith("ggml_")
    )
