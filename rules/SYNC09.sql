/*
id = "SYNC09"
name = "spin wait"
family = "sync"
rows = "advice"
severity = "note"
rank = 38
view = "op"
message = "{first} is asked over and over while the thread does nothing else"
why = """
Asking an event or a stream again and again whether it is done is a wait that keeps a core busy. Each
query is a call into the runtime that takes its locks, so that other threads' calls are held up as
well.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "event_query", event = "e", attrs = { failed = true } },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
fix = """
Wait for the event with one call. Where the wait must not keep a core busy, make the event, or the
device, one that blocks (cudaEventBlockingSync); where the thread has other work, do it between the
queries.
"""
limits = """
Eight queries in a row without another recorded call of the thread count as a spin. A loop that sleeps
or works on the host between its queries looks the same. Of a long run the first 64 are recorded and
then one in 50 us (coverage repeated_queries).
"""
sources = [
  "CUDA Runtime API, cudaEventCreateWithFlags: cudaEventBlockingSync",
]
*/

-- Runs of calls of one thread that are all queries of one thing, answered `not ready`.
WITH called AS (
  SELECT
    id, level, thread, site, entered_ns, returned_ns, kind, event, actor,
    kind IN ('event_query', 'stream_query') AND regexp_matches(flags, 'failed') AS is_vain,
    row_number() OVER (PARTITION BY thread ORDER BY id) AS nth
  FROM op
  WHERE NOT regexp_matches(flags, 'parent')
), spin AS (
  SELECT
    level, arg_min(site, id) AS site, list(id ORDER BY id) AS ops,
    max(returned_ns) - min(entered_ns) AS cost_ns
  FROM (
    SELECT
      level, site, id, thread, kind, event, actor, entered_ns, returned_ns,
      nth - row_number() OVER (PARTITION BY thread, kind, event, actor ORDER BY id) AS run
    FROM called
    WHERE is_vain
  )
  GROUP BY level, thread, kind, event, actor, run
  HAVING count(*) >= 8
)
SELECT
  level, site, NULL AS part, NULL AS what, flatten(list(ops ORDER BY ops)) AS ops,
  count(*) AS count, sum(cost_ns) AS cost_ns, NULL AS size_bytes, NULL AS access
FROM spin
GROUP BY level, site
