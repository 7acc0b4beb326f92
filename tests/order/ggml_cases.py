"""Scenario cases in the words of ggml: tests/data/ggml_order.jsonl as traces.

An op names its kind, as docs/trace.md does, in lower case; `backend` is the one that it is for,
`from` the source of a copy between two. `memory` of a case tells the kind of its buffers' memory;
all are 64 bytes long and an op touches them whole. Ops are told by their places, from 0.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rows import GGML_CASES
from small import Small

from synctrace.tracer.kinds import Kind, MemoryKind
from synctrace.tracer.reader import Trace


def traces(folder: Path) -> Iterator[tuple[str, Trace]]:
    """Every case by its id, as a trace in the folder."""
    for line in GGML_CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        yield case["id"], _small(case).written(folder / case["id"])


def _small(case: dict[str, Any]) -> Small:
    t = Small()
    buffers = {name: t.memory(MemoryKind[kind.upper()]) for name, kind in case["memory"].items()}
    threads = {"T0": t.thread}
    backends: dict[str, int] = {}
    events: dict[str, int] = {}
    for place, op in enumerate(case["ops"]):
        if op["thread"] not in threads:
            threads[op["thread"]] = t.other_thread()
        more = {"id": place, "thread": threads[op["thread"]]}
        for key, column in (("backend", "actor"), ("from", "peer")):
            if key in op:
                if op[key] not in backends:
                    backends[op[key]] = t.backend()
                more[column] = backends[op[key]]
        if "event" in op:
            more["event"] = events.setdefault(op["event"], len(events) + 1)
        reads = (t.read(buffers[name]) for name in op.get("reads", ()))
        writes = (t.write(buffers[name]) for name in op.get("writes", ()))
        t.op(Kind[op["op"].upper()], *reads, *writes, **more)
    return t
