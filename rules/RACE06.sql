/*
id = "RACE06"
name = "graph branches"
family = "race"
rows = "branch"
severity = "error"
rank = 18
view = "branch"
message = "{first} runs {first_node} and {second_node} in any order, and both touch {buffer}"
why = """
A graph keeps only the edges that were captured or added. Two of its nodes touch the same bytes, at
least one writes, and no path of edges leads from the one to the other: each launch may run them in
either order or at once. While it was captured the order of the calls seemed to say otherwise.
"""
bad = [
  { op = "capture_begin", stream = "S1", attrs = { graph = "G" } },
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "event_record", stream = "S1", event = "fork", attrs = { captured_in = "G" } },
  { op = "event_wait", stream = "S2", event = "fork", attrs = { captured_in = "G" } },
  { op = "kernel", stream = "S2", reads = [["x", 0, 4096]], writes = [["y", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "memset_async", stream = "S1", writes = [["y", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "event_record", stream = "S2", event = "join", attrs = { captured_in = "G" } },
  { op = "event_wait", stream = "S1", event = "join", attrs = { captured_in = "G" } },
  { op = "capture_end", stream = "S1", attrs = { graph = "G" } },
  { op = "graph_launch", stream = "S1", attrs = { graph = "G" } },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "capture_begin", stream = "S1", attrs = { graph = "G" } },
  { op = "memset_async", stream = "S1", writes = [["y", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "event_record", stream = "S1", event = "fork", attrs = { captured_in = "G" } },
  { op = "event_wait", stream = "S2", event = "fork", attrs = { captured_in = "G" } },
  { op = "kernel", stream = "S2", reads = [["x", 0, 4096]], writes = [["y", 0, 4096]], attrs = { captured_in = "G" } },
  { op = "event_record", stream = "S2", event = "join", attrs = { captured_in = "G" } },
  { op = "event_wait", stream = "S1", event = "join", attrs = { captured_in = "G" } },
  { op = "capture_end", stream = "S1", attrs = { graph = "G" } },
  { op = "graph_launch", stream = "S1", attrs = { graph = "G" } },
  { op = "stream_sync", stream = "S1" },
]
fix = """
Give the graph the edge: while capturing, record an event behind the first and let the second's stream
wait for it; in a graph built by hand, add the dependency.
"""
limits = """
Needs the nodes of the graph in the trace. Told once a graph version that was launched; the instances
are its pairs of nodes of these names, times its launches.
"""
sources = [
  "CUDA C++ Programming Guide, CUDA Graphs: a node runs once the nodes it depends on are complete",
]
*/

-- What each node touches in one piece: a linear range, or a row of a strided one.
WITH held AS (
  SELECT
    n.graph, n.version, n.node, n.name, a.id AS access, a.storage, a.lo_byte, a.hi_byte,
    a.upper_lo_byte, a.upper_hi_byte, a.pitch_bytes, a.width_bytes, a.rows,
    a.mode <> 'read' AS perhaps_writes, a.mode IN ('may', 'unknown') AS is_unsure
  FROM (SELECT graph, version, node, name, unnest(accesses) AS access FROM node) AS n
  JOIN access AS a ON a.id = n.access
  WHERE a.storage <> 0 AND a.origin <> 'synthetic'
), piece AS (
  SELECT
    graph, version, node, name, access, storage, perhaps_writes, is_unsure, lo_byte, hi_byte,
    upper_lo_byte, upper_hi_byte
  FROM held WHERE pitch_bytes = 0
  UNION ALL
  SELECT
    graph, version, node, name, access, storage, perhaps_writes, is_unsure,
    lo_byte + row * pitch_bytes,
    -- Nothing certain: nothing in any row.
    lo_byte + row * pitch_bytes + if(hi_byte > lo_byte, width_bytes, 0),
    upper_lo_byte + row * pitch_bytes,
    upper_lo_byte + row * pitch_bytes + width_bytes
  FROM held, range(rows::BIGINT) AS r(row)
  WHERE pitch_bytes > 0
), meeting AS (
  -- Two nodes without a path between them that touch the same bytes.
  SELECT
    b.graph, b.version, x.storage, (b.first, b.second) AS nodes, x.name AS first_name,
    y.name AS second_name, x.access AS first_access, y.access AS second_access,
    greatest(x.upper_lo_byte, y.upper_lo_byte) AS lo,
    least(x.upper_hi_byte, y.upper_hi_byte) AS hi,
    CASE
      WHEN x.is_unsure OR y.is_unsure THEN 'mode-unknown'
      WHEN x.lo_byte < y.hi_byte AND y.lo_byte < x.hi_byte THEN 'certain'
      ELSE 'range-guess'
    END AS verdict
  FROM branch AS b
  JOIN piece AS x ON x.graph = b.graph AND x.version = b.version AND x.node = b.first
  JOIN piece AS y
    ON y.graph = b.graph AND y.version = b.version AND y.node = b.second AND y.storage = x.storage
    AND x.upper_lo_byte < y.upper_hi_byte AND y.upper_lo_byte < x.upper_hi_byte
  WHERE x.perhaps_writes OR y.perhaps_writes
), launched AS (
  SELECT graph, version, level, min(op) AS op, count(*) AS launches
  FROM node_launch GROUP BY graph, version, level
)
SELECT
  NULL AS conflict, '' AS profile, l.level, m.verdict, l.op AS first_op, l.op AS second_op,
  arg_min(m.first_access, m.nodes) AS first_access,
  arg_min(m.second_access, m.nodes) AS second_access,
  arg_min(m.lo, m.nodes) AS lo_byte, arg_min(m.hi, m.nodes) AS hi_byte,
  l.launches * count(DISTINCT m.nodes) AS count,
  'node ' || min(m.nodes)[1] || ' ' || m.first_name AS first_node,
  'node ' || min(m.nodes)[2] || ' ' || m.second_name AS second_node
FROM meeting AS m
JOIN launched AS l ON l.graph = m.graph AND l.version = m.version
GROUP BY m.graph, m.version, m.storage, m.first_name, m.second_name, m.verdict, l.level, l.op,
  l.launches
