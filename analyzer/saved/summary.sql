-- What was recorded: ops by kind with their host time.
SELECT
  kind, timeline, count(*) AS ops, sum(host_ns) AS host_ns, max(host_ns) AS longest_ns
FROM op
GROUP BY kind, timeline
ORDER BY host_ns DESC, kind, timeline
