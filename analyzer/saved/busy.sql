-- Streams by the times of the device's work: how long each was busy, how long alone, and how long
-- work waited for its start. Of traces with device times (record --device-times); else no rows.
WITH done AS (
  SELECT timeline, device, entered_ns, started_ns, ended_ns
  FROM op
  WHERE started_ns IS NOT NULL AND ended_ns IS NOT NULL
), stream_of AS (
  SELECT DISTINCT timeline FROM done
), others AS (
  SELECT s.timeline AS apart, d.started_ns, d.ended_ns
  FROM stream_of AS s JOIN done AS d ON d.timeline <> s.timeline
), new_in_stream AS (
  SELECT timeline, device, entered_ns, started_ns, ended_ns, max(ended_ns) OVER (
    PARTITION BY timeline ORDER BY started_ns, ended_ns
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  ) AS before_ns
  FROM done
), new_in_all AS (
  SELECT started_ns, ended_ns, max(ended_ns) OVER (
    ORDER BY started_ns, ended_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  ) AS before_ns
  FROM done
), new_in_others AS (
  SELECT apart, started_ns, ended_ns, max(ended_ns) OVER (
    PARTITION BY apart ORDER BY started_ns, ended_ns
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  ) AS before_ns
  FROM others
), all_busy AS (
  SELECT sum(greatest(ended_ns - greatest(started_ns, coalesce(before_ns, started_ns)), 0)) AS ns
  FROM new_in_all
), others_busy AS (
  SELECT apart, sum(
    greatest(ended_ns - greatest(started_ns, coalesce(before_ns, started_ns)), 0)
  ) AS ns
  FROM new_in_others GROUP BY apart
)
SELECT
  timeline,                               -- Stream or backend.
  any_value(device) AS device,            -- Device ordinal; -1: none.
  count(*) AS works,                      -- Operations with device times.
  sum(greatest(ended_ns - greatest(started_ns, coalesce(before_ns, started_ns)), 0))::BIGINT
    AS busy_ns,                           -- Time in which the device worked for it, ns.
  (any_value(a.ns) - coalesce(any_value(o.ns), 0))::BIGINT
    AS alone_ns,                          -- Of that: while no other stream of the trace was busy, ns.
  max(ended_ns) - min(started_ns)
    AS span_ns,                           -- From its first start to its last end, ns.
  median(started_ns - entered_ns)::BIGINT
    AS queued_ns                          -- From a call to the start of its work, ns, the median.
FROM new_in_stream AS n
CROSS JOIN all_busy AS a
LEFT JOIN others_busy AS o ON o.apart = n.timeline
GROUP BY timeline
ORDER BY busy_ns DESC, timeline
