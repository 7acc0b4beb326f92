"""Fetches the few ops that findings speak of: one pass over `op`, none where there is nothing."""

from collections.abc import Sequence

from synctrace.analyzer.branches import has_nodes
from synctrace.analyzer.connect import Session
from synctrace.analyzer.finding import Census
from synctrace.tracer import schema

_COLUMNS = [c.name for c in schema.OP.columns]

# Ops of conflicts, the first of each needless place, and what lifetime rules need: changes of
# ownership, captured calls, versions of their graphs and launches.
_NAMED = """
CREATE TABLE _named AS
SELECT * FROM _scan
WHERE id IN (SELECT unnest(?))
  OR (? AND is_life(kind))
  OR is_captured(flags)
  OR (
    kind_name(kind) IN ('graph_launch', 'graph_create', 'graph_update')
    AND graph IN (SELECT unnest(?))
  )
"""

_JUDGED = """
CREATE TABLE _judged AS
SELECT id, site FROM _scan
WHERE site IN (SELECT unnest(?)) AND is_wait(kind) AND took_effect(flags)
"""

_WAITS = """
CREATE TABLE _wait AS
SELECT * FROM _scan
WHERE is_wait(kind) AND took_effect(flags) AND id > ? AND id < ?
"""

# The last wait between the two ops of a pair that the second's thread or stream made.
_BETWEEN = """
SELECT p.number, max(w.id) AS id
FROM _pair AS p
JOIN _wait AS w ON w.thread = p.thread AND w.id > p.first_op AND w.id < p.second_op
WHERE kind_name(w.kind) <> 'event_wait'
GROUP BY p.number
UNION ALL
SELECT p.number, max(w.id)
FROM _pair AS p
JOIN _wait AS w ON w.actor = p.actor AND w.id > p.first_op AND w.id < p.second_op
WHERE kind_name(w.kind) = 'event_wait'
GROUP BY p.number
"""


def fetch_named(
    session: Session,
    conflicts: Sequence[int],
    sites: Sequence[int],
    others: Sequence[int],
    census: Census,
) -> None:
    """Make _judged and _named: ops of conflicts, the first sync of each of these places, lives,
    others by id.

    Lifetimes and captures are fetched where a conflict or a captured graph makes them matter.
    """
    graphs = {*census.captured_graphs, *_graphs_with_nodes(session)}
    firsts: list[int] = []
    if sites:
        fetch_judged(session, sites)
        firsts = [op for (op,) in session.rows("SELECT min(id) FROM _judged GROUP BY site")]
    lives = bool(conflicts or graphs)
    if not (lives or firsts or others):
        session.give("_named", schema.OP.schema.empty_table())
        return
    named = sorted({*conflicts, *firsts, *others})
    session.scan("op", _COLUMNS, _NAMED, named, lives, sorted(graphs))


def _graphs_with_nodes(session: Session) -> list[int]:
    if not has_nodes(session):
        return []
    return [graph for (graph,) in session.rows("SELECT DISTINCT graph FROM _node")]


def fetch_judged(session: Session, sites: Sequence[int]) -> None:
    """Make _judged: id and site of every wait made at these places. There can be very many."""
    session.scan("op", ["id", "kind", "flags", "site"], _JUDGED, sorted(set(sites)))


def fetch_waits_between(
    session: Session, pairs: Sequence[tuple[int, int, int, int]]
) -> dict[int, int]:
    """For each pair (first op, second op, thread and actor of the second): the last wait between.

    Adds these waits to _named. Returns op ids by number of the pair.
    """
    if not pairs:
        return {}
    low, high = min(p[0] for p in pairs), max(p[1] for p in pairs)
    session.scan("op", _COLUMNS, _WAITS, low, high)
    if not session.rows("SELECT 1 FROM _wait LIMIT 1"):
        return {}
    session.rows(
        "CREATE TABLE _pair AS SELECT unnest(?) AS number, unnest(?) AS first_op,"
        " unnest(?) AS second_op, unnest(?) AS thread, unnest(?) AS actor",
        list(range(len(pairs))),
        *(list(column) for column in zip(*pairs, strict=True)),
    )
    found: dict[int, int] = {}
    for number, op in session.rows(_BETWEEN):
        found[number] = max(op, found.get(number, 0))
    session.rows(
        "INSERT INTO _named SELECT * FROM _wait WHERE id IN (SELECT unnest(?))"
        " AND id NOT IN (SELECT id FROM _named)",
        sorted(set(found.values())),
    )
    return found
