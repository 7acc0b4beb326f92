/*
id = "SYNC04"
name = "repeated sync"
family = "sync"
rows = "advice"
severity = "note"
rank = 33
view = "wait"
message = "{first} repeats a wait that was made before, with no work in between"
why = """
The same thread, or the same stream, waited for the same thing before, and nothing was given to what
it waits for since. The second wait cannot find anything to wait for: two layers of a program each
make sure for themselves. It costs a call into the runtime, a few microseconds each.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_sync", event = "e" },
  { op = "event_sync", event = "e" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["x", 0, 4096]] },
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
fix = """
Keep the wait of one layer and say in the other's contract that it has been made.
"""
limits = """
Tells calls that repeat; whether the first is needed is another question (SYNC01). A place is told
where only some of its calls repeat. Says nothing of a trace with lost records.
"""
sources = [
  "ggml-org/llama.cpp#17795: fewer syncs between tokens",
]
*/

-- The wait before it of the same waiter for the same thing. An event that was recorded anew, and a
-- stream that was given work, are something else to wait for.
WITH again AS (
  SELECT
    op, level, site, host_ns, flags, kind, thread, waiter, target, device, event, reach,
    lag(op) OVER same AS before, lag(reach) OVER same AS reach_before
  FROM wait
  WINDOW same AS (PARTITION BY kind, waiter, target, device, event ORDER BY op)
), given AS (
  SELECT op, actor, device FROM work
  UNION ALL
  SELECT op, peer, device FROM work WHERE peer <> 0
)
SELECT
  a.level, a.site, NULL AS part, NULL AS what, list(a.op ORDER BY a.op) AS ops,
  count(*) AS count, sum(a.host_ns) AS cost_ns, NULL AS size_bytes, NULL AS access
FROM again AS a
WHERE a.before IS NOT NULL
  AND NOT regexp_matches(a.flags, 'implied|foreign')
  AND NOT EXISTS (FROM gap)
  AND CASE
    WHEN a.kind LIKE 'event%' THEN a.reach = a.reach_before
    WHEN a.kind = 'stream_sync' THEN NOT EXISTS (
      FROM given AS g WHERE g.actor = a.target AND g.op > a.before AND g.op < a.op
    )
    ELSE NOT EXISTS (
      FROM given AS g
      WHERE (a.device < 0 OR g.device = a.device) AND g.op > a.before AND g.op < a.op
    )
  END
GROUP BY a.level, a.site
