/*
id = "SYNC11"
name = "exceeded budget"
family = "sync"
rows = "budget"
severity = "error"
rank = 29
view = "spending"
message = "an iteration spends more than its budget: {what}"
why = """
The project has set how much one iteration may spend: host waits, host time in them, copies, launches.
More than that is a regression even where every wait is needed: a sync that came back, a tensor that
moved to another backend, a graph that is captured anew.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 2048]] },
  { op = "kernel", stream = "S2", writes = [["x", 2048, 2048]] },
  { op = "stream_sync", stream = "S1" },
  { op = "stream_sync", stream = "S2" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 2048]] },
  { op = "kernel", stream = "S1", writes = [["x", 2048, 2048]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
fix = """
Look at the places that spend most, and at what changed since the budget was met. Where a wait is
wanted, allow its place with a reason; where more is wanted, raise the limit.
"""
limits = """
Runs only where the settings have a budget. The median iteration is compared, or the worst: the first
ones of a run often spend more. Of a trace that lost data it is what is left.
"""
sources = [
  "ggml-org/llama.cpp#20793: syncs that came back between tokens",
]

[budget]
iteration = "trace"
syncs_per_iteration = 1
*/

-- What each iteration spends of what is limited, without waits at places that are allowed; of all
-- iterations the median and the worst, against the limit.
WITH counted AS (
  SELECT s.op, s.level, s.measure, s.amount, t.iteration
  FROM spending AS s
  JOIN _turn AS t ON t.whole OR t.iteration = s.iteration
  WHERE s.amount > 0 AND (NOT s.waits OR s.site NOT IN (SELECT site FROM _allowed))
), turn AS (
  SELECT
    b.measure, t.iteration, coalesce(sum(c.amount), 0) AS amount,
    list(c.op ORDER BY c.op) FILTER (c.op IS NOT NULL) AS ops, any_value(c.level) AS level
  FROM _budget AS b
  CROSS JOIN _turn AS t
  LEFT JOIN counted AS c
    ON c.measure = b.measure AND c.iteration IS NOT DISTINCT FROM t.iteration
  GROUP BY b.measure, t.iteration
), worst AS (
  SELECT measure, iteration, amount, ops, level
  FROM turn
  QUALIFY row_number() OVER (PARTITION BY measure ORDER BY amount DESC, iteration) = 1
), middle AS (
  SELECT
    u.measure, median(u.amount) AS amount, count(*) AS iterations,
    count(*) FILTER (u.amount > b.most) AS exceeded
  FROM turn AS u JOIN _budget AS b ON b.measure = u.measure
  GROUP BY u.measure
)
SELECT
  b.measure, b.most, m.amount::DOUBLE AS median, w.amount::DOUBLE AS worst,
  i.number AS worst_number, m.iterations, m.exceeded AS count,
  CASE b.judge WHEN 'worst' THEN w.amount ELSE m.amount END > b.most AS over,
  coalesce(w.level, '') AS level, coalesce(w.ops, []) AS ops
FROM _budget AS b
JOIN middle AS m ON m.measure = b.measure
JOIN worst AS w ON w.measure = b.measure
LEFT JOIN iteration AS i ON i.id = w.iteration
ORDER BY b.measure
