"""Scenario cases of two layers: tests/data/layer_order.jsonl as traces.

As in ggml_cases.py, but an op with a `stream` is a call of HIP or CUDA: its level is api. `level`
says otherwise, `lowered` that the ops with this one for their `parent` did its work, `memory` what
the buffers are, `synchronous` which backends do all work within the call. `site` is the place of a
call: each has its own if nothing is said.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rows import LAYER_CASES
from small import Small

from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind, StreamFlag
from synctrace.tracer.reader import Trace


def traces(folder: Path) -> Iterator[tuple[str, Trace]]:
    """Every case by its id, as a trace in the folder."""
    for line in LAYER_CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        yield case["id"], layered(case).written(folder / case["id"])


def layered(case: dict[str, Any]) -> Small:
    """The rows of a case."""
    t = Small()
    buffers = {name: t.memory(MemoryKind[kind.upper()]) for name, kind in case["memory"].items()}
    threads = {"T0": t.thread}
    actors: dict[str, int] = {}
    events: dict[str, int] = {}
    sites: dict[str, int] = {}
    for place, op in enumerate(case["ops"]):
        if op["thread"] not in threads:
            threads[op["thread"]] = t.other_thread()
        more: dict[str, Any] = {"id": place, "thread": threads[op["thread"]]}
        for key in ("backend", "stream"):
            if key in op and op[key] not in actors:
                flags = StreamFlag.SYNCHRONOUS if op[key] in case.get("synchronous", ()) else 0
                actors[op[key]] = t.backend(flags) if key == "backend" else t.stream()
            if key in op:
                more["actor"] = actors[op[key]]
        if "event" in op:
            more["event"] = events.setdefault(op["event"], len(events) + 1)
        level = op.get("level", "api" if "stream" in op else "ggml")
        more["level"] = Level[level.upper()]
        more["flags"] = Flag.LOWERED if op.get("lowered") else Flag(0)
        more["parent"] = op.get("parent")
        more["site"] = sites.setdefault(op.get("site", f"{op['op']} {place}"), len(sites) + 1)
        reads = (t.read(buffers[name]) for name in op.get("reads", ()))
        writes = (t.write(buffers[name]) for name in op.get("writes", ()))
        t.op(Kind[op["op"].upper()], *reads, *writes, **more)
    t.rows["site"] = [{"id": id_, "label": label} for label, id_ in sites.items()]
    return t
