-- Iterations by shape, most common first: i input set, s stream sync, S device sync, E event sync,
-- w stream waits, r event record, a async copy, x refused, c blocking copy, g[NAME] launch, d get.
SELECT
  name,                                   -- What repeats: decode, sched or the name of a range.
  signature,                              -- Its ops as letters, in trace order.
  count(*) AS iterations,                 -- Number of iterations of this shape.
  min(number) AS first,                   -- Number of the first of them, from 0.
  sum(blocked_ns) AS blocked_ns           -- Host time in their host waits, ns.
FROM iteration
GROUP BY name, signature
ORDER BY iterations DESC, first
