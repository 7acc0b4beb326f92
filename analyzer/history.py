"""Every edge by which a trace is ordered, and what each op's work is after: view edge, macro hb.

One pass of the engine a profile, with edges of every class; nothing of it is done for `check`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.analyzer import abi, passes, stream
from synctrace.analyzer.engine import Engine
from synctrace.analyzer.profile import Profile, load
from synctrace.analyzer.statement import EDGES as NAMES
from synctrace.analyzer.statement import Class, Edge
from synctrace.tracer.reader import Trace

INSTANTS = ("C", "Q", "S", "E", "R")
# Edges that no statement of a profile gives: name, class, source.
IMPLICIT = {
    abi.OF_CALL: ("call", Class.MUST, "the instants of one op"),
    abi.OF_THREAD: ("thread", Class.MUST, "a thread makes its calls one after the other"),
    abi.OF_STREAM: ("stream", Class.MUST, "work of one stream or copy queue, in turn"),
    abi.OF_RETURN: ("returned", Class.MAY, "the call had returned when the other was entered"),
    abi.OF_LOST: ("lost", Class.MAY, "records were lost: what they ordered is not known"),
}
# From the surest to the least sure.
_SURE = (Class.MUST, Class.UNFENCED, Class.IMPL, Class.MAY)
_WORDS = pa.dictionary(pa.int32(), pa.string())

EDGES = pa.schema(
    [
        ("profile", _WORDS),
        ("level", pa.uint8()),
        ("kind", _WORDS),
        ("class", _WORDS),
        ("source", _WORDS),
        *((name, pa.uint64()) for name in ("from_op", "to_op")),
        *((name, _WORDS) for name in ("from_instant", "to_instant")),
        *((name, pa.uint32()) for name in ("from_actor", "to_actor")),
    ]
)
# The SQL of a user is put into the body of hb: it must not meet the names of these columns.
PARTS = pa.schema(
    [
        ("_profile", _WORDS),
        *((name, pa.uint64()) for name in ("_op", "_position", "_clock")),
        *((name, pa.uint32()) for name in ("_timeline", "_own")),
        ("_lost", pa.bool_()),
    ]
)
CLOCKS = pa.schema([("_id", pa.uint64()), ("_positions", pa.large_list(pa.uint64()))])


@dataclass(frozen=True)
class History:
    """Rows of the view edge; parts of the ops' work and the clocks that they begin with."""

    edges: pa.Table
    parts: pa.Table
    clocks: pa.Table


def run(trace: Trace, profiles: Sequence[str], host_order: str = "observed") -> History:
    """Order a trace under each profile, as the pass `certain` does, and keep every edge.

    Raises SynctraceError for an unknown profile and for a trace whose ops have no order.
    """
    models = [load(name) for name in profiles]
    world = stream.read_world(trace, models)
    edges, parts = [EDGES.empty_table()], [PARTS.empty_table()]
    clocks = [CLOCKS.empty_table()]
    for model in models:
        certain = passes.plan(model, world.seen, host_order)[0]
        every = replace(certain, keys=abi.EVERY_EDGE)
        with stream.judged(world, model, [every]) as found:
            kept = sum(table.num_rows for table in clocks)
            edges.append(edges_of(model, found[every]))
            parts.append(parts_of(model, found[every], kept))
            clocks.append(clocks_of(found[every], kept))
    return History(
        pa.concat_tables(edges).unify_dictionaries(),
        pa.concat_tables(parts).unify_dictionaries(),
        pa.concat_tables(clocks),
    )


def edges_of(model: Profile, engine: Engine) -> pa.Table:
    """The edges of one pass in words."""
    actors = engine.history("timeline_actor")
    ways = pc.add(
        pc.multiply(engine.history("key").cast(pa.uint64()), pa.scalar(2**32, pa.uint64())),
        engine.history("first_key").cast(pa.uint64()),
    ).dictionary_encode()
    words = [told(model, *divmod(way, 2**32)) for way in ways.dictionary.to_pylist()]
    count = len(ways)
    columns = {
        "profile": _same(model.name, count),
        "level": pa.repeat(pa.scalar(int(model.level), pa.uint8()), count),
        **{
            name: _of(ways.indices, [one[place] for one in words])
            for place, name in enumerate(("kind", "class", "source"))
        },
    }
    for end in ("from", "to"):
        columns[f"{end}_op"] = engine.history(f"{end}_op")
        columns[f"{end}_instant"] = _of(engine.history(f"{end}_instant"), INSTANTS)
        columns[f"{end}_actor"] = actors.take(engine.history(f"{end}_timeline"))
    return pa.table([columns[name] for name in EDGES.names], schema=EDGES)


def parts_of(model: Profile, engine: Engine, kept: int) -> pa.Table:
    """The parts of one pass; `kept`: how many clocks there are before its own."""
    ops = engine.history("part_op")
    columns = {
        "_profile": _same(model.name, len(ops)),
        "_op": ops,
        "_position": engine.history("part_position"),
        "_clock": pc.add(engine.history("part_known"), pa.scalar(kept, pa.uint64())),
        "_timeline": engine.history("part_timeline"),
        "_own": engine.history("part_own"),
        "_lost": engine.history("part_lost").cast(pa.bool_()),
    }
    return pa.table([columns[name] for name in PARTS.names], schema=PARTS)


def clocks_of(engine: Engine, kept: int) -> pa.Table:
    """The clocks of one pass: what is known of each timeline; a shorter list knows of no more."""
    ends = engine.history("clock_end").cast(pa.int64())
    known = pa.LargeListArray.from_arrays(ends, engine.history("clock_position"))
    return pa.table([pa.array(range(kept, kept + len(known)), pa.uint64()), known], schema=CLOCKS)


def told(model: Profile, key: int, first: int) -> tuple[str, str, str]:
    """Name, class and source of an edge. What an event stands for by habit orders by habit."""
    last = _edge(model, key)
    least = max((last, *([_edge(model, first)] if first != abi.NO_EDGE else [])), key=_doubt)
    return last.edge, least.klass, least.source


def _edge(model: Profile, key: int) -> Edge:
    if key in IMPLICIT:
        return Edge(*IMPLICIT[key])
    statement, bit = divmod(key, 32)
    edges = [e for e in model.statements[statement].edges if e.edge == NAMES[bit]]
    return min(edges, key=_doubt)


def _doubt(edge: Edge) -> int:
    return _SURE.index(edge.klass)


def _same(word: str, count: int) -> pa.DictionaryArray:
    return _of(pa.repeat(pa.scalar(0, pa.int32()), count), [word])


def _of(numbers: pa.Array, words: Sequence[str]) -> pa.DictionaryArray:
    listed = pa.array([str(word) for word in words], pa.string())
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int32()), listed)
