"""The vocabularies of tracer/kinds.py as SQL macros: names of kinds, and which kinds are what."""

from collections.abc import Mapping
from enum import IntEnum, IntFlag
from functools import cache

from synctrace.tracer import kinds

LETTERS = {
    "i": "host_write tensor_set tensor_set_async",
    "h": "host_read",
    "k": "kernel",
    "d": "tensor_get tensor_get_async",
    "c": "memcpy_h2d memcpy_d2h memcpy_d2d memcpy_peer tensor_copy",
    "a": "memcpy_async_h2d memcpy_async_d2h memcpy_async_d2d memcpy_async_peer tensor_copy_async",
    "r": "event_record",
    "w": "event_wait",
    "E": "event_sync",
    "s": "stream_sync",
    "S": "device_sync",
    "f": "free free_host free_async",
}
HOST_WAITS = ("event_sync", "stream_sync", "device_sync", "thread_wait")
WAITS = ("event_wait", *HOST_WAITS)
# What a stream or backend is given to do; a wait for it waits for these.
WORK = (
    *("memcpy_async_h2d", "memcpy_async_d2h", "memcpy_async_d2d", "memcpy_async_peer"),
    *("memcpy_h2d", "memcpy_d2h", "memcpy_d2d", "memcpy_peer", "memset_async", "memset"),
    *("kernel", "graph_launch", "host_func", "event_wait", "alloc_async", "free_async"),
    *("value_write", "value_wait"),
    *("tensor_set_async", "tensor_get_async", "tensor_copy_async"),
)
FREES = (*(str(kind.name).lower() for kind in kinds.FREES), "cache_free")
LIFE = (*FREES, "alloc_async", "cache_alloc")


def _list(of: type[IntEnum]) -> str:
    names = {m.value: m.name.lower() for m in of}
    return _by_number(names)


def _by_number(names: Mapping[int, str]) -> str:
    """One constant that DuckDB splits once: binding a list of a hundred constants takes longer."""
    listed = ",".join(names.get(n, "") for n in range(max(names) + 1))
    return f"nullif(string_split('{listed}', ',')[n + 1], '')"


def _flags(of: type[IntFlag]) -> str:
    cases = (f"CASE WHEN n & {m.value} > 0 THEN '{m.name.lower()}' END" for m in of if m.name)
    return f"concat_ws('|', {', '.join(cases)})"


def _numbers(names: tuple[str, ...]) -> str:
    return ", ".join(str(int(kinds.Kind[name.upper()])) for name in names)


@cache
def kind_macros() -> dict[str, str]:
    """Body of each macro over `n`: the vocabularies of tracer/kinds.py as SQL."""
    enums: dict[str, type[IntEnum]] = {
        "kind_name": kinds.Kind,
        "level_name": kinds.Level,
        "mode_name": kinds.Mode,
        "extent_name": kinds.Extent,
        "origin_name": kinds.Origin,
        "actor_kind_name": kinds.ActorKind,
        "memory_name": kinds.MemoryKind,
        "usage_name": kinds.BufferUsage,
        "scope_kind_name": kinds.ScopeKind,
    }
    made = {name: _list(enum) for name, enum in enums.items()}
    made["flag_names"] = _flags(kinds.Flag)
    made["stream_flag_names"] = _flags(kinds.StreamFlag)
    for flag in kinds.Flag:
        made[f"is_{str(flag.name).lower()}"] = f"n & {flag.value} > 0"
    made["took_effect"] = f"n & {int(kinds.NO_EFFECT | kinds.Flag.CAPTURED)} = 0"
    made["is_host_wait"] = f"n IN ({_numbers(HOST_WAITS)})"
    made["is_wait"] = f"n IN ({_numbers(WAITS)})"
    made["is_work"] = f"n IN ({_numbers(WORK)})"
    made["is_free"] = f"n IN ({', '.join(repr(name) for name in FREES)})"  # of a kind's name
    made["ends_life"] = f"n IN ({_numbers(tuple(kind.name.lower() for kind in kinds.FREES))})"
    made["is_life"] = f"n IN ({_numbers(LIFE)})"
    letter = {int(kinds.Kind[k.upper()]): c for c, names in LETTERS.items() for k in names.split()}
    made["kind_letter"] = _by_number(letter)
    return made
