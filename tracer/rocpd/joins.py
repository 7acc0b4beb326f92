"""The SQL over a database's large tables: HIP calls with their arguments and what ran for them.

What runs on a device names its call by the id of the call's stack (rocpd_event.stack_id). If other
APIs are traced too, that may be the id of a call inside of the HIP call, whose parent this one is.
"""

import sqlite3
from collections.abc import Iterable

from synctrace.tracer.rocpd.arguments import NAMES, STREAM, Arguments
from synctrace.tracer.rocpd.tables import Tables

MOST_NS = 1 << 60  # times of a trace are below
_LEVELS = 16  # of calls inside each other
_FIELD, _NEXT = "\x1f", "\x1e"  # between name and value, between arguments
_HIP = "(name GLOB 'hip*' OR name GLOB '__hip*')"
_USABLE = (
    "typeof(started) = 'integer' AND typeof(ended) = 'integer'"
    f" AND started BETWEEN 0 AND {MOST_NS} AND ended BETWEEN 0 AND {MOST_NS}"
)

CALLS = f"""
SELECT
  r.id, r.tid, r.started, r.ended, r.name,
  group_concat(a.name || char(31) || a.value, char(30)),
  w.started, w.ended, w.kernels, w.kernel, w.agent, w.source, w.target, w.direction
FROM region AS r
LEFT JOIN work AS w ON w.call = r.id
LEFT JOIN argument AS a ON a.event = r.event
WHERE r.pid = ? AND r.is_usable AND (r.name IN (SELECT name FROM known) OR w.call IS NOT NULL)
  AND {_HIP.replace("name", "r.name")}
GROUP BY r.id ORDER BY r.started, r.ended DESC, r.id
"""
COUNTS = """
SELECT count(*), count(*) FILTER (WHERE NOT is_usable)
FROM region WHERE pid = ? AND name IN (SELECT name FROM known)
"""
ALLOCATED = "SELECT address, size, agent FROM allocated WHERE call = ? ORDER BY started"
FLAGS = """
SELECT DISTINCT a.value
FROM region AS r LEFT JOIN argument AS a ON a.event = r.event AND a.name = 'flags'
WHERE r.pid = ? AND r.name IN ({marks})
"""
# Of each stream whose kernels ran on one device.
STREAM_AGENTS = f"""
SELECT a.value, min(w.agent)
FROM region AS r
JOIN work AS w ON w.call = r.id
JOIN argument AS a ON a.event = r.event AND a.name IN {STREAM}
WHERE r.pid = ? AND w.agent IS NOT NULL
GROUP BY a.value HAVING count(DISTINCT w.agent) = 1
"""
# Whether there are allocations, and host memory was allocated that is not among them.
ALLOCATIONS = """
SELECT
  EXISTS (SELECT 1 FROM allocated),
  EXISTS (
    SELECT 1 FROM region AS r
    WHERE r.pid = ? AND r.name IN ({marks}) AND r.id NOT IN (SELECT call FROM allocated)
  )
"""
ORPHANS = "SELECT count(*) FROM ran WHERE pid = ? AND call IS NULL AND stack <> 0"


def process_keys(connection: sqlite3.Connection, tables: Tables) -> list[int]:
    """Rows of rocpd_info_process (in schema 3 often the process id) that made a call of HIP."""
    _clear(connection)
    _make_views(connection, tables)
    sql = f"SELECT DISTINCT pid FROM region WHERE {_HIP} ORDER BY pid"
    return [key for (key,) in connection.execute(sql)]


def prepare(connection: sqlite3.Connection, tables: Tables, known: Iterable[str]) -> None:
    """Make what the queries here ask, of these tables. `known`: functions that matter."""
    _clear(connection)
    _make_views(connection, tables)
    connection.execute("CREATE TEMP TABLE known (name TEXT PRIMARY KEY) WITHOUT ROWID")
    connection.executemany("INSERT INTO known VALUES (?)", [(name,) for name in known])
    _take_arguments(connection, tables)
    _find_calls(connection)
    _take_work(connection, tables)
    _take_allocations(connection, tables)


def _clear(connection: sqlite3.Connection) -> None:
    made = connection.execute("SELECT type, name FROM temp.sqlite_master").fetchall()
    for kind, name in made:
        if kind in ("table", "view"):
            connection.execute(f"DROP {kind} temp.{name}")


def arguments(text: str | None) -> Arguments:
    """The arguments of a row of CALLS."""
    if text is None:
        return {}
    return dict(each.partition(_FIELD)[::2] for each in text.split(_NEXT))


def _number(column: str) -> str:
    return f"coalesce(CAST({column} AS INTEGER), 0)"


def _make_views(connection: sqlite3.Connection, tables: Tables) -> None:
    pid, tid = tables.column("region", "pid"), tables.column("region", "tid")
    connection.execute(f"""
CREATE TEMP VIEW region AS
SELECT *, {_USABLE} AS is_usable FROM (
  SELECT
    x.id, {_number(pid)} AS pid, {_number(tid)} AS tid, {tables.times("region")},
    n.string AS name, {tables.column("region", "event_id")} AS event
  FROM {tables.rows("region")} JOIN {tables.names["string"]} AS n ON n.id = x.name_id
)""")
    event = "SELECT NULL AS id, NULL AS stack_id, NULL AS parent_stack_id WHERE 0"
    if "event" in tables:
        event = f"SELECT id, stack_id, parent_stack_id FROM {tables.names['event']}"
    connection.execute(f"CREATE TEMP VIEW event AS {event}")


def _take_arguments(connection: sqlite3.Connection, tables: Tables) -> None:
    """Those that matter, by event; of two of one name the first."""
    connection.execute(
        "CREATE TEMP TABLE argument (event, name TEXT, value, PRIMARY KEY (event, name))"
        " WITHOUT ROWID"
    )
    connection.execute(
        f"INSERT OR IGNORE INTO argument SELECT event_id, name, coalesce(value, '')"
        f" FROM {tables.names['arg']}"
        f" WHERE event_id IS NOT NULL AND name IN {NAMES} ORDER BY event_id, id"
    )


def _find_calls(connection: sqlite3.Connection) -> None:
    """The HIP call of each stack id: its own, or that of the call around it."""
    connection.execute(
        "CREATE TEMP TABLE call_of (pid, stack, call, PRIMARY KEY (pid, stack)) WITHOUT ROWID"
    )
    connection.execute(f"""
INSERT OR IGNORE INTO call_of
SELECT r.pid, e.stack_id, r.id FROM region AS r JOIN event AS e ON e.id = r.event
WHERE e.stack_id IS NOT NULL AND {_HIP} ORDER BY r.id""")
    for _ in range(_LEVELS):
        added = connection.execute(f"""
INSERT OR IGNORE INTO call_of
SELECT r.pid, e.stack_id, c.call
FROM region AS r
JOIN event AS e ON e.id = r.event
JOIN call_of AS c ON c.pid = r.pid AND c.stack = e.parent_stack_id
WHERE e.stack_id IS NOT NULL AND NOT {_HIP}""")
        if added.rowcount < 1:
            break


def _take_work(connection: sqlite3.Connection, tables: Tables) -> None:
    """What ran on devices, each with its call, and together a call."""
    connection.execute(
        "CREATE TEMP TABLE ran"
        " (call, pid, stack, started, ended, kernel, agent, source, target, direction)"
    )
    parts = []
    if "kernel_dispatch" in tables:
        parts.append(_records(tables, "kernel_dispatch", "kernel_id", "agent_id", *[""] * 3))
    if "memory_copy" in tables:
        ends = ("src_agent_id", "dst_agent_id", "name_id")
        parts.append(_records(tables, "memory_copy", "", "", *ends))
    for part in parts:
        connection.execute(f"""
INSERT INTO ran
SELECT
  coalesce(c.call, p.call), d.pid, e.stack_id, d.started, d.ended,
  d.a, d.b, d.c, d.d, n.string
FROM ({part}) AS d
JOIN event AS e ON e.id = d.event
LEFT JOIN call_of AS c ON c.pid = d.pid AND c.stack = e.stack_id
LEFT JOIN call_of AS p ON p.pid = d.pid AND p.stack = e.parent_stack_id
LEFT JOIN {tables.names["string"]} AS n ON n.id = d.e
WHERE {_USABLE}""")
    connection.execute(
        "CREATE TEMP TABLE work (call INTEGER PRIMARY KEY,"
        " started, ended, kernels, kernel, agent, source, target, direction)"
    )
    connection.execute("""
INSERT INTO work
SELECT
  call, min(started), max(ended), count(kernel), min(kernel), min(agent), min(source),
  min(target), min(direction)
FROM ran WHERE call IS NOT NULL GROUP BY call""")


def _records(tables: Tables, table: str, *columns: str) -> str:
    """SQL of a table of what ran: pid, event, times, and these columns (empty: none) as a, b, …."""
    taken = ", ".join(
        f"{tables.column(table, column) if column else 'NULL'} AS {letter}"
        for column, letter in zip(columns, "abcde", strict=True)
    )
    pid, event = tables.column(table, "pid"), tables.column(table, "event_id")
    return (
        f"SELECT {_number(pid)} AS pid, {event} AS event, {tables.times(table)}, {taken}"
        f" FROM {tables.rows(table)}"
    )


def _take_allocations(connection: sqlite3.Connection, tables: Tables) -> None:
    connection.execute("CREATE TEMP TABLE allocated (call, address, size, agent, started)")
    if "memory_allocate" not in tables:
        return
    rows = _records(tables, "memory_allocate", "address", "size", "agent_id", "type", "")
    connection.execute(f"""
INSERT INTO allocated
SELECT coalesce(c.call, p.call), d.a, d.b, d.c, d.started
FROM ({rows}) AS d
JOIN event AS e ON e.id = d.event
LEFT JOIN call_of AS c ON c.pid = d.pid AND c.stack = e.stack_id
LEFT JOIN call_of AS p ON p.pid = d.pid AND p.stack = e.parent_stack_id
WHERE d.d = 'ALLOC' AND coalesce(c.call, p.call) IS NOT NULL
  AND typeof(d.a) = 'integer' AND d.a <> 0 AND typeof(d.b) = 'integer' AND d.b > 0""")
    connection.execute("CREATE INDEX temp.allocated_of ON allocated (call)")
