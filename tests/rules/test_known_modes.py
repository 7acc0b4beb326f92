"""Modes of accesses by what kernels' code does: one table for order, rules and SQL."""

import random
from pathlib import Path
from typing import Any

import pytest

from synctrace.analyzer import known_modes
from synctrace.analyzer.check import check
from synctrace.analyzer.connect import Session
from synctrace.tracer.added import add_tables
from synctrace.tracer.kinds import ActorKind, Extent, Flag, Kind, Level, MemoryKind, Mode
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.writer import TraceWriter

Row = dict[str, Any]
THREAD, FIRST, SECOND = 1, 2, 3
KNOWN = (Mode.READ, Mode.WRITE, Mode.READ_WRITE)


def op(kind: Kind, actor: int, *accesses: int, **more: int) -> Row:
    return {"kind": kind, "actor": actor, "accesses": list(accesses), **more}


def written(path: Path, ops: list[Row], modes: list[Mode], parameters: list[Row]) -> Trace:
    """A trace whose accesses, of these modes, are all to the first byte of one memory."""
    base = {"level": Level.API, "thread": THREAD, "device": 0, "flags": 0, "call": 0}
    rows = [
        {**base, "id": n, "ticket_c": 2 * n, "ticket_r": 2 * n + 1, "site": n, **one}
        for n, one in enumerate(ops, 1)
    ]
    for row in rows:
        row.update({"t_c": row["id"], "t_r": row["id"]})
    bytes_ = {"lo": 0, "hi": 1, "upper_lo": 0, "upper_hi": 64, "extent": Extent.BASE_ONLY}
    streams = [
        {"id": n, "kind": ActorKind.STREAM, "name": f"S{n}", "device": 0, "flags": 2}
        for n in (FIRST, SECOND)
    ]
    thread = {"id": THREAD, "kind": ActorKind.THREAD, "name": "main", "device": -1, "flags": 0}
    tables: dict[str, list[Row]] = {
        "op": rows,
        "actor": [thread, *streams],
        "storage": [{"id": 1, "name": "memory", "size": 64, "device": 0}],
        "memory": [{"storage": 1, "hi": 64, "kind": MemoryKind.DEVICE}],
        "access": [{"id": n, "storage": 1, "mode": m, **bytes_} for n, m in enumerate(modes, 1)],
        "kernel": [{"id": n, "call": 10 + n, "name": f"k{n}"} for n in (1, 2, 3)],
        "call": [{"id": 10 + n, "name": f"k{n}"} for n in (1, 2, 3)],
        "parameter": parameters,
        "site": [{"id": n, "label": f"call {n}"} for n in range(1, len(rows) + 1)],
    }
    with TraceWriter(path, {"profile": "cuda-doc"}) as writer:
        for table, many in tables.items():
            if many:
                writer.append(table, {name: [row[name] for row in many] for name in many[0]})
    return open_trace(path)


def read(path: Path, code: list[Row], words: list[Row]) -> Trace:
    """The same, its kernels' code read."""
    empty = {"triggers": 0, "elsewhere": None}
    added = {
        "kernel_code": [{**empty, "waits": 0, "why": "", **row} for row in code],
        "kernel_word": words,
    }
    names = {
        "kernel_code": ("kernel", "why", "waits", "triggers", "elsewhere"),
        "kernel_word": ("kernel", "word", "mode"),
    }
    add_tables(
        path, {t: {n: [row[n] for row in rows] for n in names[t]} for t, rows in added.items()}
    )
    return open_trace(path)


def slowly(own: Mode, parameter: Row | None, why: dict[int, str], said: dict[Any, Mode]) -> Mode:
    """What an access's mode is, one at a time."""
    if not parameter or why.get(parameter["kernel"], "not read") or parameter["word"] % 8:
        return own
    code = said.get((parameter["kernel"], parameter["word"]), Mode.UNUSED)
    if own == Mode.MAY or (code == Mode.UNKNOWN and own != Mode.UNKNOWN):
        return own
    return code


@pytest.mark.parametrize("seed", range(12))
def test_random_tables_as_one_at_a_time(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    modes = [chance.choice([Mode.UNKNOWN, Mode.READ, Mode.MAY]) for _ in range(40)]
    parameters = [
        {"access": n, "kernel": chance.randint(1, 3), "word": chance.choice([0, 8, 12, 16])}
        for n in range(1, 41)
        if chance.random() < 0.8
    ]
    why = {n: chance.choice(["", "", "too long"]) for n in chance.sample([1, 2, 3], 2)}
    said = {
        (kernel, word): chance.choice([*KNOWN, Mode.UNKNOWN])
        for kernel in (1, 2, 3)
        for word in (0, 8, 16)
        if chance.random() < 0.6
    }
    written(tmp_path / "t", [op(Kind.STREAM_SYNC, FIRST)], modes, parameters)
    words = [{"kernel": k, "word": w, "mode": m} for (k, w), m in said.items()]
    trace = read(tmp_path / "t", [{"kernel": k, "why": w} for k, w in why.items()], words)
    by_access = {row["access"]: row for row in parameters}
    expected = [slowly(m, by_access.get(n), why, said) for n, m in enumerate(modes, 1)]
    assert known_modes.accesses(trace)["mode"].to_pylist() == expected
    rows = Session(trace).rows("SELECT mode FROM access ORDER BY id")  # SQL sees the same
    assert [mode for (mode,) in rows] == [mode.name.lower() for mode in expected]


TWO_KERNELS = [op(Kind.KERNEL, FIRST, 1, call=11), op(Kind.KERNEL, SECOND, 2, call=12)]
PARAMETERS = [{"access": 1, "kernel": 1, "word": 0}, {"access": 2, "kernel": 2, "word": 8}]
BOTH_READ = [{"kernel": 1}, {"kernel": 2}]


def races(trace: Trace) -> list[tuple[str, str]]:
    return [(f.rule, f.verdict) for f in check(trace).findings if f.family in ("race", "life")]


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (Mode.WRITE, Mode.READ, [("RACE01", "certain")]),
        (Mode.READ, Mode.WRITE, [("RACE02", "certain")]),
        (Mode.WRITE, Mode.WRITE, [("RACE03", "certain")]),
        (Mode.READ, Mode.READ, []),
        (Mode.WRITE, None, []),  # a word that the code does not use
        (None, Mode.WRITE, []),
        (Mode.READ, Mode.UNKNOWN, [("RACE02", "mode-unknown")]),
    ],
)
def test_verdicts(
    tmp_path: Path, first: Mode | None, second: Mode | None, found: list[tuple[str, str]]
) -> None:
    before = written(tmp_path / "t", TWO_KERNELS, [Mode.UNKNOWN] * 2, PARAMETERS)
    assert {verdict for _, verdict in races(before)} == {"mode-unknown"}
    places = ((1, 0, first), (2, 8, second))
    words = [{"kernel": k, "word": w, "mode": m} for k, w, m in places if m is not None]
    assert races(read(tmp_path / "t", BOTH_READ, words)) == found


def test_a_kernel_of_which_nothing_is_known_stays_so(tmp_path: Path) -> None:
    before = races(written(tmp_path / "t", TWO_KERNELS, [Mode.UNKNOWN] * 2, PARAMETERS))
    code = [{"kernel": 1, "why": "too long to be followed"}, {"kernel": 2}]
    trace = read(tmp_path / "t", code, [{"kernel": 2, "word": 8, "mode": Mode.READ}])
    assert races(trace) == [one for one in before if one[0] == "RACE01"]
    assert check(trace).coverage["kernels_of_unknown_code"] == 1


def test_memory_that_is_freed_and_not_used(tmp_path: Path) -> None:
    free = {**op(Kind.FREE_ASYNC, FIRST, 3), "device": 0}
    ops = [free, op(Kind.KERNEL, FIRST, 1, call=11)]
    modes = [Mode.UNKNOWN, Mode.UNKNOWN, Mode.WRITE]
    before = written(tmp_path / "t", ops, modes, PARAMETERS)
    assert [rule for rule, _ in races(before)] == ["LIFE05"]
    assert races(read(tmp_path / "t", BOTH_READ, [])) == []


@pytest.mark.parametrize(
    ("waits", "why", "found"),
    [(0, "", [("RACE01", "certain")]), (1, "", []), (0, "too long", [])],
)
def test_a_dependent_launch(
    tmp_path: Path, waits: int, why: str, found: list[tuple[str, str]]
) -> None:
    ops = [
        op(Kind.KERNEL, FIRST, 1, call=13),
        op(Kind.KERNEL, FIRST, 2, call=12, flags=Flag.DEPENDENT),
    ]
    modes, parameters = [Mode.WRITE, Mode.READ], PARAMETERS[1:]
    assert races(written(tmp_path / "t", ops, modes, parameters)) == []  # taken in order
    words = [{"kernel": 2, "word": 8, "mode": Mode.READ}]
    trace = read(tmp_path / "t", [{"kernel": 2, "waits": waits, "why": why}], words)
    assert races(trace) == found


@pytest.mark.parametrize(
    ("waits", "why", "found"),
    [(0, "", [("RACE01", "certain")]), (1, "", []), (0, "too long", [])],
)
def test_an_event_of_a_trigger(
    tmp_path: Path, waits: int, why: str, found: list[tuple[str, str]]
) -> None:
    """It stands for the kernel's end where a kernel behind it may wait for that in its code."""
    ops = [
        op(Kind.KERNEL, FIRST, 1, call=11, event=0),
        op(Kind.EVENT_RECORD, FIRST, call=11, event=1, flags=Flag.DEPENDENT | Flag.IMPLIED),
        op(Kind.EVENT_WAIT, SECOND, event=1),
        op(Kind.KERNEL, SECOND, 2, call=12, event=0),
    ]
    modes, parameters = [Mode.WRITE, Mode.READ], PARAMETERS[1:]
    assert races(written(tmp_path / "t", ops, modes, parameters)) == []
    words = [{"kernel": 2, "word": 8, "mode": Mode.READ}]
    code = [{"kernel": 1}, {"kernel": 2, "waits": waits, "why": why}, {"kernel": 3}]
    assert races(read(tmp_path / "t", code, words)) == found
