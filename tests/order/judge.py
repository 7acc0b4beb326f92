"""Runs the engine on a random program without a trace file."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from random_traces import BYTES, STORAGES, Program

from synctrace.analyzer import abi
from synctrace.analyzer.engine import Config, Engine, Placements, Ranges
from synctrace.analyzer.hiding import edges_of
from synctrace.analyzer.placements import placements
from synctrace.analyzer.profile import Class, load
from synctrace.tracer.kinds import ActorKind, Flag, Level

PROFILE = str(Path(__file__).with_name("everything.toml"))
MUST = frozenset({Class.MUST, Class.UNFENCED})


@dataclass(frozen=True)
class Judgement:
    """What the engine says."""

    pairs: list[tuple[int, int, int, int]]  # first op, second op (ids), first, second access
    needs: dict[int, Any]  # by site
    needed: list[dict[str, int]]  # groups of pairs that need a site
    hidden: list[tuple[int, int, Class]]  # first site, second site, class of the edge
    stats: dict[str, int]


_loaded = cache(load)  # a file is read anew each time by itself


@cache
def _placements(
    path: str, classes: frozenset[Class], without: frozenset[str], rewrites: bool
) -> Placements:
    profile = _loaded(path)
    statements = (
        replace(each, edges=tuple(edge for edge in each.edges if edge.edge not in without))
        for each in profile.statements
    )
    changed = replace(profile, statements=tuple(statements))
    return placements(changed, classes, rewrites=rewrites)


def judge(
    program: Program,
    *,
    strict: bool,
    habits: bool,
    fences: bool = True,
    issue: int = abi.BY_TICKET,
    keys: int = abi.SITES,
    batch: int = 1 << 30,
    profile: str = PROFILE,
    without: frozenset[str] = frozenset(),
    rewrites: bool = False,
) -> Judgement:
    """One pass over the program, `batch` ops at a time.

    Not `fences`: without what makes nothing visible, and only pairs on different devices.
    `without`: edges that no statement of the profile has. `rewrites`: the host writes what work
    has read of host memory once it has waited for that work.
    """
    given: dict[str, Any] = {
        "strict": strict,
        "habits": habits,
        "fences": fences,
        "issue": issue,
        "keys": keys,
    }
    given |= {"batch": batch, "profile": profile, "without": without, "rewrites": rewrites}
    with judging(program, **given) as run:
        pairs = [(c.first_op, c.second_op, c.first_access, c.second_access) for c in run.pairs()]
        names = [name for name, _ in abi.Need._fields_]
        needs = {n.site: {name: getattr(n, name) for name in names} for n in run.needs()}
        needed = run.needed_pairs().to_pylist()
        hidden = [(h.first_site, h.second_site, _class(h.habit)) for h in run.hidden_pairs()]
        stats = {name: getattr(run.stats, name) for name in ("rows", "missing", "unordered")}
    return Judgement(pairs, needs, needed, hidden, stats)


@contextmanager
def judging(
    program: Program,
    *,
    strict: bool,
    habits: bool,
    fences: bool = True,
    issue: int = abi.BY_TICKET,
    keys: int = abi.SITES,
    batch: int = 1 << 30,
    profile: str = PROFILE,
    without: frozenset[str] = frozenset(),
    rewrites: bool = False,
) -> Iterator[Engine]:
    """An engine that has taken the program."""
    classes = frozenset(Class) if habits else MUST
    flags = [0] + [0] * program.threads + [int(f) for f in program.stream_flags]
    kinds = [0] + [int(ActorKind.THREAD)] * program.threads
    kinds += [int(ActorKind.STREAM)] * program.streams
    devices = [-1] * (1 + program.threads) + program.stream_devices
    offsets, members = [0, 0], []
    for one in program.sets:
        members += one
        offsets.append(len(members))
    config = Config(
        actor_kind=pa.array(kinds, pa.uint8()),
        actor_flags=pa.array(flags, pa.uint32()),
        actor_device=pa.array(devices, pa.int32()),
        ranges=_ranges(program),
        placements=_placements(
            profile, classes if fences else classes - {Class.UNFENCED}, without, rewrites
        ),
        levels=1 << Level.API,
        beside=1 << Level.GGML,
        set_offsets=pa.array(offsets, pa.uint64()),
        set_members=pa.array(members, pa.uint32()),
        gaps=program.gaps,
        changes=program.changes,
        actor_shared=pa.array([int(kind == ActorKind.STREAM) for kind in kinds], pa.uint8()),
        issue=issue,
        strict=strict,
        keep_pairs=True,
        keys=keys,
        keep_needed=True,
        dependent=any(op.flags & (Flag.PDL | Flag.PROGRAMMATIC) for op in program.ops),
        across=not fences,
    )
    with Engine(config) as run:
        rows = _rows(program)
        for start in range(0, rows.num_rows, batch):
            run.feed(rows.slice(start, batch))
        run.finish()
        yield run


def _class(habit: int) -> Class:
    [edge] = edges_of(_loaded(PROFILE), habit, tuple(Class))
    return edge.klass


def _host(stores_told: bool) -> int:
    return abi.READS_UNSEEN | (0 if stores_told else abi.STORES_UNSEEN)


def _ranges(program: Program) -> Ranges:
    accesses = program.accesses

    def column(values: list[int], type_: pa.DataType) -> pa.Array:
        return pa.array([0, *map(int, values)], type_)

    extent = [
        abi.EVERYTHING if a.storage == 0 else abi.WHOLE if (a.lo, a.hi) == (0, BYTES) else abi.PART
        for a in accesses
    ]
    base = [0] + [s * BYTES for s in range(STORAGES)]
    none = column([0] * len(accesses), pa.uint64())
    return Ranges(
        lo=column([base[a.storage] + a.lo for a in accesses], pa.uint64()),
        hi=column([base[a.storage] + a.hi for a in accesses], pa.uint64()),
        pitch=none,
        width=none,
        height=none,
        bytes=column([a.hi - a.lo for a in accesses], pa.uint64()),
        storage=column([a.storage for a in accesses], pa.uint32()),
        reads=column([a.reads for a in accesses], pa.uint8()),
        writes=column([a.writes for a in accesses], pa.uint8()),
        memory=column([int(a.memory) for a in accesses], pa.uint8()),
        host=column([_host(a.stores_told) for a in accesses], pa.uint8()),
        extent=column(extent, pa.uint8()),
    )


def _rows(program: Program) -> pa.RecordBatch:
    ops = program.ops

    def column(name: str, type_: pa.DataType) -> pa.Array:
        return pa.array([int(getattr(op, name)) for op in ops], type_)

    columns = {
        **{n: column(n, pa.uint64()) for n in ("id", "ticket_c", "ticket_r")},
        "kind": column("kind", pa.uint8()),
        "level": column("level", pa.uint8()),
        **{n: column(n, pa.uint32()) for n in ("flags", "thread", "actor", "peer", "event")},
        **{n: column(n, pa.uint32()) for n in ("graph", "access_set", "site")},
        "accesses": pa.array([op.accesses for op in ops], pa.list_(pa.uint32())),
        "device": column("device", pa.int32()),
    }
    return pa.record_batch(columns)
