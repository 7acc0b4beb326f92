/*
id = "SYNC10"
name = "split boundary"
family = "sync"
rows = "advice"
severity = "note"
rank = 39
view = "boundary"
message = "{first} runs behind a switch {what}"
why = """
A graph that is split over backends pays for each switch: the host waits for the one, copies, and
launches on the other. The operations of the split before say what causes it: a single operation that
one backend does not have costs two switches in every iteration.
"""
bad = [
  { op = "stream_create", stream = "S0", attrs = { flags = "nonblocking", device = 0 } },
  { op = "stream_create", stream = "S1", attrs = { flags = "nonblocking", device = 1 } },
  { op = "graph_launch", stream = "S0", writes = [["x", 0, 4096]], attrs = { graph = "head" } },
  { op = "event_record", stream = "S0", event = "e" },
  { op = "event_wait", stream = "S1", event = "e" },
  { op = "graph_launch", stream = "S1", reads = [["x", 0, 4096]], attrs = { graph = "tail" } },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "stream_create", stream = "S0", attrs = { flags = "nonblocking", device = 0 } },
  { op = "graph_launch", stream = "S0", writes = [["x", 0, 4096]], attrs = { graph = "head" } },
  { op = "graph_launch", stream = "S0", reads = [["x", 0, 4096]], attrs = { graph = "tail" } },
  { op = "stream_sync", stream = "S0" },
]
fix = """
Keep the operation that causes the split where the rest of the graph is: another type or kernel that
this backend has, its weights on this device, or the operation moved to the edge of the graph.
"""
limits = """
Says what a switch costs the host, not that it can be saved: a model over several devices has one a
device. Sorted and with waits and copies: `synctrace query TRACE --saved boundaries`.
"""
sources = [
  "ggml-org/llama.cpp#25700: input layers on the CPU on a machine with unified memory",
]
*/

-- Switches of one kind: from, to, and what the split before consists of if it is small.
WITH switch AS (
  SELECT
    b.launch, b.host_ns, o.level, o.site,
    'from ' || b.from_backend || ' to ' || b.to_backend || CASE
      WHEN b.after_nodes BETWEEN 1 AND 4 AND b.after_operations <> ''
        THEN ', after ' || b.after_operations
      ELSE '' END AS what
  FROM boundary AS b
  JOIN op AS o ON o.id = b.launch
)
SELECT
  level, site, what AS part, what, list(launch ORDER BY launch) AS ops, count(*) AS count,
  sum(host_ns) AS cost_ns, NULL AS size_bytes, NULL AS access
FROM switch
GROUP BY level, site, what
ORDER BY cost_ns DESC, ops
