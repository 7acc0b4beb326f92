/*
id = "LIFE02"
name = "captured address re-owned"
family = "life"
severity = "error"
rank = 1
view = "captured_launch"
message = "{first} launches a graph that holds {buffer}, which was given back after the capture"
why = """
A captured graph keeps addresses by value and no owner alive. The block it was captured with went
back to its allocator, and perhaps to another owner, before this launch: the graph reads and
writes memory that is not its own. No sync helps, the order of the calls is what is wrong.
"""
bad = [
  { op = "cache_alloc", writes = [["p", 0, 4096]], attrs = { mem = "pinned" } },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["p", 0, 4096]] },
  { op = "capture_begin", stream = "S1", attrs = { graph = "G" } },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["p", 0, 4096]], writes = [["d", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "capture_end", stream = "S1", attrs = { graph = "G" } },
  { op = "cache_free", writes = [["p", 0, 4096]] },
  { op = "graph_launch", stream = "S1", reads = [["p", 0, 4096]], writes = [["d", 0, 4096]], attrs = { graph = "G" } },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "cache_alloc", writes = [["p", 0, 4096]], attrs = { mem = "pinned" } },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["p", 0, 4096]] },
  { op = "capture_begin", stream = "S1", attrs = { graph = "G" } },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["p", 0, 4096]], writes = [["d", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "capture_end", stream = "S1", attrs = { graph = "G" } },
  { op = "graph_launch", stream = "S1", reads = [["p", 0, 4096]], writes = [["d", 0, 4096]], attrs = { graph = "G" } },
  { op = "stream_sync", stream = "S1" },
  { op = "cache_free", writes = [["p", 0, 4096]] },
]
fix = """
Hold every block that a graph was captured with for as long as the graph is launched (a private
pool, a reference), or capture again after the block has changed hands.
"""
limits = """
Where device memory of the same place and size is there again at each launch, and nothing else of
the trace uses it, the finding is latent: right if it was made for the graph by who looks at its
addresses before a launch (XLA does). Needs the captured calls or the nodes in the trace: a graph
built by ggml holds ranges alone and is not judged by this rule.
"""
sources = [
  "microsoft/onnxruntime#32121: staging memory captured into a graph and reused",
  "pytorch/pytorch#193402: cuBLAS workspaces captured into graphs",
]
*/

-- A captured range, given back between the capture and a launch of that graph version. One row a
-- graph and range: its first such launch. Latent where at each such launch a new allocation of the
-- same place and size is there that nobody uses by itself: perhaps it was made for the graph. What
-- the host does with its memory is not all seen.
WITH given_back AS (
  SELECT c.graph, c.version, c.storage, min(l.op) AS since, any_value(c.access) AS access,
    min(c.lo_byte) AS lo_byte, max(c.hi_byte) AS hi_byte
  FROM captured AS c
  JOIN life AS l
    ON l.storage = c.storage
    AND l.lo_byte < c.hi_byte
    AND c.lo_byte < l.hi_byte
    AND l.op > c.op
  WHERE is_free(l.kind)
  GROUP BY c.graph, c.version, c.storage
), ended AS (
  SELECT storage, min(op) AS op FROM life WHERE kind IN ('free', 'free_host', 'free_async')
  GROUP BY storage
), as_before AS (
  SELECT b.graph, b.version, b.storage, n.id AS again, n.born
  FROM given_back AS b
  JOIN storage AS s ON s.id = b.storage
  JOIN storage AS n
    ON n.base = s.base AND n.size_bytes = s.size_bytes AND n.device = s.device
    AND n.born > s.born
  WHERE s.device >= 0
), used AS (
  SELECT DISTINCT t.storage FROM op_access AS t JOIN op AS o ON o.id = t.op
  WHERE t.storage IN (SELECT again FROM as_before) AND NOT regexp_matches(o.kind, '^(alloc|free)')
), again AS (
  SELECT a.*, e.op AS ended
  FROM as_before AS a LEFT JOIN ended AS e ON e.storage = a.again
  WHERE a.again NOT IN (FROM used)
), launched AS (
  SELECT g.op, g.graph, g.version, g.level, b.storage, b.access, b.lo_byte, b.hi_byte,
    EXISTS (
      FROM again AS a
      WHERE a.graph = g.graph AND a.version = g.version AND a.storage = b.storage
        AND a.born <= g.ticket AND (a.ended IS NULL OR a.ended > g.op)
    ) AS is_there_again
  FROM captured_launch AS g
  JOIN given_back AS b ON b.graph = g.graph AND b.version = g.version AND g.op > b.since
)
SELECT
  NULL AS conflict, '' AS profile, level,
  CASE WHEN bool_and(is_there_again) THEN 'latent' ELSE 'certain' END AS verdict,
  coalesce(min(op) FILTER (NOT is_there_again), min(op)) AS first_op,
  NULL AS second_op, any_value(access) AS first_access, NULL AS second_access,
  min(lo_byte) AS lo_byte, max(hi_byte) AS hi_byte, count(*) AS count
FROM launched
GROUP BY graph, version, level, storage
