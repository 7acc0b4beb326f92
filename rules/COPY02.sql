/*
id = "COPY02"
name = "duplicate payload"
family = "copy"
rows = "advice"
severity = "note"
rank = 51
view = "copy_side"
message = "{first} copies {what} again, though nothing wrote either side since it did so before"
why = """
The same bytes went to the same place before, and no recorded op has written the source or the
destination since: the destination holds them already. It costs the copy, and whatever waits for it.
"""
bad = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "kernel", stream = "S1", reads = [["d", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "kernel", stream = "S1", reads = [["d", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
fix = """
Copy when the source has changed, or keep the copy where the next step finds it.
"""
limits = """
Host stores are mostly not recorded: a source in host memory counts only if some recorded op wrote to
it, and a store of the same value is none. An op of unknown ranges may have written anything, and so may
launches that came without ranges. Says nothing of a trace with lost records.
"""
sources = [
  "ggml-org/llama.cpp#20793: inputs of a split copied anew for each token",
]
*/

-- Copies with one source and one target, both known exactly, and the same copy before it.
WITH side AS (
  SELECT op, level, mode, access, storage, name, lo_byte, hi_byte, size_bytes, device, host_ns, site
  FROM copy_side
  WHERE storage <> 0 AND hi_byte - lo_byte = size_bytes AND size_bytes > 0
), plain AS (
  SELECT op FROM copy_side GROUP BY op HAVING count(*) = 2 AND count(DISTINCT mode) = 2
), moved AS (
  SELECT
    s.op, s.level, s.site, s.host_ns, s.size_bytes, s.access, s.name,
    s.storage AS source, s.lo_byte AS source_lo, s.hi_byte AS source_hi, s.device AS source_device,
    t.storage AS target, t.lo_byte AS target_lo, t.hi_byte AS target_hi,
    lag(s.op) OVER (PARTITION BY s.access, t.access ORDER BY s.op) AS before
  FROM side AS s
  JOIN side AS t ON t.op = s.op AND t.mode = 'write'
  JOIN plain AS p ON p.op = s.op
  WHERE s.mode = 'read'
), written AS (
  SELECT t.op, t.storage, t.upper_lo_byte AS lo, t.upper_hi_byte AS hi
  FROM op_access AS t
  JOIN op AS o ON o.id = t.op
  WHERE t.mode <> 'read'
    AND NOT regexp_matches(o.flags, 'failed|skipped|captured|parent|refused|noop')
)
SELECT
  m.level, m.site, m.name AS part, any_value(m.name) AS what, list(m.op ORDER BY m.op) AS ops,
  count(*) AS count, sum(m.host_ns) AS cost_ns, sum(m.size_bytes) AS size_bytes,
  arg_min(m.access, m.op) AS access
FROM moved AS m
WHERE m.before IS NOT NULL
  AND NOT EXISTS (
    FROM written AS w
    WHERE w.op > m.before AND w.op < m.op
      AND (
        w.storage = 0
        OR (w.storage = m.source AND w.lo < m.source_hi AND m.source_lo < w.hi)
        OR (w.storage = m.target AND w.lo < m.target_hi AND m.target_lo < w.hi)
      )
  )
  AND (m.source_device >= 0 OR m.source IN (SELECT w.storage FROM written AS w))
  AND NOT EXISTS (FROM coverage AS c WHERE c.what LIKE 'launches_without%')
  AND NOT EXISTS (FROM gap)
GROUP BY m.level, m.site, m.name
