"""One pair of places is one finding, whatever it is that they touch there and how often."""

import json
from pathlib import Path
from typing import Any

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Finding
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases


def races(tmp_path: Path, buffers: dict[str, int]) -> tuple[Finding, ...]:
    """Each buffer in turn is copied from, and written before the copy is done."""
    ops: list[dict[str, Any]] = []
    for name, size in buffers.items():
        ops.append({"op": "alloc_pinned", "writes": [[name, 0, 4096]]})
        ops.append({"op": "alloc_device", "writes": [[f"d_{name}", 0, 4096]]})
        copy = {"reads": [[name, 0, size]], "writes": [[f"d_{name}", 0, size]]}
        ops.append({"op": "memcpy_async_h2d", "stream": "S1", **copy})
        ops.append({"op": "host_write", "writes": [[name, 0, 4096]]})
    ops.append({"op": "stream_sync", "stream": "S1"})
    file = tmp_path / "c.jsonl"
    file.write_text(json.dumps({"id": "c", "ops": [{"thread": "T0", **op} for op in ops]}))
    [path] = import_cases(file, tmp_path / "t", "c")
    return tuple(f for f in check(open_trace(path)).findings if f.family == "race")


def test_buffers_of_one_kind_are_one_finding(tmp_path: Path) -> None:
    [race] = races(tmp_path, {"layer.0": 512, "layer.1": 2048, "layer.12": 1024})
    assert (race.count, race.buffers, race.verdicts) == (3, 3, {"certain": 3})
    assert race.memory and race.memory.name == "layer.0"
    assert race.first and race.first.ops == race.ops == (2, 3)
    assert race.worst and race.worst.ops == (6, 7)
    assert (race.worst.lo, race.worst.hi, race.worst.verdict) == (0, 2048, "certain")


def test_buffers_of_two_kinds_are_two(tmp_path: Path) -> None:
    found = races(tmp_path, {"tokens": 512, "positions": 512})
    assert [f.count for f in found] == [1, 1]
    assert len({f.id for f in found}) == 2
