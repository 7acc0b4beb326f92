-- Copies by what they move: how often, how many bytes, how long the host was in the call.
SELECT
  kind, timeline, source, target, flags, count(*) AS copies, sum(size_bytes) AS total_bytes,
  sum(host_ns) AS host_ns
FROM copy
GROUP BY kind, timeline, source, target, flags
ORDER BY total_bytes DESC NULLS LAST, kind, source, target
