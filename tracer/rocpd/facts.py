"""The small tables of a database: the process, its threads, devices and kernels."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synctrace.tracer.rocpd.tables import Tables

# Each names devices by their places among those that the one before left, as HIP reads them.
_VISIBLE = (("ROCR_VISIBLE_DEVICES",), ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"))


@dataclass(frozen=True)
class Agent:
    """A processor or GPU. `row`: of rocpd_info_agent."""

    row: int
    is_gpu: bool
    place: tuple[int, int]  # among its kind, among all
    name: str


@dataclass(frozen=True)
class Facts:
    """What is said of a process as a whole."""

    pid: int
    command: str = ""
    host: str = ""
    environment: Mapping[str, str] | None = None


def facts_of(connection: sqlite3.Connection, tables: Tables, key: int) -> Facts:
    """The process that rows name by `key`."""
    if "info_process" not in tables:
        return Facts(key)
    wanted = ("pid", "command", "environment", "nid")
    columns = ", ".join(tables.column("info_process", name) for name in wanted)
    sql = f"SELECT {columns} FROM {tables.rows('info_process')} WHERE x.id = ?"
    row = connection.execute(sql, (key,)).fetchone()
    if row is None:
        return Facts(key)
    pid, command, environment, node = row
    return Facts(
        pid if isinstance(pid, int) and 0 < pid < 1 << 31 else key,
        str(command or ""),
        _host(connection, tables, node),
        _environment(environment),
    )


def _host(connection: sqlite3.Connection, tables: Tables, node: object) -> str:
    if "info_node" not in tables:
        return ""
    wanted = ("system_name", "release", "hardware_name")
    columns = ", ".join(tables.column("info_node", name) for name in wanted)
    sql = f"SELECT {columns} FROM {tables.rows('info_node')} WHERE x.id = ?"
    row = connection.execute(sql, (node,)).fetchone()
    return " ".join(str(word) for word in row or () if word)


def _environment(text: object) -> dict[str, str]:
    try:
        found = json.loads(text) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def threads(connection: sqlite3.Connection, tables: Tables) -> dict[int, tuple[int, str]]:
    """The system's id and the name of each thread, by the row that others name."""
    if "info_thread" not in tables:
        return {}
    columns = ", ".join(tables.column("info_thread", name) for name in ("id", "tid", "name"))
    rows = connection.execute(f"SELECT {columns} FROM {tables.rows('info_thread')}")
    return {row: (tid, str(name or "")) for row, tid, name in rows if isinstance(tid, int)}


def kernels(connection: sqlite3.Connection, tables: Tables) -> dict[int, str]:
    """Names of kernels by the row that dispatches name."""
    if "info_kernel_symbol" not in tables:
        return {}
    names = ("id", "display_name", "kernel_name")
    columns = ", ".join(tables.column("info_kernel_symbol", name) for name in names)
    rows = connection.execute(f"SELECT {columns} FROM {tables.rows('info_kernel_symbol')}")
    return {row: str(shown or symbol or "") for row, shown, symbol in rows}


def agents(connection: sqlite3.Connection, tables: Tables) -> list[Agent]:
    """All processors and GPUs, in the order of their places."""
    if "info_agent" not in tables:
        return []
    wanted = ("id", "type", "type_index", "absolute_index", "product_name", "name")
    columns = ", ".join(tables.column("info_agent", name) for name in wanted)
    rows = connection.execute(f"SELECT {columns} FROM {tables.rows('info_agent')}").fetchall()
    found = [
        Agent(row, kind == "GPU", (_place(of_kind), _place(of_all)), str(product or name or ""))
        for row, kind, of_kind, of_all, product, name in rows
    ]
    return sorted(found, key=lambda agent: (agent.place, agent.row))


def _place(value: Any) -> int:
    return value if isinstance(value, int) else 0


def visible(
    found: list[Agent], environment: Mapping[str, str] | None
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Rows of the GPUs by HIP's ordinal, and what could not be taken into account, in words."""
    gpus = [agent.row for agent in found if agent.is_gpu]
    told = []
    for names in _VISIBLE:
        name = next((name for name in names if (environment or {}).get(name)), None)
        if name is None:
            continue
        places = (environment or {})[name].split(",")
        if all(place.strip().isdecimal() for place in places):
            kept = [int(place) for place in places]
            gpus = [gpus[place] for place in kept if place < len(gpus)]
        else:
            told.append(f"{name} names devices by more than numbers: device ordinals may differ")
    return tuple(gpus), tuple(told)


def schema_version(connection: sqlite3.Connection, tables: Tables) -> str:
    """What rocpd_metadata says; empty: nothing."""
    if "metadata" not in tables or not {"tag", "value"} <= tables.columns["metadata"]:
        return ""
    sql = f"SELECT value FROM {tables.names['metadata']} WHERE tag = 'schema_version'"
    row = connection.execute(sql).fetchone()
    return str(row[0]) if row else ""
