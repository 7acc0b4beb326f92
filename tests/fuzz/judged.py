"""What must hold of every input: a trace or a scenario is judged, or refused in one sentence.

The first byte of an input says what it is; the rest says how a seed is changed.
"""

import atexit
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import changed
from drawn import Drawn

from synctrace.analyzer.answer import write_text
from synctrace.analyzer.check import check
from synctrace.analyzer.connect import views
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.output import FORMATS, render
from synctrace.analyzer.query import Questions
from synctrace.analyzer.saved_query import saved
from synctrace.tracer.errors import EXIT_ERROR, SynctraceError
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

DATA = Path(__file__).parents[1] / "data"
# One of each kind: threads, events, graphs, captures, frees, copies, ggml.
SCENARIOS = DATA / "fuzz/scenarios.jsonl"
RECORDED = DATA / "h200/h200-llama-0.3.32-x2-decode.synctrace"
PROFILES = ("", "catalogue", "cuda-doc", "hip-6.3", "ggml-contract", "ggml-cuda")
KINDS = "TS"


@cache
def folder() -> Path:
    """Where everything is written: in TMPDIR, else in memory where there is such a place.

    libFuzzer ends the process at once: its folder stays, and is of TMPDIR's owner to remove.
    """
    fast = Path("/dev/shm")
    in_memory = fast.is_dir() and "TMPDIR" not in os.environ
    made = tempfile.mkdtemp(prefix="synctrace-fuzz-", dir=fast if in_memory else None)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


@cache
def seeds() -> list[Path]:
    """Small traces to change."""
    return [*import_cases(SCENARIOS, folder() / "seeds"), RECORDED]


@cache
def cases() -> list[str]:
    """Small scenarios to change, as JSON."""
    return SCENARIOS.read_text().splitlines()


def judge(data: bytes) -> None:
    """Raises anything but SynctraceError where the product is at fault."""
    draw = Drawn(data[1:])
    if data[:1] == b"S":
        _judge_scenario(draw)
    else:
        path = folder() / "input.synctrace"
        asked = draw.number(1 << 16)
        changed.write(draw.one(seeds()), draw, path)
        _judge_trace(path, asked)


def _judge_trace(path: Path, asked: int) -> None:
    profile = PROFILES[asked % len(PROFILES)]
    select = ["ALL"] if asked % 8 == 0 else []  # advice is slow, and joins more
    format_ = FORMATS[asked % len(FORMATS)]
    if trace := _told(lambda: open_trace(path)):
        found = _told(lambda: check(trace, [profile] if profile else [], select=select, shape=True))
        if found:
            render([found], Gate(), format_, False).encode()
        asking = [*saved().values(), *(f"FROM {name}" for name in views())]
        sql = asking[asked % len(asking)]
        _told(lambda: write_text(Questions(trace).ask(sql), "table", io.StringIO()))


def _judge_scenario(draw: Drawn) -> None:
    value = json.loads(draw.one(cases()))
    holders = [value]
    while draw and len(holders) < 12:
        at: Any = value
        while isinstance(at, dict | list) and at and draw.number(5):
            holder, key = at, draw.one(list(at) if isinstance(at, dict) else range(len(at)))
            at = at[key]
        if at is value or not isinstance(holder, dict | list):
            break
        holders.append(at)
        _change(holder, key, draw)
    text = json.dumps(value).encode("utf-8", "surrogatepass")
    if draw.number(8) == 7:
        at = draw.number(len(text))
        text = text[:at] + bytes([draw.number(256)]) + text[at + draw.number(3) :]
    file = folder() / "input.jsonl"
    file.write_bytes(text)
    out = folder() / "imported.synctrace"
    if _told(lambda: import_cases(file, out, _id(value), overwrite=True)):
        _judge_trace(out, draw.number(1 << 16))


def _id(value: Any) -> str:
    return str(value.get("id")) if isinstance(value, dict) else ""


def _change(holder: Any, key: Any, draw: Drawn) -> None:
    what = draw.number(5)
    if what == 0:
        del holder[key]
    elif what == 1 and isinstance(holder, list):
        holder += [holder[key]] * draw.one((1, 2, 30, 200))
    elif what == 2 and isinstance(holder, list):
        other = draw.number(len(holder))
        holder[key], holder[other] = holder[other], holder[key]
    else:
        holder[key] = draw.json()


def _told(call: Callable[[], Any]) -> Any:
    """The answer; None where the user is told in words why there is none."""
    try:
        return call()
    except SynctraceError as error:
        assert error.exit_code == EXIT_ERROR
        assert str(error).strip()
        return None
