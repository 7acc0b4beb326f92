/*
id = "LIFE05"
name = "used after its free"
family = "life"
severity = "error"
rank = 0
view = "late_use"
message = "{second} {second_verb} {buffer}, which {first} had given back before the call"
why = """
The memory was given back and the call that did it had returned before this one was made. That both
are on one stream does not help: the use comes after the free in the order of the stream, and the pool
may have handed the bytes to somebody else. It works as long as nobody else asks for memory.
"""
bad = [
  { op = "alloc_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "kernel", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "free_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "kernel", stream = "S1", reads = [["b", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "kernel", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "free_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "alloc_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "kernel", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "free_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
fix = """
Free after the last use: issue the use before the free, or move the free behind it.
"""
limits = """
Needs the free and the use in one trace. Blocks of caching allocators are given back without an end of
their storage and are judged by LIFE03 once they have a new owner. Launches of captured graphs are
judged by LIFE02.
"""
sources = [
  "CUDA Runtime API, stream-ordered allocator: no access after the free in stream order",
]
*/

-- Uses of a storage behind its free, no new life in between. Where the two race as well it is that
-- conflict; where the order engine sees them ordered it is a row of its own. A graph that was
-- changed when other memory was at that address means that one: not all its nodes were told anew.
WITH changed AS (
  SELECT graph, id AS op, ticket_c AS ticket FROM op
  WHERE kind IN ('graph_create', 'graph_update')
    AND NOT regexp_matches(flags, 'failed|skipped|captured|parent|refused|noop')
), late AS (
  SELECT
    u.*,
    CASE WHEN u.mode IN ('may', 'unknown') THEN 'mode-unknown' ELSE 'certain' END AS verdict
  FROM late_use AS u
  WHERE NOT EXISTS (
    FROM captured_launch AS g
    JOIN captured AS c ON c.graph = g.graph AND c.version = g.version
    WHERE g.op = u.op AND c.storage = u.storage
  ) AND NOT EXISTS (
    FROM captured_launch AS g
    JOIN changed AS m ON m.graph = g.graph AND m.op < g.op
    JOIN storage AS s ON s.id = u.storage
    JOIN storage AS n
      ON n.base <= s.base AND s.base + s.size_bytes <= n.base + n.size_bytes
      AND n.device = s.device AND n.born > s.born AND n.born <= m.ticket
    WHERE g.op = u.op AND m.op > u.free_op
  )
)
SELECT
  c.id AS conflict, c.profile, c.level, c.verdict, c.first_op, c.second_op, c.first_access,
  c.second_access, c.lo_byte, c.hi_byte, c.count
FROM conflict AS c
WHERE EXISTS (
  FROM late AS u WHERE u.free_op = c.first_op AND u.op = c.second_op AND u.storage = c.storage
)
UNION ALL
SELECT
  NULL, '', u.level, min(u.verdict), any_value(u.free_op), min(u.op), any_value(u.free_access),
  arg_min(u.access, u.op), min(u.lo_byte), max(u.hi_byte), count(DISTINCT u.op)
FROM late AS u
WHERE NOT EXISTS (
  FROM conflict AS c
  WHERE c.first_op = u.free_op AND c.storage = u.storage AND c.second_site = u.site
)
GROUP BY u.level, u.free_op, u.storage, u.site
