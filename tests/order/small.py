"""Small traces for tests, call by call: a call returns before the next is entered."""

from pathlib import Path
from typing import Any

from synctrace.analyzer.order import Order, run
from synctrace.tracer.kinds import (
    ActorKind,
    Extent,
    Flag,
    Kind,
    Level,
    MemoryKind,
    Mode,
    Origin,
    StreamFlag,
)
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.writer import TraceWriter


class Small:
    """A trace being put together. Actor 1 is the thread T0; every op is a site of its own."""

    def __init__(self, level: Level = Level.GGML) -> None:
        self.level = level
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self.ticket = 0
        self.thread = self.actor(ActorKind.THREAD)

    def actor(self, kind: ActorKind, flags: int = 0, device: int = 0) -> int:
        device = -1 if kind is ActorKind.THREAD else device
        return self._row("actor", kind=kind, flags=flags, device=device)

    def stream(self, flags: StreamFlag = StreamFlag.NONBLOCKING, device: int = 0) -> int:
        return self.actor(ActorKind.STREAM, flags, device)

    def other_thread(self) -> int:
        return self.actor(ActorKind.THREAD)

    def backend(self, flags: int = 0) -> int:
        return self.actor(ActorKind.BACKEND, flags)

    def memory(self, kind: MemoryKind, size: int = 64) -> int:
        """A storage of this kind of memory."""
        device = 0 if kind is MemoryKind.DEVICE else -1
        storage = self._row("storage", size=size, device=device)
        self.rows.setdefault("memory", []).append({"storage": storage, "hi": size, "kind": kind})
        return storage

    def host(self, size: int = 64) -> int:
        return self.memory(MemoryKind.HOST, size)

    def device(self, size: int = 64) -> int:
        return self.memory(MemoryKind.DEVICE, size)

    def becomes(self, storage: int, kind: MemoryKind) -> None:
        """From now on the storage is memory of another kind."""
        row = {"storage": storage, "hi": 64, "kind": kind, "since": self.ticket}
        self.rows["memory"].append(row)

    def access(self, storage: int, mode: Mode, lo: int = 0, hi: int = 64, **more: Any) -> int:
        row = {"upper_lo": lo, "upper_hi": hi, "origin": Origin.GGML, "extent": Extent.EXACT}
        return self._row("access", storage=storage, mode=mode, lo=lo, hi=hi, **(row | more))

    def read(self, storage: int, lo: int = 0, hi: int = 64, **more: Any) -> int:
        return self.access(storage, Mode.READ, lo, hi, **more)

    def write(self, storage: int, lo: int = 0, hi: int = 64, **more: Any) -> int:
        return self.access(storage, Mode.WRITE, lo, hi, **more)

    def op(self, kind: Kind, *accesses: int, **more: Any) -> int:
        """One call; its id."""
        number = len(self.rows.get("op", [])) + 1
        row: dict[str, Any] = {
            "id": number, "kind": kind, "level": self.level, "thread": self.thread,
            "accesses": list(accesses), "site": number, "device": -1, "flags": Flag(0),
            "ticket_c": self.ticket, "ticket_r": self.ticket + 1,
            "t_c": 1000 * self.ticket, "t_r": 1000 * self.ticket + 500,
        }  # fmt: skip
        self.rows.setdefault("op", []).append(row | more)
        self.ticket += 2
        return number

    def lose(self) -> int:
        """One call whose record is lost; its ticket, for gap."""
        self.ticket += 2
        return self.ticket - 2

    def gap(self, first: int | None = None) -> None:
        """Records are missing: from ticket `first` on (None: from here) and no longer."""
        row = {"first": self.ticket if first is None else first, "ticket": self.ticket}
        self.rows.setdefault("gap", []).append({**row, "dropped": 1})
        self.ticket += 1

    def written(self, path: Path) -> Trace:
        """The trace, in the folder `path`."""
        with TraceWriter(path, {}, overwrite=True) as writer:
            for table, rows in self.rows.items():
                for row in rows:
                    writer.append(table, {name: [value] for name, value in row.items()})
        return open_trace(path)

    def judge(self, path: Path, *profiles: str, host_order: str = "observed") -> Order:
        """Write the trace and order it. Which pairs need each sync is told."""
        trace = self.written(path / "t.synctrace")
        return run(trace, profiles or ("ggml-contract",), host_order, keep_needed=True)

    def _row(self, table: str, **values: Any) -> int:
        rows = self.rows.setdefault(table, [])
        rows.append({"id": len(rows) + 1, **values})
        return len(rows)


def races(order: Order) -> list[tuple[int, int, str]]:
    """First op, second op and verdict of each group."""
    rows = order.conflicts.to_pylist()
    return sorted((row["first_op"], row["second_op"], row["verdict"]) for row in rows)


def needed(order: Order) -> set[tuple[int, int, int, str]]:
    """First op of a sync site, the first pair of a group that needs it, and its hazard."""
    columns = ("sync_site", "first_op", "second_op", "hazard")
    rows = order.needed.to_pylist()
    return {tuple(row[name] for name in columns) for row in rows if row["needed"]}


def needless(order: Order) -> set[int]:
    """First op of each sync site that is not needed."""
    return {
        row["first_op"]
        for row in order.needs.to_pylist()
        if not row["needed"] and row["instances"] > row["final"] + row["unrecorded"]
    }
