"""What must hold of a trace of ggml's calls and HIP's together, found anew from its rows."""

from collections import Counter

from hip.software import Recorded, Row
from synctrace.tracer.kinds import Flag, Kind, Level

RANGED_AT_ONCE = (Kind.KERNEL, Kind.GRAPH_LAUNCH, Kind.GRAPH_CREATE, Kind.GRAPH_UPDATE)


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

    Kernels and graphs within have no ranges of their own; a copy has, which repeats some of the
    launch's bytes on the same stream. How many such launches, by name of their stream.
    """
    actors = {row["id"]: row["name"] for row in run.rows("actor")}
    within: dict[int, list[Row]] = {}
    for op in run.of(Level.API):
        if op["parent"] is not None:
            within.setdefault(op["parent"], []).append(op)
    found: Counter[str] = Counter()
    for launch in run.of(Level.GGML, Kind.GRAPH_LAUNCH):
        calls = within.get(launch["id"], [])
        if not calls:  # on the host, or of tensors without elements
            assert actors[launch["actor"]] == "CPU" or not run.accesses(launch)
            continue
        *rest, last = calls
        assert last["kind"] == Kind.GRAPH_LAUNCH and last["name"] == launch["name"]
        assert launch["access_set"] and last["access_set"] == launch["access_set"]
        assert (last["graph"], last["version"]) == (launch["graph"], launch["version"])
        assert last["actor"] == [op["actor"] for op in rest if op["actor"]][-1]
        assert not any(run.accesses(op) for op in rest if op["kind"] in RANGED_AT_ONCE)
        found[actors[last["actor"]]] += 1
    return found


def merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The bytes in any of these ranges, as ranges that are apart."""
    found: list[tuple[int, int]] = []
    for lo, hi in sorted(ranges):
        if found and lo <= found[-1][1]:
            found[-1] = (found[-1][0], max(hi, found[-1][1]))
        else:
            found.append((lo, hi))
    return tuple(found)


def bytes_of_launches(run: Recorded, level: Level) -> Counter[tuple[object, ...]]:
    """Launches of ggml as ops of this level: which bytes of devices each touches, in which mode."""
    devices = {row["id"] for row in run.rows("storage") if row["device"] >= 0}
    found: Counter[tuple[object, ...]] = Counter()
    for op in run.of(level, Kind.GRAPH_LAUNCH):
        touched: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for a in run.accesses(op) if op["name"].startswith("ggml_") else ():
            if a["storage"] in devices:
                touched.setdefault((a["storage"], a["mode"]), []).append(
                    (a["upper_lo"], a["upper_hi"])
                )
        if touched:
            modes = ((mode, merged(ranges)) for (_, mode), ranges in touched.items())
            found[tuple(sorted(modes))] += 1
    return found
