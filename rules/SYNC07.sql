/*
id = "SYNC07"
name = "host wait where a stream wait does"
family = "sync"
rows = "advice"
severity = "note"
rank = 36
view = "need_pair"
message = "{first} holds the host, though only {what} has to wait"
why = """
The wait is needed, but all that it orders is work of one stream behind work of another: no access of
the host hangs on it. An event between the two streams gives the same order, and the host can go on to
issue what comes next while the first stream still works.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "kernel", stream = "S2", reads = [["x", 0, 4096]], writes = [["y", 0, 4096]] },
  { op = "stream_sync", stream = "S2" },
  { op = "host_read", reads = [["y", 0, 4096]] },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_wait", stream = "S2", event = "e" },
  { op = "kernel", stream = "S2", reads = [["x", 0, 4096]], writes = [["y", 0, 4096]] },
  { op = "stream_sync", stream = "S2" },
  { op = "host_read", reads = [["y", 0, 4096]] },
]
fix = """
Record an event behind the first stream's work and let the second stream wait for it.
"""
limits = """
Judged by the pairs of accesses that need the wait, place by place, unseen host accesses assumed. Where
a stream wait was tried in its place and keeps all order, SYNC02 says so as well, as a proof.
"""
sources = [
  "ggml-org/llama.cpp#17795: host syncs between copy and launch, where the stream's order does",
]
*/

-- Places of needed host waits; of all pairs that need one, both accesses are a device's.
WITH served AS (
  SELECT
    p.site, string_agg(DISTINCT b.name, ', ' ORDER BY b.name) AS waiting,
    bool_and(
      a.kind <> 'thread' AND a.flags NOT LIKE '%synchronous%'
      AND b.kind <> 'thread' AND b.flags NOT LIKE '%synchronous%'
    ) AS is_of_devices
  FROM need_pair AS p
  JOIN actor AS a ON a.id = p.first_actor
  JOIN actor AS b ON b.id = p.second_actor
  WHERE p.needed > 0 OR p.proven > 0
  GROUP BY p.site
)
SELECT
  w.level, w.site, NULL AS part, any_value(s.waiting) AS what, list(w.op ORDER BY w.op) AS ops,
  count(*) AS count, sum(w.host_ns) AS cost_ns, NULL AS size_bytes, NULL AS access
FROM served AS s
JOIN wait AS w ON w.site = s.site
WHERE s.is_of_devices
  AND w.kind <> 'event_wait'
  AND s.site IN (SELECT n.site FROM need AS n WHERE n.verdict = 'needed')
GROUP BY w.level, w.site
