"""The recorder in an emulated aarch64 program tells what the one in a native program tells.

`record` runs the emulator. That is a native program: it gets the native recorder, which meets no
ggml call in it, and the aarch64 recorder is for the program inside (conftest.py). Everything else
is as ever: the same folder of rings, and this machine's Python reads them.

What such a pass proves and what it does not: tests/machines.py.
"""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.kinds import ActorKind, Kind, Mode, Origin, ScopeKind
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace
from synctrace.tracer.schema import TABLES

from .conftest import Recording, Row, StandIn

OWN = ("scenario", "libggml-base.so")  # modules that are built of the same sources for each machine
SCENARIOS = {
    "tokens": 3,
    "inputs": 3,
    "resets": 4,
    "copies": 2,
    "events": 3,
    "buffers": 3,
    "aliases": 2,
    "changes": 1,
    "shapes": 1,
    "many": 2,
    "rows": 2,
    "abandons": 4,
    "decodes": 3,
    "threads": 4,
    "forks": 2,
    "exit": 3,
    "signal": 9,
}


def run(stand_in: StandIn, name: str, folder: Path) -> list[Recording]:
    result = record(stand_in.command(name, SCENARIOS.get(name, 3)), str(folder / "%p.synctrace"))
    assert result.traces, result.message
    return [Recording(result, open_trace(path)) for path in result.traces]


class Telling:
    """A recording without what differs from run to run: ids, addresses, times, order of threads.

    And without the looks at sources of pending copies, which an emulator may refuse.
    """

    def __init__(self, recording: Recording) -> None:
        self._run = recording
        self._rows = {
            name: {row["id"]: row for row in recording.rows(name)}
            for name, table in TABLES.items()
            if "id" in (column.name for column in table.columns)
        }
        self._frames = {row["address"]: row for row in recording.rows("frame")}
        self._threads: dict[int, list[Row]] = defaultdict(list)
        for op in sorted(recording.rows("op"), key=lambda op: int(op["ticket_c"])):
            if self._call(op) != "pending_sources":
                self._threads[op["thread"]].append(op)
        # Ids, and what is left at the addresses of ended threads, depend on how threads alternate.
        self._alone = len(self._threads) == 1

    def threads(self) -> list[list[str]]:
        """The ops of each thread."""
        found = []
        for ops in self._threads.values():
            places = {op["id"]: place for place, op in enumerate(ops)}
            found.append([str(self._op(op, places)) for op in ops])
        return sorted(found)

    def rest(self) -> dict[str, Any]:
        """What is told of the whole process."""
        meta = self._run.trace.meta
        facts = {key: meta[key] for key in ("program", "versions", "lost", "exit", "dropped")}
        actors = [
            (ActorKind(a["kind"]), a["device"], a["flags"], a["kind"] and a["name"])
            for a in self._rows["actor"].values()  # a thread of an emulator has the emulator's name
        ]
        storages = [(s["name"], s["size"], s["device"]) for s in self._rows["storage"].values()]
        unread = meta["coverage"]["unread_tensors"], meta["coverage"]["launches_without_ranges"]
        return {**facts, "unread": unread, "actors": sorted(actors), "storages": sorted(storages)}

    def _op(self, op: Row, places: dict[int, int]) -> Row:
        shared = self._rows["access_set"][op["access_set"]]["accesses"] if op["access_set"] else []
        accesses = [str(self._access(n)) for n in (*op["accesses"], *shared)]
        return {
            "call": self._call(op),
            "kind": Kind(op["kind"]).name,
            **{key: op[key] for key in ("level", "flags", "rc", "device")},
            "ids": self._alone and [op[key] for key in ("event", "graph", "version")],
            "actors": [self._actor(op[key]) for key in ("actor", "peer")],
            "parent": places.get(op["parent"]),
            "site": self._site(op["site"]),
            "scopes": self._scopes(op["scope"]),
            "accesses": accesses if self._alone else sorted(accesses),
        }

    def _call(self, op: Row) -> str:
        return str(self._rows["call"][op["call"]]["name"])

    def _actor(self, actor: int) -> str:
        return str(self._rows["actor"][actor]["name"]) if actor else ""

    def _site(self, site: int) -> tuple[int, list[str]]:
        row = self._rows["site"][site]
        frames = [self._frames[a] for a in self._rows["stack"][row["stack"]]["frames"]]
        own = [f for f in frames if Path(self._module(f)).name in OWN]
        return row["ordinal"], [f"{f['function']} {f['file']}:{f['line']}" for f in own]

    def _module(self, frame: Row) -> str:
        return str(self._rows["module"][frame["module"]]["path"]) if frame["module"] else ""

    def _scopes(self, scope: int) -> list[tuple[str, str, int]]:
        """From the inner to the outer; the outermost are numbered over all threads."""
        chain = []
        while scope:
            row = self._rows["scope"][scope]
            number = row["number"] if row["parent"] or self._alone else 0
            chain.append((ScopeKind(row["kind"]).name, row["name"], number))
            scope = row["parent"]
        return chain

    def _access(self, number: int) -> Row:
        access = self._rows["access"][number]
        storage = self._rows["storage"][access["storage"]]["name"]
        start = access["lo"] if storage == "host memory" else 0  # there: an address
        offsets = {key: access[key] - start for key in ("lo", "hi", "upper_lo", "upper_hi")}
        return {
            "storage": (storage, self._alone and access["storage"]),
            "name": self._rows["buffer"][access["buffer"]]["name"],
            "mode": Mode(access["mode"]).name,
            "origin": self._alone and Origin(access["origin"]).name,
            **offsets,
            **{key: access[key] for key in ("extent", "pitch", "width", "height")},
        }


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_emulated_program_is_recorded_as_a_native_one(
    fake: StandIn, fake_aarch64: StandIn, tmp_path: Path, name: str
) -> None:
    native = run(fake, name, tmp_path / "native")
    emulated = run(fake_aarch64, name, tmp_path / "aarch64")
    assert len(emulated) == len(native)
    assert {r.result.exit_code for r in emulated} == {r.result.exit_code for r in native}
    wanted = sorted((Telling(r) for r in native), key=Telling.threads)
    found = sorted((Telling(r) for r in emulated), key=Telling.threads)
    for expected, telling in zip(wanted, found, strict=True):
        assert telling.threads() == expected.threads()
        assert telling.rest() == expected.rest()


def test_what_the_kernel_does_not_read_is_counted(fake_aarch64: StandIn, tmp_path: Path) -> None:
    """An emulator's may refuse process_vm_readv, as a sandbox's may: no digest, so no claim."""
    (recording,) = run(fake_aarch64, "rewrites", tmp_path)
    unwatched = recording.trace.meta["coverage"]["unwatched_host_bytes"]
    assert 64 * len(recording.ops("pending_sources")) + unwatched == 3 * 64


def test_the_emulator_itself_is_no_trace(fake_aarch64: StandIn, tmp_path: Path) -> None:
    """Nothing but the program inside is recorded, by one recorder."""
    (recording,) = run(fake_aarch64, "tokens", tmp_path)
    modules = {Path(row["path"]).name for row in recording.rows("module")}
    assert "libsynctrace_recorder.so" in modules
    assert not any("qemu" in name for name in modules)
    assert recording.trace.meta["program"] == "scenario"
