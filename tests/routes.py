"""What a recording tells of each call, to compare one made by names with one made by slots.

By slots are not seen: the scheduler's functions, those that only call others, waits of a backend
that has none to make, looks at host memory, and frees of buffers that a backend knows by the
address in that slot. A copy from host memory is a set there, and its source has no name.
"""

from typing import Any, NamedTuple

from synctrace.tracer.kinds import Flag, Kind, Mode, Origin
from synctrace.tracer.reader import Trace

NO_SLOT = (
    *("ggml_backend_sched_new", "ggml_backend_sched_free", "ggml_backend_sched_reset"),
    *("ggml_backend_sched_alloc_graph", "ggml_backend_sched_graph_compute_async"),
    *("ggml_backend_sched_synchronize", "ggml_backend_tensor_copy_async"),
    *("ggml_backend_cpu_buffer_from_ptr", "llama_decode", "llama_encode", "host_inputs"),
)
FREES = (Kind.FREE, Kind.FREE_HOST, Kind.HOST_UNREGISTER)


class Touched(NamedTuple):
    """Bytes touched. Memory outside of ggml's buffers lies anywhere: from 0 on."""

    storage: str
    on_host: bool
    mode: Mode
    lo: int
    hi: int
    name: str


class Told(NamedTuple):
    """One op, without its times, places and scopes."""

    call: str
    kind: Kind
    flags: Flag
    backend: str
    event: int
    version: int
    touched: tuple[Touched, ...]


def told(trace: Trace) -> list[Told]:
    """What was seen, op by op."""
    tables = {name: _rows(trace, name) for name in ("actor", "call", "access", "buffer", "storage")}
    sets = {row["id"]: row["accesses"] for row in trace.table("access_set").to_pylist()}
    found = []
    for op in sorted(trace.table("op").to_pylist(), key=lambda op: int(op["ticket_c"])):
        touched = [
            _touched(tables, tables["access"][number])
            for number in (*op["accesses"], *sets.get(op["access_set"], ()))
        ]
        one = Told(
            call=tables["call"][op["call"]]["name"],
            kind=Kind(op["kind"]),
            flags=Flag(op["flags"]),
            backend=tables["actor"][op["actor"]]["name"] if op["actor"] else "",
            event=op["event"],
            version=op["version"],
            touched=tuple(sorted(touched)),
        )
        if one.call != "unseen_stores":
            found.append(one)
    return found


def with_slots(ops: list[Told]) -> list[Told]:
    """What of the ops recorded by name is recorded by slots too, and as what."""
    return [_as_slot(op) for op in ops if _has_slot(op)]


def without_looks(ops: list[Told]) -> list[Told]:
    """Without looks at pending sources: a wait that has no slot makes none."""
    return [op for op in ops if op.call != "pending_sources"]


def without_frees(ops: list[Told]) -> list[Told]:
    """Without the ends of buffers."""
    return [op for op in ops if op.kind not in FREES]


def _has_slot(op: Told) -> bool:
    nothing = op.kind == Kind.STREAM_DESTROY and not op.backend
    return not (op.call in NO_SLOT or op.flags & (Flag.NOOP | Flag.PARENT) or nothing)


def _as_slot(op: Told) -> Told:
    read = [t for t in op.touched if t.mode == Mode.READ]
    if op.kind != Kind.TENSOR_COPY or not read[0].on_host:
        return op
    touched = (t._replace(name="") if t in read else t for t in op.touched)
    return op._replace(
        call="ggml_backend_tensor_set", kind=Kind.TENSOR_SET, touched=tuple(sorted(touched))
    )


def _touched(tables: dict[str, dict[int, dict[str, Any]]], access: dict[str, Any]) -> Touched:
    storage = tables["storage"].get(access["storage"], {"name": "", "device": -1})
    start = access["upper_lo"] if storage["name"] == "host memory" else 0
    named = access["origin"] == Origin.GGML and access["buffer"]
    return Touched(
        storage=storage["name"],
        on_host=storage["device"] < 0,
        mode=Mode(access["mode"]),
        lo=access["upper_lo"] - start,
        hi=access["upper_hi"] - start,
        name=tables["buffer"][access["buffer"]]["name"] if named else "",
    )


def _rows(trace: Trace, table: str) -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in trace.table(table).to_pylist()}
