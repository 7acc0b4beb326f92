-- What was recorded: the most common iterations as letters (see signature), then ops by kind and
-- timeline. A trace without iterations is one, if it has at most 60 ops.
WITH shape AS (
  SELECT
    name, signature, count(*) AS turns,
    sum(blocked_ns) AS blocked_ns, max(blocked_ns) AS longest_ns
  FROM iteration
  WHERE signature <> ''
  GROUP BY name, signature
  UNION ALL
  SELECT 'trace', string_agg(l.letter, '' ORDER BY l.op), 1, NULL, NULL
  FROM letter AS l
  WHERE NOT EXISTS (FROM iteration)
  HAVING count(*) <= 60 AND count(l.letter) > 0
), line AS (
  FROM (
    SELECT
      1 AS place, name AS part,
      CASE WHEN length(signature) > 100 THEN left(signature, 99) || '…' ELSE signature END AS what,
      NULL AS timeline, turns AS count, blocked_ns AS host_ns, longest_ns
    FROM shape ORDER BY turns DESC, signature LIMIT 3
  )
  UNION ALL
  SELECT 2, 'op', kind, timeline, count(*), sum(host_ns), max(host_ns)
  FROM op
  GROUP BY kind, timeline
)
SELECT
  part,                                   -- Name of the iteration (decode, sched, …; trace: all of it), or op.
  what,                                   -- Letters of the iteration, cut after 100, or kind of the ops.
  timeline,                               -- Stream, backend or thread that the ops act on; NULL: iterations.
  count,                                  -- Number of such iterations or ops.
  host_ns,                                -- Host time in these calls, of iterations in their host waits, ns.
  longest_ns                              -- The longest of them, ns.
FROM line
ORDER BY place, CASE WHEN place = 1 THEN count ELSE host_ns END DESC, what, timeline
