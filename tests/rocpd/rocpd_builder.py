"""Databases as rocprofv3 writes them, for tests: no AMD GPU and no rocprofv3 is to be had here.

Tables, columns and what stands in them are facts read in rocprofiler-sdk: the schema in
source/share/rocprofiler-sdk-rocpd/rocpd_tables.sql (3: commit 50c89cbd; 4, with rocpd_track and
rocpd_timestamp: 19d33bb3) and the writer in source/lib/output/generateRocpd.cpp; arguments as text
in source/lib/rocprofiler-sdk/hip (details/format.hpp, hip.def.cpp: names of parameters). What these
tests show is that such a database is read rightly. That rocprofv3 writes such a one on a machine
with an AMD GPU, they do not show.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CPU, GPU, GPU1 = 0, 1, 2  # agents
UUID = "01993c9a_7d1e_7b54_9f2a_{:012x}"

# Columns of each table but id, which all have, and guid, extdata.
_INFO = {
    "metadata": "tag, value",
    "string": "string TEXT NOT NULL UNIQUE",
    "info_node": "hash, machine_id, system_name, hostname, release, version, hardware_name",
    "info_process": "nid, ppid, pid, init, fini, start, end, command, environment",
    "info_thread": "nid, ppid, pid, tid, name, start, end",
    "info_agent": "nid, pid, type, absolute_index, logical_index, type_index, name, product_name",
    "info_stream": "nid, pid, name",
    "info_queue": "nid, pid, name",
    "info_kernel_symbol": "nid, pid, code_object_id, kernel_name, display_name",
    "event": "category_id, stack_id, parent_stack_id, correlation_id",
    "arg": "event_id, position, type, name, value",
}
_ROWS_3 = {
    "region": "nid, pid, tid, start BIGINT, end BIGINT, name_id, event_id",
    "kernel_dispatch": "nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id,"
    " start BIGINT, end BIGINT, event_id",
    "memory_copy": "nid, pid, tid, start BIGINT, end BIGINT, name_id, dst_agent_id, dst_address,"
    " src_agent_id, src_address, size, queue_id, stream_id, event_id",
    "memory_allocate": "nid, pid, tid, agent_id, type, level, start BIGINT, end BIGINT, address,"
    " size, queue_id, stream_id, event_id",
}
_ROWS_4 = {
    "track": "nid, ppid, pid, tid, agent_id, queue_id, stream_id, name_id",
    "timestamp": "value BIGINT, phase, track_id",
    "region": "track_id, name_id, start_id, end_id, event_id",
    "kernel_dispatch": "track_id, kernel_id, dispatch_id, start_id, end_id, event_id",
    "memory_copy": "track_id, start_id, end_id, name_id, dst_agent_id, dst_address, src_agent_id,"
    " src_address, size, event_id",
    "memory_allocate": "track_id, type, level, start_id, end_id, name_id, address, size, event_id",
}
_OF_TRACK = ("nid", "pid", "tid", "agent_id", "queue_id", "stream_id")


@dataclass(frozen=True)
class Ran:
    """What a device did for a call: a kernel, or else a copy, some time after the call."""

    kernel: str = ""
    agent: int = GPU
    after_ns: int = 500
    for_ns: int = 1_000
    source: int = CPU
    target: int = GPU


class Database:
    """A file that processes are written to. `schema`: 3 or 4; `plain`: tables without a UUID."""

    def __init__(self, path: Path, schema: int = 3, plain: bool = False) -> None:
        self.path, self.schema, self._plain = path, schema, plain
        self.connection = sqlite3.connect(path)
        self._processes = 0
        self._rows = {**_INFO, **(_ROWS_3 if schema == 3 else _ROWS_4)}

    def process(
        self,
        pid: int = 4711,
        command: str = "/opt/app/infer --batch 4",
        environment: Mapping[str, str] | None = None,
    ) -> "Process":
        """Tables for one more process, as `rocpd merge` puts them side by side."""
        self._processes += 1
        uuid = UUID.format(self._processes)
        suffix = "" if self._plain else f"_{uuid}"
        for table, columns in self._rows.items():
            self.connection.execute(
                f'CREATE TABLE "rocpd_{table}{suffix}" (id INTEGER NOT NULL PRIMARY KEY'
                f" AUTOINCREMENT, guid TEXT DEFAULT '{uuid}' NOT NULL, {columns},"
                " extdata JSONB DEFAULT '{}' NOT NULL)"
            )
        process = Process(self, suffix, pid)
        process.begin(command, environment or {})
        return process

    def close(self) -> Path:
        """Add the views over all processes, and write the file."""
        if not self._plain:
            for table in self._rows:
                like = f"rocpd_{table}_%"
                sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE ?"
                names = [name for (name,) in self.connection.execute(sql, (like,))]
                if names:
                    parts = " UNION ALL ".join(f'SELECT * FROM "{name}"' for name in names)
                    self.connection.execute(f"CREATE VIEW rocpd_{table} AS {parts}")
        self.connection.commit()
        self.connection.close()
        return self.path


class Process:
    """Calls of one process. Each takes a microsecond, the next begins 100 ns later."""

    def __init__(self, database: Database, suffix: str, pid: int) -> None:
        self._database, self._suffix, self.pid = database, suffix, pid
        self._strings: dict[str, int] = {}
        self._threads: set[int] = set()
        self._tracks: dict[tuple[Any, ...], int] = {}
        self._kernels: dict[str, int] = {}
        self._stack, self._inner = 0, 1 << 32
        self.now = 1_000_000

    def begin(self, command: str, environment: Mapping[str, str]) -> None:
        """What is there before the first call: the machine, the process, three agents."""
        self.put("metadata", tag="schema_version", value=str(self._database.schema))
        node = {"hash": 1, "machine_id": "m", "system_name": "Linux", "release": "6.8.0"}
        self.put("info_node", id=7, **node, hardware_name="x86_64")
        told = {"pid": self.pid, "command": command, "environment": json.dumps(environment)}
        self.put("info_process", id=self.pid, nid=7, **told)
        for agent, kind, place in ((CPU, "CPU", 0), (GPU, "GPU", 0), (GPU1, "GPU", 1)):
            names = {"name": "gfx942" if kind == "GPU" else "EPYC", "product_name": f"{kind} X"}
            places = {"absolute_index": agent, "type_index": place}
            self.put("info_agent", id=agent, nid=7, pid=self.pid, type=kind, **places, **names)

    def put(self, table: str, **row: Any) -> int:
        """One row as it is; returns its id."""
        marks = ", ".join("?" * len(row))
        done = self._database.connection.execute(
            f'INSERT INTO "rocpd_{table}{self._suffix}" ({", ".join(row)}) VALUES ({marks})',
            tuple(row.values()),
        )
        assert done.lastrowid is not None
        return done.lastrowid

    def drop(self, table: str) -> None:
        """The table is not there."""
        self._database.connection.execute(f'DROP TABLE "rocpd_{table}{self._suffix}"')

    def string(self, text: str) -> int:
        """Row of a string."""
        if text not in self._strings:
            self._strings[text] = self.put("string", string=text)
        return self._strings[text]

    def call(
        self,
        name: str,
        ran: Ran | Sequence[Ran] | None = None,
        *,
        thread: int = 4711,
        start: int | None = None,
        end: int | None = None,
        parent: int = 0,
        allocated: Sequence[tuple[int, int, int]] = (),
        **arguments: Any,
    ) -> int:
        """One call of an API; returns its stack id.

        `ran`: what devices did for it; `allocated`: address, size and agent of memory that came to
        life in it; `arguments`: by the names that rocprofv3 gives them, numbers as addresses.
        """
        start = self.now if start is None else start
        end = start + 1_000 if end is None else end
        self.now = max(self.now, end + 100)
        self._stack += 1
        stack = self._stack
        event = self._event("HIP_RUNTIME_API_EXT", stack, parent)
        for position, (parameter, value) in enumerate(arguments.items()):
            told = {"position": position, "type": "void*", "name": parameter}
            self.put("arg", event_id=event, **told, value=shown(parameter, value))
        place = {"tid": self._thread(thread)}
        self._timed("region", start, end, place, id=stack, name=name, event_id=event)
        for each in [ran] if isinstance(ran, Ran) else ran or ():
            self.ran(each, stack, end, thread)
        for address, size, agent in allocated:  # a record of its own, inside of the call
            self._inner += 1
            event = self._event("MEMORY_ALLOCATION", self._inner, stack)
            row = {"type": "ALLOC", "level": "REAL", "address": address, "size": size}
            place = {"tid": thread, "agent_id": agent, "queue_id": 0, "stream_id": 0}
            name_4 = {"name": "MEMORY_ALLOCATION_ALLOCATE"} if self._database.schema == 4 else {}
            self._timed("memory_allocate", start, end, place, **row, **name_4, event_id=event)
        return stack

    def ran(self, ran: Ran, stack: int, end: int, thread: int, parent: int = 0) -> None:
        """What a device did for the call of this stack id, or of its parent's."""
        start = end + ran.after_ns
        times = (start, start + ran.for_ns)
        kind = "KERNEL_DISPATCH" if ran.kernel else "MEMORY_COPY"
        event = self._event(kind, stack, parent or stack)
        place = {"tid": thread, "queue_id": 0, "stream_id": 0}
        if ran.kernel:
            place["agent_id"] = ran.agent
            row = {"kernel_id": self._kernel(ran.kernel), "dispatch_id": event}
            self._timed("kernel_dispatch", *times, place, **row, event_id=event)
            return
        names = {CPU: "HOST", GPU: "DEVICE", GPU1: "DEVICE"}
        ends = {"src_agent_id": ran.source, "dst_agent_id": ran.target, "size": 64}
        name = f"MEMORY_COPY_{names[ran.source]}_TO_{names[ran.target]}"
        self._timed("memory_copy", *times, place, name=name, **ends, event_id=event)

    def _event(self, category: str, stack: int, parent: int) -> int:
        return self.put(
            "event", category_id=self.string(category), stack_id=stack, parent_stack_id=parent
        )

    def _timed(
        self, table: str, start: int, end: int, place: Mapping[str, Any], **row: Any
    ) -> None:
        """A row with times, thread and process, as the schema has them."""
        if "name" in row:
            row["name_id"] = self.string(row.pop("name"))
        place = {"nid": 7, "pid": self.pid, **place}
        if self._database.schema == 3:
            self.put(table, **row, **place, start=start, end=end)
            return
        key = tuple(place.get(column) for column in _OF_TRACK)
        if key not in self._tracks:
            told = {c: v for c, v in zip(_OF_TRACK, key, strict=True) if v is not None}
            self._tracks[key] = self.put("track", **told)
        track = self._tracks[key]
        stamps = [self.put("timestamp", value=value, track_id=track) for value in (start, end)]
        self.put(table, **row, track_id=track, start_id=stamps[0], end_id=stamps[1])

    def _thread(self, thread: int) -> int:
        if thread not in self._threads:
            self._threads.add(thread)
            self.put("info_thread", id=thread, nid=7, pid=self.pid, tid=thread)
        return thread

    def _kernel(self, name: str) -> int:
        if name not in self._kernels:
            names = {"kernel_name": f"_Z{name}", "display_name": name}
            row = {"nid": 7, "pid": self.pid, "code_object_id": 1}
            self._kernels[name] = self.put("info_kernel_symbol", **row, **names)
        return self._kernels[name]


_DECIMAL = ("size", "count", "width", "height", "pitch", "flags", "device", "value", "byte")


def shown(parameter: str, value: Any) -> Any:
    """A value as rocprofv3 writes it: pointers in hexadecimal, null ones as 0."""
    if not isinstance(value, int) or any(word in parameter.lower() for word in _DECIMAL):
        return value if value is None else str(value)
    return hex(value) if value else "0"
