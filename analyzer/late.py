"""Finds uses of memory behind its free: two passes over `op`, none where frees come last."""

import pyarrow as pa

from synctrace.analyzer.connect import Session
from synctrace.analyzer.finding import Census

LATE = pa.schema(
    [
        ("op", pa.uint64()),
        ("free_op", pa.uint64()),
        ("level", pa.uint8()),
        ("site", pa.uint32()),
        ("access", pa.uint32()),
        ("free_access", pa.uint32()),
        ("storage", pa.uint32()),
        ("mode", pa.uint8()),
        ("lo", pa.uint64()),
        ("hi", pa.uint64()),
    ]
)

# When each freed storage was given back, and when it came to life again: same name, another life.
# Not of what stands for all host memory: its allocator hands bytes out again without a word.
_TURNS = """
CREATE TABLE _turn AS
WITH called AS (
  SELECT
    t.id AS op, t.is_free, CASE WHEN t.is_free THEN t.ticket_r ELSE t.ticket_c END AS ticket,
    a.id AS access, a.storage, a.upper_lo AS lo, a.upper_hi AS hi
  FROM (
    SELECT
      id, ticket_c, ticket_r, ends_life(kind) AS is_free, unnest(accesses) AS access
    FROM _scan
    WHERE is_life(kind) AND took_effect(flags) AND NOT is_lowered(flags)
  ) AS t
  JOIN _access AS a ON a.id = t.access
  WHERE a.storage IN (SELECT id FROM _storage WHERE size < 1::UBIGINT << 62)
)
FROM called
UNION ALL
SELECT NULL, false, since, NULL, storage, lo, hi FROM _memory
WHERE storage IN (SELECT storage FROM called WHERE is_free)
"""

# Accesses of freed storages, and the sets that hold some.
_GONE = """
CREATE TABLE _gone AS
SELECT id, storage, mode, upper_lo AS lo, upper_hi AS hi FROM _access
WHERE storage IN (SELECT storage FROM _turn WHERE is_free) AND origin_name(origin) <> 'synthetic'
  AND mode_name(mode) <> 'unused'
"""
_GONE_SETS = """
CREATE TABLE _gone_set AS
SELECT s.id, list(s.access) AS accesses
FROM (SELECT id, unnest(accesses) AS access FROM _access_set) AS s
JOIN _gone AS g ON g.id = s.access
GROUP BY s.id
"""

# Ops behind the first free that touch a freed storage whose last turn before the call is a free.
_LATE = """
CREATE TABLE _late AS
SELECT
  u.id AS op, f.op AS free_op, u.level, u.site, g.id AS access, f.access AS free_access, g.storage,
  g.mode, greatest(g.lo, f.lo) AS lo, least(g.hi, f.hi) AS hi
FROM (
  SELECT
    o.id, o.ticket_c, o.level, o.site,
    unnest(if(s.accesses IS NULL, o.accesses, list_concat(o.accesses, s.accesses))) AS access
  FROM _scan AS o
  LEFT JOIN _gone_set AS s ON s.id = o.access_set
  WHERE o.id > (SELECT min(op) FROM _turn WHERE is_free)
    AND took_effect(o.flags) AND NOT is_lowered(o.flags) AND NOT is_life(o.kind)
) AS u
JOIN _gone AS g ON g.id = u.access
ASOF JOIN _turn AS f ON f.storage = g.storage AND f.ticket < u.ticket_c
WHERE f.is_free AND g.lo < f.hi AND f.lo < g.hi
"""


def fetch_late(session: Session, counted: Census) -> list[int]:
    """Make _late: uses of memory behind its free. Returns their ops and those of the frees."""
    if not counted.goes_on_after_frees:
        session.give("_late", LATE.empty_table())
        return []
    session.scan("op", ["id", "kind", "flags", "ticket_c", "ticket_r", "accesses"], _TURNS)
    session.rows(_GONE)
    session.rows(_GONE_SETS)
    session.scan(
        "op", ["id", "kind", "flags", "ticket_c", "level", "site", "accesses", "access_set"], _LATE
    )
    return [op for (op,) in session.rows("SELECT op FROM _late UNION SELECT free_op FROM _late")]
