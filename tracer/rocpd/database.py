"""A rocprofv3 database: its processes, and the HIP calls of each in the order of their times.

SQLite joins, groups and sorts, on disk where it must: a call becomes an object when it is its turn.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.rocpd import facts, joins
from synctrace.tracer.rocpd.arguments import Arguments, parsed
from synctrace.tracer.rocpd.functions import FUNCTIONS, HOST_ALLOCATIONS, PER_THREAD
from synctrace.tracer.rocpd.tables import HOW, Tables, find

MAGIC = b"SQLite format 3\0"
_NAME_LENGTH = 300  # of a kernel; template arguments go on for pages


@dataclass(frozen=True, slots=True)
class Work:
    """What devices did for a call: copies and kernels, from the first start to the last end, ns.

    `kernel`: its name, if it is one. Agents are rows of rocpd_info_agent. `direction`: name of the
    first copy's record.
    """

    started: int
    ended: int
    kernel: str
    agent: int | None
    source_agent: int | None
    target_agent: int | None
    direction: str


@dataclass(frozen=True, slots=True)
class Call:
    """One HIP call. Times are ns; `thread` is the system's id."""

    number: int
    thread: int
    start: int
    end: int
    name: str
    arguments: Arguments
    work: Work | None


@dataclass(frozen=True)
class Allocated:
    """Memory that came to life in a call. `agent`: row of rocpd_info_agent."""

    address: int
    size: int
    agent: int | None


@dataclass(frozen=True)
class Process:
    """One process of the database. `gpus`: rows of rocpd_info_agent by HIP's device ordinal."""

    pid: int
    command: str
    host: str
    schema: str
    gpus: tuple[int, ...]
    gpu_names: tuple[str, ...]
    threads: Mapping[int, str]  # names by the system's id
    told: tuple[str, ...]  # what is not known or assumed, in words
    calls: int  # that matter
    calls_without_times: int  # of these: left out
    work_without_call: int  # kernels and copies


@contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """The database, read only.

    Raises SynctraceError for what is no SQLite file, or a damaged one, whenever that shows.
    """
    if file.is_fifo() or file.is_socket():  # would be waited for
        raise SynctraceError(f"{file} is no SQLite database: {HOW}")
    try:
        with file.open("rb") as stream:
            head = stream.read(len(MAGIC))
    except OSError as error:
        reason = error.strerror or error
        raise SynctraceError(f"cannot read {file} ({reason}): give a .db file") from error
    if head != MAGIC:
        what = "is empty" if not head else "is no SQLite database"
        raise SynctraceError(f"{file} {what}: {HOW}")
    if (journal := file.with_name(f"{file.name}-journal")).exists() and journal.stat().st_size:
        raise SynctraceError(
            f"{file} was not written to its end ({journal.name} lies beside it): "
            f'let sqlite3 undo the last step (sqlite3 {file.name} ".tables") and import it then'
        )
    try:
        connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise SynctraceError(f"cannot read {file} ({error}): check its permissions") from error
    connection.text_factory = lambda text: text.decode(errors="replace")
    try:
        yield connection
    except (sqlite3.Error, UnicodeError) as error:  # the latter: of an error's own text
        raise SynctraceError(_why_not(file, error)) from error
    finally:
        connection.close()


def _why_not(file: Path, error: Exception) -> str:
    reason = str(error).partition("\n")[0]
    if reason.startswith("no such "):
        return f"{file} has tables that rocprofv3 does not make ({reason}): {HOW}"
    if isinstance(error, sqlite3.OperationalError):
        return (
            f"cannot read {file} ({reason}): see that nobody writes to it, and that there is room "
            "for temporary files"
        )
    return f'{file} is damaged ({reason}): try `sqlite3 {file.name} ".recover"`, or {HOW}'


@dataclass(frozen=True)
class Source:
    """Where a process of the database is. `key`: by which its rows name it."""

    tables: Tables
    key: int
    pid: int


def sources(connection: sqlite3.Connection, file: Path) -> list[Source]:
    """The processes that made a call of HIP.

    Raises SynctraceError for a database that is none of rocprofv3's, or without such a call.
    """
    found = []
    for tables in find(connection, file):
        for key in joins.process_keys(connection, tables):
            pid = facts.facts_of(connection, tables, key).pid
            found.append(Source(tables, key, pid))
    if not found:
        raise SynctraceError(f"{file} holds no call of HIP: {HOW}")
    return found


def read(
    connection: sqlite3.Connection, found: Sequence[Source]
) -> Iterator[tuple["Process", "Calls"]]:
    """Each process and its calls, which are there until the next process is asked for."""
    known = [name + end for name in FUNCTIONS for end in ("", PER_THREAD)]
    for tables, group in groupby(found, key=lambda source: source.tables):
        joins.prepare(connection, tables, known)
        for source in group:
            calls = Calls(connection, tables, source.key)
            yield _process(connection, source, calls), calls


class Calls:
    """The HIP calls of one process, and what is joined with them."""

    def __init__(self, connection: sqlite3.Connection, tables: Tables, key: int) -> None:
        self._connection, self._key = connection, key
        self.threads = facts.threads(connection, tables)
        self._kernels = facts.kernels(connection, tables)

    def __iter__(self) -> Iterator[Call]:
        """In the order of their starts; a call around others comes before them."""
        for row in self._connection.execute(joins.CALLS, (self._key,)):
            number, thread, start, end, name, arguments, *work = row
            yield Call(
                number,
                self.threads.get(thread, (thread, ""))[0] % (1 << 64),
                start,
                max(start, end),
                name,
                joins.arguments(arguments),
                self._work(work) if work[0] is not None else None,
            )

    def allocated(self, call: int) -> list[Allocated]:
        """Memory that came to life in the call, in the order of time."""
        rows = self._connection.execute(joins.ALLOCATED, (call,))
        return [Allocated(address % (1 << 64), size, agent) for address, size, agent in rows]

    def tells_host_memory(self) -> bool:
        """Whether all host memory that HIP allocated is known, so that the rest is pageable."""
        sql = joins.ALLOCATIONS.format(marks=", ".join("?" * len(HOST_ALLOCATIONS)))
        row = self._connection.execute(sql, (self._key, *HOST_ALLOCATIONS)).fetchone()
        has_records, has_others = row
        return bool(has_records and not has_others)

    def created_with(self, *functions: str) -> set[int | None]:
        """Distinct values of parameter `flags` in calls of these functions; None: there is none."""
        sql = joins.FLAGS.format(marks=", ".join("?" * len(functions)))
        rows = self._connection.execute(sql, (self._key, *functions)).fetchall()
        return {None if value is None else parsed(str(value)) for (value,) in rows}

    def stream_agents(self) -> dict[int, int]:
        """Agent that ran the kernels of each stream, by the stream's handle."""
        rows = self._connection.execute(joins.STREAM_AGENTS, (self._key,)).fetchall()
        return {handle: agent for text, agent in rows if (handle := parsed(str(text)))}

    def _work(self, work: list[Any]) -> Work:
        started, ended, kernels, kernel, agent, source, target, direction = work
        name = self._kernels.get(kernel, "") if kernels == 1 else ""
        name = name[:_NAME_LENGTH]
        return Work(started, ended, name, agent, source, target, direction or "")


def _process(connection: sqlite3.Connection, source: Source, calls: Calls) -> Process:
    tables, key = source.tables, source.key
    told = facts.facts_of(connection, tables, key)
    agents = facts.agents(connection, tables)
    gpus, assumed = facts.visible(agents, told.environment)
    names = {agent.row: agent.name for agent in agents}
    (count, timeless) = connection.execute(joins.COUNTS, (key,)).fetchone()
    (orphans,) = connection.execute(joins.ORPHANS, (key,)).fetchone()
    return Process(
        pid=told.pid,
        command=told.command,
        host=told.host,
        schema=facts.schema_version(connection, tables),
        gpus=gpus,
        gpu_names=tuple(names[row] for row in gpus),
        threads={tid: name for tid, name in calls.threads.values() if name},
        told=(*tables.missing, *assumed),
        calls=count - timeless,
        calls_without_times=timeless,
        work_without_call=orphans,
    )
