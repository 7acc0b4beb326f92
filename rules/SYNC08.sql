/*
id = "SYNC08"
name = "serialised stages"
family = "sync"
rows = "advice"
severity = "note"
rank = 37
view = "wait"
message = "{first} holds the host while the stream still waits for {what}, so no further stage is issued"
why = """
In a pipeline over several devices the host runs ahead: it gives each device its stage, and events let
a device wait for the one before. Here the host itself waits for a device whose stream still waits for
another device, and then only gives more work to a device, without a look at any result. Until the
earlier stage is done no other stage can be issued: about two devices work at a time, however many
there are.
"""
bad = [
  { op = "stream_create", stream = "S0", attrs = { flags = "nonblocking", device = 0 } },
  { op = "stream_create", stream = "S1", attrs = { flags = "nonblocking", device = 1 } },
  { op = "kernel", stream = "S0", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S0", event = "stage0" },
  { op = "event_wait", stream = "S1", event = "stage0" },
  { op = "stream_sync", stream = "S1" },
  { op = "kernel", stream = "S1", reads = [["x", 0, 4096]], writes = [["y", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["y", 0, 4096]] },
]
good = [
  { op = "stream_create", stream = "S0", attrs = { flags = "nonblocking", device = 0 } },
  { op = "stream_create", stream = "S1", attrs = { flags = "nonblocking", device = 1 } },
  { op = "kernel", stream = "S0", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S0", event = "stage0" },
  { op = "event_wait", stream = "S1", event = "stage0" },
  { op = "kernel", stream = "S1", reads = [["x", 0, 4096]], writes = [["y", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["y", 0, 4096]] },
]
fix = """
Let only the stream wait. What the host needs of this wait is mostly that its own copies have left
their source: record an event behind the copy and wait for that one before the source is filled
again, or give the source one more slot.
"""
limits = """
Judged by the order of the calls, not by time: a wait that never blocks is told as well, its cost says
so. With two devices little is lost. The wait may be needed all the same (SYNC01 says whether it is).
"""
sources = [
  "ggml-org/llama.cpp#20793: the second sync of each split; prefill on four devices about halved",
]
*/

-- A stream waits for one of another device: by an event, or by a copy that its backend waits for.
WITH crossing AS (
  SELECT op, waiter AS actor, target AS source, reach FROM wait
  WHERE kind = 'event_wait' AND reach IS NOT NULL
  UNION ALL
  SELECT op, actor, peer, op FROM work WHERE kind = 'tensor_copy_async' AND peer <> 0
), stage AS (
  SELECT c.op, c.actor, c.source, c.reach, s.name AS source_name
  FROM crossing AS c
  JOIN actor AS a ON a.id = c.actor
  JOIN actor AS s ON s.id = c.source
  WHERE a.device <> s.device AND a.device >= 0 AND s.device >= 0
), host_wait AS (
  -- A wait for a device is one for each of its streams.
  SELECT w.op, w.level, w.thread, w.site, w.host_ns, s.id AS target, w.reach
  FROM wait AS w
  JOIN stream AS s
    ON s.id = w.target
    OR (w.kind = 'device_sync' AND (w.device < 0 OR s.device = w.device))
  WHERE w.kind <> 'event_wait' AND w.reach IS NOT NULL
), next_call AS (
  -- What each thread does next: give work to a device, or touch memory itself.
  SELECT op, thread, true AS is_work FROM work
  UNION ALL
  SELECT id, thread, false FROM op
  WHERE id NOT IN (SELECT op FROM work)
    AND kind NOT IN (
      'event_record', 'event_wait', 'event_sync', 'event_query', 'stream_sync', 'stream_query',
      'device_sync', 'stream_create', 'event_create', 'event_destroy', 'batch', 'mark'
    )
    AND NOT regexp_matches(flags, 'failed|skipped|captured|parent|refused|noop')
), held AS (
  SELECT w.op, w.level, w.thread, w.site, w.host_ns, s.source_name
  FROM host_wait AS w
  JOIN stage AS s ON s.actor = w.target AND s.op <= w.reach
  -- The wait reaches the newest work of its stream: the host cannot be ahead of it.
  WHERE NOT EXISTS (
    FROM work AS k WHERE k.actor = w.target AND k.op > w.reach AND k.op < w.op
  )
    -- Nothing told the host of either stream before.
    AND NOT EXISTS (
      FROM host_wait AS b
      WHERE b.op < w.op AND b.thread = w.thread
        AND (
          (b.target = w.target AND b.reach >= s.op)
          OR (b.target = s.source AND b.reach >= s.reach)
        )
    )
)
SELECT
  h.level, h.site, NULL AS part, string_agg(DISTINCT h.source_name, ', ') AS what,
  list(DISTINCT h.op ORDER BY h.op) AS ops, count(DISTINCT h.op) AS count,
  sum(h.host_ns) FILTER (h.is_first) AS cost_ns, NULL AS size_bytes, NULL AS access
FROM (
  SELECT h.op, h.level, h.site, h.host_ns, h.source_name,
    row_number() OVER (PARTITION BY h.op) = 1 AS is_first
  FROM held AS h
  ASOF JOIN next_call AS n ON n.thread = h.thread AND n.op > h.op
  WHERE n.is_work
) AS h
GROUP BY h.level, h.site
