-- Syncs by calling place: how often, and how long the host was in them.
SELECT
  s.kind, s.call, s.timeline, s.event, coalesce(nullif(p.label, ''), p.function) AS place,
  p.ordinal, count(*) AS syncs, sum(s.blocked_ns) AS blocked_ns, min(s.id) AS first_op
FROM sync AS s
LEFT JOIN site AS p ON p.id = s.site
GROUP BY s.kind, s.call, s.timeline, s.event, place, p.ordinal
ORDER BY blocked_ns DESC, first_op
